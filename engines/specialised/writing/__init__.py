"""Writing: the texts of a gradient, forward and backward, with the rules of single operations."""

"""Reading: from a function to simple steps, whose values have kinds, and from a text to a function."""

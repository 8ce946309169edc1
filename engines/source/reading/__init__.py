"""Reading: from a function to its source, and what its source tells of the calls in it."""

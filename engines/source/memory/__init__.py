"""Memory: copies of what changes later, and refusals of changes that nobody could foresee."""

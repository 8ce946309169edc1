"""Inferring: the kinds of all values, and what stands for one array that is written into."""

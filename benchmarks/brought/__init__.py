"""Programs as users bring them: what is their gradient's cost, beside that of their value?

In the manner of the examples of automatic differentiation's libraries and of textbooks, in our own words;
about half of them write in place. `python -m benchmarks.brought` prints a table.
"""

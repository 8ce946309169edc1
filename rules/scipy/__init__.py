"""The rules for SciPy, a package for each of its parts, which loads when that part is first looked up."""

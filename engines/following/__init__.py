"""Following: a function runs as it is written, each operation seen as it happens.

Values are known by which object they are, so what containers, objects and generators do is Python's own
affair.
"""

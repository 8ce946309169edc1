"""JAX: our rules inside its programs, and its functions inside ours.

    programs.py     functions of arrays on the host, with their pushforwards and pullbacks
    batches.py      the same over a batch
    primitive.py    the JAX primitive that calls them, and its rules
    calls.py        which program a call is, and what its value looks like
    host.py         whether a compiled program waits for the host
    operator.py     what `to_jax` gives
    functions.py    what `from_jax` gives
    structure.py    its calls and values, as lists of arrays

JAX is imported by these modules alone, and they by `to_jax` and `from_jax` when called.
"""

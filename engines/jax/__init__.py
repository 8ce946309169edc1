"""JAX: our rules inside its programs, and its functions inside ours.

    programs.py     functions of arrays on the host, with their pushforwards and pullbacks
    batches.py      the same over a batch
    kept.py         pullbacks that wait for the backward pass
    primitive.py    the JAX primitive that calls them, and its rules
    calls.py        which program a call is, and what its value looks like
    traced.py       rules run in jax.numpy: the second way
    twins.py        what stands for NumPy's functions there
    scaled.py       a product in which a zero tangent wins
    host.py         whether a compiled program waits for the host
    operator.py     what `to_jax` gives
    functions.py    what `from_jax` gives

JAX is imported by these modules alone, and they by `to_jax` and `from_jax` when called.
"""

"""PyTorch: our rules as its operators, and its functions inside our programs.

    tensors.py      tensors as arrays and arrays as tensors, on the CPU, without copies
    calls.py        one autograd Function for every array function
    operator.py     what `to_torch` gives
    compiled.py     the same as an operator that torch.compile keeps whole
    functions.py    what `from_torch` gives: a PyTorch function with rules

PyTorch is imported by these modules alone, and they by `to_torch` and `from_torch` when called.
"""

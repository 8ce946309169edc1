"""Layouts: copies of arrays that lie in memory as the arrays do, as far as a program can tell.

Whether `np.ravel(a)` and `a.reshape(n)` are views of `a` or copies depends on its strides. So where a program
goes on with a copy of an array, the copy has the same order of axes, the same directions, and gaps where the
array has some.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def copied_as_it_lies(x: np.ndarray[Any, Any]) -> Any:
    """A copy with the same views: of at most twice the memory for each axis with gaps."""
    if x.flags.forc or x.dtype.hasobject or not x.size or 0 in x.strides:
        return x.copy("K")
    size = x.itemsize
    axes = sorted((abs(stride), n, i) for i, (stride, n) in enumerate(zip(x.strides, x.shape, strict=True)))
    strides, start = [0] * x.ndim, 0
    adjoining, step = size, size  # the stride of an axis without a gap before it, here and in the copy
    for stride, n, i in axes:
        if n > 1:
            step += size * (stride != adjoining)
            strides[i] = step if x.strides[i] > 0 else -step
            start += (n - 1) * step * (x.strides[i] < 0)
            adjoining, step = stride * n, step * n
    made: Any = np.ndarray(x.shape, x.dtype, np.empty(step // size + 1, x.dtype), start, strides)
    made[...] = x
    return made

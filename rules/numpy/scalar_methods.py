"""Methods of NumPy's scalars: what the functions of the same name say of one number.

A scalar has the methods of an array without axes: where an expression may give one or the other, a
program need not know which. `item`, `astype` and `conj` are among the methods of arrays. Arguments that
concern axes and memory are refused, and so are the methods that give text and bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import non_differentiable
from ..written import written_out

_SAME = ("max", "min", "copy", "squeeze", "transpose")


@written_out(*(getattr(np.generic, name) for name in _SAME))
def same(self: np.generic):
    """y = x"""
    x: Any = self
    return +x


@written_out(np.generic.sum)
def total(self: np.generic):
    """y = x, in the precision of a sum"""
    x: Any = self
    return np.sum(x)


@written_out(np.generic.prod)
def product(self: np.generic):
    """y = x, in the precision of a product"""
    x: Any = self
    return np.prod(x)


@written_out(np.generic.mean)
def mean(self: np.generic):
    """y = x, in the precision of a mean"""
    x: Any = self
    return np.mean(x)


@written_out(np.generic.std)
def std(self: np.generic, *, ddof=0):
    """y = 0"""
    x: Any = self
    return np.std(x, ddof=ddof)


@written_out(np.generic.var)
def var(self: np.generic, *, ddof=0):
    """y = 0"""
    x: Any = self
    return np.var(x, ddof=ddof)


@written_out(np.generic.clip)
def clip(self: np.generic, min: object = None, max: object = None):
    """y = x, kept between the two"""
    low: Any = min
    high: Any = max
    x: Any = self
    return np.clip(x, low, high)


@written_out(np.generic.round)
def rounded(self: np.generic, *, decimals=0):
    """y = x, rounded"""
    x: Any = self
    return np.round(x, decimals)


@written_out(np.generic.tolist)
def number(self: np.generic):
    """y = x, as Python's number"""
    return self.item()


@written_out(np.generic.ravel, np.generic.flatten, np.generic.cumsum, np.generic.cumprod)
def alone(self: np.generic):
    """y = (x)"""
    return np.reshape(self, 1)


@written_out(np.generic.reshape)
def reshaped(self: np.generic, *shape: object):
    """y = x, in that shape"""
    sizes: Any = shape
    return np.reshape(self, sizes[0] if len(sizes) == 1 else sizes)


@written_out(np.generic.repeat)
def repeated(self: np.generic, repeats: object):
    """y = (x, …, x)"""
    count: Any = repeats
    return np.repeat(self, count)


for _f in (np.generic.any, np.generic.all, np.generic.argmax, np.generic.argmin, np.float64.is_integer):
    non_differentiable(_f, why="an answer about a number, or its place")

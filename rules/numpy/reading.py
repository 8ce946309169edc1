"""Methods and attributes that read an array as something else: tolist, compress, view and flat.

`view` reads pairs of real numbers as complex ones and back; bits as other numbers have no derivative, and
are refused by name. `x.flat` is a vector here that nobody may write into; `x.flat[i] = v` is a store into x.
Absent: `flat` of an array that does not lie in memory in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import UnsupportedArgument, frule, non_differentiable, rrule
from ...tangents import NO_TANGENT
from .axes import float_dtype, picked, selection
from .nesting import nest, unnest


@frule(np.ndarray.tolist)
def tolist_frule(tangents, x: np.ndarray):
    """y = x as nested lists of Python's numbers        ẏ = ẋ likewise"""
    y = x.tolist()
    return y, unnest(tangents[0], y)


@rrule(np.ndarray.tolist)
def tolist_rrule(x: np.ndarray):
    """y = x as nested lists of Python's numbers        x̄ = ȳ as an array"""
    shape = np.shape(x)

    def tolist_pullback(y_bar):
        return nest(y_bar, shape)

    return x.tolist(), tolist_pullback


def in_line(x: Any) -> Any:
    """The entries of an array in order: a view of it that is not written into."""
    if not x.flags.c_contiguous:
        raise UnsupportedArgument(
            "getattr(…, 'flat')", "x", x, why="its entries do not lie in order", next="take np.ravel(x)"
        )
    y = x.reshape(-1).view()
    y.flags.writeable = False
    return y


@frule(in_line)
@frule(getattr, np.ndarray, "flat")
def flat_frule(tangents, x: np.ndarray):
    """y = the entries of x in order        ẏ = those of ẋ"""
    return in_line(x), np.reshape(tangents[0], -1)


@rrule(in_line)
@rrule(getattr, np.ndarray, "flat")
def flat_rrule(x: np.ndarray):
    """y = the entries of x in order        x̄ = ȳ in the shape of x"""
    shape = np.shape(x)

    def flat_pullback(y_bar):
        return np.reshape(y_bar, shape)

    return in_line(x), flat_pullback


COMPRESS = "self, condition, axis=None, out=None"


@frule(np.ndarray.compress, signature=COMPRESS)
def compress_frule(tangents, x: np.ndarray, condition, *, axis=None):
    """y = x where the condition holds along an axis        ẏ = ẋ there"""
    return x.compress(condition, axis), np.compress(condition, tangents[0], axis)


@rrule(np.ndarray.compress, signature=COMPRESS)
def compress_rrule(x: np.ndarray, condition, *, axis=None):
    """y = x where the condition holds along an axis        x̄ = ȳ there, zero elsewhere"""
    shape, dtype = np.shape(x), float_dtype(x)
    index = selection(shape, axis, np.flatnonzero(condition))

    def compress_pullback(y_bar):
        return picked(shape, dtype, index, y_bar), NO_TANGENT

    return x.compress(condition, axis), compress_pullback


def hold_view(x: Any, dtype: Any, type: Any) -> None:
    """Refuse to read bits as numbers of another kind or precision."""
    if type is not None:
        raise UnsupportedArgument(np.ndarray.view, "type", type, next="take a view of NumPy's own class")
    wanted = x.dtype if dtype is None else np.dtype(dtype)
    real = np.finfo(wanted).dtype if wanted.kind in "fc" else None
    if wanted != x.dtype and (real is None or x.dtype.kind not in "fc" or real != np.finfo(x.dtype).dtype):
        why = "it reads the bits of numbers as other numbers"
        raise UnsupportedArgument(np.ndarray.view, "dtype", dtype, why=why, next="convert with astype")


non_differentiable(hold_view, why="checks arguments")
VIEW = "self, dtype=None, type=None"


@frule(np.ndarray.view, signature=VIEW)
def view_frule(tangents, x: np.ndarray, *, dtype=None, type=None):
    """y = x, pairs of real numbers as complex ones or back        ẏ = ẋ likewise"""
    hold_view(x, dtype, type)
    wanted = x.dtype if dtype is None else np.dtype(dtype)
    return x.view(wanted), np.ascontiguousarray(tangents[0]).view(wanted)


@rrule(np.ndarray.view, signature=VIEW)
def view_rrule(x: np.ndarray, *, dtype=None, type=None):
    """y = x, pairs of real numbers as complex ones or back        x̄ = ȳ read back"""
    hold_view(x, dtype, type)
    wanted, own = x.dtype if dtype is None else np.dtype(dtype), x.dtype

    def view_pullback(y_bar):
        return np.ascontiguousarray(y_bar).view(own)

    return x.view(wanted), view_pullback

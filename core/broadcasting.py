"""Broadcasting undone, in one place.

NumPy repeats an argument along the axes it lacks; its cotangent is the sum along them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ..tangents import NO_TANGENT, ShapeMismatch, Thunk, project_to
from .types import is_foreign

_FLOAT64 = np.dtype(np.float64)


def unbroadcast(x_bar: Any, shape: tuple[int, ...]) -> Any:
    """Sum a cotangent of a broadcast argument down to the argument's own shape.

    Shapes:  x_bar has a shape to which `shape` broadcasts; the result has `shape`.
    Example: >>> unbroadcast(np.ones((2, 3)), (3,))
             array([2., 2., 2.])
    """
    mine = type(x_bar) is ndarray
    given = x_bar.shape if mine else np.shape(x_bar)
    if given == shape:
        return x_bar
    extra = len(given) - len(shape)
    stretched = [extra + i for i, n in enumerate(shape) if n == 1 and given[extra + i] != 1]
    axes = (*range(extra), *stretched)
    summed = np.add.reduce(x_bar, axis=axes) if mine else np.sum(x_bar, axis=axes)
    return summed if np.shape(summed) == shape else np.reshape(summed, shape)


def fit(x_bar: Any, x: Any) -> Any:
    """A cotangent of a broadcast numeric argument in that argument's space: shape, realness, precision.

    Integer arguments have float cotangents, truth values `NoTangent()`.
    """
    kind = type(x)
    if kind is ndarray:
        return fit_array(x_bar, x.shape, x.dtype)
    if kind is float or kind is np.float64 or kind is int:
        if isinstance(x_bar, float):
            return x_bar
        if type(x_bar) is ndarray and x_bar.dtype is _FLOAT64:
            total = np.add.reduce(x_bar, axis=None)
            return total if kind is np.float64 else total.item()
    if kind is bool or kind is np.bool_:
        return NO_TANGENT
    if is_foreign(x_bar) and not is_foreign(x):
        return _later(x_bar, x)
    if hasattr(x, "shape"):  # a class of its own, such as memmap, or another library's
        x_bar = unbroadcast(x_bar, x.shape)
    elif np.ndim(x_bar):
        x_bar = np.sum(x_bar)
    return project_to(x)(x_bar)


def fit_array(x_bar: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """The same for an array of this shape and type."""
    if type(x_bar) is ndarray and x_bar.dtype is dtype and x_bar.shape == shape:
        return x_bar
    if dtype.kind == "b":
        return NO_TANGENT
    if is_foreign(x_bar):
        return _later(x_bar, np.broadcast_to(np.zeros((), dtype), shape))
    x_bar = np.asarray(unbroadcast(x_bar, shape))
    return x_bar if x_bar.dtype is dtype else _cast(x_bar, dtype)


def _later(x_bar: Any, x: Any) -> Any:
    """The cotangent of a number or array of NumPy's from a lazy one, computed where somebody wants it."""
    return Thunk(lambda: project_to(x)(np.asarray(unbroadcast(x_bar, np.shape(x)))))


def _cast(x_bar: Any, dtype: np.dtype[Any]) -> Any:
    """Real for a real space, in its precision; float for an integer one and for spans of time."""
    if x_bar.dtype.kind == "m":
        raise ShapeMismatch(
            f"a cotangent of dtype {x_bar.dtype} meets arithmetic of arrays, which would round it",
            closest="the cotangent of a span of time is a number of seconds",
            next="divide it by a second: y_bar / np.timedelta64(1, 's')",
        )
    if dtype.kind not in "fc":
        return np.real(x_bar).astype(np.float64, copy=False)
    if dtype.kind == "f":
        x_bar = np.real(x_bar)
    return x_bar.astype(dtype, copy=False)

"""What the functions of `scipy.ndimage` share in their arguments: axes, values for each axis, `output`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, non_differentiable
from ...numpy.axes import axes_of


def each(value: Any, count: int) -> tuple[Any, ...]:
    """One value for each of so many axes.

    Example: >>> each("wrap", 2)
             ('wrap', 'wrap')
    """
    if isinstance(value, str) or np.ndim(value) == 0:
        return (value,) * count
    if len(value) != count:
        raise UnsupportedArgument("scipy.ndimage", "a sequence", value, why=f"it has not {count} values")
    return tuple(value)


def along(axes: Any, ndim: int) -> tuple[int, ...]:
    """The axes that are given, not negative; all of them for None."""
    return axes_of(axes, ndim)


def everywhere(values: Any, axes: tuple[int, ...], ndim: int, other: Any) -> tuple[Any, ...]:
    """Values for some axes, with another for the rest."""
    given = dict(zip(axes, each(values, len(axes)), strict=True))
    return tuple(given.get(axis, other) for axis in range(ndim))


def spread_shape(shape: tuple[int, ...], axes: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """The shape of weights for some axes, with ones for the rest."""
    return everywhere(shape, axes, ndim, 1)


def dtype_of(function: str, output: Any, x: Any) -> Any:
    """The dtype that `output` asks for; an array to write into has no rule."""
    if isinstance(output, np.ndarray):
        raise UnsupportedArgument(
            function, "output", "an array", supported=["None", "a dtype"], next="assign the result instead"
        )
    if output is None:
        return x.dtype
    asked = np.dtype(output)
    return np.result_type(asked, np.complex64) if x.dtype.kind == "c" and asked.kind != "c" else asked


non_differentiable(each, along, everywhere, spread_shape, dtype_of, why="computes with options alone")


def delivered(y: Any, dtype: Any) -> Any:
    """y as an array with the dtype that was asked for."""
    if not isinstance(y, np.ndarray):
        y = np.asarray(y)
    return y if y.dtype == dtype else y.astype(dtype)


def as_floats(x: Any) -> Any:
    """An image of floating-point numbers: SciPy computes with these, and cuts a result to whole numbers."""
    return x if x.dtype.kind in "fc" else x.astype(float)


def one(values: Any, i: int) -> Any:
    """A value for one axis, of one for all or one for each."""
    return values if np.ndim(values) == 0 else values[i]

"""Axes and shapes: what reductions, joins and moves of axes share.

Everything here but `stretch` computes with shapes and indices alone, so it has no derivative and
says so. Absent: the undoing of broadcasting, which is `unbroadcast` of core.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ...core import UnsupportedArgument, non_differentiable
from ...core.types import is_foreign
from ...tangents import IndexedTangent
from ...tangents.naturals import tangent_dtype


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that a reduction runs over, none of them negative; `None` means all."""
    return tuple(range(ndim)) if axis is None else tuple(normalize_axis_tuple(axis, ndim))


def axis_of(axis: Any, ndim: int) -> int:
    """One axis, not negative."""
    return int(normalize_axis_index(axis, ndim))


def kept(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    """The shape with the reduced axes of length one.

    Example: >>> kept((2, 3, 4), (0, -1))
             (1, 3, 1)
    """
    reduced = axes_of(axis, len(shape))
    return tuple(1 if i in reduced else n for i, n in enumerate(shape))


def count(shape: tuple[int, ...], axis: Any, where: Any = True) -> Any:
    """How many entries a reduction over these axes takes together; with a mask, for each value of it."""
    if where is True:
        return math.prod(shape[i] for i in axes_of(axis, len(shape)))
    return np.sum(np.broadcast_to(where, shape), axis=axis, keepdims=True)


def inverse_of(axes: Any, ndim: int) -> tuple[int, ...]:
    """The permutation that undoes `np.transpose(x, axes)`."""
    forward = axes_of(axes, ndim) if axes is not None else tuple(range(ndim))[::-1]
    return tuple(int(i) for i in np.argsort(forward))


def layout_order(f: Any, x: Any, order: str) -> str:
    """C or F for an order that depends on how x lies in memory."""
    if order in ("C", "F"):
        return order
    if np.ndim(x) < 2 or x.flags.c_contiguous:
        return "C"
    if x.flags.f_contiguous:
        return "F"
    if order == "A":
        return "C"
    raise UnsupportedArgument(
        f, "order", order, supported=["C", "F"], why="the array lies in memory in neither of the two orders"
    )


def is_exact(dtype: Any) -> bool:
    """Whether a conversion to this type ends every derivative: to integers, truth values, texts, objects."""
    return np.dtype(dtype).kind not in "fc"


TEXTS = "SUTV"
"""The kinds of types of texts and bytes, which hide the numbers that they were made of."""


def refuse_texts(f: Any, y: Any, x: Any) -> None:
    """Refuse an array that f made of x where numbers of x became texts, or texts numbers."""
    made, given = y.dtype.kind in TEXTS, hasattr(x, "dtype") and x.dtype.kind in TEXTS
    if given is not made and (given or _has_numbers(x)):
        raise UnsupportedArgument(f, "dtype", y.dtype, why=NO_TEXTS, next=KEEP)


def refuse_texts_among(f: Any, *arrays: Any) -> None:
    """Refuse numbers beside texts, in an array with which they would become texts."""
    if any((hasattr(x, "dtype") and x.dtype.kind in TEXTS) or isinstance(x, list) for x in arrays):
        kinds = {np.asarray(x).dtype.kind in TEXTS for x in arrays}
        if len(kinds) > 1:
            raise UnsupportedArgument(f, "dtype", "str", why=NO_TEXTS, next=KEEP)


def _has_numbers(x: Any) -> bool:
    return not all(isinstance(v, str | bytes) for v in np.asarray(x, object).flat)


NO_TEXTS = "a number that was a text in between has lost its derivative"
KEEP = "keep numbers and texts in arrays of their own, and read texts before differentiating"
non_differentiable(refuse_texts, refuse_texts_among, why="check types")


def rounds(x: Any, dtype: Any) -> bool:
    """Whether a conversion of x to this type ends the derivative: to integers, truth values, coarser units.

    Raises:  UnsupportedArgument for objects and texts, which would hide it, and for spans of time as counts.
    """
    old, new = (x if hasattr(x, "dtype") else np.asarray(x)).dtype, np.dtype(dtype)
    if new.kind == "O":
        raise UnsupportedArgument(np.array, "dtype", dtype, next="keep the array's numeric type")
    if (new.kind in TEXTS) is not (old.kind in TEXTS):
        raise UnsupportedArgument(np.array, "dtype", dtype, why=NO_TEXTS, next=KEEP)
    if old.kind in "mM" and new.kind in "fc":
        divide = "divide by a span instead: x / np.timedelta64(1, 's')"
        raise UnsupportedArgument(np.array, "dtype", dtype, why="a count has no unit", next=divide)
    if old.kind in "mM" and new.kind == old.kind:
        return np.datetime_data(new)[0] != "generic" and np.promote_types(old, new) != new
    return is_exact(new) and old.kind not in "iu"


def ends(x: Any, dtype: Any) -> bool:
    """Whether a function of x that is asked to give this type rounds: its derivative is zero."""
    if dtype is None or not is_exact(dtype):
        return False
    return (x if hasattr(x, "dtype") else np.asarray(x)).dtype.kind in "fc"


def beyond(**options: Any) -> dict[str, Any]:
    """The options that are not the default; other libraries' functions need not know those that are."""
    return {
        k: v
        for k, v in options.items()
        if v is not None and v is not True and (type(v) is not str or v != "C")
    }


def float_dtype(x: Any) -> Any:
    """The dtype of cotangents of x: its own, or float for exact numbers and, in seconds, for times."""
    dtype = x.dtype if isinstance(x, np.ndarray | np.generic) else np.asarray(x).dtype
    kept = None if dtype.kind in "mM" else tangent_dtype(dtype)
    return kept or np.dtype(float)


def selection(shape: tuple[int, ...], axis: Any, places: Any) -> tuple[Any, ...]:
    """The index that reads places along the axis, of the entries in order where the axis is `None`."""
    places = np.array(places)  # a copy, since the program may write into its own
    if axis is not None:
        return (*(slice(None),) * axis_of(axis, len(shape)), places)
    if not places.size:
        return (np.empty(places.shape, np.intp),) * len(shape)
    return np.unravel_index(places % math.prod(shape), shape) if shape else ()


non_differentiable(
    axes_of,
    axis_of,
    kept,
    count,
    inverse_of,
    layout_order,
    is_exact,
    rounds,
    ends,
    float_dtype,
    selection,
    why="computes with shapes alone",
)


def picked(shape: tuple[int, ...], dtype: Any, index: Any, y_bar: Any) -> Any:
    """The cotangent of an array that was read at an index; of a 0-d one, which has no index, the sum.

    Example: >>> picked((3,), np.dtype(float), (np.array([2, 2]),), np.ones(2)).dense()
             array([0., 0., 2.])
    """
    return IndexedTangent(shape, dtype, index, y_bar) if shape else np.sum(y_bar)


def stretch(y_bar: Any, frame: Any, axis: Any) -> Any:
    """The cotangent of a reduction, repeated along the axes that it reduced.

    Shapes:  y_bar is like a reduction over `axis` of an array of the shape that `frame` is, or of the array
             that `frame_of` gives; kept axes or not. The result is like that array.
    Example: >>> stretch(np.array([1.0, 2.0]), (2, 3), 1)
             array([[1., 1., 1.],
                    [2., 2., 2.]])
    """
    if not isinstance(frame, tuple):
        return np.zeros_like(frame) + np.reshape(y_bar, kept(frame.shape, axis))
    if np.ndim(y_bar) == 0:
        return np.full(frame, y_bar)
    return np.broadcast_to(np.reshape(y_bar, kept(frame, axis)), frame)


def frame_of(x: Any) -> Any:
    """What `stretch` needs of x: the shape; of another library's array itself, which knows its chunks."""
    if type(x) is np.ndarray:
        return x.shape
    return x if is_foreign(x) else np.shape(x)


non_differentiable(frame_of, why="computes with shapes alone")

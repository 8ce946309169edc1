"""Rows: what texts call that push many directions at once.

Beside an array stands one with an axis more in front, a tangent for each direction; its other axes are as
many as those of the array. Beside a number stands a vector.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from ..writing import rundown
from ..writing.rundown import slot
from ..writing.tangents import called

_MATRIX = (operator.matmul, np.matmul, np.dot)
_VECTOR = (np.vdot, np.inner)


def aligned(t: Any, v: Any) -> Any:
    """Tangents with as many axes as their value has, and one more."""
    missing = (v.ndim if type(v) is ndarray else 0) + 1 - t.ndim
    return t if missing <= 0 else t.reshape(t.shape[:1] + (1,) * missing + t.shape[1:])


def fill(t: Any, v: Any) -> Any:
    """Tangents in the shape of their value."""
    if type(v) is not ndarray or (t.ndim == v.ndim + 1 and t.shape[1:] == v.shape):
        return t
    return owning(t, v)


def part(t: Any, v: Any) -> Any:
    """The tangents of a part v of an array that changes: where it is a number it does not change with it."""
    return t if type(v) is ndarray else t.copy()


def owning(t: Any, v: Any) -> Any:
    """Tangents in the shape of their value that may be written into."""
    return owned(t, v.shape) if type(v) is ndarray else t


def owned(t: Any, shape: Any) -> Any:
    """The same of a value of this shape."""
    made = np.empty((t.shape[0], *shape))
    made[...] = t.reshape(t.shape[:1] + (1,) * (len(shape) + 1 - t.ndim) + t.shape[1:])
    return made


def zeros(k: int, shape: Any) -> Any:
    """Zero tangents of an array."""
    return np.zeros((k, *shape) if isinstance(shape, tuple) else (k, shape))


def still(v: Any, k: int) -> Any:
    """Zero tangents of a value, None of what has none."""
    t = type(v)
    if t is ndarray:
        return np.zeros((k, *v.shape))
    if t is tuple or t is list:
        return t(still(x, k) for x in v)
    if t is dict:
        return {key: still(x, k) for key, x in v.items()}
    return np.zeros(k) if isinstance(v, float | int | np.integer) else None


def number(t: Any, k: int) -> Any:
    """Tangents, zero where there are none."""
    return np.zeros(k) if t is None else t


def row(t: Any, i: int) -> Any:
    """What belongs to one direction."""
    if type(t) is ndarray:
        return t[i]
    if type(t) in (tuple, list):
        return type(t)(row(x, i) for x in t)
    return t


def by_rows(f: Callable[..., Any], k: int, moving: tuple[int, ...], /, *args: Any, **kwargs: Any) -> Any:
    """A function for each direction by itself; `moving` says which arguments have rows."""
    if f is np.roll and moving == (0,) and args[0].ndim == 2 and (len(args) == 2 or args[2] is None):
        return np.roll(args[0], args[1], axis=1, **kwargs)  # of vectors
    if f is rundown.rolled and (args[2] is not None or args[0].ndim == 2):
        axis = args[2] or 0
        return rundown.rolled(args[0], args[1], axis + 1 if axis >= 0 else axis)
    made = [f(*[row(a, i) if j in moving else a for j, a in enumerate(args)], **kwargs) for i in range(k)]
    return np.stack(made)


def in_rows(f: Callable[..., Any], k: int, moving: tuple[int, ...], *args: Any) -> None:
    """The same of a function that writes into its first argument."""
    for i in range(k):
        f(*[row(a, i) if j in moving else a for j, a in enumerate(args)])


def called_by_rows(
    k: int, f: Callable[..., Any], moving: tuple[Any, ...], /, *args: Any, **kwargs: Any
) -> tuple[Any, Any]:
    """Value and tangents of a call, by its rule; `moving` has None for what carries none."""
    made = [called(f, row(moving, i), *args, **kwargs) for i in range(k)]
    shape = np.shape(made[0][0])
    return made[0][0], np.stack([np.broadcast_to(t, shape) for _, t in made])


def gathered(items: Any) -> Any:
    """The tangents of an array that is made of numbers, or of arrays of one shape."""
    depth, first = 0, items
    while type(first) in (tuple, list):
        depth, first = depth + 1, first[0]
    if type(first) is not ndarray:
        raise ValueError("an array of items without tangents")
    made = np.array(items)
    return made.swapaxes(0, 1) if depth == 1 else np.moveaxis(made, depth, 0)


def product(f: Callable[..., Any], k: int, place: int, a: Any, b: Any) -> Any:
    """The tangents of a product, where these are of one of its factors: the first (0) or the second (1)."""
    moved, other = (a, b) if place == 0 else (b, a)
    own, of_other = moved.ndim - 1, np.ndim(other)
    if own == of_other == 1 and f is np.outer:
        return a[:, :, None] * b if place == 0 else a[:, None] * b[:, None, :]
    vectors = own == of_other == 1
    if not (f in _MATRIX and own in (1, 2) and of_other in (1, 2)) and not (vectors and f in _VECTOR):
        return by_rows(f, k, (place,), a, b)
    if place == 0:
        return a @ b
    return a @ b if own == 2 else b @ (a.T if of_other == 2 else a)


def turned(t: Any, v: Any) -> Any:
    """The tangents of a transpose."""
    return t.transpose(0, *range(v.ndim, 0, -1))


def unstored(t: Any, shape: Any) -> Any:
    """The tangents of a part's cotangents, for a value of this shape that was stored into it."""
    return t if t.shape[1:] == shape else np.stack([rundown.unstored(x, shape) for x in t])


def total(t: Any, y: Any) -> Any:
    """The sums of tangents in the shape of y."""
    t = fill(t, y)
    return np.add.reduce(t.reshape(t.shape[0], -1), axis=1) if type(y) is ndarray else t


def slot_rows(tangents: list[Any], i: Any, t: Any, shadow: list[Any]) -> None:
    """Add to the tangent of the cotangent of an item, which has been added to."""
    slot(tangents, i, fill(t, shadow[i]))


def each_rows(tangents: list[Any], shadow: list[Any], *ts: Any) -> None:
    """The same of all items: one that they share, or each its own."""
    for i, v in enumerate(shadow):
        slot(tangents, i, fill(ts[i] if len(ts) > 1 else ts[0], v))

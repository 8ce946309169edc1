"""Memory: whose memory an array is a window of, and that window of another array that lies as it does."""

from __future__ import annotations

import gc
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ...tangents.own_dict import own_dict
from ...tangents.sparse import is_sparse
from .leaves import IMMUTABLE_TYPE, OUTSIDE, PLAIN, SIMPLE, holds, is_leaf

_FLAT = (
    int,
    float,
    complex,
    str,
    bytes,
    bool,
    type(None),
    type,
    ModuleType,
    np.generic,
    np.dtype,
    BuiltinFunctionType,
)
_OPEN = (list, tuple, dict, set, frozenset, FunctionType, MethodType, CellType)


def owner_of(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that owns the memory of a."""
    base = a.base
    while base is not None:
        if isinstance(base, np.ndarray):
            a = base
        base = getattr(base, "base", None)
    return a


def arrays_of(x: Any) -> list[Any]:
    """The arrays that an object keeps in its fields, as a sparse array its numbers and places."""
    return [a for a in own_dict(x).values() if isinstance(a, np.ndarray)]


def memory_of(x: Any) -> list[Any]:
    """What a leaf's memory is known by: an array's owner, or a sparse array and its arrays' owners."""
    if isinstance(x, np.ndarray):
        return [owner_of(x)]
    return [x, *map(owner_of, arrays_of(x))] if is_sparse(x) else []


def memory_in(x: Any) -> set[int] | None:
    """The owners of the arrays in x, by identity, in whatever it holds; None where C code may hide some."""
    found, pending, seen = set[int](), [x], set[int]()
    while pending:
        x = pending.pop()
        if isinstance(x, _FLAT) or id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, np.ndarray):
            found.add(id(owner_of(x)))
        elif type(x).__flags__ & IMMUTABLE_TYPE and not isinstance(x, _OPEN):
            return None
        else:
            pending += gc.get_referents(x)
    return found


def in_memory(values: tuple[Any, ...]) -> list[Any]:
    """The arrays among values, and in them, whatever they hold, sparse ones too."""
    found, seen, pending = [], set(), [*values]
    while pending:
        x = pending.pop()
        kind = type(x)
        if kind is np.ndarray or isinstance(x, np.ndarray) or is_sparse(x):
            found.append(x)
            if kind is not np.ndarray or x.dtype.kind != "O":
                continue
        elif kind in SIMPLE or kind in PLAIN or is_leaf(x) or isinstance(x, OUTSIDE):
            continue
        if id(x) not in seen:
            seen.add(id(x))
            pending += x if kind is tuple or kind is list else holds(x)
    return found


def shadow_of(owner: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Zeros that lie as an owner's entries do."""
    if owner.dtype.kind == "c" or owner.dtype.kind == "f":
        return np.zeros_like(owner, subok=False)
    return np.zeros_like(owner, dtype=float, subok=False)


def window(shadow: np.ndarray[Any, Any], owner: np.ndarray[Any, Any], a: np.ndarray[Any, Any]) -> Any:
    """What a is of its owner, of the owner's shadow."""
    if a is owner:
        return shadow
    start = a.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    dtype = a.dtype if a.dtype.kind in "fc" else shadow.dtype
    return np.ndarray(a.shape, dtype, shadow, start, a.strides)


def flat_window(
    shadow: np.ndarray[Any, Any], owner: np.ndarray[Any, Any], a: np.ndarray[Any, Any]
) -> tuple[Any, Any]:
    """The shadow as one row, and where in it the entries of a stand, of which some are the same memory."""
    places = np.arange(owner.size * owner.itemsize // a.itemsize)
    flat: Any = np.ndarray(places.shape, shadow.dtype, shadow)
    start = (a.__array_interface__["data"][0] - owner.__array_interface__["data"][0]) // a.itemsize
    steps = tuple([s // a.itemsize * places.itemsize for s in a.strides])
    return flat, np.ndarray(a.shape, places.dtype, places, start * places.itemsize, steps)


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

"""Leaves: the values that may carry a derivative as one, numbers and arrays, and where they are in others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from ...tangents import Composite, IndexedTangent, ItemTangent, fields_of, is_zero
from ...tangents.functions import FUNCTIONS
from ...tangents.naturals import tangent_dtype, zero_of
from ...tangents.sparse import is_sparse
from ...tangents.structure import parts


class Integer(int):
    """A whole number that varies: an object of its own, as Python's small ones are not."""

    __slots__ = ()


PLAIN = frozenset((str, bytes, bool, type(None), type(Ellipsis), range, type, int))
"""Types of values that never vary, and hold nothing."""
SIMPLE = frozenset((float, int, complex, np.float64, np.ndarray, bool, str, Integer, type(None)))
"""Types of values that hold no others."""
_STRUCTURES = PLAIN | {tuple, list, dict, slice}
_OUTSIDE = (type, ModuleType, BuiltinFunctionType)
_LIGHT = (IndexedTangent, ItemTangent)


def is_leaf(x: Any) -> bool:
    """Whether x may carry a derivative as one value."""
    kind = type(x)
    if kind is float or kind is np.float64 or kind is complex or kind is Integer:
        return True
    if issubclass(kind, np.generic | np.ndarray):
        return bool(x.dtype.kind in "fc") or (x.dtype.kind in "mM" and not is_zero(zero_of(x)))
    if kind in _STRUCTURES or isinstance(x, (Composite, *FUNCTIONS)):
        return False
    if kind in _LIGHT:
        return True
    if is_sparse(x):
        return tangent_dtype(x.dtype) is not None
    zero = zero_of(x)
    return zero is not None and not is_zero(zero)


def is_result(x: Any) -> bool:
    """Whether x, the result of a call of leaves that vary, varies as one value."""
    return type(x) is int or is_leaf(x) or is_whole(x)


def is_whole(x: Any) -> bool:
    """Whether this is a whole number that varies, or an array of whole numbers."""
    return type(x) is Integer or (isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "iu")


def is_argument(x: Any) -> bool:
    """Whether an argument, or a part of one, is one leaf."""
    return not isinstance(x, FUNCTIONS) and is_result(x)


def leaves_in(x: Any) -> Iterator[Any]:
    """The leaves in x, however deep, and texts, which may report one."""
    pending, seen = [x], set()
    while pending:
        x = pending.pop()
        kind = type(x)
        if is_leaf(x) or kind is str or kind is bytes:
            yield x
        elif kind not in PLAIN and not isinstance(x, _OUTSIDE) and id(x) not in seen:
            seen.add(id(x))
            pending += holds(x)


def holds(x: Any) -> list[Any]:
    """What x holds: items, entries, fields, what it captured, defaults."""
    kind = type(x)
    inside: Any = fields_of(x) if isinstance(x, Composite) else parts(x)
    found = list(inside.values() if isinstance(inside, dict) else inside or ())
    if isinstance(x, set | frozenset):
        found += x
    elif kind is slice:
        found += (x.start, x.stop, x.step)
    elif kind is FunctionType and x.__defaults__:
        found += x.__defaults__
    elif kind is np.ndarray and x.dtype.kind == "O":
        found += list(x.flat)
    return found


def reaches(x: Any, wanted: Callable[[Any], bool]) -> bool:
    """Whether a leaf that is wanted is in x, however deep."""
    return any(wanted(leaf) for leaf in leaves_in(x))


def arrays_in(x: Any) -> Iterator[Any]:
    """The arrays of numbers in x, however deep."""
    return (leaf for leaf in leaves_in(x) if isinstance(leaf, np.ndarray))


def holders(x: Any) -> list[Any]:
    """The functions, containers and objects that are x, or in it, and hold something."""
    found, pending, seen = [], [x], set()
    while pending:
        x = pending.pop()
        if id(x) in seen or type(x) in PLAIN or is_leaf(x) or isinstance(x, _OUTSIDE):
            continue
        seen.add(id(x))
        inside = holds(x)
        if inside:
            found.append(x)
            pending += inside
    return found

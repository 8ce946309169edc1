"""Leaves: the values that may carry a derivative as one, numbers and arrays, and where they are in others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType, SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...core.callables import Integer as Integer
from ...core.installed import is_of_package
from ...tangents import Composite, IndexedTangent, ItemTangent, fields_of, is_zero
from ...tangents.functions import FUNCTIONS
from ...tangents.naturals import tangent_dtype, zero_of
from ...tangents.refilled import IMMUTABLE_TYPE as IMMUTABLE_TYPE
from ...tangents.sparse import is_sparse
from ...tangents.structure import parts
from ...types.roles import MissingDifferentialError

PLAIN = frozenset((str, bytes, bool, type(None), type(Ellipsis), range, type, int))
"""Types of values that never vary, and hold nothing."""
SIMPLE = frozenset((float, int, complex, np.float64, np.ndarray, bool, str, Integer, type(None)))
"""Types of values that hold no others."""
_NOT_FOREIGN = (
    *(tuple, list, dict, set, frozenset, deque, str, bytes, bytearray, int, float, complex, type(None), type),
    *(
        ModuleType,
        np.ndarray,
        np.generic,
        np.dtype,
        np.vectorize,
        slice,
        range,
        date,
        time,
        timedelta,
        BaseException,
        *FUNCTIONS,
    ),
    *(BuiltinFunctionType, SimpleNamespace, np.ufunc, Iterator),
)
_OWN = f"{__name__.partition('.')[0]}."
_foreign: WeakKeyDictionary[type, bool] = WeakKeyDictionary()
_NUMBERS = frozenset((float, np.float64, complex, Integer))
_OF_NUMPY = (np.ndarray, np.generic)
_NO_LEAVES = (Composite, *FUNCTIONS)
_STRUCTURES = PLAIN | {tuple, list, dict, slice}
OUTSIDE = (type, ModuleType, BuiltinFunctionType)
_GROWING = (list, dict, deque, set)
_LIGHT = (IndexedTangent, ItemTangent)


def is_leaf(x: Any) -> bool:
    """Whether x may carry a derivative as one value."""
    kind = type(x)
    if kind in _NUMBERS:
        return True
    if kind in _STRUCTURES:
        return False
    if kind is np.ndarray or issubclass(kind, _OF_NUMPY):
        return x.dtype.kind in "fc" or (x.dtype.kind in "mM" and not is_zero(zero_of(x)))
    if isinstance(x, _NO_LEAVES):
        return False
    if kind in _LIGHT:
        return True
    if is_sparse(x):
        return tangent_dtype(x.dtype) is not None
    try:
        zero = zero_of(x)
    except MissingDifferentialError:  # a pointer, whose differential is its caller's
        return True
    return zero is not None and not is_zero(zero)


def is_result(x: Any) -> bool:
    """Whether x, the result of a call of leaves that vary, varies as one value."""
    return type(x) is int or is_leaf(x) or is_whole(x) or is_of_objects(x) or is_foreign(x)


def is_foreign(x: Any) -> bool:
    """Whether x is an object of a library's class, which rules make and read: it is one leaf.

    So is one that frees something in the end, since a copy of it would do so as well.
    """
    P = type(x)
    known = _foreign.get(P)
    if known is None:
        known = not (issubclass(P, _NOT_FOREIGN) or P.__module__.startswith(_OWN) or is_sparse(x))
        of_library = bool(P.__flags__ & IMMUTABLE_TYPE) or is_of_package(P)
        known = known and (of_library or hasattr(P, "__del__"))
        _foreign[P] = known
    return known


def is_handle(x: Any) -> bool:
    """Whether x is an object without numbers in floating point, as one that holds a place in a C library."""
    P = type(x)
    if issubclass(P, (*_NOT_FOREIGN, Enum)) or P.__module__.startswith(_OWN) or is_result(x):
        return False
    return not any(is_leaf(v) or is_of_objects(v) for v in leaves_in(x))


def is_of_objects(x: Any) -> bool:
    """Whether this is an array of objects, which is one leaf where a run was given it or computed it."""
    return type(x) is np.ndarray and x.dtype.kind == "O"


def is_whole(x: Any) -> bool:
    """Whether this is a whole number that varies, or an array of whole numbers."""
    return type(x) is Integer or (isinstance(x, _OF_NUMPY) and x.dtype.kind in "iu")


def is_argument(x: Any) -> bool:
    """Whether an argument, or a part of one, is one leaf."""
    return not isinstance(x, FUNCTIONS) and is_result(x)


def is_simple(x: Any) -> bool:
    """Whether x holds no others, or is a tuple or list of what holds none."""
    kind = type(x)
    return (
        kind in SIMPLE
        or kind is slice
        or ((kind is tuple or kind is list) and SIMPLE.issuperset(map(type, x)))
    )


def leaves_in(x: Any, defaults: bool = True) -> Iterator[Any]:
    """The leaves in x, however deep, and texts, which may report one; those in defaults of functions, too."""
    pending, seen = [x], set()
    while pending:
        x = pending.pop()
        kind = type(x)
        if is_leaf(x) or kind is str or kind is bytes:
            yield x
            continue
        if is_of_objects(x) or is_foreign(x):
            yield x
        if kind not in PLAIN and not isinstance(x, OUTSIDE) and id(x) not in seen:
            seen.add(id(x))
            pending += holds(x, defaults)


def holds(x: Any, defaults: bool = True) -> list[Any]:
    """What x holds: items, entries, fields, what it captured, defaults."""
    kind = type(x)
    inside: Any = fields_of(x) if isinstance(x, Composite) else parts(x)
    found = list(inside.values() if isinstance(inside, dict) else inside or ())
    if isinstance(x, set | frozenset):
        found += x
    elif kind is FunctionType and defaults and x.__defaults__:
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
    """The functions, containers and objects that are x, or in it, and hold something, or may."""
    found, pending, seen = [], [x], set()
    while pending:
        x = pending.pop()
        if id(x) in seen or type(x) in PLAIN or is_leaf(x) or isinstance(x, OUTSIDE):
            continue
        seen.add(id(x))
        inside = holds(x)
        if inside or isinstance(x, _GROWING) or type(x).__dictoffset__:
            found.append(x)
            pending += inside
    return found

"""When two tangents are equal: `same_values`, which is `==` of composites.

Field by field over the union of the fields. A missing field is a zero, and equals `Zero()`, 0.0,
and an array or composite of nothing but zeros; a `NoTangent` counts as a zero here. Thunks are
forced. A composite of a tuple, list or dict equals the plain one with the same values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .composite import Composite, fields_of, primal_type
from .indexed import IndexedTangent, ItemTangent
from .sparse import is_sparse
from .thunks import unthunk
from .zeros import ZERO, NotImplementedTangent, is_zero


def same_values(a: Any, b: Any) -> bool:
    """Whether two tangents are the same tangent: one answer, also for arrays.

    Example: >>> same_values(Composite[tuple](np.zeros(2), 1.0), Composite[tuple](Zero(), 1.0))
             True
    """
    a, b = unthunk(a), unthunk(b)
    if a is b:
        return True
    if is_zero(a) or is_zero(b):
        return all_zero(a) and all_zero(b)
    if isinstance(a, NotImplementedTangent) or isinstance(b, NotImplementedTangent):
        return False
    if _is_structure(a) or _is_structure(b):
        return _same_structure(a, b)
    a, b = _dense(a), _dense(b)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and np.array_equal(a, b)
    return bool(a == b)


def all_zero(t: Any) -> bool:
    """Whether a tangent is zero in every field and entry.

    Example: >>> all_zero(Composite[tuple](0.0, Zero(), np.zeros(2)))
             True
    """
    t = unthunk(t)
    if is_zero(t):
        return True
    if isinstance(t, NotImplementedTangent):
        return False
    if _is_structure(t):
        return all(all_zero(v) for _, v in _entries(t))
    if isinstance(t, IndexedTangent):
        return not any(np.any(values) for _, values in t.parts())
    if is_sparse(t):
        return not np.any(t.data)
    return not np.any(t)


def _is_structure(t: Any) -> bool:
    return isinstance(t, Composite | ItemTangent | tuple | list | dict)


def _dense(t: Any) -> Any:
    if isinstance(t, IndexedTangent):
        return t.dense()
    return t.toarray() if is_sparse(t) else t


def _same_structure(a: Any, b: Any) -> bool:
    a, b = (t.dense() if isinstance(t, ItemTangent) else t for t in (a, b))
    if isinstance(a, Composite) and isinstance(b, Composite):
        if type(a) is not type(b):
            return False
    elif not any(_is_a(kind, a) and _is_a(kind, b) for kind in (tuple | list, dict)):
        return False
    if _is_a(tuple | list, a) and len(a) != len(b):
        return False
    ours, theirs = dict(_entries(a)), dict(_entries(b))
    return all(same_values(ours.get(k, ZERO), theirs.get(k, ZERO)) for k in ours.keys() | theirs.keys())


def _is_a(kind: Any, t: Any) -> bool:
    """Whether t is of this kind of container, or a composite of one."""
    return issubclass(primal_type(t) if isinstance(t, Composite) else type(t), kind)


def _entries(t: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(t, ItemTangent):
        t = t.dense()
    if _is_a(tuple | list, t):
        return enumerate(t)
    return iter((fields_of(t) if isinstance(t, Composite) else t).items())

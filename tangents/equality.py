"""When two tangents are equal: `same_values`, which is `==` of composites.

Field by field over the union of the fields. A missing field is a zero, and equals `Zero()`, 0.0,
and an array or composite of nothing but zeros; a `NoTangent` counts as a zero here. Thunks are
forced. A composite of a tuple, list or dict equals the plain one with the same values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import algebra
from .composite import SEQUENCES
from .containers import agree, entries, has_entries, is_of, matched
from .indexed import IndexedTangent
from .sparse import is_sparse
from .thunks import unthunk
from .zeros import NotImplementedTangent, is_zero


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
    if has_entries(a) or has_entries(b):
        if not agree(a, b) or (is_of(SEQUENCES, a) and len(a) != len(b)):
            return False
        return all(same_values(x, y) for x, y in matched(a, b))
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
    if has_entries(t):
        return all(map(all_zero, entries(t).values()))
    return not np.any(_dense(t))


def _dense(t: Any) -> Any:
    if isinstance(t, IndexedTangent):
        return t.dense()
    return t.toarray() if is_sparse(t) else t


algebra.same_values = same_values

"""The largest and smallest entries of sparse arrays, along an axis and over all, and of two in each place.

What is not stored counts as a zero that does not move, unless `explicit` is said. Entries that tie share the
cotangent equally, with all zeros that are not stored as one of them; of two arrays that tie in a place each
has half.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import non_differentiable
from ...written import own, written_out
from .arithmetic import check_shapes, kind_of
from .entries import Sparse, entries, filled, methods, placed, places
from .reductions import check_axis


def group_of(x: Any, at: Any, axis: int) -> Any:
    """The row or column that each stored entry belongs to, of which it may be the extreme."""
    return at[1 - axis % 2]


def shares(y: Any, values: Any, group: Any, length: int, explicit: Any) -> Any:
    """How large a part each stored entry has in the extreme of its group, of so many entries."""
    extreme = np.ravel(y.toarray())
    chosen = values == extreme[group]
    others = (np.bincount(group, minlength=len(extreme)) < length) & (extreme == 0) & (not explicit)
    counts = np.bincount(group, chosen, len(extreme)) + others
    return (chosen / np.maximum(counts[group], 1)).astype(values.dtype)


def has_zeros(x: Any, at: Any, explicit: Any) -> bool:
    """Whether a zero that is not stored counts."""
    return not len(at[0]) or (not explicit and len(at[0]) < np.prod(x.shape))


non_differentiable(group_of, shares, has_zeros, why="decides which entries are chosen")


def _register(f: Any, of_dense: Any) -> None:
    @written_out(f)
    def extreme(self: Sparse, *, axis=None, out=None, explicit=False):
        """y is the largest or smallest xᵢⱼ, shared by those that tie"""
        check_axis(f, self, axis, None, out)
        at = places(self)
        values = entries(self, at)
        if axis is None:
            zero = np.zeros(int(has_zeros(self, at, explicit)), self.dtype)
            return of_dense(np.concatenate((values, zero)))
        y, group = own(f, self, axis, explicit=explicit), group_of(self, at, axis)
        length = self.shape[axis]
        return filled(y, values * shares(y, values, group, length, explicit), (group,))


for _name in ("max", "min"):
    for _f in methods(_name):
        _register(_f, getattr(np, _name))


def either(a: Any, b: Any) -> Any:
    """The places where one of two arrays stores an entry, each once."""
    at, to = places(a), places(b)
    both = [np.concatenate([i, j]) for i, j in zip(at, to, strict=True)]
    return np.unravel_index(np.unique(np.ravel_multi_index(both, a.shape)), a.shape)


non_differentiable(either, why="has to do with the pattern alone")


def _register_pairs(f: Any, of_dense: Any) -> None:
    @written_out(f)
    def of_two(self: Sparse, other: Sparse):
        """yᵢⱼ is the larger or smaller of aᵢⱼ and bᵢⱼ, where one of them is stored"""
        check_shapes(f, self, other)
        at = either(self, other)
        values = of_dense(entries(self, at), entries(other, at))
        return placed(values, at, shape=self.shape, kind=kind_of(f, self, other))


for _name in ("maximum", "minimum"):
    for _f in methods(_name):
        _register_pairs(_f, getattr(np, _name))

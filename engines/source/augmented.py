"""Augmented assignment: what `x op= v` does to x.

A number or any other value that cannot change is replaced: `x += v` is `x = x + v`. An array is
written, so every name that it has sees the sum; a list is extended. What Python would refuse, as a
result that does not fit into the array, is refused as Python does, by asking Python.
"""

from __future__ import annotations

import operator
from types import FunctionType
from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule
from ...core.seeds import ready
from ...tangents import ZERO, Composite, fields_of, is_zero
from .structures import parts_of
from .writing import put_item, snapshot

_IN_PLACE: dict[Any, Any] = {
    operator.add: operator.iadd,
    operator.sub: operator.isub,
    operator.mul: operator.imul,
    operator.truediv: operator.itruediv,
    operator.floordiv: operator.ifloordiv,
    operator.mod: operator.imod,
    operator.pow: operator.ipow,
    operator.matmul: operator.imatmul,
    operator.lshift: operator.ilshift,
    operator.rshift: operator.irshift,
    operator.or_: operator.ior,
    operator.xor: operator.ixor,
    operator.and_: operator.iand,
}


class Augmented:
    """What `x op= v` calls: it returns x changed, or a new value of what cannot change."""

    __slots__ = ("__name__", "in_place", "op")

    def __init__(self, op: Any, in_place: Any) -> None:
        self.op, self.in_place = op, in_place
        self.__name__ = f"augmented_{op.__name__.strip('_')}"

    def __call__(self, x: Any, v: Any) -> Any:
        if isinstance(x, np.ndarray):
            y = self.op(snapshot(x), v)
            if not fits(x, y):
                return self.in_place(x, v)
            return put_item(x, ..., y)
        if isinstance(x, list) and self.op is operator.add:
            return extended(x, v)
        if isinstance(x, dict) and self.op is operator.or_:
            return updated(x, v)
        return self.op(x, v)

    def method(self, x: Any) -> Any:
        """The method written in Python by which x says what the assignment does; else None."""
        method = getattr(type(x), f"__i{self.op.__name__.strip('_')}__", None)
        return method if isinstance(method, FunctionType) else None


AUGMENTED = {op: Augmented(op, in_place) for op, in_place in _IN_PLACE.items()}
"""By the operator."""


def fits(x: Any, y: Any) -> bool:
    """Whether y can be stored into the array x in place."""
    y = np.asarray(y)
    return y.shape == x.shape and np.can_cast(y.dtype, x.dtype, "same_kind")


non_differentiable(fits, why="compares shapes")


def extended(x: list[Any], more: Any) -> list[Any]:
    """x after `x += more`."""
    x += more
    return x


@frule(extended, complete=True)
def extended_frule(tangents: Any, x: list, more: list | tuple) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """The tangents of the items, one after another."""
    dx, dmore = tangents
    n = len(x)
    return extended(x, more), Composite[list](*parts_of(dx, n), *parts_of(dmore, len(more)))


@rrule(extended, complete=True)
def extended_rrule(x: list, more: list | tuple) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """x̄ and the other cotangent have their parts of ȳ."""
    n, P = len(x), type(more)

    def extended_pullback(y_bar: Any) -> Any:
        if is_zero(y_bar):
            return ZERO, ZERO
        parts = tuple(fields_of(ready(y_bar)))
        return Composite[list](*parts[:n]), Composite[P](*parts[n:])

    return extended(x, more), extended_pullback


def updated(x: dict[Any, Any], more: Any) -> dict[Any, Any]:
    """x after `x |= more`."""
    x |= more
    return x


@frule(updated, complete=True)
def updated_frule(tangents: Any, x: dict, more: dict) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """The tangents of the entries, those of the second where it has the key."""
    dx, dmore = (ZERO if is_zero(t) else dict(fields_of(t)) for t in tangents)
    old = {} if is_zero(dx) else {k: v for k, v in dx.items() if k not in more}
    return updated(x, more), Composite[dict]({**old, **({} if is_zero(dmore) else dmore)})


@rrule(updated, complete=True)
def updated_rrule(x: dict, more: dict) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """Each entry's cotangent goes to the dict that it is from."""
    keys = tuple(more)

    def updated_pullback(y_bar: Any) -> Any:
        if is_zero(y_bar):
            return ZERO, ZERO
        entries = dict(fields_of(ready(y_bar)))
        theirs = {k: entries.get(k, ZERO) for k in keys}
        mine = {k: v for k, v in entries.items() if k not in theirs}
        return Composite[dict](mine), Composite[dict](theirs)

    return updated(x, more), updated_pullback

"""Augmented assignment: what `x op= v` does to x.

A number or any other value that cannot change is replaced: `x += v` is `x = x + v`. An array is
written, so every name that it has sees the sum; a list is extended. What Python would refuse, as a
result that does not fit into the array, is refused as Python does, by asking Python.
"""

from __future__ import annotations

import operator
from collections import deque
from types import FunctionType
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.changes import functional
from ....core.loading import load_for
from ..values.writing import put_item, snapshot

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
        if (
            isinstance(x, list | deque)
            and self.op is operator.add
            and not isinstance(v, np.ndarray | np.generic)
        ):
            method = list.extend if isinstance(x, list) else deque.extend
            return changed_by(method, x, v)(x, v)[1]
        if isinstance(x, list | deque) and self.op is operator.mul and isinstance(v, int | np.integer):
            kind = list if isinstance(x, list) else deque
            if v < 1:
                return changed_by(kind.clear, x)(x)[1]
            more = list(x) * (v - 1)
            return changed_by(kind.extend, x, more)(x, more)[1]
        if isinstance(x, dict) and self.op is operator.or_:
            return changed_by(dict.update, x, v)(x, v)[1]
        return self.op(x, v) if self.method(x) is None else self.in_place(x, v)

    def method(self, x: Any) -> Any:
        """The method written in Python by which x says what the assignment does; else None."""
        method = getattr(type(x), f"__i{self.op.__name__.strip('_')}__", None)
        return method if isinstance(method, FunctionType) else None


AUGMENTED = {op: Augmented(op, in_place) for op, in_place in _IN_PLACE.items()}
"""By the operator."""


def changed_by(method: Any, *values: Any) -> Any:
    """A method of Python's containers as a function that returns the container after its value."""
    load_for((method,))
    return functional(method, values, {})


def fits(x: Any, y: Any) -> bool:
    """Whether y can be stored into the array x in place."""
    y = np.asarray(y)
    return y.shape == x.shape and np.can_cast(y.dtype, x.dtype, "same_kind")


non_differentiable(fits, changed_by, why="ask about types")

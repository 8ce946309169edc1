"""Seen: what a call changes, as its caller counts it.

A function that changes what it captured returns its captured variables after its value; to its caller it is
the function that changed. So it is with a method that is called as a value, and its object, and with what a
`*` operand passes (spreading.py). A view is the linear map from the one to the other.
"""

from __future__ import annotations

import types
from typing import Any

from ....tangents import ZERO, Composite, is_zero
from ..values.answers import Between
from ..values.structures import captured, function_tangent, parts_of, tuple_tangent

Values = tuple[Any, ...]


class View:
    """How the value of a call, with what it changed after it, is seen by the caller."""

    __slots__ = ()

    def value(self, y: Values) -> Any:
        """What the caller gets."""
        raise NotImplementedError

    def together(self, t: Any) -> Any:
        """The tangent that the caller gets."""
        raise NotImplementedError

    def apart(self, t: Any) -> Any:
        """The other way round, for a cotangent."""
        raise NotImplementedError


class Seen(Between):
    """The pullback of a call that is seen in another way."""

    __slots__ = ("view",)

    def __init__(self, back: Any, view: View) -> None:
        super().__init__(back)
        self.view = view

    def seed(self, y_bar: Any) -> Any:
        return self.view.apart(y_bar)

    def seed_adjoint(self, t: Any) -> Any:
        return self.view.together(t)


class OfFunction(View):
    """Captured variables of these names, seen as the function itself; other states stand after it."""

    __slots__ = ("f", "names", "others")

    def __init__(self, f: Any, names: tuple[str, ...], others: int) -> None:
        self.f, self.names, self.others = f, names, others

    def value(self, y: Values) -> Values:
        return (y[0], self.f, *y[1 + len(self.names) :])

    def together(self, t: Any) -> Any:
        y, *states = parts_of(t, 1 + len(self.names) + self.others)
        own, others = states[: len(self.names)], states[len(self.names) :]
        f = function_tangent(self.names, *own) if any(t is not ZERO for t in own) else ZERO
        return tuple_tangent(y, f, *others)

    def apart(self, t: Any) -> Any:
        y, f, *others = parts_of(t, 2 + self.others)
        return tuple_tangent(y, *(captured(f, n) for n in self.names), *others)


class OfMethod(View):
    """An object, seen as its bound method; it is the first of so many states."""

    __slots__ = ("method", "states")

    def __init__(self, method: Any, states: int) -> None:
        self.method, self.states = method, states

    def value(self, y: Values) -> Values:
        return (y[0], self.method, *y[2:])

    def together(self, t: Any) -> Any:
        y, owner, *others = parts_of(t, 1 + self.states)
        bound = ZERO if is_zero(owner) else Composite[types.MethodType](__self__=owner)
        return tuple_tangent(y, bound, *others)

    def apart(self, t: Any) -> Any:
        y, method, *others = parts_of(t, 1 + self.states)
        return tuple_tangent(y, ZERO if is_zero(method) else method.__self__, *others)

"""How often a declared derivative may be differentiated itself.

A tangent or adjoint function stands inside a rule as a `Limited`. The rules of that hand it to the engine
that asks, and report a function that cannot be differentiated with what its author may write. What goes in
and comes out passes a `guard`, an identity that counts: each derivative of it is a guard with one order
fewer, and the last raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.calls import forward_of, reverse_of
from ..core.decorators import frule, rrule
from ..core.errors import ChainRulesError, HigherOrderError
from ..tangents import NO_TANGENT


def guard(x: Any, left: int, name: str) -> Any:
    """x itself, which may be differentiated so many times."""
    return x


def _lower(left: int, name: str) -> int:
    if left <= 0:
        raise HigherOrderError(
            f"the declared derivative of {name} may not be differentiated again",
            closest="order= says how many times the function may be differentiated",
            next="declare it with a higher order=, or without one",
        )
    return left - 1


@frule(guard)
def guard_frule(tangents: Any, x: object, *, left: Any, name: Any) -> Any:
    """ẏ = ẋ, with one order fewer"""
    return x, guard(tangents[0], left=_lower(left, name), name=name)


@rrule(guard)
def guard_rrule(x: object, *, left: Any, name: Any) -> Any:
    """x̄ = ȳ, with one order fewer"""
    lower = _lower(left, name)

    def guard_pullback(y_bar: Any) -> Any:
        return (guard(y_bar, left=lower, name=name),)

    return x, guard_pullback


class Limited:
    """A tangent or adjoint function, and how many derivatives of it there are; None for any number."""

    def __init__(self, fn: Callable[..., Any], left: int | None, name: str) -> None:
        self.fn, self.left, self.name = fn, left, name

    def __call__(self, *x: Any) -> Any:
        return self.fn(*x)


def guarded(limited: Limited, given: tuple[Any, ...]) -> Any:
    """The value of a limited function, what goes in and comes out guarded."""
    left, name = limited.left, limited.name
    if left is None:
        return limited(*given)
    made = limited(*[_each(x, left, name) for x in given])
    return _each(made, left, name)


def _each(x: Any, left: int, name: str) -> Any:
    if isinstance(x, tuple):
        return tuple([guard(v, left=left, name=name) for v in x])
    return guard(x, left=left, name=name)


def _again(limited: Any, error: ChainRulesError) -> HigherOrderError:
    return HigherOrderError(
        f"the declared derivative of {limited.name} cannot be differentiated itself: {error}",
        next="mend it, or declare that it is differentiated once: order=1",
    )


@frule(Limited.__call__)
def limited_frule(tangents: Any, limited: Limited, *x: object, engine: Any = None) -> Any:
    """ẏ by the engine that asks"""
    try:
        y, dy = forward_of(limited.fn, x, tangents[1:], {}, engine)
    except HigherOrderError:
        raise
    except ChainRulesError as error:
        raise _again(limited, error) from error
    return y, dy


@rrule(Limited.__call__)
def limited_rrule(limited: Limited, *x: object, engine: Any = None) -> Any:
    """x̄ by the engine that asks"""
    try:
        y, back = reverse_of(limited.fn, x, {}, (True,) * len(x), engine)
    except HigherOrderError:
        raise
    except ChainRulesError as error:
        raise _again(limited, error) from error

    def limited_pullback(y_bar: Any) -> Any:
        return (NO_TANGENT, *back(y_bar))

    return y, limited_pullback

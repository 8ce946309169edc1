"""Setters: stores that a class defines in Python, by `__setitem__`, a property, `__setattr__` or `__iadd__`.

Such a store is a call of that method, which changes its object; the method is transformed with the
object lent.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...tangents import ZERO
from . import forward_resolution, lending, lending_forward, resolution
from .augmented import Augmented
from .protocols import python_method
from .writing import drop_item, put_attribute, put_item

Values = tuple[Any, ...]


def setter(f: Any, args: Values) -> tuple[FunctionType, Values] | None:
    """The method that a store runs, with its arguments after the object; None for Python's own stores."""
    x = args[0] if args else None
    if f is put_item or f is drop_item:
        method = python_method(x, "__setitem__" if f is put_item else "__delitem__")
        return None if method is None else (method, args[1:])
    if f is not put_attribute:
        return None
    method = python_method(x, "__setattr__")
    if method is not None:
        return method, args[1:]
    member = getattr(type(x), args[1], None)
    if isinstance(member, property) and isinstance(member.fset, FunctionType):
        return member.fset, args[2:]
    return None


def stored_in_reverse(f: Any, args: Values, needs: tuple[bool, ...]) -> Callable[..., Any] | None:
    """How a store that a class defines is done in reverse; None for others."""
    if type(f) is Augmented:
        method = f.method(args[0])
        return None if method is None else lambda x, v: _augmented(method, x, v, needs)
    if f not in _STORES or _is_plain(args[0]):
        return None

    def store(*values: Any) -> tuple[Any, Any]:
        found = setter(f, values)
        if found is None:
            rule = resolution.reverse_rule(f, values, {}, needs, resolution.engine())
            assert rule is not None
            return rule(*values)
        method, rest = found
        skipped = len(values) - 1 - len(rest)
        wanted = (True, *needs[1 + skipped :])
        answer = lending.written_in_reverse(method, (values[0], *rest), {}, wanted, frozenset({0}))
        if answer is None:  # it changes nothing
            method(values[0], *rest)
            return values[0], lambda x_bar: (x_bar, *(ZERO for _ in values[1:]))
        back = answer[1]

        def setter_pullback(x_bar: Any) -> Values:
            owner, *others = back(ZERO, (x_bar, *(ZERO for _ in rest)))
            return (owner, *(ZERO for _ in range(skipped)), *others)

        return values[0], setter_pullback

    return store


def _augmented(method: FunctionType, x: Any, v: Any, needs: tuple[bool, ...]) -> tuple[Any, Any]:
    answer = lending.written_in_reverse(method, (x, v), {}, needs, frozenset({0}))
    if answer is None:
        return resolution.python_in_reverse(method, (x, v), {}, needs)
    y, back = answer
    return y, lambda y_bar: back(y_bar, (ZERO, ZERO))


def stored_forward(f: Any, args: Values, tangents: Values) -> tuple[Any, Any] | None:
    """A store that a class defines, forward; None for others."""
    if type(f) is Augmented:
        method = f.method(args[0])
        if method is None:
            return None
        answer = lending_forward.written_forward(method, args, {}, tangents, frozenset({0}), None)
        return None if answer is None else answer[:2]
    if f not in _STORES or _is_plain(args[0]):
        return None
    found = setter(f, args)
    if found is None:
        return None
    method, rest = found
    moving = (tangents[0], *tangents[len(args) - len(rest) :])
    answer = lending_forward.written_forward(method, (args[0], *rest), {}, moving, frozenset({0}), None)
    if answer is None:
        method(args[0], *rest)
        return args[0], tangents[0]
    return args[0], answer[2].get(0, tangents[0])


def _is_plain(x: Any) -> bool:
    return type(x).__module__ in ("builtins", "numpy")


_STORES = (put_item, drop_item, put_attribute)

resolution.stored_in_reverse = stored_in_reverse
forward_resolution.stored_forward = stored_forward

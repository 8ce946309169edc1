"""Setters: stores that a class defines in Python, by `__setitem__`, a property, `__setattr__` or `__iadd__`.

Such a store is a call of that method, which changes its object: by a rule of the method, if it has one, else
the method is transformed with the object lent.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....core.loading import load_for
from ....core.reverse import reverse_rule
from ....tangents import ZERO
from ..memory.augmented import Augmented
from ..values.answers import Between, Placed
from ..values.protocols import python_method
from ..values.structures import parts_of, tuple_tangent
from ..values.writing import drop_item, put_attribute, put_item
from . import forward_resolution, lending, lending_forward, resolution, states

Values = tuple[Any, ...]


def setter(f: Any, args: Values) -> tuple[FunctionType, Values] | None:
    """The method that a store runs, with its arguments after the object; None for Python's own stores."""
    x = args[0] if args else None
    if f is put_item or f is drop_item:
        method = python_method(x, "__setitem__" if f is put_item else "__delitem__")
        if method is not None:
            load_for((method,))
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


def is_store(f: Any) -> bool:
    """Whether f is one of the stores of generated programs, which a class may define in Python."""
    return any(f is s for s in _STORES)


def stored_by_code(f: Any, args: Values) -> bool:
    """Whether this is a store that a class defines in Python."""
    if type(f) is Augmented:
        return f.method(args[0]) is not None
    return is_store(f) and not _is_plain(args[0]) and setter(f, args) is not None


def stored_in_reverse(f: Any, args: Values, needs: tuple[bool, ...]) -> Callable[..., Any] | None:
    """How a store that a class defines is done in reverse; None for others."""
    if type(f) is Augmented:
        method = f.method(args[0])
        return None if method is None else lambda x, v: _augmented(method, x, v, needs)
    if not is_store(f) or _is_plain(args[0]):
        return None

    def store(*values: Any) -> tuple[Any, Any]:
        found = setter(f, values)
        if found is None:
            own = reverse_rule(f, values, {}, needs, resolution.engine())
            assert own is not None
            return own(*values)
        method, rest = found
        skipped = len(values) - 1 - len(rest)
        wanted = (True, *needs[1 + skipped :])
        rule = states.rule_that_writes(method, (values[0], *rest), {}, wanted)
        if rule is None:
            y, back = lending.lent_in_reverse(method, (values[0], *rest), {}, wanted, (0,))
        else:
            y, back = states.mutated(method, rule, (values[0], *rest), {}, (0,))
        made = lending.Made(back, 0)
        slots = (0, *(None,) * skipped, *range(1, 1 + len(rest)))
        return y[1], Placed(made, tuple(ZERO if s is None else (s, None) for s in slots))

    return store


def _augmented(method: FunctionType, x: Any, v: Any, needs: tuple[bool, ...]) -> tuple[Any, Any]:
    """What the method returns, with x lent to it."""
    y, back = lending.lent_in_reverse(method, (x, v), {}, needs, (0,))
    return y[0], First(back)


class First(Between):
    """The pullback of a function with states seen as one of its value alone."""

    __slots__ = ()

    def seed(self, y_bar: Any) -> Any:
        return tuple_tangent(y_bar, ZERO)

    def seed_adjoint(self, t: Any) -> Any:
        return parts_of(t, 2)[0]


def stored_forward(f: Any, args: Values, tangents: Values) -> tuple[Any, Any] | None:
    """A store that a class defines, forward; None for others."""
    if type(f) is Augmented:
        method = f.method(args[0])
        if method is None:
            return None
        y, dy = _forward(method, args, tangents)
        return y[0], parts_of(dy, 2)[0]
    if not is_store(f) or _is_plain(args[0]):
        return None
    found = setter(f, args)
    if found is None:
        return None
    method, rest = found
    moving = (tangents[0], *tangents[len(args) - len(rest) :])
    y, dy = _forward(method, (args[0], *rest), moving)
    return y[1], parts_of(dy, 2)[1]


def _forward(method: FunctionType, values: Values, tangents: Values) -> tuple[Any, Any]:
    answer = lending_forward.written_forward(method, values, {}, tangents, (0,), None)
    assert answer is not None
    return answer


def _is_plain(x: Any) -> bool:
    return type(x).__module__ in ("builtins", "numpy")


_STORES = (put_item, drop_item, put_attribute)

resolution.stored_in_reverse = stored_in_reverse
forward_resolution.stored_forward = stored_forward

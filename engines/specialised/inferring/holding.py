"""Objects of a library in a recorded run: what their rules say that they hold, and their methods.

A function of the rules that has no derivative is given what the library made; nothing else is.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ....core.callables import attribute
from ..reading.calls import BUILTINS, changes_something, is_filling, is_flat, is_rules
from ..reading.declined import Declined
from ..reading.held import (
    Held,
    bare,
    hides,
    holds_made,
    is_made,
    is_moving,
    is_of_made,
    is_plain_attribute,
)
from ..reading.objects import hold_attribute
from .observing import Observing

_TELLING = (isinstance, type, id, repr, str, hash, callable, getattr, hasattr)
_OF_NUMBERS = frozenset({"item", "sum", "mean", "max", "min", "prod", "any", "all", "tolist"})
"""Methods that give the same number of either."""
_OPERANDS = (np.ndarray, np.float64, float, int)


class Holding(Observing):
    """What the text of a recorded run calls where there are objects of a library."""

    def held_by(self, number: int, f: Any, args: tuple[Any, ...]) -> Any:
        """An object, as a function of the rules puts it together."""
        if is_filling(f):
            return self.together(number, args[0], ("entries", "places"), *args[1:])
        return self.together(number, *args)

    def together(self, number: int, made: Any, names: tuple[str, ...], *values: Any) -> Any:
        """An object, of what the library made and of what it holds."""
        self.way(number, "holding")
        if type(made) is not Held:
            raise Declined("an object that holds one thing or another")
        self.same(number, names, "an object that holds one thing or another")
        return self.value(number, Held(made.made, names, values))

    def answered(self, number: int, f: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
        """The method that a call of an object is, and its arguments."""
        self.answering.add(number)
        return type(bare(f)).__call__, (f, *args)

    def method_of_held(
        self, number: int, name: str, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A call of a method of an object."""
        if type(owner) is Held and name in owner.names:
            self.held.add(number)
            return self.call(number, owner.values[owner.names.index(name)], *args, **kwargs)
        P = type(bare(owner))
        f = getattr(P, name, None)
        if number in self.held:
            raise Declined("a field that is called, or a method")
        self.same(number, (f, False), "a method of one class or another", "operator")
        if getattr(bare(owner), "__dict__", {}).get(name) is not None or f is None:
            raise Declined(f"the method {name}")
        return self.call(number, f, owner, *args, **kwargs)

    def operator_of_library(self, number: int, name: str, a: Any, b: Any) -> Any:
        """An operator of which an operand is an object of a library, the first where that has the method."""
        swapped = not is_of_made(a)
        if swapped and type(a) not in _OPERANDS:
            raise Declined(f"an operator of a {type(a).__name__} and an object of a library")
        P = type(bare(b if swapped else a))
        f = getattr(P, f"__{'r' if swapped else ''}{name.strip('_')}__", None)
        if f is None:
            raise Declined(f"the operator {name} of a {P.__name__}")
        self.same(number, (f, swapped), f"the operator {name} of one class or another", "operator")
        return self.call(number, f, *((b, a) if swapped else (a, b)))

    def unary(self, number: int, op: str, a: Any) -> Any:
        """A sign before a value."""
        if not is_of_made(a) and number not in self.noted["operator"]:
            return super().unary(number, op, a)
        f = getattr(type(bare(a)), {"-": "__neg__", "+": "__pos__"}.get(op, ""), None)
        if f is None:
            raise Declined(f"a sign before a {type(bare(a)).__name__}")
        self.same(number, (f, False), "a sign before one object or another", "operator")
        return self.call(number, f, a)

    def attribute_of_held(self, number: int, name: str, owner: Any) -> Any:
        """What an object holds under a name, or how it was made."""
        made = bare(owner)
        if is_moving(owner):
            self.way(number, "moving")
            v = getattr(made, name)
            if not is_plain_attribute(v):
                raise Declined(f"the attribute {name} of a {type(made).__name__}")
            return self.value(number, v)
        if type(owner) is not Held:  # it stands outside, and all that it holds
            self.way(number, "outside")
            v = getattr(made, name)
            self.session.hold_given(v)
            return self.value(number, self.as_number(number, v))
        held = name in owner.names
        self.way(number, "held" if held else "of the library")
        if owner.still:
            return self.of_still(number, getattr(made, name))
        if held:
            return self.value(number, owner.values[owner.names.index(name)])
        v = getattr(made, name)
        body = None if is_plain_attribute(v) else self.body_of(number, attribute(name), (owner,), {})
        if body is not None:
            del self.ways[number]
            self.called[number] = attribute(name)
            return self.written(number, body, (owner,), {})
        if not is_plain_attribute(v):
            hold_attribute(made, name)
        if is_rules(self.f) and is_made(v) and not is_moving(v):
            self.raw.add(number)
            return self.value(number, Held(v))
        if not (is_plain_attribute(v) or is_rules(self.f)):
            raise Declined(f"the attribute {name} of a {type(made).__name__}")
        return self.value(number, self.as_number(number, v))

    def of_still(self, number: int, v: Any) -> Any:
        """What is read of an object that does not vary."""
        if is_made(v) and not is_moving(v):
            self.raw.add(number)
            return self.value(number, Held(v, still=True))
        return self.value(number, self.as_number(number, v))

    def attribute_of_class(self, number: int, name: str, P: type) -> Any:
        """A method of a class of a library."""
        f = getattr(P, name)
        if type(f) is not FunctionType:
            raise Declined(f"the attribute {name} of the class {P.__name__}")
        return self.value(number, f)

    def as_number(self, number: int, v: Any) -> Any:
        """The number in an array without axes, which a function has made."""
        if type(v) is np.ndarray and not v.ndim:
            self.axisless.add(number)
            v = v[()]
            self.session.axisless[id(v)] = v
        return v

    def bare_arguments(
        self, number: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a function of a library, of objects what that made."""
        every = (*args, *kwargs.values())
        places = tuple([type(a) is Held for a in every])
        if f not in BUILTINS and any(map(hides, every)):
            raise Declined("objects of a library in a list or tuple that is handed on")
        self.same(number, places, "a call with an object of a library or without", "bared")
        if not is_flat(f) and any(type(a) is Held and (a.names or not is_rules(f)) for a in every):
            raise Declined(f"{getattr(f, '__qualname__', f)} of an object of a library")
        if any(map(is_of_made, every)) and changes_something(f):
            raise Declined(f"{f.__name__} writes")
        return tuple(map(bare, args)), {k: bare(v) for k, v in kwargs.items()}

    def result_of(self, number: int, f: Any, y: Any) -> Any:
        """Note what a function of a library returns, which may be an object that it made."""
        if not is_flat(f) and holds_made(y):
            raise Declined("an object of a library among others")
        if not is_made(y) or is_moving(y):
            if number in self.raw:
                raise Declined("a call that makes an object or something else")
            return self.value(number, self.as_number(number, y))
        if not is_flat(f):
            raise Declined(f"a {type(y).__name__}")
        self.raw.add(number)
        return self.value(number, Held(y))


def hold_number(session: Any, f: Any, args: tuple[Any, ...]) -> None:
    """Declined where a function may tell an array without axes from the number in its place."""
    told = f in _TELLING or getattr(f, "__objclass__", None) in (np.ndarray, np.generic, np.float64)
    if told and any(map(session.is_axisless, args)) and getattr(f, "__name__", "") not in _OF_NUMBERS:
        raise Declined("an array without axes that is asked what it is")


def hold_apart(v: Any) -> None:
    """Declined for an object of a library, of which items are taken or which is an operand."""
    if is_of_made(v):
        raise Declined(f"an item of a {type(bare(v)).__name__}, or an operator with one")

"""Objects of a library in a recorded run: what their rules say that they hold, and their methods.

A function of the rules that has no derivative is given what the library made; nothing else is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading.calls import BUILTINS, is_flat, is_rules, is_told
from ..reading.declined import Declined
from ..reading.held import Held, bare, hides, is_made, is_moving, is_plain_attribute
from ..reading.objects import hold_attribute
from .observing import Observing


class Holding(Observing):
    """What the text of a recorded run calls where there are objects of a library."""

    bared: dict[int, tuple[bool, ...]]
    raw: set[int]
    axisless: set[int]
    operators_of_library: dict[int, Any]

    def call(self, number: int, f: Any, *args: Any, **kwargs: Any) -> Any:
        """A call; Profile has it."""
        raise NotImplementedError

    def together(self, number: int, made: Any, names: tuple[str, ...], *values: Any) -> Any:
        """An object, of what the library made and of what it holds."""
        self._way(number, "holding")
        if type(made) is not Held or self.shared.setdefault(number, names) != names:
            raise Declined("an object that holds one thing or another")
        return self.value(number, Held(made.made, names, values))

    def answered(self, number: int, f: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
        """The method that a call of an object is, and its arguments."""
        self.answering.add(number)
        return type(bare(f)).__call__, (f, *args)

    answering: set[int]

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
        if getattr(bare(owner), "__dict__", {}).get(name) is not None or f is None:
            raise Declined(f"the method {name}")
        return self.call(number, f, owner, *args, **kwargs)

    def operator_of_library(self, number: int, name: str, a: Any, b: Any) -> Any:
        """An operator whose first operand is an object of a library."""
        f = getattr(type(bare(a)), f"__{name.strip('_')}__", None)
        if f is None or self.operators_of_library.setdefault(number, f) is not f:
            raise Declined(f"the operator {name} of a {type(bare(a)).__name__}")
        return self.call(number, f, a, b)

    def attribute_of_held(self, number: int, name: str, owner: Any) -> Any:
        """What an object holds under a name, or how it was made."""
        made = bare(owner)
        if is_moving(owner):
            self._way(number, "moving")
            v = getattr(made, name)
            if not is_plain_attribute(v):
                raise Declined(f"the attribute {name} of a {type(made).__name__}")
            return self.value(number, v)
        if type(owner) is not Held:  # it stands outside, and all that it holds
            self._way(number, "outside")
            v = getattr(made, name)
            self.session.hold_given(v)
            return self.value(number, self.as_number(number, v))
        held = name in owner.names
        self._way(number, "held" if held else "of the library")
        if held:
            return self.value(number, owner.values[owner.names.index(name)])
        v = getattr(made, name)
        hold_attribute(made, name)
        if is_rules(self.f) and is_made(v) and not is_moving(v):
            self.raw.add(number)
            return self.value(number, Held(v))
        if not (is_plain_attribute(v) or is_rules(self.f)):
            raise Declined(f"the attribute {name} of a {type(made).__name__}")
        return self.value(number, self.as_number(number, v))

    def as_number(self, number: int, v: Any) -> Any:
        """The number in an array without axes, which a rule has made."""
        if type(v) is np.ndarray and not v.ndim and is_rules(self.f):
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
        if self.bared.setdefault(number, places) != places:
            raise Declined("a call with an object of a library or without")
        if any(places) and not is_flat(f):
            raise Declined(f"{getattr(f, '__qualname__', f)} of an object of a library")
        return tuple(map(bare, args)), {k: bare(v) for k, v in kwargs.items()}

    def result_of(self, number: int, f: Any, y: Any) -> Any:
        """Note what a function of a library returns, which may be an object that it made."""
        if not is_made(y) or is_moving(y):
            if number in self.raw:
                raise Declined("a call that makes an object or something else")
            return self.value(number, self.as_number(number, y))
        if not is_told(f):
            raise Declined(f"a {type(y).__name__}")
        self.raw.add(number)
        return self.value(number, Held(y))


def hold_apart(v: Any) -> None:
    """Declined for an object of a library, of which items are taken or which is an operand."""
    if type(v) is Held or is_moving(v):
        raise Declined(f"an item of a {type(bare(v)).__name__}, or an operator with one")

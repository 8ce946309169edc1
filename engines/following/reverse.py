"""Reverse: a run that records its calls and stores, for the sweep back over them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..leaves import Layout
from .giving import kept_pullback
from .here import below
from .kept import before_change
from .leaves import PLAIN, SIMPLE, arrays_in, is_leaf, is_result
from .looking import rule_in_reverse
from .memory import owner_of
from .runs import ALONE, Mark, Run


class Event:
    """One call: its pullback, and where the leaves stand that went in and that came out."""

    __slots__ = ("back", "given", "ins", "out", "states", "view")

    def __init__(self, back: Any, ins: Any, out: Any, states: Any = None) -> None:
        self.back, self.ins, self.out = back, ins, out
        self.states = states  # of what the call changed, by argument
        self.view: Any = None  # the owner of the memory, where the result is a view of an operand
        self.given: Any = ()  # functions and objects of the user's


class Write:
    """One store, `a[index] = v`, with v None where it does not vary."""

    __slots__ = ("a", "index", "shape", "v")

    def __init__(self, a: Any, index: Any, v: Any, shape: tuple[int, ...]) -> None:
        self.a, self.index, self.v, self.shape = a, index, v, shape


class Window:
    """A view that no site saw made."""

    __slots__ = ("a", "owner")

    def __init__(self, a: Any, owner: Any) -> None:
        self.a, self.owner = a, owner


class ReverseRun(Run):
    """A run in reverse."""

    def __init__(self, engine: Any) -> None:
        super().__init__(engine)
        self.events: list[Any] = []

    def met(self, x: Any, owner: Any) -> None:
        super().met(x, owner)
        self.events.append(Window(x, owner))

    def step(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: list[Mark]) -> Any:
        found = rule_in_reverse(f, args, kwargs, tuple([m is not None for m in marks]), self.engine)
        if found is None:
            return NotImplemented
        rule, is_users, mutates = found
        values = (*args, *kwargs.values()) if kwargs else args
        if mutates:
            return self._changing(rule, args, kwargs, values, marks)
        if self.outer or is_users or not SIMPLE.issuperset(map(type, args)):
            y, back = kept_pullback(f, rule, is_users, args, kwargs, self.outer)
        else:
            y, back = rule(*args, **kwargs)
        if not is_users:
            self.hold(f, y, values)
        y, out = self.result(y, values)
        if out is not None:
            event = self._noted(Event(back, _ins(values, marks), out), values)
            if out[0] is None and isinstance(y, np.ndarray):
                owner = owner_of(y)
                if any(isinstance(x, np.ndarray) and owner_of(x) is owner for x in values):
                    event.view = owner
        return y

    def _noted(self, event: Event, values: tuple[Any, ...]) -> Event:
        """Record an event, and which arrays its pullback may hold."""
        self.events.append(event)
        for x in (*values, *(event.out[1] if event.out is not None else ())):
            if type(x) is np.ndarray:
                self.kept.setdefault(id(owner_of(x)), []).append(event)
            elif type(x) not in SIMPLE and type(x) not in PLAIN:
                for a in arrays_in(x):
                    self.kept.setdefault(id(owner_of(a)), []).append(event)
                event.given = (*event.given, x)
        return event

    def _changing(self, rule: Any, args: Any, kwargs: Any, values: tuple[Any, ...], marks: list[Mark]) -> Any:
        """A call of a rule that changes arguments."""
        changed = {i: values[rule.slots[i]] for i in rule.method.mutates}
        for x in changed.values():
            if isinstance(x, np.ndarray):
                before_change(x)
        y, back = below(self.outer, rule, *args, **kwargs)
        out, states = None, {}
        if not any(y is x for x in changed.values()):
            y, out = self.result(y, values)
        for i, x in changed.items():
            if is_leaf(x):
                self.becomes_live(x)
                states[i] = (None, [x])
                if isinstance(x, np.ndarray):
                    self.written[id(owner_of(x))] = owner_of(x)
            else:
                states[i] = Layout.of(x, is_result)  # type: ignore[assignment]  # of one leaf above
        self._noted(Event(back, _ins(values, marks), out, states), values)
        return y

    def write(self, a: Any, index: Any, v: Any, varies: bool) -> None:
        owner = owner_of(a)
        self.written[id(owner)] = owner
        self.becomes_live(a)
        self.events.append(Write(a, index, v if varies else None, np.shape(v)))

    def refuse_through(self, leaves: list[Any], error: Exception) -> None:
        def opaque_pullback(y_bar: Any) -> Any:
            raise error

        self.events.extend(Event(opaque_pullback, [], (None, [v])) for v in leaves)


def _ins(values: tuple[Any, ...], marks: list[Mark]) -> list[tuple[int, Any]]:
    """The operands that vary with their places: leaves, or layouts with theirs."""
    return [(i, values[i] if m is ALONE else m) for i, m in enumerate(marks) if m is not None]

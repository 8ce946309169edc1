"""Reverse: a run that records its calls and stores, for the sweep back over them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...core.caches import generation, keep, new_cache
from ...core.holdings import note_varying
from ...tangents import NotImplementedTangent
from ...tangents.sparse import is_sparse
from ..leaves import Layout
from ..source.reading import opaque
from .changed import about_to_change_in, changed_in
from .faint import there
from .giving import keeping_values
from .here import below, place
from .keeping import of_users
from .kept import is_bare
from .leaves import SIMPLE, is_foreign, is_leaf, is_result, is_simple
from .looking import QUICK_REVERSE, quick_rule, rule_in_reverse
from .memory import in_memory, memory_of, owner_of
from .runs import ALONE, Mark, Run

_AT = new_cache()  # the rules of `x[i]` by the type of i


class Event:
    """One call: its pullback, and where the leaves stand that went in and that came out."""

    __slots__ = ("arrays", "back", "ins", "out", "place", "states", "values", "view")

    def __init__(self, back: Any, ins: Any, out: Any, values: tuple[Any, ...], states: Any = None) -> None:
        self.back, self.ins, self.out, self.values = back, ins, out, values
        self.place = place()
        self.arrays = None if SIMPLE.issuperset(map(type, values)) else in_memory(values)  # as they are now
        self.states = states  # of what the call changed, by argument
        self.view: Any = None  # the owner of the memory, where the result is a view of an operand


class Write:
    """One store, `a[index] = v`, with v None where it does not vary."""

    __slots__ = ("a", "index", "shape", "v")

    def __init__(self, a: Any, index: Any, v: Any, shape: tuple[int, ...]) -> None:
        self.a, self.index, self.v, self.shape = a, index, v, shape


class Joined:
    """An expression of several operations (fused.py): its pullback, its result, its leaves that vary.

    `arrays` are those given that the pullback may hold. The leaves are kept as the run has them.
    """

    __slots__ = ("arrays", "back", "key", "keys", "leaves", "place", "y")

    def __init__(
        self, live: dict[int, Any], back: Any, y: Any, leaves: tuple[Any, ...], arrays: Any, place: Any
    ) -> None:
        self.key, self.keys = id(y), tuple(map(id, leaves))
        self.y, self.leaves = live[self.key], [live[key] for key in self.keys]
        self.back, self.arrays, self.place = back, arrays, place


class Window:
    """A view that no site saw made."""

    __slots__ = ("a", "owner")

    def __init__(self, a: Any, owner: Any) -> None:
        self.a, self.owner = a, owner


class ReverseRun(Run):
    """A run in reverse."""

    joins = True
    told = 0  # the number of events that are among its holders

    def __init__(self, engine: Any) -> None:
        super().__init__(engine)
        self.events: list[Any] = []
        self.holders: dict[int, list[Any]] = {}  # by owner, the events whose pullbacks may hold its arrays

    def met(self, x: Any, owner: Any) -> None:
        super().met(x, owner)
        self.events.append(Window(x, owner))

    def of_one(self, f: Any, a: Any) -> Any:
        if not self.is_live(a):
            return NotImplemented
        key = f, type(a)
        rule = QUICK_REVERSE.get(key)
        if not rule and (rule is False or not (rule := quick_rule(self, key, (a,), (True,)))):
            return NotImplemented
        y, back = rule(a)
        return self._quickly(back, y, a, None, True, False)

    def of_two(self, f: Any, a: Any, b: Any) -> Any:
        va, vb, P, Q = id(a) in self.live, id(b) in self.live, type(a), type(b)
        if not va and P is np.ndarray:
            va = self.is_live(a)
        if not vb and Q is np.ndarray:
            vb = self.is_live(b)
        if not va and not vb:
            return NotImplemented
        key = f, P, Q, va, vb
        rule = QUICK_REVERSE.get(key)
        if not rule and (rule is False or not (rule := quick_rule(self, key, (a, b), (va, vb)))):
            return NotImplemented
        y, back = rule(a, b)
        if type(y) is float:
            y -= 0.0  # an object of its own
        elif not self.is_own(y):
            return self._quickly(back, y, a, b, va, vb)
        self.live[id(y)] = y
        self.events.append((back, y, a, b, va, vb, place()))
        return y

    def item(self, x: np.ndarray[Any, Any], i: Any) -> Any:
        live = self.live
        if id(x) not in live and not self.is_live(x):
            return x[i]
        rule = _AT.get(type(i))
        if rule is None:
            key, since = (operator.getitem, np.ndarray, type(i), True, False), generation()
            rule = quick_rule(self, key, (x, i), (True, False))
            if not rule:
                return NotImplemented
            keep(_AT, type(i), rule, since)
        y, back = rule(x, i)
        if id(y) in live:
            return self._quickly(back, y, x, None, True, False)
        if type(y) is np.float64:
            live[id(y)] = y
            self.events.append((back, y, x, None, True, False, place()))
            return y
        if type(y) is not np.ndarray:
            return self._quickly(back, y, x, None, True, False)
        self.becomes_live(y)
        event = Event(back, [(0, x)], (None, [y]), (x,))
        event.view = owner_of(y)
        self.events.append(event)
        return y

    def _quickly(self, back: Any, y: Any, a: Any, b: Any, va: bool, vb: bool) -> Any:
        """The result of a quick call, which is recorded."""
        if type(y) is float:
            y = y - 0.0
        elif not self.is_own(y):
            ins = [(i, x) for i, x, varies in ((0, a, va), (1, b, vb)) if varies]
            return self._told(y, Event(back, ins, None, (a, b)))
        self.live[id(y)] = y
        self.events.append((back, y, a, b, va, vb, place()))
        return y

    def step(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: list[Mark]) -> Any:
        found = rule_in_reverse(f, args, kwargs, tuple([m is not None for m in marks]), self.engine)
        if found is None:
            return NotImplemented
        rule, is_users, mutates = found
        if self.why:
            why = next((self.why[id(x)] for x in (*args, *kwargs.values()) if id(x) in self.why), None)
            if why is not None:
                return self.opaque(f, args, kwargs, why)
        values = (*args, *kwargs.values()) if kwargs else args
        if mutates:
            return self._changing(rule, args, kwargs, values, marks)
        if self.outer or is_users or not all(map(is_simple, values)):
            y, back = keeping_values(self, f, rule, is_users, args, kwargs)
        else:
            y, back = rule(*args, **kwargs)
        if not is_users:
            self.hold(y, values)
        made = self._told(y, Event(back, _ins(values, marks), None, values), is_users)
        return self.doubled(y, made, values) if is_users else made

    def _told(self, y: Any, event: Event, is_users: bool = False) -> Any:
        """A call's result, with the event recorded if a leaf is in it."""
        y, event.out = self.result(y, event.values, is_users)
        if event.out is not None:
            self.events.append(event)
            if event.out[0] is None and isinstance(y, np.ndarray):
                owner = owner_of(y)
                if any(isinstance(x, np.ndarray) and owner_of(x) is owner for x in event.values):
                    event.view = owner
        return y

    def holding(self, owner: Any) -> list[Any]:
        """The pullbacks that may hold arrays of this memory, with objects that they were given: once."""
        for event in self.events[self.told :]:
            kept = _kept_in(event)
            for a in kept if kept and not is_bare(back_of(event)) else ():
                for m in memory_of(a):
                    self.holders.setdefault(id(m), []).append(event)
        self.told = len(self.events)
        found = self.holders.pop(id(owner), ())
        return [(back_of(event), event.values if type(event) is Event else ()) for event in found]

    def _changing(self, rule: Any, args: Any, kwargs: Any, values: tuple[Any, ...], marks: list[Mark]) -> Any:
        """A call of a rule that changes arguments."""
        changed = {i: values[rule.slots[i]] for i in rule.method.mutates}
        by_user = of_users(rule)
        for x in changed.values():
            self.about_to_change(x)
            if by_user:
                about_to_change_in(x)
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
                states[i] = changed_in(x, self.outer) if by_user else Layout.of(x, is_result)  # type: ignore[assignment]
                for v in filter(is_leaf, states[i][1]) if by_user else ():
                    self.becomes_live(v)
                    if isinstance(v, np.ndarray):
                        self.written[id(owner_of(v))] = owner_of(v)
        self.events.append(Event(back, _ins(values, marks), out, values, states))
        return y

    def write(self, a: Any, index: Any, v: Any, varies: bool) -> None:
        owner = owner_of(a)
        self.written[id(owner)] = owner
        self.becomes_live(a)
        self.events.append(Write(a, index, v if varies else None, np.shape(v)))

    def promised(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: list[Mark]) -> Any:
        values = (*args, *kwargs.values())
        missing = (NotImplementedTangent(opaque.reason(f, args)),) * len(values)
        y = self._text(below(self.outer, f, *args, **kwargs))
        return self._told(y, Event(lambda y_bar: missing, _ins(values, marks), None, values))

    def refuse_through(self, leaves: list[Any], error: Exception) -> None:
        def opaque_pullback(y_bar: Any) -> Any:
            raise error

        for v in leaves:
            self.live[id(v)] = v
            if is_foreign(v):
                note_varying(v)
            self.events.append(Event(opaque_pullback, [], (None, [v]), ()))


def back_of(event: Any) -> Any:
    """The pullback of an event, if it has one."""
    return event[0] if type(event) is tuple else getattr(event, "back", None)


def _ins(values: tuple[Any, ...], marks: list[Mark]) -> list[tuple[int, Any]]:
    """The operands that vary with their places: leaves, or layouts with theirs."""
    return [(i, values[i] if m is ALONE else m) for i, m in enumerate(marks) if m is not None]


def _kept_in(event: Any) -> list[Any]:
    """The arrays that the pullback of an event may hold, sparse ones too."""
    if type(event) is tuple:
        return [x for x in event[1:4] if type(x) is np.ndarray]
    if type(event) is Joined:
        return [x for x in (there(event.y), *event.arrays) if type(x) is np.ndarray]
    if type(event) is not Event:
        return []
    own = event.out[1] if event.out is not None else ()
    return [a for a in (*own, *(event.arrays or event.values)) if isinstance(a, np.ndarray) or is_sparse(a)]

"""Sweep: the way back over the events of a run.

A leaf's cotangent is kept by which object it is. An event takes those of its results, which have none from
there on, and adds what its pullback answers to those of its operands; so a result that is an operand, as of a
change in place, needs nothing else. Arrays whose memory was written into have windows of one shadow.
"""

from __future__ import annotations

import linecache
import operator
import traceback
from collections.abc import Iterable, Iterator
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from ...core.errors import RuleContractError
from ...core.tracebacks import RUNNERS, is_ours
from ...tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    add,
    fields_of,
    from_fields,
    is_zero,
    primal_type,
    unthunk,
)
from ...tangents.canonical import in_fields
from ...tangents.registered import converters_of
from . import here as state
from .faint import there
from .here import here
from .leaves import Integer
from .memory import flat_window, owner_of, shadow_of, window
from .overlapping import folded, overlaps_itself
from .remembering import changes
from .reverse import Event, Joined, ReverseRun, Write

_WITHOUT_PROPERTIES = (list, tuple, dict, FunctionType)


class Sweep:
    """One sweep, which the runs of now see."""

    def __init__(self, run: ReverseRun) -> None:
        self.run = run
        self.bars: dict[int, Any] = {}
        self.shadows: dict[int, Any] = {}
        self.buffers: set[int] = set()  # leaves whose cotangents are arrays of this sweep's own
        self.plain = not here.runs

    def call(self, f: Any, *args: Any) -> Any:
        """A call, seen by the runs of now."""
        return f(*args) if self.plain else state.followed(f, *args)

    def back_from(self, events: list[Any], seeds: Iterable[tuple[Any, Any]], *, once: bool = False) -> None:
        """Go back over all events, from the cotangents of some leaves.

        `once`: the run and its events are let go on the way, so that their memory serves again.
        """
        for leaf, t in seeds:
            self.give(leaf, t)
        if once:
            events.insert(0, None)
            self.run.live.clear()
            self.run.holders.clear()
        try:
            self._over(iter(events.pop, None) if once else reversed(events))
        except Exception as error:
            _tell(error)
            if isinstance(error, RuleContractError) and self.run.put:  # what they hold is larger than it was
                raise changes(next(iter(self.run.put.values()))) from error
            raise

    def _over(self, events: Iterator[Any]) -> None:
        """Go back over events."""
        written = self.run.written
        simple, bars = self.plain and not written, self.bars
        for event in events:
            kind = type(event)
            if kind is tuple:
                back, y, a, b, va, vb, _ = event
                y_bar = bars.pop(id(y), ZERO) if simple else self.take(y)
                if y_bar is ZERO:
                    continue
                if not simple:
                    self._quick(back, y_bar, a, b, va, vb)
                    continue
                answers = back(y_bar)
                if va:
                    if (key := id(a)) in bars:
                        self.add(key, answers[0])
                    elif (t := answers[0]) is not ZERO and t is not NO_TANGENT:
                        bars[key] = t
                if vb:
                    if (key := id(b)) in bars:
                        self.add(key, answers[1])
                    elif (t := answers[1]) is not ZERO and t is not NO_TANGENT:
                        bars[key] = t
            elif kind is Joined:
                y_bar = bars.pop(event.key, ZERO) if simple else self._of_expression(event)
                answers = () if y_bar is ZERO else self.call(event.back, y_bar)
                for key, leaf, t in zip(event.keys, event.leaves, answers, strict=False):
                    if simple:
                        self.add(key, t)
                    else:
                        self._give_faint(key, there(leaf), t)
            elif kind is Write:
                self._write(event)
            elif kind is not Event:
                self._window(event)
            elif event.states is not None:
                self._changing(event)
            elif event.view is None or id(event.view) not in written:
                y_bar = self._taken(event.out)
                if y_bar is not ZERO:
                    self._answer(event, self.call(event.back, y_bar))

    def _of_expression(self, event: Joined) -> Any:
        """The cotangent of an expression; what is gone was not written into."""
        y = there(event.y)
        return self._popped(event.key) if y is None else self.take(y)

    def _give_faint(self, key: int, leaf: Any, t: Any) -> None:
        """Add to the cotangent of a leaf, None where it is gone."""
        if leaf is not None:
            self.give(leaf, t)
        elif t is not ZERO and t is not NO_TANGENT:
            self._sum(key, t)

    def _quick(self, back: Any, y_bar: Any, a: Any, b: Any, va: bool, vb: bool) -> None:
        """Go back over a quick call that others see, or where memory was written into."""
        answers = self.call(back, y_bar)
        if va:
            self.give(a, answers[0])
        if vb:
            self.give(b, answers[1])

    def found(self, leaf: Any) -> Any:
        """The cotangent of an argument's leaf, once the sweep is done; none of a count."""
        if type(leaf) is float:
            return self.bars.pop(id(leaf), ZERO)
        return NO_TANGENT if self.bars.get(id(leaf)) is NO_TANGENT else self.take(leaf)

    def take(self, leaf: Any) -> Any:
        """The cotangent of a leaf, which has none from here on."""
        if isinstance(leaf, np.ndarray) and self.run.written:
            owner = owner_of(leaf)
            if id(owner) in self.run.written:
                shadow = self.shadows.get(id(owner))
                if shadow is None:
                    return ZERO
                if overlaps_itself(leaf):
                    raise folded()
                part = window(shadow, owner, leaf)
                t = self.call(np.copy, part)
                self._store(part, Ellipsis, 0.0)
                return t
        return self._popped(id(leaf))

    def _popped(self, key: int) -> Any:
        self.buffers.discard(key)
        t = self.bars.pop(key, ZERO)
        return ZERO if t is NO_TANGENT else t

    def give(self, leaf: Any, t: Any) -> None:
        """Add to the cotangent of a leaf."""
        if t is ZERO or t is NO_TANGENT:
            if t is NO_TANGENT and type(leaf) is Integer:
                self.bars.setdefault(id(leaf), t)
            return
        if isinstance(leaf, np.ndarray) and self.run.written and id(owner_of(leaf)) in self.run.written:
            self._give_to_memory(leaf, self.call(unthunk, t))
            return
        self._sum(id(leaf), t)

    def _sum(self, key: int, t: Any) -> None:
        if self.plain:
            self.add(key, t)
            return
        before = self.bars.get(key)
        self.bars[key] = t if before is None else self.call(add, before, t)

    def add(self, key: int, t: Any) -> None:
        """Add to the cotangent of a leaf whose memory was not written into, where nobody looks on."""
        before = self.bars.get(key)
        if before is None:
            if t is not ZERO and t is not NO_TANGENT:
                self.bars[key] = t
        elif type(t) is not IndexedTangent:
            self.buffers.discard(key)
            self.bars[key] = add(before, t)
        elif key in self.buffers and before.dtype == t.dtype:
            t.add_into(before)
        else:
            self.bars[key] = total = add(before, t)
            if type(total) is np.ndarray:  # a new one
                self.buffers.add(key)

    def _give_to_memory(self, leaf: Any, t: Any) -> None:
        if is_zero(t):
            return
        owner = owner_of(leaf)
        shadow = self.shadows.get(id(owner))
        if shadow is None:
            shadow = self.shadows[id(owner)] = shadow_of(owner)
        if overlaps_itself(leaf):
            t = np.asarray(t) if self.plain else state.followed(add, np.zeros(leaf.shape, shadow.dtype), t)
            self.call(np.add.at, *flat_window(shadow, owner, leaf), t)
            return
        part = window(shadow, owner, leaf)
        if not self.plain:
            self._store(part, Ellipsis, state.followed(add, part, t))
        elif isinstance(t, IndexedTangent):
            t.add_into(part)
        else:
            part += t

    def _store(self, a: Any, index: Any, v: Any) -> None:
        if self.plain:
            a[index] = v
        else:
            state.followed(operator.setitem, a, index, v)

    def _taken(self, out: Any) -> Any:
        """The cotangent of a result."""
        layout, leaves = out
        if layout is None:
            return self.take(leaves[0])
        found = [self.take(v) for v in leaves]
        return ZERO if all(t is ZERO for t in found) else pruned(layout.tangent(found))

    def _answer(self, event: Event, answers: Any) -> None:
        for place, operand in event.ins:
            t = answers[place]
            if type(operand) is not tuple:
                self.give(operand, t)
            elif t is NO_TANGENT:
                for leaf in operand[1]:
                    self.give(leaf, t)
            elif not is_zero(t):
                layout, leaves = operand
                x = event.values[place]
                if type(x) not in _WITHOUT_PROPERTIES and converters_of(type(x)):
                    t = self.call(in_fields, t, x)
                for leaf, part in zip(leaves, self.call(layout.entries, t), strict=True):
                    self.give(leaf, part)

    def _changing(self, event: Event) -> None:
        y_bar = ZERO if event.out is None else self._taken(event.out)
        states = {i: self._taken(out) for i, out in event.states.items()}
        if y_bar is not ZERO or any(t is not ZERO for t in states.values()):
            self._answer(event, self.call(event.back, y_bar, states))

    def _window(self, event: Any) -> None:
        if id(event.owner) not in self.run.written:
            t = self.call(unthunk, self._popped(id(event.a)))
            if t is not ZERO:
                shadow = shadow_of(event.owner)
                self._store(window(shadow, event.owner, event.a), Ellipsis, t)
                self.give(event.owner, shadow)

    def _write(self, event: Write) -> None:
        """Hand what was stored its cotangent, and let the place that it was stored into have none."""
        owner = owner_of(event.a)
        shadow = self.shadows.get(id(owner))
        if shadow is None:
            return
        part = window(shadow, owner, event.a)
        g = ZERO
        if event.v is not None:
            g = self.call(operator.getitem, part, event.index)
            if isinstance(g, np.ndarray):
                g = self.call(np.copy, g)
                if isinstance(event.index, list | np.ndarray | tuple):
                    g = self._of_the_last(part, event.index, g)
        self._store(part, event.index, 0.0)
        if event.v is not None:
            g = self._summed(g, event.shape)
            if np.iscomplexobj(g) and not np.iscomplexobj(event.v):
                g = self.call(np.real, g)
            self.give(event.v, g)

    def _of_the_last(self, part: Any, index: Any, g: Any) -> Any:
        """g, with zeros where a later entry of the same store went to the same place."""
        places = np.arange(part.size).reshape(part.shape)[index]
        order = np.full(part.size, -1)
        order[places.ravel()] = np.arange(places.size)
        last = order[places.ravel()] == np.arange(places.size)
        return g if last.all() else self.call(operator.mul, g, last.reshape(places.shape).astype(float))

    def _summed(self, g: Any, shape: tuple[int, ...]) -> Any:
        """The cotangent of a value of this shape, which was broadcast by its store."""
        if np.shape(g) == shape:
            return g
        extra = np.ndim(g) - len(shape)
        if extra > 0:
            g = self.call(np.sum, g, tuple(range(extra)))
        elif extra < 0:
            return self.call(np.reshape, g, shape)
        axes = tuple(i for i, n in enumerate(shape) if n == 1 and np.shape(g)[i] != 1)
        return self.call(np.reshape, self.call(np.sum, g, axes), shape) if axes else g


def pruned(t: Any) -> Any:
    """A cotangent with a zero for each part in which all are zeros."""
    if not isinstance(t, Composite):
        return t
    inside = fields_of(t)
    named = isinstance(inside, dict)
    parts = {k: pruned(v) for k, v in (inside.items() if named else enumerate(inside))}
    if all(map(is_zero, parts.values())):
        return ZERO
    return from_fields(primal_type(t), parts if named else [*parts.values()])


def _tell(error: Exception) -> None:
    """Say of which line the call is that a sweep could not go back over."""
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    event = next(f.f_locals.get("event") for f in frames if f.f_code is Sweep._over.__code__)
    filename, line, name = _line_of(event)
    if type(event) is Event and not event.ins:  # an opaque call, whose error says where it is
        return
    if line and not is_ours(filename):
        error.add_note(f"in {name}, line {line}: {linecache.getline(filename, line).strip()}")


def _undone(frame: FrameType) -> tuple[str, int, str]:
    """The file, line and name of the function of which a sweep goes back over a call."""
    return _line_of(frame.f_locals.get("event"))


def _line_of(event: Any) -> tuple[str, int, str]:
    at = event[-1] if type(event) is tuple else getattr(event, "place", None)
    if at is None:
        return "", 0, ""
    code, instruction = at
    line = list(code.co_positions())[instruction // 2][0] or 0
    return code.co_filename, line, f"{code.co_name}_pullback"


RUNNERS[Sweep._over.__code__] = _undone

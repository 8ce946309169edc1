"""Constructing: objects that are made, as tuples of their fields.

While a constructor runs, the fields of the object are variables. What it calls with the object, a method or
the constructor of a class above, sets the same variables.
"""

from __future__ import annotations

import functools
from typing import Any

from ..reading import objects
from ..reading.composed import facts_of
from ..reading.declined import Declined
from ..reading.expecting import answered_by, below, made_as
from ..reading.kinds import kind_of
from ..reading.statements import RESULT
from ..reading.steps import Step, is_name, walk
from ..reading.unset import unsure
from .frames import Frame
from .placing import Placing


class Constructing(Placing):
    """Writes constructors into a text; Inlined makes and names steps."""

    def _made(self, s: Step, args: tuple[str, ...], frame: Frame, callee: tuple[Any, ...]) -> list[Step]:
        k = frame.profile.seen.get(s.number)
        if k is None:
            return [Step("deopt", line=s.line)]
        target = self._target(s, frame)
        if isinstance(callee[0], type):
            init: Any = objects.lookup(callee[0], "__init__")
            out: list[Step] = []
            if init in objects.BY_NAME:
                values = list(args[1:])
                if s.keywords != k.keys:
                    raise Declined("an object with other fields")
            else:
                fresh = objects.fresh_fields(callee[0])
                values = self.placed(init, list(args[1:]), s, frame, out, skip=1, fresh=fresh)
        else:
            profile = frame.profile.session.profiles[callee]
            inner = Frame(profile, frame, s.line if frame.top else frame.line)
            if callee in frame.stack:
                raise Declined("a constructor that calls itself")
            inner.self_, inner.fields = profile.reading.parameters[0], {}
            out = []
            given = self.placed(callee[0], ["=None", *args[1:]], s, frame, out)
            self._given(profile, given, inner, out, s, frame)
            out += self._steps(profile.reading.steps, inner)
            if frame.looped and unsure(out, set()):
                raise Declined("a constructor in a loop that may leave a variable unset")
            if set(inner.fields) != set(k.keys):
                raise Declined("an object with other fields")
            values = [inner.fields[name] for name in k.keys]
        step = self._new("tuple", target, tuple(values), s, frame, keys=k.keys, made=k.made)
        if is_name(args[0]) and "through" not in s.facts:
            out.append(self._expected(args[0], answered_by(k.made), s, frame))
        return [*out, step]

    def _anew(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """An object, list or dictionary in the place of one that was captured."""
        k = frame.profile.seen[s.number]
        fields = args[len(args) + 1 - len(k) :]
        return [self._new("tuple", self._target(s, frame), fields, s, frame, **facts_of(k))]

    def _bound(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """A method that is no more than read, as a function of which the object is given."""
        f, partial = frame.profile.shared[s.number], functools.partial
        given, target = (self.constant(f, ("F", f)), args[0]), self._target(s, frame)
        step = self._new("tuple", target, given, s, frame, keys=("func", "0"), made=partial)
        return [self._expected(args[0], answered_by(f), s, frame), step]

    def _still(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """An object that was captured, as it is."""
        return [self._new("copy", self._target(s, frame), args[1:], s, frame)]

    def _of_new(self, s: Step, frame: Frame, way: str | None) -> list[Step]:
        """A step with the object that a constructor makes: its fields are variables."""
        callee = frame.profile.callees.get(s.number)
        if s.op == "setattr" and callee is None and s.args[1] != frame.self_:
            name = frame.fields.setdefault(s.text, "") or self.fresh(f"{s.text}_")
            frame.fields[s.text] = name
            return [self._new("copy", name, (self.atom(s.args[1], frame),), s, frame)]
        if s.op == "attr" and way == "field" and s.text in frame.fields:
            source = frame.fields[s.text]
            return [self._new("copy", self._target(s, frame), (source,), s, frame)]
        if way == "type":
            return self._class_of(s, (), frame)
        if (
            s.op in ("call", "method", "setattr")
            and callee is not None
            and s.number not in frame.profile.several
        ):
            return self._by_new(s, frame, callee)
        raise Declined("an object that is handed on while it is made")

    def _nothing_above(self, s: Step, frame: Frame) -> list[Step]:
        """`super().__init__()` where there is no class above but `object`."""
        made = self._new("copy", self._target(s, frame), ("=None",), s, frame)
        if s.args[1] == frame.self_:
            return [made]
        return [self._expected(self.atom(s.args[1], frame), below(*s.facts["above"]), s, frame), made]

    def _class_of(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """The class of an object, which is known."""
        P = frame.profile.shared[s.number]
        held = [self._expected(args[1], made_as(P), s, frame)] if args else []
        return [*held, self._new("copy", self._target(s, frame), (self.constant(P, ("F", P)),), s, frame)]

    def _of_choice(self, s: Step, args: tuple[str, ...], frame: Frame) -> list[Step]:
        """The value or the name of a member of an enumeration, which is known."""
        member, value = frame.profile.shared[s.number]
        held = self._expected(args[0], lambda k: k == ("F", member), s, frame)
        given = self.constant(value, kind_of(value))
        return [held, self._new("copy", self._target(s, frame), (given,), s, frame)]

    def _by_new(self, s: Step, frame: Frame, callee: tuple[Any, ...]) -> list[Step]:
        """A call of a function that is given the object that a constructor makes, and sets its fields."""
        given = s.args[s.op == "call" :]
        if given[:1] != (frame.self_,) or frame.self_ in given[1:] or callee in frame.stack:
            raise Declined("an object that is handed on while it is made")
        profile = frame.profile.session.profiles[callee]
        inner = Frame(profile, frame, s.line if frame.top else frame.line)
        inner.self_, inner.fields = profile.reading.parameters[0], frame.fields
        out: list[Step] = []
        values = ["=None", *(self.atom(a, frame) for a in given[1:])]
        steps = self._written_in(inner, self.placed(callee[0], values, s, frame, out), s, frame, out)
        return [*out, *steps]

    def _written_in(
        self, inner: Frame, placed: list[str], s: Step, frame: Frame, out: list[Step]
    ) -> list[Step]:
        """The steps of a function in the place of its call; in a loop what it sets is cleared first."""
        self._given(inner.profile, placed, inner, out, s, frame)
        inner.names[RESULT] = self._target(s, frame) or self.fresh("t")
        steps = self._steps(inner.profile.reading.steps, inner)
        for x in walk(steps):
            if x.op == "loop":  # while it runs, the function has not returned
                x.facts["results"] = (*x.facts.get("results", ()), inner.names[RESULT])
        known = {x.target for x in out} | {*inner.fields.values()}
        names = unsure(steps, known) if frame.looped else set()
        if names:
            out.append(self._new("unset", "", (), s, frame, names=sorted(names)))
        return steps

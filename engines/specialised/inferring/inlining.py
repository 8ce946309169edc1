"""Inlining: the steps of functions that share lists, objects or memory with whoever calls them.

A list that is handed on, an object with its fields, an array that a function writes into: their cotangents
belong to them, so that caller and function have to be one text. The function's steps take the place of the
call, under names of their own. A constructor becomes a step that makes an object of its fields.
"""

from __future__ import annotations

import copy
import functools
from types import FunctionType
from typing import Any

import numpy as np

from ..reading import spreading
from ..reading.composed import Keyed
from ..reading.declined import Declined
from ..reading.expecting import answered_by, below, sharing, with_keys
from ..reading.fields import Fields
from ..reading.gathering import Gathered
from ..reading.generating import hold_still, is_generator, made_lazily
from ..reading.kinds import CAPTURED, is_tuple, kind_of, place
from ..reading.records import Records, has_records
from ..reading.remaking import Remade
from ..reading.resolving import Resolving
from ..reading.steps import SETS, Step, is_name, walk
from ..reading.unrolling import Unrolled
from ..reading.versions import versioned
from .constructing import Constructing
from .frames import Frame
from .of_turns import OfTurns
from .recording import Profile
from .sharing import calls_itself, needed, stands_alone, writes

_LIMIT = 4000  # steps of one text
_DEEP = 40
_WAYS = {
    "keyed": "_keyed",
    "update": "_updated",
    "list": "_of_list",
    "text": "_of_text",
    "items": "_items_of",
    "entries": "_entries_of",
    "flat": "_flat",
    "dictionary": "_entries",
    "type": "_class_of",
    "choice": "_of_choice",
    "holding": "_holding",
    "anew": "_anew",
    "bound": "_bound",
    "still": "_still",
    "of the library": "_of_library",
}
"""What writes the steps of each way of dealing with a list, a dictionary, a text or a class."""
_CHANGING = (None, "object", "method", "in place", "static", "of class", "closure", "item")
"""Ways of calling a function that may change what it is given."""


class Inlined(OfTurns, Constructing):
    """What was seen of one function, with the steps of those that are part of its text."""

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        frame = Frame(profile, None, 0)
        self.steps = [*self._steps(profile.reading.steps, frame)]
        for number in self.several:  # whom they call is known when their loops are written out
            self.callees.pop(number, None)
        if self.session.manner.records and has_records(self.steps):
            self.steps = Records(self.steps, self).steps
        self.generated |= made_lazily(self.steps)
        if self.generated:
            hold_still(self.steps, Resolving(self.steps, self._given_kind, self.seen), self.generated)
        same = self.ranges, self.indices
        given = self.fresh, self._number, self._given_kind, self.seen, same, self._of_turn
        self.steps = self._unrolled(given)
        while any("put off" in s.facts for s in walk(self.steps)):
            self.steps = self._called_now(self.steps)
            self.steps = self._unrolled(given)
        self.steps = versioned(self.steps, self.fresh)
        self.remade: dict[str, bool] = {}  # the paths of objects that are given, and whether they change
        if any(s.op in SETS for s in walk(self.steps)):
            if self.session.top is profile:
                remade = Remade(self.steps, self.fresh, self._number, self._given_kind)
                self.steps, self.remade = remade.steps, dict.fromkeys(remade.paths, False)
            fields = Fields(self.steps, self.fresh, self._number, self._given_kind)
            self.steps = fields.steps
            self.remade |= {m.facts["path"]: True for m in fields.changing if m and "path" in m.facts}
        self.steps = [*self._opened(), *self.steps]

    def _unrolled(self, given: tuple[Any, ...]) -> list[Step]:
        """The steps without loops over what is written out."""
        gathered = Gathered(self.steps, *given).steps
        return Unrolled(gathered, *given, lists=not self.session.manner.records).steps

    # steps

    def _steps(self, steps: list[Step], frame: Frame) -> list[Step]:
        out: list[Step] = []
        for s in steps:
            out += self._step(s, frame)
        if self.count > _LIMIT:
            raise Declined("a long text")
        return out

    def _step(self, s: Step, frame: Frame) -> list[Step]:
        profile = frame.profile
        if s.op == "iter" and s.number not in profile.ways:
            frame.names[s.target] = self.atom(s.args[0], frame)
            return []
        if s.op == "star":
            frame.stars[s.target] = profile.seen[s.number], profile.stars[s.number]
            s = copy.copy(s)
            s.op = "copy"
        elif "stars" in s.facts:
            return self._spread(s, frame)
        way = profile.ways.get(s.number)
        if "above" in s.facts and s.args[0] == "=None":
            return self._nothing_above(s, frame)
        if frame.self_ is not None and frame.self_ in (*s.args, *s.names):
            return self._of_new(s, frame, way)
        other = self._through(s, frame)
        if other is not None:
            return other
        args = tuple(self.atom(a, frame) for a in s.args)
        if way == "item" or way == "contains":
            return self._of_container(s, args, frame, way)
        if s.number in profile.several:
            return [self._put_off(s, args, frame)]
        if s.number in profile.callees:
            callee = profile.callees[s.number]
            if way == "make":
                return self._made(s, args, frame, callee)
            if way == "name":
                return self._named_tuple(s, args, frame, callee[0])
            if way is not None or needed(profile.session, callee):
                return self._called(s, args, frame, callee, way)
            s, args = self._by_position(s, args, callee[0], frame)
        if way in _WAYS:
            steps: list[Step] = getattr(self, _WAYS[way])(s, args, frame)
            return steps
        if way == "partial":
            keys = "func", *map(str, range(len(args) - 2 - len(s.keywords))), *s.keywords
            target, partial = self._target(s, frame), functools.partial
            return [self._new("tuple", target, args[1:], s, frame, keys=keys, made=partial)]
        if s.op == "call" and len(args) == 1 and profile.called.get(s.number) is list:
            return [self._new("list", self._target(s, frame), (), s, frame)]
        if s.op == "closure":
            d, target = s.facts["definition"], self._target(s, frame)
            return [self._new("tuple", target, args, s, frame, keys=d.fields, made=d.code)]
        if way == "shared":
            value = profile.shared[s.number]
            return [
                self._expected(args[0], sharing(s.text, value), s, frame),
                self._new("copy", self._target(s, frame), (self.constant(value, kind_of(value)),), s, frame),
            ]
        before, args = self._arrays(s, args, frame)
        bared, args = self._bared(s, args, frame)
        if frame.top:
            made = copy.copy(s)
            made.args, made.facts, made.kept = args, dict(s.facts), {}
            self._counting(made, s, frame)
        else:
            made = self._renamed(s, args, frame)
        if way == "entry":
            made.op = "setkey"
        inner = frame.within() if s.op == "loop" else frame
        made.body, made.orelse = self._arm(s, True, inner), self._arm(s, False, inner)
        return [*before, *bared, made, *self._as_held(made, s, frame)]

    def _arrays(self, s: Step, args: tuple[str, ...], frame: Frame) -> tuple[list[Step], tuple[str, ...]]:
        """The steps that make arrays of a call's lists, and its arguments with these."""
        out = []
        for i, k in frame.profile.arrays.get(s.number, {}).items():
            place = i + (s.op == "call")
            array = self.constant(np.array, ("F", np.array))
            out.append(self._new("call", self.fresh("t"), (array, args[place]), s, frame, seen=k))
            self.samples[out[-1].number] = ((1.0,),), {}
            args = (*args[:place], out[-1].target, *args[place + 1 :])
        return out, args

    def _spread(self, s: Step, frame: Frame) -> list[Step]:
        """A call with stars, written out."""
        if any(s.args[i] not in frame.stars for i in s.facts["stars"]):
            return [Step("deopt", line=s.line)]
        out: list[Step] = []
        for i in s.facts["stars"]:
            whole, atom = frame.stars[s.args[i]][0], self.atom(s.args[i], frame)
            if frame.stars[s.args[i]] == ("H", ()):
                out += self._empty(atom, s, frame)
            if isinstance(whole, Keyed):
                out.append(self._expected(atom, with_keys(whole.keys), s, frame))
        fresh = functools.partial(self._own, frame=frame)
        for x in spreading.written_out(s, frame.stars, fresh, lambda k: -1):
            if x.op == "get":
                made = self._renamed(x, tuple(self.atom(a, frame) for a in x.args), frame)
                whole, kinds = frame.stars[x.args[0]]
                self.seen[made.number] = kinds[
                    place(whole, x.text) if isinstance(whole, Keyed) else int(x.text)
                ]
                out.append(made)
            else:
                out += self._step(x, frame)
        return out

    def _arm(self, s: Step, which: bool, frame: Frame) -> list[Step]:
        if s.op == "if" and (s.number, which) not in frame.profile.taken:
            return [Step("deopt", line=s.line)]
        return self._steps(s.body if which else s.orelse, frame)

    # calls

    def _called(
        self, s: Step, args: tuple[str, ...], frame: Frame, callee: tuple[Any, ...], way: str | None
    ) -> list[Step]:
        f: FunctionType = callee[0]
        profile = frame.profile.session.profiles[callee]
        if s.op in ("call", "method"):
            given = args[1:] if s.op == "call" and way != "object" else args
        else:
            given = args[::-1] if way in ("reflected", "reflected number") else args
        out = []
        if way in ("static", "of class"):
            out.append(self._expected(args[0], answered_by(f), s, frame))
            given = args[1:] if way == "static" else (self.constant(callee[1][0][1], callee[1][0]), *args[1:])
        elif "above" in s.facts:
            out.append(self._expected(given[0], below(*s.facts["above"]), s, frame))
        elif way is not None:
            out.append(self._expected(args[0] if way == "closure" else given[0], answered_by(f), s, frame))
        elif s.op == "call" and is_name(args[0]):
            out.append(self._expected(args[0], answered_by(f), s, frame))
        if way == "reflected":
            out.append(self._new("expect", "", (given[1],), s, frame))
        elif way == "reflected number":
            made = self._new(
                "call", self.fresh("t"), (self.constant(float, ("F", float)), given[1]), s, frame
            )
            self.samples[made.number] = (1.0,), {}
            given = (given[0], made.target)
            out.append(made)
        if way not in _CHANGING and writes(profile):
            raise Declined("an operator or property that changes something")
        captured = self._captured(f, s, args, frame, out)
        held = dict(zip(f.__dict__.get(CAPTURED, ()), captured, strict=True))
        placed = [*captured, *self.placed(f, list(given), s, frame, out, held=held)]
        if calls_itself(profile) and stands_alone(profile):
            return [*out, self._apart(f, placed, s, frame, callee)]
        if callee in frame.stack or len(frame.stack) > _DEEP:
            raise Declined("a recursion with lists or objects")
        inner = Frame(profile, frame, s.line if frame.top else frame.line)
        steps = self._written_in(inner, placed, s, frame, out)
        if is_generator(f):
            yielded = next(x.target for x in steps if x.op == "list")
            self.generated[yielded] = {*walk(steps)}
        return [*out, *steps]

    def _opened(self) -> list[Step]:
        """Tuples, dictionaries and objects from outside, taken apart once."""
        names: dict[str, str] = {}
        for s in walk(self.steps):
            for a in s.args:
                if not is_name(a) and is_tuple(self.constants.get(a[1:])) and a not in names:
                    names[a] = self.fresh("outside")
            s.args = tuple(names.get(a, a) for a in s.args)
        steps = []
        for a, name in names.items():
            step = Step("open", name, (a,))
            step.number = self._number()
            steps.append(step)
        return steps

"""Through: calls that stand for others.

A call of what an object holds, of a function of which some arguments are given, and of what copies an object
or named tuple with other fields, as the call that is made in the end.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from ..reading.arguments import count_of, parameters_of
from ..reading.bodies import Body
from ..reading.calls import is_flat
from ..reading.composed import Kind, facts_of
from ..reading.declined import Declined
from ..reading.expecting import answered_by, made_as
from ..reading.handing import Handing, handed, handed_still
from ..reading.kinds import is_of_solver, tupled
from ..reading.steps import Step, is_name, literal
from ..reading.templates import Fixed, Leaf, Parts, Template
from .frames import Frame
from .of_held import OfHeld


class Through(OfHeld):
    """Writes these steps; Inlined makes and names them."""

    def _through(self, s: Step, frame: Frame) -> list[Step] | None:
        """The steps of such a call; None of any other."""
        profile = frame.profile
        if s.number in profile.noted["replaced"]:
            return self._replaced(s, profile.noted["replaced"][s.number], frame)
        if s.number in profile.handed:
            return self._handed(s, profile.handed[s.number], frame)
        if s.op in ("binary", "unary", "get", "method") and s.number in profile.noted["operator"]:
            return self._of_operator(s, profile.noted["operator"][s.number], frame)
        if s.op == "method" and s.number in profile.noted["static"]:
            f = profile.noted["static"][s.number]
            held = self._expected(self.atom(s.args[0], frame), answered_by(f), s, frame)
            return [held, *self._step(as_call(s, (self.constant(f, ("F", f)), *s.args[1:])), frame)]
        if s.op == "method" and s.number in profile.held:
            return self._of_field(s, frame)
        body = profile.noted["body"].get(s.number)
        if body is not None and "through" not in s.facts:
            return self._of_body(s, body, frame)
        if "through" in s.facts:
            return None
        partial = profile.noted["partial"].get(s.number)
        if partial is not None:
            return self._of_partial(s, partial, frame)
        if s.number in profile.noted["copied"]:
            return self._copied(s, profile.noted["copied"][s.number], frame)
        return None

    def _replaced(self, s: Step, names: tuple[str, ...], frame: Frame) -> list[Step]:
        """A solver's result with other entries, without those of which the rule gives no derivative."""
        k = frame.profile.seen[s.number]
        still = [key for key, kind in zip(k.keys, k[1:], strict=True) if kind in ("i", "b", "q", "Z")]
        out, values = [], [self.atom(a, frame) for a in s.args[3:]]
        for key in still:
            out.append(
                self._new("attr", self.fresh(f"{key}_"), (self.atom(s.args[1], frame),), s, frame, key)
            )
        keys = (*still, *names)
        entries = (*[x.target for x in out], *values)
        target = self._target(s, frame) or self.fresh("t")
        return [*out, self._new("tuple", target, entries, s, frame, made=k.made, keys=keys)]

    def _handed(self, s: Step, call: Handing, frame: Frame) -> list[Step]:
        """A call that is given functions, as one that is given what they captured."""
        out: list[Step] = []
        leaves: list[str] = []
        for a, t in zip(s.args[1:], call.templates, strict=True):
            self._leaves(self.atom(a, frame), t, leaves, out, s, frame)
        f, t = handed_still if is_flat(call.f) else handed, call.result
        given = (self.constant(f, ("F", f)), self.constant(call, ("F", call)), *leaves)
        target = self._target(s, frame) or self.fresh("t")
        made = self._new("call", target if isinstance(t, Leaf) else self.fresh("t"), given, s, frame)
        k, (sample, _) = frame.profile.seen[s.number], frame.profile.samples[s.number]
        self.samples[made.number] = (call, *sample), {}
        if s.number in frame.profile.axisless:
            made.facts["without axes"] = True
        if getattr(call.f, "gives_on", False):
            made.facts["given on"] = True
        out.append(made)
        if isinstance(t, Leaf):
            self.seen[made.number] = k
            return out
        kinds = t.kinds(k)
        self.seen[made.number] = tupled(kinds)
        names = [self.fresh("part") for _ in kinds]
        for i, name in enumerate(names):
            out.append(self._new("get", name, (made.target,), s, frame, str(i)))
        self._assembled(t, k, iter(names), target, out, s, frame)
        return out

    def _assembled(
        self, t: Template, k: Kind, names: Iterator[str], target: str, out: list[Step], s: Step, frame: Frame
    ) -> str:
        """The argument that stands for a value, and the steps that make it of its parts."""
        if isinstance(t, Leaf):
            return next(names)
        if isinstance(t, Fixed):
            return self.constant(t.value, ("F", t.value))
        parts = []
        for item, inside in zip(t.items, t.kinds_inside(k), strict=True):
            parts.append(self._assembled(item, inside, names, self.fresh("part"), out, s, frame))
        step = self._new("tuple", target, tuple(parts), s, frame)
        step.facts.update(facts_of(k))
        if is_of_solver(k) and isinstance(t, Parts):
            step.facts["keys"] = t.keys  # of a solver's result that may move without its texts
        out.append(step)
        return target

    def _leaves(self, a: str, t: Template, leaves: list[str], out: list[Step], s: Step, frame: Frame) -> None:
        """Add what an argument is made of, and the steps that read it."""
        if isinstance(t, Leaf):
            leaves.append(a)
        if not isinstance(t, Parts):
            return
        for i, item in enumerate(t.items):
            part = self.fresh("part")
            by_place = t.of in (tuple, list, dict)
            text = (repr(t.keys[i]) if t.keys else str(i)) if by_place else t.keys[i]
            out.append(self._new("get" if by_place else "attr", part, (a,), s, frame, text))
            self._leaves(part, item, leaves, out, s, frame)

    def _of_operator(self, s: Step, operator: tuple[Any, bool], frame: Frame) -> list[Step]:
        """An operator of an object of a library, an item or a method, as a call of its class's function."""
        f, swapped = operator
        before, args = list[Step](), s.args[::-1] if swapped else s.args
        if s.op == "get":
            before, key = self._key(s, frame)
            if is_name(key):
                name = self._own("key", frame)
                frame.names[name], key = key, name
            args = (*args, key)
        return [*before, *self._step(as_call(s, (self.constant(f, ("F", f)), *args)), frame)]

    def _of_field(self, s: Step, frame: Frame) -> list[Step]:
        """A call of what an object holds: a function, or another object."""
        field = Step("attr", self._own("t", frame), s.args[:1], s.line, s.text)
        call = as_call(s, (field.target, *s.args[1:]))
        return [*self._step(field, frame), *self._step(call, frame)]

    def _of_body(self, s: Step, body: Body, frame: Frame) -> list[Step]:
        """A call whose rule is a program, as a call of that program."""
        atoms = tuple(self.atom(a, frame) for a in s.args)
        out, arrays = self._arrays(s, atoms, frame)
        args = s.args
        for i, (atom, made) in enumerate(zip(atoms, arrays, strict=True)):
            if made != atom:
                name = self._own("t", frame)
                frame.names[name] = made
                args = (*args[:i], name, *args[i + 1 :])
        answers = s.number in frame.profile.answering
        data, named = body.given(args[s.op == "call" and not answers :], "={!r}".format)
        program = self.constant(body.program, ("F", body.program))
        calls = self._called_instead(s, (program, *data, *named.values()), tuple(named), frame)
        plain = len(parameters_of(body.program)) == count_of(body.program) and not out
        if plain and len(calls) == 1 and calls[0].op == "call":
            calls[0].facts["stands for"] = frame.profile.called[s.number], body.names(), s.keywords
        return [*out, *calls]

    def _of_partial(self, s: Step, k: Kind, frame: Frame) -> list[Step]:
        """A call of a function of which some arguments are given, with all of them."""
        out, fields = self._fields(s, s.args[0], k.keys, frame)
        first = [name for key, name in fields.items() if key.isdigit()]
        named = {key: name for key, name in fields.items() if key != "func" and not key.isdigit()}
        count = len(s.args) - len(s.keywords)
        named |= dict(zip(s.keywords, s.args[count:], strict=True))
        args = (fields["func"], *first, *s.args[1:count], *named.values())
        return [*out, *self._called_instead(s, args, tuple(named), frame)]

    def _copied(self, s: Step, keys: tuple[str, ...], frame: Frame) -> list[Step]:
        """A copy of an object with other fields, as a call of its class with all of them."""
        count = len(s.args) - len(s.keywords)
        given = dict(zip(s.keywords, s.args[count:], strict=True))
        out, fields = self._fields(s, s.args[count - 1], tuple(k for k in keys if k not in given), frame)
        args = (s.args[0], *((fields | given)[k] for k in keys))
        made = frame.profile.callees[s.number][0]
        out.append(self._expected(self.atom(s.args[count - 1], frame), made_as(made), s, frame))
        return [*out, *self._called_instead(s, args, keys, frame)]

    def _fields(
        self, s: Step, owner: str, keys: tuple[str, ...], frame: Frame
    ) -> tuple[list[Step], dict[str, str]]:
        """The steps that read fields of an object, and the names that these get."""
        out, fields = [], {}
        for key in keys:
            fields[key] = self._own(f"{key if key.isidentifier() else 'given'}_", frame)
            target = self.atom(fields[key], frame)
            out.append(self._new("attr", target, (self.atom(owner, frame),), s, frame, key))
        return out, fields

    def _called_instead(
        self, s: Step, args: tuple[str, ...], keywords: tuple[str, ...], frame: Frame
    ) -> list[Step]:
        call = as_call(s, args)
        call.keywords = keywords
        call.facts = s.facts | {"through": True}
        return self._step(call, frame)

    def _of_container(self, s: Step, args: tuple[str, ...], frame: Frame, way: str) -> list[Step]:
        """An item of an object, or whether it has something."""
        callee = frame.profile.callees[s.number]
        if way == "item":
            before, key = self._key(s, frame)
            return [*before, *self._called(s, (args[0], key, *args[1:]), frame, callee, way)]
        if s.text == "in":
            return self._called(s, args[::-1], frame, callee, way)
        asked = copy.copy(s)
        asked.target = self._own("found", frame)
        found = self.atom(asked.target, frame)
        other = self._new("unary", self._target(s, frame), (found,), s, frame, "not ")
        return [*self._called(asked, args[::-1], frame, callee, way), other]

    def _key(self, s: Step, frame: Frame) -> tuple[list[Step], str]:
        """The argument that stands for an index, and the steps that make it."""
        parts = [p.strip() for p in s.text.split(",")] if s.text[:1] not in ("'", '"') else [s.text]
        atoms = [self.atom(p, frame) if p in s.names else f"={p}" for p in parts if p]
        if any(not is_name(a) and literal(a) is literal and a[1:2] not in ("'", '"') for a in atoms):
            raise Declined("an object that is indexed by a slice")
        if len(parts) == 1:
            return [], atoms[0]
        made = self._new("tuple", self.fresh("key"), tuple(atoms), s, frame)
        return [made], made.target


def as_call(s: Step, args: tuple[str, ...]) -> Step:
    """A step as a call with these arguments, whom it calls first."""
    call = copy.copy(s)
    call.op, call.text, call.args = "call", "", args
    return call

"""Placing: the arguments of a call by position, those that a function defined inside captured first."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..reading.arguments import is_literal, takes_names, takes_rest
from ..reading.closures import default_of
from ..reading.kinds import CAPTURED, kind_of
from ..reading.steps import Step, is_name
from .frames import Frame
from .recording import Profile
from .through import Through


class Placing(Through):
    """Places arguments; Inlined makes and names steps."""

    def _captured(self, f: Any, s: Step, args: tuple[str, ...], frame: Frame, out: list[Step]) -> list[str]:
        """What a function captured, taken from it; where a function calls itself, what it was given."""
        names = f.__dict__.get(CAPTURED, ())
        if frame.profile.f is f and s.args[0] in frame.profile.reading.given:
            return [self.atom(name, frame) for name in names]
        captured = [self.fresh(f"{name}_") for name in names]
        for target, name in zip(captured, names, strict=True):
            out.append(self._new("attr", target, (args[0],), s, frame, name))
        return captured

    def _apart(self, f: Any, given: list[str], s: Step, frame: Frame, callee: tuple[Any, ...]) -> Step:
        """A call of a function that is defined inside and has a text of its own, as it calls itself."""
        called, seen = (self.constant(f, ("F", f)), *given), frame.profile.seen.get(s.number)
        made = self._new("call", self._target(s, frame), called, s, frame, seen=seen)
        self.callees[made.number] = callee
        return made

    def _by_position(
        self, s: Step, args: tuple[str, ...], f: Any, frame: Frame
    ) -> tuple[Step, tuple[str, ...]]:
        """A call of a function with a text of its own, and its arguments, without any by name."""
        call = copy.copy(s)
        call.keywords = ()
        return call, (args[0], *self.placed(f, list(args[1:]), s, frame, []))

    def _empty(self, a: str, s: Step, frame: Frame) -> list[Step]:
        """Steps that give the run up where there is something in a tuple of whole numbers."""
        count = self._new("call", self.fresh("t"), (self.constant(len, ("F", len)), a), s, frame)
        none = self._new("compare", self.fresh("t"), (count.target, "=0"), s, frame, "==")
        self.samples[count.number] = ((),), {}
        return [count, none, self._held_to(none.target, s, frame)]

    def _given(
        self, profile: Profile, given: list[str], inner: Frame, out: list[Step], s: Step, frame: Frame
    ) -> None:
        """The parameters are the arguments themselves, where nothing else is assigned to them."""
        every = profile.reading.every
        assigned = {x.target for x in every}
        indices = {n for x in every for n in x.names}
        for p, a in zip(profile.reading.parameters, given, strict=True):
            if p in assigned or (not is_name(a) and p in indices):
                out.append(self._new("copy", self._named(p, inner), (a,), s, frame))
            else:
                inner.names[p] = a

    def placed(
        self,
        f: Any,
        args: list[str],
        s: Step,
        frame: Frame,
        out: list[Step],
        skip: int = 0,
        fresh: Mapping[str, Any] = MappingProxyType({}),
        held: Mapping[str, str] = MappingProxyType({}),
    ) -> list[str]:
        """The arguments of a call by position, with defaults; of the rest the tuple and dictionary f takes.

        `fresh` has the classes of what is made anew where it is not given, `held` what f captured, among it
        the defaults that were computed.
        """
        code, keywords = f.__code__, s.keywords
        rest: list[str] = []
        names = code.co_varnames[skip : code.co_argcount + code.co_kwonlyargcount]
        positional = names[: code.co_argcount - skip]
        count = len(args) - len(keywords)
        given = dict(zip(positional, args[:count], strict=False))
        named = dict(zip(keywords, args[count:], strict=True))
        if takes_rest(f):
            out.append(self._new("tuple", self.fresh("rest"), tuple(args[len(positional) : count]), s, frame))
            rest.append(out[-1].target)
        if takes_names(f):
            by_name = names[max(code.co_posonlyargcount - skip, 0) :]
            others = {n: named.pop(n) for n in list(named) if n not in by_name}
            values, keys = tuple(others.values()), tuple(others)
            out.append(self._new("tuple", self.fresh("named"), values, s, frame, keys=keys))
            rest.append(out[-1].target)
        given.update(named)
        defaults = dict(zip(reversed(positional), reversed(f.__defaults__ or ()), strict=False))
        defaults.update(f.__kwdefaults__ or {})
        for n in names:
            if n not in given and n in fresh:
                out.append(self._new("list" if fresh[n] is list else "tuple", self.fresh(n), (), s, frame))
                out[-1].facts.update({"keys": ()} if fresh[n] is dict else {})
                given[n] = out[-1].target
            if n not in given and default_of(n) in held:
                given[n] = held[default_of(n)]
            if n not in given:
                value = defaults[n]
                given[n] = f"={value!r}" if is_literal(value) else self.constant(value, kind_of(value))
        return [*(given[n] for n in names), *rest]

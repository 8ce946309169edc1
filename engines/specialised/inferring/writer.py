"""Writer: what all that writes the steps of a text builds upon: its names, numbers and constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..reading.composed import Kind
from ..reading.declined import Declined
from ..reading.expecting import Holds
from ..reading.kinds import kind_of
from ..reading.names import Names
from ..reading.ordering import order_of
from ..reading.steps import Step, held_to, is_name, literal, renamed
from ..reading.tables import keys_of
from .frames import Frame
from .recording import Profile

_NOTED = (
    *("seen", "sequences", "alike", "ranges", "indices", "callees", "callees_in_order"),
    *("samples", "samples_in_order"),
)
"""What a recorded run noted of steps."""


class Writer:
    """What was seen of one function, for the steps of it and of those that are part of its text."""

    # what the parts of Inlined have for one another
    _step: Callable[[Step, Frame], list[Step]]
    _steps: Callable[[list[Step], Frame], list[Step]]
    _called: Callable[..., list[Step]]
    _by_position: Callable[..., tuple[Step, tuple[str, ...]]]
    _arrays: Callable[..., tuple[list[Step], tuple[str, ...]]]

    def __init__(self, profile: Profile) -> None:
        self.f, self.kinds, self.session = profile.f, profile.kinds, profile.session
        self.result = profile.result
        self.reading = profile.reading
        self.of_parameters = dict(zip(profile.reading.parameters, profile.kinds, strict=True))
        self.sequences, self.several = dict(profile.sequences), set(profile.several)
        self.callees_in_order = dict(profile.callees_in_order)
        self.samples_in_order = dict(profile.samples_in_order)
        self.seen, self.alike = dict(profile.seen), dict(profile.alike)
        self.ranges, self.indices = dict(profile.ranges), dict(profile.indices)
        self.callees, self.samples = dict(profile.callees), dict(profile.samples)
        self.constants = dict(profile.constants)
        self.taken = set(profile.taken)
        self.names = Names(profile.reading.taken)
        self.helpers: dict[str, Any] = {}
        self.by_id: dict[int, str] = {}
        self.generated: dict[str, set[Step]] = {}
        self.count = len(profile.reading.every)

    def _given_kind(self, a: str) -> Kind:
        """The kind of a parameter or a constant from outside."""
        if is_name(a):
            return self.of_parameters.get(a)
        value = literal(a)
        return self.constants.get(a[1:]) if value is literal else kind_of(value)

    def fresh(self, stem: str) -> str:
        """A name that nothing has."""
        return self.names.fresh(stem)

    def constant(self, value: Any, k: Kind | None = None) -> str:
        """An argument that stands for an object."""
        known = self.by_id.get(id(value))
        if known is None:
            known = self.by_id[id(value)] = self.fresh("given")
            self.helpers[known] = value
        if k is not None:
            self.constants[known] = k
        return f"={known}"

    def atom(self, a: str, frame: Frame) -> str:
        """An argument of a step of a function that is written in."""
        if is_name(a):
            return frame.names.get(a) or self._named(a, frame)
        text = a[1:]
        constants = frame.profile.reading.constants
        if frame.top or text not in constants:
            return a
        value, k = constants[text], frame.profile.constants[text]
        if type(k) is tuple and k[0] == "F":
            return self.constant(value, k)
        head, dot, rest = text.partition(".")
        captured = frame.profile.reading.captured
        if head in captured:
            path = f"{self.constant(captured[head])[1:]}.cell_contents"
        elif text.startswith("__import__("):
            path = head
        elif head in frame.profile.f.__globals__:
            path = f"{self.constant(frame.profile.f.__globals__)[1:]}[{head!r}]"
        else:
            raise Declined(f"the builtin {head}")
        self.constants[path + dot + rest] = k
        return f"={path}{dot}{rest}"

    def _named(self, name: str, frame: Frame) -> str:
        made = frame.names[name] = self.fresh(f"{name}_")
        return made

    def _target(self, s: Step, frame: Frame) -> str:
        return self.atom(s.target, frame) if s.target else ""

    def _own(self, stem: str, frame: Frame) -> str:
        """A name that no variable of a function has."""
        name: str = self.fresh(stem) if frame.top else frame.profile.reading.fresh(stem)
        return name

    def _renamed(self, s: Step, args: tuple[str, ...], frame: Frame) -> Step:
        names = {n: self.atom(n, frame) for n in s.names}
        made = Step(
            s.op, self._target(s, frame), args, frame.line, renamed(s.text, names) if names else s.text
        )
        made.keywords, made.stops = s.keywords, s.stops
        made.names = tuple(names.values())
        made.facts = dict(s.facts)
        self._counting(made, s, frame)
        if isinstance(made.facts.get("of"), str):
            made.facts["of"] = self.atom(made.facts["of"], frame)
        made.number = self._number()
        made.facts["body"] = frame.body
        self._note_as(frame.profile, s.number, made.number)
        return made

    def _counting(self, made: Step, s: Step, frame: Frame) -> None:
        """Note what a call counts, whose name may be lost."""
        if s.op == "call" and not is_name(s.args[0]):
            f: Any = frame.profile.reading.constants.get(s.args[0][1:])
            if any(f is known for known in (len, range, reversed, min, isinstance)):
                made.facts["counts"] = f.__name__
            if f is keys_of or f is order_of:
                made.facts["new"] = True  # a list that nothing else has

    def _number(self) -> int:
        self.count += 1
        return self.count

    def _new(
        self,
        op: str,
        target: str,
        args: tuple[str, ...],
        s: Step,
        frame: Frame,
        text: str = "",
        seen: Kind = None,
        **facts: Any,
    ) -> Step:
        """A step in the place of another; `seen`: the kind of what it makes."""
        line = s.line if frame.top else frame.line
        step = Step(op, target, args, line, text, number=self._number(), facts={"body": frame.body, **facts})
        if seen is not None:
            self.seen[step.number] = seen
        return step

    def _held_to(self, test: str, s: Step, frame: Frame) -> Step:
        """No run in which a test does not hold."""
        return held_to(test, s.line if frame.top else frame.line, self._number())

    def _expected(self, a: str, holds: Holds, s: Step, frame: Frame) -> Step:
        """What was seen of an argument holds of it in each turn of a loop that is written out."""
        return self._new("expect", "", (a,), s, frame, holds=holds)

    def _note_as(self, known: Any, old: int, new: int) -> None:
        """Note what is known of a step, of a profile or of these steps, under another number."""
        for name in _NOTED:
            noted: dict[int, Any] = getattr(known, name)
            if old in noted:
                getattr(self, name)[new] = noted[old]
        self.taken |= {(new, which) for which in (True, False) if (old, which) in known.taken}
        if old in known.several:
            self.several.add(new)

"""Programs: the specialised texts of the functions in a call tree, compiled and joined.

A function that is called has two texts: `f` with its value and what it kept, and `b` with the
cotangents of its arguments. A program calls it directly.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ..inferring.inference import Inferred
from ..inferring.memory import Memory
from ..inferring.recording import Profile
from ..inferring.session import Session
from ..reading.blocks import Line
from ..reading.compiling import compiled
from ..reading.declined import Declined
from ..reading.kinds import axes, has_object, is_array, is_tuple, varies
from ..reading.statements import RESULT
from ..reading.steps import Step, copied, walk
from ..reading.texts import Scope, Text
from ..writing.activity import Activity
from ..writing.structural import Structural
from ..writing.unread import without_unread


class Guarded:
    """Texts that take functions and constants for known."""

    guards: list[Any]

    def holds(self) -> bool:
        """Whether what the texts take for known of the functions and constants they read is still so."""
        for guard in self.guards:  # noqa: SIM110  quicker than all()
            if not guard():
                return False
        return True


class Program:
    """The texts of a function that is called, for arguments of these kinds of which these vary."""

    def __init__(self, name: str, profile: Profile, mask: tuple[bool, ...]) -> None:
        self.name, self.profile, self.mask = name, profile, mask
        self.active: tuple[bool, ...] = ()
        self.roles: list[str] = []
        self.forward: Any = None
        self.backward: Any = None
        self.text = ""
        self.texts: list[Text] = []
        self.reuses = True  # whether the backward text leaves what was kept as it was


class Programs:
    """All the programs of one call tree."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known: dict[Any, Program] = {}
        self.made: list[FunctionType] = []
        self.checked = self.singular = False

    def of(self, inferred: Inferred, s: Step, mask: tuple[bool, ...]) -> Program:
        """The program of a function that a step calls."""
        callee = inferred.callee(s)
        key = callee, mask
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = Program(f"{plain_name(callee.f)}_{len(self.known) + 1}", callee, mask)
            result = callee.result
            count = _count(result)
            known.active = (any(mask),) * count
            write(self, known)
        return known

    def active(self, inferred: Inferred, s: Step, mask: tuple[bool, ...]) -> tuple[bool, ...]:
        """Which results of a function that a step calls vary."""
        if "stands for" in s.facts and not any(mask):
            return (False,) * _count(inferred.callee(s).result)
        return self.of(inferred, s, mask).active

    def joined(self) -> None:
        """Let the texts find one another."""
        for f in self.made:
            for name, cell in f.cells.items():  # type: ignore[attr-defined]
                program = cell.cell_contents if name.endswith(("_f", "_b")) else None
                if isinstance(program, Program):
                    cell.cell_contents = program.forward if name.endswith("_f") else program.backward


def _count(k: Any) -> int:
    return sum(map(_count, k[1:])) if is_tuple(k) else 1


def plain_name(f: FunctionType) -> str:
    """A name for the text of f."""
    return f.__name__ if f.__name__.isidentifier() else "function"


class Writer(Structural):
    """The texts of one function."""

    def __init__(self, programs: Programs, inferred: Inferred, varied: tuple[str, ...]) -> None:
        steps = copied(inferred.steps)
        self.programs = programs
        memory = Memory(inferred, steps)
        activity = Activity(
            inferred, steps, varied, lambda s, mask: programs.active(inferred, s, mask), memory
        )
        super().__init__(inferred, steps, activity, self._callee)
        self.all_steps = list(walk(steps))
        self.given: dict[str, str] = {}  # arguments that are written into, as they were given
        self.copied: dict[str, str] = {}  # the copies that the text writes into

    def scope(self) -> Scope:
        """The variables of the texts."""
        return Scope(self.kinds, self.records, self.helpers)

    def _callee(self, s: Step) -> Program:
        mask = tuple(n in self.activity.active for a in s.args[1:] for n in self.activity.given(a))
        return self.programs.of(self.inferred, s, mask)

    def begin(self, called: bool = False) -> None:
        """The forward text; of a function that is called, which is given objects as tuples."""
        if any("tells" in s.facts for s in self.all_steps):
            if called:
                raise Declined("something that is told by a function with a text of its own")
            self.told = self.fresh("told")
            self.put(f"{self.told} = []")
        for p in self.inferred.parameters:
            if is_tuple(self.kinds[p]):
                self.opened(p, called and has_object(self.kinds[p]))
        for p in self.written():
            self._own(p)
        leaves = (n for p in self.inferred.parameters for n in self.inferred.leaves(p))
        self.first = {n: self.candidate(n) for n in leaves if not self.memory.changes(n)}
        self.write(self.steps)

    def written(self) -> list[str]:
        """The arguments that are written into."""
        found = []
        for p in self.inferred.parameters:
            if any(map(self.memory.changes, self.inferred.leaves(p))):
                if is_tuple(self.kinds[p]):
                    raise Declined("an array in a tuple that is given and written into")
                found.append(p)
        return found

    def _own(self, p: str) -> None:
        """A copy of an argument that is written into; no run in which another one shares its memory."""
        self.put(f"if not ({p}.flags.forc and {p}.flags.writeable): {self.given_up()}")
        for other in self.inferred.parameters:
            for n in self.inferred.leaves(other):
                if self.kinds[n] == "L":
                    raise Declined("a list beside an array that is written into")
                if n != p and axes(self.kinds[n]):
                    self.put(f"if {self.bind(np.may_share_memory)}({p}, {n}): {self.given_up()}")
        self.given[p] = self.fresh(f"{p}_given")
        self.put(f"{self.given[p]} = {p}")
        self.put(f"{p} = {p}.copy('K')")
        self.copied[p] = self._held(p)
        if self.has_shadow(p):
            name = self.shadows[p]
            self.put(f"{name} = {self.zeros(p, f'{p}.shape')}")
            self.definitions[name] = self.definitions[p]
            self.define(name)
            self.first_shadows[p] = self._held(name) if self.copied[p] != p else name

    def _held(self, name: str) -> str:
        """A variable that no step of the function sets, for what this one holds now."""
        if self.definitions[name] == 1:
            return name
        held = self.fresh(f"{name}_own")
        self.put(f"{held} = {name}")
        return held

    def rendered(self, lines: list[Line], more: int = 0) -> tuple[list[str], list[int]]:
        """The lines as text, and the user's line of each."""
        texts, at = [], []
        for depth, line, text in lines:
            found = text() if callable(text) else text
            if found is not None:
                texts.append("    " * (depth + more) + found)
                at.append(line)
        return texts, at


def write(programs: Programs, program: Program) -> None:
    """The two texts of a function that is called."""
    inferred = programs.session.inferred(program.profile)
    if isinstance(inferred, Profile):
        raise Declined("functions that call one another in a circle")
    leaves = [n for p in inferred.parameters for n in inferred.leaves(p)]
    varied = tuple(n for n, v in zip(leaves, program.mask, strict=True) if v and varies(inferred.kinds[n]))
    if any(inferred.kinds[n] == "L" for n in leaves) or inferred.result == "L":
        raise Declined("a list that is given to a function")
    program.roles = [
        "none" if n not in varied else "buffer" if _indexed(inferred, n) else "answer" for n in leaves
    ]
    w = Writer(programs, inferred, varied)
    if any(w.memory.changes(n) for n in leaves):
        raise Declined("a function that writes into its arguments")
    w.begin(called=True)
    shadows = {n: w.candidate(w.shadows[n]) for n in inferred.leaves(RESULT) if w.has_shadow(n)}
    w.start()
    seeds, buffers = {}, []
    for n, active in zip(inferred.leaves(RESULT), program.active, strict=True):
        if active and n in w.activity.active:
            seeds[n] = w.fresh("seed")
    missing = [
        w.fresh("seed")
        for n, a in zip(inferred.leaves(RESULT), program.active, strict=True)
        if a and n not in w.activity.active and varies(inferred.kinds[n])
    ]
    if missing:
        program.active = tuple(n in w.activity.active for n in inferred.leaves(RESULT))
        if any(x is program for x in _called(w)):
            raise Declined("a recursion whose activity does not settle")
    w.seed({n: text for n, text in seeds.items() if n not in shadows})
    for n, shadow in shadows.items():
        if n in seeds:
            w.put(f"{shadow.use()} += {seeds[n]}")
    for n, role in zip(leaves, program.roles, strict=True):
        if role == "buffer":
            name = w.fresh(f"{n}_bar")
            buffers.append(name)
            w.own_from(n, name)
    w.back(w.steps)
    if all(x is not program for x in _called(w)):
        program.roles = [
            "none" if r == "answer" and w.cotangents.get(n) is None else r
            for n, r in zip(leaves, program.roles, strict=True)
        ]
    answers = [
        w.answer(n, w.first_of(n).use) for n, r in zip(leaves, program.roles, strict=True) if r == "answer"
    ]
    for n, name in zip(
        [n for n, r in zip(leaves, program.roles, strict=True) if r == "buffer"], buffers, strict=True
    ):
        if w.cotangents[n].text != name:
            raise Declined("a buffer that is given away")
    back, _ = without_unread(*w.rendered(w.lines), w.helpers, answers)
    ahead, at = w.rendered(w.forward_lines)
    trace = w.top.kept
    kept = f"({', '.join(trace)}{',' if len(trace) == 1 else ''})"
    line = program.profile.f.__code__.co_firstlineno
    f_text = [
        f"def {program.name}_f({', '.join(inferred.parameters)}):",
        *ahead,
        f"    return {RESULT}, {kept}",
    ]
    opened = [f"    {', '.join(trace)}, = trace_"] if trace else []
    given = ", ".join(["trace_", *seeds.values(), *buffers])
    b_text = [
        f"def {program.name}_b({given}):",
        *opened,
        *back,
        f"    return ({', '.join(answers)}{',' if len(answers) == 1 else ''})",
    ]
    f = program.profile.f
    program.forward = compiled(f, f"{program.name}_f", f_text, w.helpers, w.kinds, [line, *at, line])
    program.backward = compiled(f, f"{program.name}_b", b_text, w.helpers, w.kinds)
    program.text = "\n".join([*f_text, "", *b_text])
    program.reuses = not w.shadows
    scope = w.scope()
    program.texts = [
        Text(f, name, text, scope, program)
        for name, text in ((f"{program.name}_f", f_text), (f"{program.name}_b", b_text))
    ]
    programs.made += [program.forward, program.backward]
    programs.checked |= w.checked
    programs.singular |= w.singular


def _called(w: Writer) -> list[Any]:
    return [s.facts.get("program") for s in w.all_steps]


def _indexed(inferred: Inferred, name: str) -> bool:
    """Whether a parameter is read by an index alone, so that its cotangent is added into one array."""
    if not is_array(inferred.kinds[name]):
        return False
    return any(s.op == "get" and s.args[0] == name for s in walk(inferred.steps)) and not any(
        s.target == name for s in walk(inferred.steps)
    )

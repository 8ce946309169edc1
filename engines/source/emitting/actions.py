"""Actions: what the backward execution of each statement of a program does, and nothing else of it.

The forward part, once emitted, needs the normal form no more; a pullback needs these. They are run as
they are by the first pullback of a program (first_run.py) and written out as a text for all others
(pullback_text.py).
"""

from __future__ import annotations

import functools
import linecache
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..rewriting.names import Names
from ..syntax.ir import Call, Copy, Define, Plain, Return, Statement, Unpack, Yield


class Called(NamedTuple):
    """The adjoint of `target` goes through a pullback, at a place in the record, to the operands."""

    target: str
    operands: list[str | None]  # their variables, None where nothing varies
    captures: tuple[str, ...]  # what the functions among them captured
    pullback: str
    place: int
    line: int


made_called: Callable[[tuple[Any, ...]], Called] = functools.partial(tuple.__new__, Called)
"""The same from a tuple, which is quicker."""


class Copied(NamedTuple):
    """The adjoint of `target` goes to `source`."""

    target: str
    source: str | None


class Unpacked(NamedTuple):
    """The adjoints of `targets` go to `source`, as that of a tuple."""

    targets: list[str]
    source: str


class Defined(NamedTuple):
    """The adjoint of a function goes to what it captured, unless that is done at each use."""

    target: str
    captured: tuple[str, ...]
    by_use: bool


class Forgotten(NamedTuple):
    """These names were bound to what does not vary."""

    names: tuple[str, ...]


class Given(NamedTuple):
    """The seed goes to the variable that was returned, or yielded."""

    variable: str | None
    yielded: bool


Action = Called | Copied | Unpacked | Defined | Forgotten | Given


@dataclass
class Block:
    """A run of statements without control flow: what its backward execution does, and its record."""

    number: int
    depth: int
    actions: list[Action] = field(default_factory=list)
    pullbacks: list[str] = field(default_factory=list)


@dataclass
class Plan:
    """What a pullback is made from."""

    blocks: list[Block]
    straight: bool  # without control flow: pullbacks are handed over as they are, not in a trace
    by_use: dict[str, tuple[str, ...]]
    parameters: list[str | None]
    closure: dict[str, str] | None
    names: Names
    trace: str
    filename: str

    def note(self, line: int) -> str:
        """The user's line that an action undoes."""
        text = linecache.getline(self.filename, line).strip()
        return f"line {line}: {text}" if text else ""


def called(s: Call, operands: list[str | None], pullback: str, place: int) -> Called:
    """The action of a call; `operands` are the variables of its operands."""
    captures = tuple(n for names in s.captures.values() for n in names) if s.captures else ()
    return made_called((s.target, operands, captures, pullback, place, getattr(s.origin, "lineno", 0)))


def action_of(s: Statement) -> Action:
    """The action of another statement without control flow."""
    if isinstance(s, Plain):
        return Forgotten(s.binds)
    if isinstance(s, Copy):
        return Copied(s.target, s.source.variable)
    if isinstance(s, Unpack):
        return Unpacked(s.targets, s.source)
    if isinstance(s, Define):
        return Defined(s.target, s.captured, s.by_use)
    assert isinstance(s, Return | Yield)
    return Given(s.value.variable, isinstance(s, Yield))


def touched(a: Action) -> tuple[set[str], set[str]]:
    """The variables whose derivative an action gives to, and those from which it takes one."""
    if isinstance(a, Called):
        return {n for n in a.operands if n is not None}.union(a.captures), {a.target}
    if isinstance(a, Copied):
        return set() if a.source is None else {a.source}, {a.target}
    if isinstance(a, Unpacked):
        return {a.source}, set(a.targets)
    if isinstance(a, Defined):
        return set(a.captured), {a.target}
    if isinstance(a, Given):
        return set() if a.variable is None else {a.variable}, set()
    return set(), set(a.names)

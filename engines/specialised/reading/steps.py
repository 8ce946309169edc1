"""Steps: what a function is between reading it and writing its texts.

Each step does one thing: an operator, a call, an index, a branch, a loop. Its arguments are names of the
function's variables, or constants, written with an equals sign before the text: `x`, `=2.0`, `=np.sin`.
"""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(eq=False)
class Step:
    """One operation.

    `op` is one of: binary, unary, compare, get, set, setkey, attr, setattr, call, method, tuple, list, copy,
    append, extend, put, drop, pack, unpack, if, loop, break, commit,
    deopt.
    """

    op: str
    target: str = ""
    args: tuple[str, ...] = ()
    line: int = 0
    text: str = ""  # the operator, the attribute's or method's name, the text of an index
    keywords: tuple[str, ...] = ()  # names of the last arguments
    body: list[Step] = field(default_factory=list)
    orelse: list[Step] = field(default_factory=list)
    number: int = -1
    names: tuple[str, ...] = ()  # the variables in an index
    stops: bool = False  # a loop that a break may leave
    # what later passes find out
    active: bool = False
    live: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    kept: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


OPERATORS: Mapping[str, Any] = MappingProxyType(
    {
        **{"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv},
        **{"**": operator.pow, "@": operator.matmul, "//": operator.floordiv, "%": operator.mod},
        **{"&": operator.and_, "|": operator.or_, "^": operator.xor},
    }
)
"""The binary operators by their text."""
SETS = ("setattr", "setkey")
"""What sets a field of an object, or an entry of a dictionary."""
GROWS = frozenset({"append", "extend", "put"})
"""What puts items into a list: at its end, or in front."""
RESIZES = GROWS | {"drop"}
"""What changes how many items a list has."""


def walk(steps: list[Step]) -> Iterator[Step]:
    """Every step, those inside others after them."""
    for s in steps:
        yield s
        yield from walk(s.body)
        yield from walk(s.orelse)


def held_to(test: str, line: int, number: int = -1) -> Step:
    """The step that gives a run up where a test does not hold."""
    step = Step("if", args=(test,), line=line, orelse=[Step("deopt", line=line)], number=number)
    step.facts["always"] = True
    return step


def copied(steps: list[Step]) -> list[Step]:
    """The steps anew, to be written with; what their facts refer to stays the same."""
    made = []
    for s in steps:
        new = copy.copy(s)
        new.body, new.orelse, new.kept = copied(s.body), copied(s.orelse), dict(s.kept)
        new.facts = {k: list(v) if type(v) is list else v for k, v in s.facts.items()}
        made.append(new)
    return made


def plain(atom: str) -> str:
    """An argument as text."""
    return atom[1:] if atom[0] == "=" else atom


def is_name(atom: str) -> bool:
    """Whether an argument is a variable of the function."""
    return atom[0] != "="


def literal(atom: str) -> Any:
    """The value of a constant that is written out; `literal` itself for anything else."""
    if is_name(atom):
        return literal
    text = atom[1:]
    known = {"None": None, "True": True, "False": False}
    if text in known:
        return known[text]
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d*(e[-+]?\d+)?", text):
        return float(text)
    return literal


def renamed(text: str, names: dict[str, str]) -> str:
    """A text with other names for its variables."""
    for old, new in names.items():
        if old != new:
            text = re.sub(rf"(?<![\w.]){re.escape(old)}\b", new, text)
    return text

"""The normal form: what a function is between reading it and writing its derivative.

Active computation is a list of simple statements: a call, a copy, an unpacking. Everything that
carries no derivative stays the Python that the user wrote, inside `Plain`. Control flow keeps its
structure. Each statement remembers the syntax it came from, for positions and messages.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

_NOTHING: Mapping[int, Any] = MappingProxyType({})


class Atom(NamedTuple):
    """An operand: an expression without active computation, and the variable it is if it may vary."""

    node: ast.expr
    variable: str | None = None

    @property
    def varied(self) -> bool:
        return self.variable is not None


made_atom: Callable[[tuple[ast.expr, str | None]], Atom] = functools.partial(tuple.__new__, Atom)
"""The same from a tuple, which is quicker: atoms are what most of lowering makes."""


class Call:
    """`target = f(*arguments)`: the one statement through which derivatives flow.

    `callee` is "plain" for a callable that does not vary, "closure" where it does (it is then the
    first to get a cotangent), "method" for `owner.name(...)` on a varying owner.
    """

    __slots__ = (
        *("target", "callee", "function", "arguments", "origin", "name", "keywords"),
        *("starred", "captures", "writes", "shared", "unsettled", "steady", "may_keep", "hands_out"),
    )

    def __init__(
        self,
        target: str,
        callee: str,
        function: Atom,
        arguments: list[Atom],
        origin: ast.AST,
        name: str = "",
    ) -> None:
        self.target = target
        self.callee = callee
        self.function = function
        self.arguments = arguments
        self.origin = origin
        self.name = name  # of the method
        self.keywords: Sequence[str | None] = ()  # of the last arguments; None for **mapping
        self.starred: Sequence[bool] = ()
        self.captures: Mapping[int, tuple[str, ...]] = _NOTHING  # see closures
        self.writes: Mapping[int, str] = _NOTHING  # operands that may change: they follow the value
        self.shared: tuple[bool, ...] = ()  # which operands may change later, so that a rule gets a copy
        self.unsettled = False  # what the callee captured may change later
        self.may_keep = False  # a function whose captures are rebound, and that is no callee
        self.hands_out: tuple[str, ...] = ()  # what functions that the callee returns may have captured
        self.steady = False  # neither changes before the function that calls it returns

    @property
    def operands(self) -> list[Atom]:
        """What gets a cotangent, in the order of the pullback's answer."""
        return self.arguments if self.callee == "plain" else [self.function, *self.arguments]


@dataclass(slots=True)
class Copy:
    """`target = source`, which makes no new value."""

    target: str
    source: Atom
    origin: ast.AST


@dataclass(slots=True)
class Unpack:
    """`a, b = source`, where source is a tuple of known length; None for a target that does not vary."""

    targets: list[str]
    source: str
    origin: ast.AST


@dataclass(slots=True)
class Define:
    """A nested function or lambda bound to `target`; `captured` are the varying names it sees."""

    target: str
    node: ast.FunctionDef | ast.Lambda
    captured: tuple[str, ...]
    by_use: bool  # its captured names are reassigned: cotangents belong to where it is used
    origin: ast.AST


@dataclass(slots=True)
class Plain:
    """Statements run as written, and the names they bind to values that do not vary."""

    statement: ast.stmt
    binds: tuple[str, ...]


@dataclass(slots=True)
class If:
    """A branch; its test is evaluated as written."""

    test: ast.expr
    body: list[Any]
    orelse: list[Any]
    origin: ast.AST


@dataclass(slots=True)
class Loop:
    """A `for` (with target and iterable) or a `while` (with a test), run as Python runs it."""

    header: ast.For | ast.While
    binds: tuple[str, ...]
    body: list[Any]
    orelse: list[Any]
    origin: ast.AST


@dataclass(slots=True)
class With:
    """A `with` whose managers carry no derivative; `binds` are the names it binds."""

    header: ast.With
    binds: tuple[str, ...]
    body: list[Any]
    origin: ast.AST


@dataclass(slots=True)
class Try:
    """A `try`: each handler is its clause with the statements of its body."""

    body: list[Any]
    handlers: list[tuple[ast.ExceptHandler, list[Any]]]
    orelse: list[Any]
    final: list[Any]
    origin: ast.AST


@dataclass(slots=True)
class Jump:
    """`break` or `continue`."""

    statement: ast.Break | ast.Continue


@dataclass(slots=True)
class Return:
    """`return value`"""

    value: Atom
    origin: ast.AST


@dataclass(slots=True)
class Yield:
    """`yield value`, in a generator."""

    value: Atom
    origin: ast.AST


Statement = Call | Copy | Unpack | Define | Plain | If | Loop | With | Try | Jump | Return | Yield


def touched(s: Statement) -> tuple[set[str], set[str]]:
    """The variables whose derivative a simple statement uses, and those to which it gives one."""
    if isinstance(s, Call):
        used = {a.variable for a in s.operands if a.variable}
        return used.union(*s.captures.values()), {s.target}
    if isinstance(s, Copy):
        return _variable(s.source), {s.target}
    if isinstance(s, Unpack):
        return {s.source}, set(s.targets)
    if isinstance(s, Define):
        return set(s.captured), {s.target}
    if isinstance(s, Return | Yield):
        return _variable(s.value), set()
    return set(), set(s.binds) if isinstance(s, Plain) else set()


def _variable(a: Atom) -> set[str]:
    return {a.variable} if a.variable is not None else set()

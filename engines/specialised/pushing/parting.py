"""Parting: a text as two, what does not depend on some of its arguments and what does.

    v = cos(x)                     the still half          v = cos(x)
    y_dot = v * x_dot              the moving half         y_dot = v * x_dot

The first runs once, and keeps what the second reads, which runs for each direction. Only texts without loops
over what moves are parted, in which nothing that the second reads is written into behind it (settled.py).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

from ..reading.compiling import compiled
from ..reading.declined import Declined
from ..writing.unread import METHODS
from .dead import called, without_dead
from .linear import IN_PLACE
from .settled import Settled, bases, is_none, names_set


class Source(NamedTuple):
    """A text: whose module it uses, its tree, what its names stand for, and the kinds of its variables."""

    f: FunctionType
    node: ast.FunctionDef
    helpers: dict[str, Any]
    kinds: dict[str, Any]


class Parting:
    """The texts of one call tree; `of` gives that of a helper, if it is one."""

    def __init__(self, of: Callable[[Any], Source | None]) -> None:
        self.of = of
        self.known: dict[tuple[int, frozenset[str]], Halves | None] = {}

    def halves(self, source: Source, moving: frozenset[str], *, last: bool = False) -> Halves:
        """The two halves of a text, where these parameters move; `last`: for the last result that moves."""
        key = id(source.node), moving
        if key not in self.known:
            self.known[key] = None
            self.known[key] = Halves(self, source, moving, last)
        made = self.known[key]
        if made is None:
            raise Declined("a text that calls itself")
        return made


class Halves:
    """The two halves of one text: `ahead` gives what stands still and what is kept, `behind` takes that."""

    def __init__(self, parting: Parting, source: Source, moving: frozenset[str], last: bool) -> None:
        self.parting, self.source, self.given, self.last = parting, source, moving, last
        self.parameters = [a.arg for a in source.node.args.args]
        *self.body, end = source.node.body
        if not isinstance(end, ast.Return) or any(map(_returns, self.body)):
            raise Declined("a text that ends in several places")
        self.results = leaves(end.value)
        self.moving = set(moving)
        before = -1
        while before != len(self.moving):
            before = len(self.moving)
            for s in self.body:
                self._spread(s)
        self.moves_in = [self.is_moving(e) for e in self.results]
        self.names = {*self.parameters, *(n for s in self.body for n in names_set(s))}
        self.helpers = dict(source.helpers)
        self.kept: list[str] = []
        self.settled = Settled(self.parameters, self.body, self.helpers, source.kinds)
        self.places = {id(s): i for i, s in enumerate(self.settled.order)}
        self.behind = self._behind()
        self.ahead = self._ahead()

    def _behind(self) -> FunctionType:
        """The half that depends on what moves."""
        lines = self._half(self.body, moving=True)
        moved = [e for e, m in zip(self.results, self.moves_in, strict=True) if m]
        if self.last:
            moved = moved[-1:]
            lines = without_dead(lines, moved, self.helpers)
        for e in moved:
            self._keep(e, len(self.places))
        opened = [f"{', '.join(self.kept)}, = kept_"] if self.kept else []
        given = ["kept_", *[p for p in self.parameters if p in self.given]]
        return self._compiled("moving", given, [*opened, *lines, f"return {_tuple(moved)}"])

    def _ahead(self) -> FunctionType:
        """The half that does not."""
        inside = {n for s in self.body if isinstance(s, ast.If | ast.With) for n in names_set(s)}
        unset = [n for n in self.kept if n in inside or n not in self.names]
        lines = [f"{' = '.join([*unset, 'None'])}"] if unset else []
        lines += self._half(self.body, moving=False)
        still = [e for e, m in zip(self.results, self.moves_in, strict=True) if not m]
        lines.append(f"return {_tuple(still)}, ({''.join(f'{n}, ' for n in self.kept)})")
        return self._compiled("still", [p for p in self.parameters if p not in self.given], lines)

    def _compiled(self, half: str, given: list[str], lines: list[str]) -> FunctionType:
        name = f"{self.source.node.name}_{half}"
        text = [f"def {name}({', '.join(given)}):", *[f"    {line}" for line in lines]]
        f: Any = self.source.f
        return compiled(f, name, text, self.helpers, self.source.kinds)

    # what moves

    def is_moving(self, e: ast.AST) -> bool:
        """Whether something that moves is read or set."""
        return any(isinstance(n, ast.Name) and n.id in self.moving for n in ast.walk(e))

    def _spread(self, s: ast.stmt) -> None:
        """Let what is made of what moves move."""
        match s:
            case ast.Assign() | ast.Expr(value=ast.Call()):
                if not all(map(self._is_quiet, called(s.value))):
                    raise Declined("a call that may write into what it is given")
                inner = self._inner(s)
                if inner is not None:
                    pairs = zip(_results(s), inner.moves_in, strict=True)
                    self.moving |= {n for t, m in pairs if m for n in bases(t)}
                    self.moving |= self._written_by(s, inner)
                elif isinstance(s, ast.Expr):
                    raise Declined("a call for what it does in two halves")
                elif self.is_moving(s) and not is_none(s):
                    self.moving |= {n for t in s.targets for n in bases(t)}
                    self.moving |= {*bases(s.value)} if isinstance(s.value, ast.Name) else set()
            case ast.AugAssign():
                if self.is_moving(s):
                    self.moving |= set(bases(s.target))
            case ast.If():
                if self.is_moving(s.test):
                    self.moving |= names_set(s)
                for inside in (*s.body, *s.orelse):
                    self._spread(inside)
            case ast.With():
                for inside in s.body:
                    self._spread(inside)
            case ast.Raise() | ast.Pass():
                pass
            case _:
                if self.is_moving(s) or not isinstance(s, ast.For | ast.While):
                    raise Declined(f"a {type(s).__name__} in two halves")

    def _is_quiet(self, f: ast.expr) -> bool:
        """Whether a function, by the text that calls it, writes into nothing, or is a text of its own."""
        if isinstance(f, ast.Attribute):
            return f.attr in METHODS
        return isinstance(f, ast.Name) and self.source.helpers.get(f.id) not in IN_PLACE

    def _inner(self, s: ast.Assign | ast.Expr) -> Halves | None:
        """The halves of a text that is called with something that moves; None of anything else."""
        call = s.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and self.is_moving(call)):
            return None
        source = self.parting.of(self.source.helpers.get(call.func.id))
        if source is None:
            return None
        pairs = zip(source.node.args.args, call.args, strict=True)
        inner = self.parting.halves(source, frozenset(p.arg for p, a in pairs if self.is_moving(a)))
        if len(_results(s)) != len(inner.results):
            raise Declined("a text that is called in another way")
        return inner

    def _written_by(self, s: ast.Assign | ast.Expr, inner: Halves) -> set[str]:
        """The arguments of a text that is called which something that moves is written into."""
        assert isinstance(s.value, ast.Call)
        pairs = zip(inner.parameters, s.value.args, strict=True)
        return {n for p, a in pairs if p in inner.moving and p not in inner.given for n in bases(a)}

    # what is written

    def _half(self, body: list[ast.stmt], *, moving: bool) -> list[str]:
        """The lines of one half of some statements."""
        out: list[str] = []
        for s in body:
            if isinstance(s, ast.If) and not self.is_moving(s.test):
                out += self._branch(s, moving)
            elif isinstance(s, ast.With):
                inside = self._half(s.body, moving=moving)
                head = f"with {', '.join(map(ast.unparse, s.items))}:"
                out += [head, *[f"    {line}" for line in inside]] if inside else []
            elif isinstance(s, ast.Assign) and is_none(s):
                names = [n for t in s.targets for n in bases(t) if (n in self.moving) == moving]
                chosen = [n for n in names if moving or n not in self.kept]
                out += [" = ".join([*chosen, "None"])] if chosen else []
            elif isinstance(s, ast.Assign | ast.Expr) and (inner := self._inner(s)) is not None:
                out += self._call(s, inner, moving)
            elif self.is_moving(s) == moving and not (moving and isinstance(s, ast.Raise)):
                if moving:
                    self._hold_fresh(s)
                    self._keep(s, self.places[id(s)])
                out += ast.unparse(s).split("\n")
        return out

    def _branch(self, s: ast.If, moving: bool) -> list[str]:
        """The same of a branch whose test stands still."""
        body, orelse = (self._half(arm, moving=moving) for arm in (s.body, s.orelse))
        if not body and not orelse:
            return []
        if moving:
            self._keep(s.test, self.places[id(s)])
        lines = [f"if {ast.unparse(s.test)}:", *[f"    {line}" for line in body or ["pass"]]]
        return [*lines, "else:", *[f"    {line}" for line in orelse]] if orelse else lines

    def _call(self, s: ast.Assign | ast.Expr, inner: Halves, moving: bool) -> list[str]:
        """One half of a call of a text that has two."""
        assert isinstance(s.value, ast.Call)
        pairs = [*zip(_results(s), inner.moves_in, strict=True)]
        if any(self.is_moving(t) != m for t, m in pairs):
            raise Declined("a result that is written into")
        given = [
            a for p, a in zip(inner.parameters, s.value.args, strict=True) if (p in inner.given) == moving
        ]
        kept, args = f"kept{s.lineno}_", ", ".join(map(ast.unparse, given))
        targets = "".join(f"{ast.unparse(t)}, " for t, m in pairs if m == moving)
        if not moving:
            return [f"({targets}), {kept} = {self._bind(inner.ahead)}({args})"]
        if kept not in self.kept:
            self.kept.append(kept)
        for a in s.value.args:
            self._keep(a, self.places[id(s)], noted=a in given)
        call = f"{self._bind(inner.behind)}({kept}, {args})"
        return [f"{targets} = {call}" if targets else call]

    def _bind(self, f: FunctionType) -> str:
        """A name for one half of another text."""
        name = next((n for n, v in self.helpers.items() if v is f), None)
        if name is None:
            name = f"{f.__name__}{len(self.helpers)}_"
            self.helpers[name] = f
        return name

    def _keep(self, e: ast.AST, read: int, *, noted: bool = True) -> None:
        """Note what the moving half reads of the still one; Declined where that is another at its end."""
        for n in ast.walk(e):
            if isinstance(n, ast.Name) and n.id in self.names and n.id not in self.moving:
                if not self.settled.holds(n.id, e, read):
                    raise Declined(f"the variable {n.id}, which is changed when it was read")
                if noted and n.id not in self.kept:
                    self.kept.append(n.id)

    def _hold_fresh(self, s: ast.stmt) -> None:
        """Declined where what moves is written into something that the still half has."""
        if not isinstance(s, ast.Assign) or self.is_moving(s.value) or isinstance(s.value, ast.Constant):
            return
        call = s.value.func if isinstance(s.value, ast.Call) else None
        made = self.source.helpers.get(call.id) if isinstance(call, ast.Name) else None
        if getattr(made, "__name__", "") != "zeros" and not all(
            isinstance(t, ast.Subscript) for t in s.targets
        ):
            raise Declined("what moves in what does not")


def leaves(e: ast.expr | None) -> list[ast.expr]:
    """The parts of a tuple of tuples."""
    if not isinstance(e, ast.Tuple):
        return [] if e is None else [e]
    return [x for part in e.elts for x in (part.elts if isinstance(part, ast.Tuple) else [part])]


def _results(s: ast.Assign | ast.Expr) -> list[ast.expr]:
    """What the results of a call are assigned to."""
    if isinstance(s, ast.Expr):
        return []
    if len(s.targets) > 1:
        raise Declined("results with several names")
    return leaves(s.targets[0])


def _tuple(parts: list[ast.expr]) -> str:
    return f"({''.join(f'{ast.unparse(e)}, ' for e in parts)})"


def _returns(s: ast.stmt) -> bool:
    return any(isinstance(n, ast.Return) for n in ast.walk(s))

"""Varying: which variables of the generated texts carry a tangent.

The texts of a call tree are looked at together: a parameter carries one where an argument does, in whatever
call. Names of one array, list or view carry one together. This holds for the whole of a text: a variable that
carries a tangent somewhere has a tangent, maybe zero, wherever it is set.
"""

from __future__ import annotations

import ast
from typing import Any

from ..reading.calls import is_flat
from ..reading.kinds import is_real, is_tuple, varies
from ..reading.texts import UNKNOWN, Scope, Text, known
from .linear import CHANGED, FIRST, IN_PLACE, LINEAR

Key = tuple[Scope, str]
_FLAT_METHODS = frozenset({"argmax", "argmin", "all", "any", "index"})


class Varying:
    """The variables of these texts that carry a tangent, where these parameters of the first do."""

    def __init__(self, texts: list[Text], moving: list[str]) -> None:
        self.texts = texts
        self.halves = {(id(t.program), t.name[-2:]): t for t in texts if t.program is not None}
        self.parent: dict[Key, Key] = {}
        self.active: set[Key] = set()
        self.mutated: set[Key] = set()
        self.solved: set[Key] = set()  # the pullbacks of solutions
        for n in moving:
            self._mark(texts[0], n)
        before: Any = None
        while before != (now := (len(self.active), len(self.mutated), len(self.parent))):
            before = now
            for t in texts:
                for s in ast.walk(t.node):
                    self._spread(t, s)

    # what is asked

    def carries(self, t: Text, name: str) -> bool:
        """Whether a variable carries a tangent."""
        return self._root(t, name) in self.active

    def changes(self, t: Text, name: str) -> bool:
        """Whether a variable stands for an array that is written into."""
        return self._root(t, name) in self.mutated

    def is_of_solution(self, t: Text, name: str) -> bool:
        """Whether a variable is the pullback of a solution."""
        return (t.scope, name) in self.solved

    def half(self, t: Text, e: ast.expr) -> Text | None:
        """The text that a call calls."""
        if not isinstance(e, ast.Call) or not isinstance(e.func, ast.Name):
            return None
        program = t.scope.helpers.get(e.func.id)
        return self.halves.get((id(program), e.func.id[-2:]))

    def is_record(self, t: Text, e: ast.expr) -> bool:
        """Whether an expression is what holds values that were kept."""
        return isinstance(e, ast.Name) and e.id in t.scope.records

    def moves(self, t: Text, e: ast.expr) -> bool:
        """Whether an expression carries a tangent."""
        match e:
            case ast.Name():
                return self.carries(t, e.id)
            case ast.Attribute():
                return e.attr == "T" and self.moves(t, e.value)
            case ast.Subscript() | ast.Starred():
                return self.moves(t, e.value)
            case ast.BinOp():
                flat = isinstance(e.op, ast.FloorDiv)
                return not flat and (self.moves(t, e.left) or self.moves(t, e.right))
            case ast.UnaryOp():
                return not isinstance(e.op, ast.Not) and self.moves(t, e.operand)
            case ast.Tuple() | ast.List():
                return any(self.moves(t, x) for x in e.elts)
            case ast.Dict():
                return any(self.moves(t, x) for x in e.values)
            case ast.Call():
                return self._moves_call(t, e)
        return False

    def _moves_call(self, t: Text, e: ast.Call) -> bool:
        f = known(t, e.func)
        given = [*e.args, *(k.value for k in e.keywords)]
        if f is UNKNOWN:
            assert isinstance(e.func, ast.Attribute | ast.Name)
            if isinstance(e.func, ast.Name):  # a pullback moves with what it has kept
                return self.carries(t, e.func.id) or any(self.moves(t, a) for a in given)
            if e.func.attr in _FLAT_METHODS:
                return False
            return self.moves(t, e.func.value) or any(self.moves(t, a) for a in given)
        places = LINEAR.get(f)
        if places is not None:
            return any(self.moves(t, a) for i, a in enumerate(given) if i in places)
        if f not in FIRST and is_flat(f):
            return False
        return any(self.moves(t, a) for a in given)

    # names

    def _root(self, t: Text, name: str) -> Key:
        key = t.scope, name
        while key in self.parent:
            key = self.parent[key]
        return key

    def _mark(self, t: Text, name: str) -> None:
        k = t.scope.kinds.get(name)
        if k is None or varies(k) or is_tuple(k):
            self.active.add(self._root(t, name))

    def _join(self, t: Text, a: str, u: Text, b: str) -> None:
        x, y = self._root(t, a), self._root(u, b)
        if x == y:
            return
        self.parent[x] = y
        for marks in (self.active, self.mutated):
            if x in marks:
                marks.add(y)

    # statements

    def _spread(self, t: Text, s: ast.AST) -> None:
        match s:
            case ast.Assign():
                half = self.half(t, s.value)
                if half is not None:
                    assert isinstance(s.value, ast.Call)
                    self._called(t, half, s.value, s.targets[0])
                else:
                    self._assigned(t, s.targets[0], s.value)
            case ast.AugAssign():
                base = base_of(s.target)
                self.mutated.add(self._root(t, base))
                if self.moves(t, s.value):
                    self._mark(t, base)
            case ast.For():
                if self.moves(t, s.iter):
                    assert isinstance(s.target, ast.Name)
                    self._mark(t, s.target.id)
            case ast.Expr(value=ast.Call()):
                assert isinstance(s.value, ast.Call)
                self._done(t, s.value)

    def _done(self, t: Text, e: ast.Call) -> None:
        half = self.half(t, e)
        if half is not None:
            self._called(t, half, e, None)
            return
        if isinstance(e.func, ast.Attribute):
            base = base_of(e.func.value)
            self.mutated.add(self._root(t, base))
            self._held(t, base, e.args)
            if any(self.moves(t, a) for a in e.args):
                self._mark(t, base)
            return
        f = known(t, e.func)
        if f in IN_PLACE:
            moves = any(self.moves(t, a) for i, a in enumerate(e.args) if i in LINEAR[f])
            for a in [e.args[i] for i in CHANGED.get(f, (0,)) if not isinstance(e.args[i], ast.Constant)]:
                self.mutated.add(self._root(t, base_of(a)))
                if moves:
                    self._mark(t, base_of(a))

    def _held(self, t: Text, base: str, items: list[ast.expr]) -> None:
        """A list holds lists, or lists of cotangents: they are written into by its name, too."""
        for x in items:
            if is_alias(x) and "L" in map(t.scope.kinds.get, (base_of(x), base_of(x).removesuffix("_s"))):
                self._join(t, base_of(x), t, base)

    def _called(self, t: Text, half: Text, e: ast.Call, target: ast.expr | None) -> None:
        for p, a in zip(half.parameters, e.args, strict=True):
            if isinstance(a, ast.Name) and self.changes(half, p):
                self._join(t, a.id, half, p)
            if self.moves(t, a):
                self._mark(half, p)
        if isinstance(target, ast.Tuple):
            for x, y in zip(target.elts, returned(half).elts, strict=True):
                if self.moves(half, y):
                    self._mark(t, base_of(x))

    def _assigned(self, t: Text, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            if isinstance(value, ast.Tuple):
                for x, y in zip(target.elts, value.elts, strict=True):
                    self._assigned(t, x, y)
            elif not self.is_record(t, value) and self.moves(t, value):
                for x in target.elts:
                    self._mark(t, base_of(x))
            if isinstance(value, ast.Call) and hasattr(known(t, value.func), "moving_solution"):
                self.solved.add((t.scope, base_of(target.elts[1])))
            return
        base = base_of(target)
        if isinstance(value, ast.List):
            self._held(t, base, value.elts)
        elif isinstance(value, ast.Call):
            self._held(t, base, [x for a in value.args if isinstance(a, ast.List) for x in a.elts])
        if isinstance(target, ast.Subscript):
            self._held(t, base, [value])
            self.mutated.add(self._root(t, base))
        elif self.is_record(t, value) and base not in t.scope.records:
            return
        elif is_alias(value) and not is_real(t.scope.kinds.get(base)):
            other = base_of(value)
            if self.changes(t, base) or self.changes(t, other):
                self._join(t, base, t, other)
        if self.moves(t, value):
            self._mark(t, base)


def returned(t: Text) -> ast.Tuple:
    """What a text returns."""
    last = t.node.body[-1]
    assert isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple)
    return last.value


def is_alias(e: ast.expr) -> bool:
    """Whether an expression is a variable, or a part of one that may be a view of it."""
    if isinstance(e, ast.Subscript):
        return is_alias(e.value)
    if isinstance(e, ast.Attribute):
        return e.attr == "T" and is_alias(e.value)
    return isinstance(e, ast.Name)


def base_of(e: ast.expr) -> str:
    """The variable of which an expression is a part."""
    while isinstance(e, ast.Subscript | ast.Attribute):
        e = e.value
    assert isinstance(e, ast.Name)
    return e.id

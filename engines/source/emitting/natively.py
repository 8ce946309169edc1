"""Natively: what runs as it is written, since it carries no derivative.

A test, a key, an index, a call whose value does not count. What varies stays as it is meanwhile: where a call
could change it, as far as is known, that is asked as the program runs (watching.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..reading.callers import run_natively
from ..rewriting.stores import Stores
from ..syntax.ir import Plain
from ..syntax.scopes import evaluated, own, own_statements
from ..syntax.trees import at, like, name_at
from .defining import Defining

TESTING = (ast.If, ast.While, ast.Assert)


class Natively(Defining):
    """Puts what varies under watch around what runs as it is written."""

    stores: Stores
    current: ast.stmt  # the statement that is lowered
    plainly: set[ast.stmt]  # those that run as they are written

    def plain(self, s: ast.stmt, binds: tuple[str, ...]) -> None:
        """A statement that runs as it is written; what varies and may be changed meanwhile is watched."""
        self.plainly.add(s)
        calls = not isinstance(s, TESTING) and self.stores.writing(self.current) and own(s).calls
        watched = self._watched(calls, s) if calls else None
        if watched is None:
            self.out.append(Plain(s, binds))
        elif isinstance(s, ast.Raise):
            self.out.append(Plain(like(s, exc=s.exc and self.as_written(s.exc)), binds))
        else:
            before = self._before(watched)
            self.out.append(Plain(s, binds))
            self._unchanged(before, [name_at(n, s) for n in binds], s)

    def as_written(self, e: ast.expr, *, tested: bool = False) -> ast.expr:
        """An expression that carries no derivative, in the same way; a test tells its truth meanwhile."""
        if type(e) is ast.Constant or not self.stores.writing(self.current):
            return e
        watched = self._watched(evaluated(ast.Expr(e)).calls, e)
        return e if watched is None else self.unchanged(watched, truth_of(e) if tested else e)

    def unchanged(self, watched: ast.expr, e: ast.expr) -> ast.expr:
        """What an expression gives, once it changed nothing of what was watched."""
        return self.plain_call("unchanged", [watched, e], e)

    def may_change(self, s: ast.stmt, varied: Iterable[str]) -> bool:
        """Whether a statement, or one in it, calls what may change something that varies."""
        inside = (c for inner in own_statements([s]) for c in own(inner).calls)
        return not self.stores.given(inside).isdisjoint(varied)

    def _watched(self, calls: Iterable[ast.Call], origin: ast.AST) -> ast.expr | None:
        """What watches all that varies and that these calls may change."""
        users = [c for c in calls if getattr(c.func, "id", "") not in self.names.bound]
        names = sorted(self.stores.given(users) & self.varied - self.stores.counters)
        reads = [self.if_bound(name, origin) for name in names]
        return self.plain_call("watch", reads, origin) if reads else None

    def _before(self, watched: ast.expr) -> str:
        name = self.names.fresh("watched")
        self.plain_assign(name, watched)
        return name

    def _unchanged(self, before: str, results: list[ast.expr], origin: ast.AST) -> None:
        read = [name_at(before, origin), ast.Tuple(results, ast.Load())]
        self.out.append(Plain(at(ast.Expr(self.plain_call("unchanged", read, origin)), origin), ()))

    def _call(self, target: str, e: ast.Call, *, kept: bool) -> None:
        """A call; the keys and tests that it may run without a derivative change nothing that varies."""
        watched = self._watched([e], e) if self.stores.writing(self.current) and self._runs(e) else None
        if watched is None:
            super()._call(target, e, kept=kept)
            return
        before = self._before(watched)
        super()._call(target, e, kept=kept)
        if (ordered := _put_in_order(e)) is not None:
            self.plain_assign(before, self.plain_call("but_for", [name_at(before, e), ordered], e))
        self._unchanged(before, [name_at(target, e)], e)

    def _runs(self, e: ast.Call) -> bool:
        """Whether a call runs keys or tests without a derivative, and does not hand them over."""
        run = run_natively(e)
        handed = {id(f) for f in self.resolver.changed(e)} if run else ()
        return any(id(f) not in handed for f in run)


def _put_in_order(e: ast.Call) -> ast.expr | None:
    """The list that a call puts in order, where it has a name: `x`, `self.rows`, `d["a"]`."""
    if not (isinstance(e.func, ast.Attribute) and e.func.attr == "sort"):
        return None
    named = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load)
    return e.func.value if all(isinstance(n, named) for n in ast.walk(e.func.value)) else None


def truth_of(test: ast.expr) -> ast.expr:
    """Whether a test holds, asked where the user asks for it."""
    return at(ast.UnaryOp(ast.Not(), at(ast.UnaryOp(ast.Not(), test), test)), test)

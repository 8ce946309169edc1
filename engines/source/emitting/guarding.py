"""Guarding: what stands around a statement, so that nothing changes that nobody foresaw.

What a pullback may have kept is locked while functions run that could write to it. What came from outside is
looked at before it is changed, since it may be a part of what is kept.
"""

from __future__ import annotations

import ast

from ..analysis.mutation import Mutation
from ..memory.earlier_views import path_of
from ..syntax.ir import Plain, Return, Statement
from ..syntax.scopes import binds, own, own_statements, returns_inside, yields
from ..syntax.trees import at, like, name_at
from .natively import TESTING, Natively, truth_of

_SIMPLE = frozenset((ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return))


class Guarding(Natively):
    """Lowers statements with what guards them."""

    mutation: Mutation

    def statement(self, s: ast.stmt) -> None:
        """Lower a statement as it is."""
        raise NotImplementedError

    def guarded_statement(self, s: ast.stmt) -> None:
        """Lower a statement, with all that guards it."""
        if not self.mutation.written(s):
            self._locking(s)
            return
        before = len(self.out)
        self._locking(s)
        if s in self.plainly:
            self.out[before:before] = self._asking(s)

    def _asking(self, s: ast.stmt) -> list[Statement]:
        """What asks whether a statement that stays as written changes a part of what is kept."""
        found: list[Statement] = []
        for owner, _ in self.mutation.written(s):
            path = path_of(owner)
            if path is not None and self.stores.is_outside(path[0]):
                given = [name_at(path[0], owner), *(ast.Constant(a) for a in path[1])]
                found.append(Plain(at(ast.Expr(self.plain_call("not_kept", given, owner)), s), ()))
        return found

    def _locking(self, s: ast.stmt) -> None:
        """Lower a statement; what it lends of what a pullback may have kept is read-only meanwhile."""
        lent = self._to_lock(s)
        if not lent:
            self.statement(s)
            return
        reads = [self.if_bound(name, s) for name in lent]
        if isinstance(s, TESTING):
            self.statement(self._testing(s, reads))
            return
        held = self.names.fresh("held")
        self.plain_assign(held, self.plain_call("lock", reads, s))
        self.statement(s)
        last = self.out[-1] if self.out else None
        results: list[ast.expr] = [name_at(n, s) for n in sorted(binds(s))] if type(s) in _SIMPLE else []
        if isinstance(last, Return) and isinstance(last.value.node, ast.Name):
            results = [last.value.node]
        release = self.plain_call("unlock", [name_at(held, s), *results], s)
        freed = Plain(at(ast.Expr(release), s), ())
        self.out.insert(len(self.out) - isinstance(last, Return), freed)

    def _testing(self, s: ast.If | ast.While | ast.Assert, lent: list[ast.expr]) -> ast.stmt:
        """A statement whose test is told while these are locked."""
        watched = self.plain_call("watch", lent, s.test)
        return like(s, test=self.unchanged(watched, truth_of(s.test)))

    def _to_lock(self, s: ast.stmt) -> list[str]:
        """What a statement lends: by its calls, or by taking the items of what runs functions meanwhile."""
        if not own(s).calls and own(s).reads.isdisjoint(self.stores.lazy):
            return []
        if isinstance(s, TESTING):
            return self.stores.lent(s, self.later, self.varied)
        if type(s) in _SIMPLE:
            return self.stores.lent(s, self.later)
        if type(s) is not ast.For or returns_inside(s) or yields([s]):
            return []
        return self.stores.lent(s, self.later.union(*map(self.mutation.affected, own_statements(s.body))))

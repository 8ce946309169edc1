"""Called: what is made to be called under one name: `f = np.vectorize(g)`, `force = cr.grad(energy)`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .reader import Reader


class Called(Reader):
    """Tells what is made so."""

    def is_only_called(self, e: ast.Call) -> bool:
        """Whether what an expression makes gets one name, by which it is called and nothing else."""
        return getattr(self.statement_read, "value", None) is e and self._has_one_name(self.statement_read)

    def made_as(self, e: ast.expr, makes: Callable[[Any], bool]) -> ast.Call | None:
        """The call that makes what a name stands for, which is only called; None where it makes others."""
        if not isinstance(e, ast.Name) or e.id not in self.locals:
            return None
        s: Any = next((s for s in self._giving() if _gives(s, e.id)), None)
        known = isinstance(s, ast.Assign) and makes(s.value) and self._has_one_name(s)
        return s.value if known else None

    def _has_one_name(self, s: ast.AST) -> bool:
        """Whether what a statement makes has one name, by which it is called and nothing else."""
        if not isinstance(s, ast.Assign) or len(s.targets) != 1 or not isinstance(s.targets[0], ast.Name):
            return False
        name = s.targets[0].id
        if sum(_gives(x, name) for x in self._giving()) != 1:
            return False
        nodes = [n for x in self.body for n in ast.walk(x)]
        called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
        reads = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
        return all(id(n) in called for n in reads)

    def _giving(self) -> list[ast.AST]:
        """What may give a variable a value."""
        giving = ast.stmt | ast.NamedExpr | ast.comprehension
        return [n for s in self.body for n in ast.walk(s) if isinstance(n, giving)]


def _gives(s: ast.AST, name: str) -> bool:
    """Whether a statement gives a variable a value."""
    if isinstance(s, ast.FunctionDef | ast.ClassDef):
        return s.name == name
    targets = [t for t in getattr(s, "targets", [getattr(s, "target", None)]) if t is not None]
    return any(isinstance(n, ast.Name) and n.id == name for t in targets for n in ast.walk(t))

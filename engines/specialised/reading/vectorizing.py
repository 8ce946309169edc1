"""Vectorizing: what `np.vectorize` makes of a function of numbers, as a loop over the entries.

    f = np.vectorize(g)         f = g
    f(a)                        over_entries(g, a)

The functions here are read in turn, as if they were the program's own. As NumPy does, they call the function
once more for the first entry, whose result tells the type; where that is no real number they give up.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.changes import pure
from .steps import Step

VECTORIZING = __name__
"""The module whose functions are read as if they were a program's own."""


def are_real(results: list[Any]) -> bool:
    """Whether results are real numbers, of which NumPy makes an array of such."""
    return all(type(y) is float or type(y) is np.float64 for y in results)


non_differentiable(are_real, why="asks for types")
pure(are_real)


def over_entries(f: Any, a: Any) -> Any:
    """f of each entry of an array."""
    entries = np.ravel(a)
    assert are_real([entries[0]])  # the function may do otherwise with whole numbers
    f(float(entries[0]))
    made = [f(float(v)) for v in entries]
    assert are_real(made)
    return np.reshape(np.array(made), np.shape(a))


def over_pairs(f: Any, a: Any, b: Any) -> Any:
    """f of each pair of entries of two arrays, of which one may be a number."""
    shape = np.shape(a + b)
    first, second = np.ravel(np.broadcast_to(a, shape)), np.ravel(np.broadcast_to(b, shape))
    assert are_real([first[0], second[0]])
    f(float(first[0]), float(second[0]))
    made = [f(float(v), float(w)) for v, w in zip(first, second, strict=True)]
    assert are_real(made)
    return np.reshape(np.array(made), shape)


_BY_COUNT = {1: over_entries, 2: over_pairs}


class Vectorizing:
    """Reads these calls; Calling reads others."""

    body: list[ast.stmt]
    statement_read: ast.stmt
    constants: dict[str, Any]
    locals: set[str]
    constant: Callable[[ast.expr], Any]
    spelled: Callable[[ast.expr], str]
    value: Callable[..., str]
    _helped: Callable[..., str]

    def vectorized(self, e: ast.Call, out: list[Step]) -> str | None:
        """A call of what `np.vectorize` makes, or the making of it; None for another call."""
        s = self.statement_read
        if self._makes(e) and getattr(s, "value", None) is e and self._is_called_only(s):
            return self.value(e.args[0], out)
        f = self._function(e.func, out)
        over = _BY_COUNT.get(len(e.args))
        if f is None or over is None or e.keywords or any(isinstance(a, ast.Starred) for a in e.args):
            return None
        return self._helped(over, (f, *(self.value(a, out) for a in e.args)), e, out)

    def _makes(self, e: ast.expr) -> bool:
        """Whether this is `np.vectorize(g)`."""
        if not isinstance(e, ast.Call) or len(e.args) != 1 or e.keywords:
            return False
        return self.constant(e.func) is np.vectorize

    def _function(self, e: ast.expr, out: list[Step]) -> str | None:
        """The function behind what is called; None where it is no such thing."""
        if isinstance(e, ast.Call) and self._makes(e):
            return self.value(e.args[0], out)
        if isinstance(e, ast.Name) and e.id in self.locals:
            made = next((s for s in self._giving() if _gives(s, e.id)), None)
            known = isinstance(made, ast.Assign) and self._makes(made.value) and self._is_called_only(made)
            return self.value(e, out) if known else None
        v = self.constant(e)
        if type(v) is np.vectorize and _is_plain(v):
            text = f"{self.spelled(e)}.pyfunc"
            self.constants[text] = v.pyfunc
            return "=" + text
        return None

    def _is_called_only(self, s: ast.AST) -> bool:
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


def _is_plain(v: np.vectorize) -> bool:
    return v.otypes is None and not v.cache and not v.excluded and v.signature is None

"""Vectorizing: what `np.vectorize` makes of a function of numbers, as a loop over the entries.

    f = np.vectorize(g)         f = g
    f(a)                        over_entries(g, a)

The functions here are read in turn, as if they were the program's own. As NumPy does, they call the function
once more for the first entry, whose result tells the type; where that is no real number they give up.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.changes import pure
from .called import Called
from .steps import Step


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


class Vectorizing(Called):
    """Reads these calls; Calling reads others."""

    def vectorized(self, e: ast.Call, out: list[Step]) -> str | None:
        """A call of what `np.vectorize` makes, or the making of it; None for another call."""
        if self._makes(e) and self.is_only_called(e):
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
            return None if self.made_as(e, self._makes) is None else self.value(e, out)
        v = self.constant(e)
        if type(v) is np.vectorize and _is_plain(v):
            text = f"{self.spelled(e)}.pyfunc"
            self.constants[text] = v.pyfunc
            return "=" + text
        return None


def _is_plain(v: np.vectorize) -> bool:
    return v.otypes is None and not v.cache and not v.excluded and v.signature is None

"""The factors of a sparse matrix, by its entries: Gauss's elimination, forth and back, where entries fill in.

The order of rows and columns is SciPy's, and frozen. Of B = L U, after step k,

    l_ik = b_ik / u_kk        u_kj = b_kj        b_ij ← b_ij − l_ik u_kj

and the adjoint takes the steps back [Griewank & Walther 2008, ch. 3].
Time and memory are those of the factors, which nothing makes dense. Entries that fill in are stored, also
where they cancel, as SciPy's factors leave them out: they are zero, and move.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from ....core import frule, non_differentiable, rrule
from ...written import own
from .entries import filled


class Filling:
    """The places of the factors of a matrix with these places, as keys in ascending order, by columns."""

    def __init__(self, at: Any, order: Any, n: int) -> None:
        """`order`: where each row and each column goes."""
        rows, columns = order[0][at[0]], order[1][at[1]]
        lower: list[set[int]] = [set() for _ in range(n)]
        upper: list[set[int]] = [set() for _ in range(n)]
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
            if i > j:
                lower[j].add(i)
            elif i < j:
                upper[i].add(j)
        self.n, self.below, self.right = n, [], []
        for k in range(n):
            below, right = sorted(lower[k]), sorted(upper[k])
            for i in below:
                upper[i].update(right[bisect(right, i) :])
            for j in right:
                lower[j].update(below[bisect(below, j) :])
            self.below.append(np.array(below, np.int64))
            self.right.append(np.array(right, np.int64))
            lower[k], upper[k] = set(), set()
        every = np.arange(n)
        i = np.concatenate([every, *self.below, *[np.full(len(r), k) for k, r in enumerate(self.right)]])
        j = np.concatenate([every, *[np.full(len(b), k) for k, b in enumerate(self.below)], *self.right])
        self.keys = np.sort(j * n + i)
        self.row, self.column = self.keys % n, self.keys // n
        self.given = self.places(rows, columns)

    def places(self, i: Any, j: Any) -> Any:
        """Where entries stand among those of the factors."""
        return np.searchsorted(self.keys, j * self.n + i)

    def steps(self, back: bool) -> Iterator[tuple[Any, Any, Any, Any]]:
        """Of each step the places of the pivot, of what is below it, right of it, and of both."""
        for k in range(self.n - 1, -1, -1) if back else range(self.n):
            i, j = self.below[k], self.right[k]
            both = self.places(i[:, None], j[None, :])
            yield self.places(k, k), self.places(i, k), self.places(k, j), both


def eliminated(values: Any, *, filling: Any, found: Any) -> Any:
    """The entries of L, below the diagonal, and of U, at the places that fill in; `found` are they."""
    return np.copy(found)


@frule(eliminated)
def eliminated_frule(tangents, values, *, filling, found):
    """l̇_ik = (ḃ_ik − l_ik u̇_kk) / u_kk        ḃ_ij ← ḃ_ij − l̇_ik u_kj − l_ik u̇_kj"""
    w = eliminated(values, filling=filling, found=found)
    dw = np.zeros(len(w), np.result_type(w, tangents[0]))
    np.add.at(dw, filling.given, tangents[0])
    for pivot, below, right, both in filling.steps(back=False):
        dw[below] = (dw[below] - w[below] * dw[pivot]) / w[pivot]
        dw[both] = dw[both] - np.outer(dw[below], w[right]) - np.outer(w[below], dw[right])
    return w, dw


@rrule(eliminated)
def eliminated_rrule(values, *, filling, found):
    """l̄ − B̄ ūᴴ and ū − lᴴ B̄, from the last step to the first"""
    w = eliminated(values, filling=filling, found=found)

    def eliminated_pullback(y_bar):
        w_bar = np.zeros(len(w), np.result_type(w, y_bar)) + y_bar
        for pivot, below, right, both in filling.steps(back=True):
            inner = w_bar[both]
            l_bar = (w_bar[below] - inner @ np.conj(w[right])) / np.conj(w[pivot])
            w_bar[right] = w_bar[right] - np.conj(w[below]) @ inner
            w_bar[pivot] = w_bar[pivot] - np.sum(np.conj(w[below]) * l_bar)
            w_bar[below] = l_bar
        return w_bar[filling.given]

    return w, eliminated_pullback


def filling_of(at: Any, solver: Any) -> Any:
    """The places of the factors that SciPy found for a matrix with these places; the solver keeps them."""
    if solver.filling is None:
        lu = solver.lu
        order = np.asarray(lu.perm_r, np.int64), np.asarray(lu.perm_c, np.int64)
        solver.filling = Filling(at, order, lu.shape[0])
    return solver.filling


def found_by(solver: Any, filling: Filling) -> Any:
    """What SciPy's factors have at these places, in the matrix's precision."""
    lu = solver.lu
    below = filling.row > filling.column
    w = np.zeros(len(below), np.result_type(lu.L.dtype, lu.U.dtype))
    for part, which in ((lu.L, below), (lu.U, ~below)):
        stored = part.tocoo()
        keys = stored.col.astype(np.int64) * filling.n + stored.row
        order = np.argsort(keys)
        wanted = filling.keys[which]
        place = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
        hit = order[place]
        w[which] = np.where(keys[hit] == wanted, stored.data[hit], 0.0)
    return w.astype(solver.dtype if solver.dtype.kind in "fc" else float, copy=False)


def assembled(w: Any, filling: Filling, which: Any, unit: bool) -> Any:
    """A factor of these entries, with ones on the diagonal or without."""
    n, ones = filling.n, np.arange(filling.n if unit else 0)
    rows = np.concatenate((filling.row[which], ones))
    columns = np.concatenate((filling.column[which], ones))
    entries = np.concatenate((w[which], np.ones(len(ones), w.dtype)))
    return sparse.csc_array((entries, (rows, columns)), shape=(n, n))


def below(filling: Filling) -> Any:
    """Which entries are those of L."""
    return filling.row > filling.column


non_differentiable(
    filling_of, found_by, assembled, below, why="has to do with the pattern, or is SciPy's own"
)


def factor(values: Any, at: Any, solver: Any, lower: bool) -> Any:
    """L or U of the matrix that stores these values at these places"""
    filling = own(filling_of, at, solver)
    w = eliminated(values, filling=filling, found=own(found_by, solver, filling))
    which = own(below, filling) if lower else ~own(below, filling)
    y = own(assembled, w, filling, which, lower)
    return filled(y, w[which], (filling.row[which], filling.column[which]))

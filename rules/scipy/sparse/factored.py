"""Systems with a matrix that is factored once: `splu`, `factorized`, and the `solve` of their values.

SciPy's `SuperLU` holds factors alone, in which entries of the matrix may have cancelled: its places cannot be
read off them. So where a derivative passes through `splu(a)` its value is a `Factored`, which has the methods
and attributes of a `SuperLU` and keeps the entries of a, with their places, beside the factors. These serve
for the value, both modes and all orders, and are never computed again. L and U are followed entry by entry
(`elimination`), in SciPy's order of rows and columns.

A `SuperLU` that was made before does not move. Its right-hand sides do, those of an incomplete factorisation
as well, since what it computes is linear. What `spilu` drops depends on its matrix, which has no derivative
through it: as a preconditioner, whose derivative nobody asks for, it is given a matrix that moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import linalg

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO, NotImplementedTangent
from ...written import written_out
from .elimination import factor
from .entries import Sparse, as_sparse, entries, places
from .solving import Direct, check_system, solved

DROPPED = NotImplementedTangent(
    "what an incomplete factorisation drops depends on the matrix; splu has rules"
)
FACTORS = NotImplementedTangent(
    "a SuperLU does not say of which matrix it is; make it by splu in the program"
)
LETTERS = {"N": "H", "H": "N", "T": "N"}
"""The letter of each system's adjoint; that of aᵀ, which is conj(a), is taken of conjugates."""


def check_letter(trans: Any) -> None:
    """Refuse what is none of SciPy's letters."""
    if trans not in LETTERS:
        raise UnsupportedArgument(linalg.SuperLU.solve, "trans", trans, supported=sorted(LETTERS))


def check_square(f: Any, A: Any) -> None:
    """Refuse a matrix that `splu` has no factors of."""
    check_system(f, A, np.zeros(1))
    if A.shape[0] != A.shape[1]:
        raise UnsupportedArgument(f, "A", A, supported=["a square matrix"])


non_differentiable(check_letter, check_square, why="checks an argument")


@dataclass(frozen=True, eq=False)
class Factored:
    """The factors of a sparse matrix that moves, with the entries and places of that matrix."""

    values: Any
    at: Any
    solver: Direct

    def solve(self, rhs: Any, trans: str = "N") -> Any:
        """The solution of a y = b, aᵀ y = b or aᴴ y = b."""
        check_letter(trans)
        if trans == "T":
            return np.conj(solved(self.values, np.conj(rhs), self.at, self.solver, adjoint=True))
        return solved(self.values, rhs, self.at, self.solver, adjoint=trans == "H")

    @property
    def shape(self) -> Any:
        """Rows and columns."""
        return how_stored(self.solver, "shape")

    @property
    def nnz(self) -> Any:
        """How many numbers the factors store."""
        return how_stored(self.solver, "nnz")

    @property
    def perm_r(self) -> Any:
        """The order of the rows."""
        return how_stored(self.solver, "perm_r")

    @property
    def perm_c(self) -> Any:
        """The order of the columns."""
        return how_stored(self.solver, "perm_c")

    @property
    def L(self) -> Any:  # noqa: N802  SciPy's name
        """The lower factor, with ones on its diagonal."""
        return factor(self.values, self.at, self.solver, True)

    @property
    def U(self) -> Any:  # noqa: N802  SciPy's name
        """The upper factor."""
        return factor(self.values, self.at, self.solver, False)


def how_stored(solver: Any, name: str) -> Any:
    """An attribute of the factors that is no number of theirs."""
    return getattr(solver.lu, name)


def own_places(A: Any) -> Any:
    """The places of a matrix, apart from it: it may be changed while its factors are in use."""
    return tuple(np.array(i) for i in places(A))


non_differentiable(how_stored, own_places, why="has to do with the pattern alone")


def factors(f: Any, A: Any, options: Any) -> Any:
    """The factors of a matrix, beside its entries."""
    check_square(f, A)
    at = own_places(A)
    return Factored(np.copy(entries(A, at)), at, Direct(A, **options))


@written_out(linalg.splu)
def splu(A: Sparse, *, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None, options=None):
    """P a Q = L U, kept as it is to solve systems with a"""
    said = {"permc_spec": permc_spec, "diag_pivot_thresh": diag_pivot_thresh, "relax": relax}
    return factors(linalg.splu, A, {**said, "panel_size": panel_size, "options": options or {}})


@written_out(linalg.factorized)
def factorized(A: Sparse | np.ndarray):
    """A y = b for every b that the function is called with, by one factorisation"""
    return factors(linalg.factorized, as_sparse(A), {}).solve


@frule(linalg.spilu)
def spilu_frule(tangents, A: Sparse, **options):
    """P a Q ≈ L U, of factors that drop entries by their size"""
    return linalg.spilu(A, **options), DROPPED


@rrule(linalg.spilu)
def spilu_rrule(A: Sparse, **options):
    """P a Q ≈ L U, of factors that drop entries by their size"""

    def spilu_pullback(y_bar):
        return DROPPED

    return linalg.spilu(A, **options), spilu_pullback


@frule(linalg.SuperLU.solve, signature="self, rhs, trans='N'")
def solve_frule(tangents, self: linalg.SuperLU, rhs: Array, *, trans="N"):
    """a y = b        a ẏ = ḃ"""
    check_letter(trans)
    dself, db = tangents
    y = self.solve(rhs, trans)
    return y, FACTORS if dself is not ZERO else self.solve(db, trans)


@rrule(linalg.SuperLU.solve, signature="self, rhs, trans='N'")
def solve_rrule(self: linalg.SuperLU, rhs: Array, *, trans="N"):
    """a y = b        aᴴ b̄ = ȳ, by the same factors"""
    check_letter(trans)

    def solve_pullback(y_bar):
        if trans == "T":
            return FACTORS, np.conj(self.solve(np.conj(y_bar), LETTERS[trans]))
        return FACTORS, self.solve(y_bar, LETTERS[trans])

    return self.solve(rhs, trans), solve_pullback

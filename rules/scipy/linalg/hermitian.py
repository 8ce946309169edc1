"""Eigenvalues and vectors of Hermitian matrices, whole, stored by diagonals, and tridiagonal, all or some of
them.

eigh and eigvalsh with their generalised problems, eig_banded, eigvals_banded, eigh_tridiagonal,
eigvalsh_tridiagonal. What is found is SciPy's, by whichever driver; how it moves says `eigenpairs`. A
generalised problem is reduced as LAPACK reduces it, with the Cholesky factor of b. Signs of vectors are
SciPy's, whose default driver may choose others for a matrix close by. Coinciding eigenvalues: see `gaps`.

See [Magnus 1985] and [Giles 2008].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, NotDifferentiableError, non_differentiable
from ...numpy.adjoints import adjoint
from ...numpy.linalg.factorizations import mirrored
from ...written import own, written_out
from .bands import check_band, matrix_of
from .eigenpairs import all_pairs, some_pairs
from .stacks import over_stacks


def pairs(f: Any, a: Any, w: Any, u: Any, upper: bool, last: bool) -> Any:
    """The pairs with their derivative by a, whether these are all or some."""
    if np.shape(u)[-1] == np.shape(a)[-1]:
        return all_pairs(f, a, w, u, upper=upper, last=last)
    return some_pairs(f, a, w, u, upper=upper, last=last)


def reduced(a: Any, low: Any, kind: int, lower: bool) -> Any:
    """The matrix whose eigenvalues are those of the generalised problem, with b = l lᴴ."""
    whole = mirrored(a, not lower)
    if kind == 1:
        half = linalg.solve_triangular(low, whole, 0, True)
        return linalg.solve_triangular(low, adjoint(half), 0, True)
    return np.matmul(np.matmul(adjoint(low), whole), low)


def factor_of(b: Any, lower: bool) -> Any:
    """l with b = l lᴴ, of the triangle of b that is read."""
    factor = linalg.cholesky(b, lower)
    return factor if lower else adjoint(factor)


@written_out(linalg.eigh)
def eigh(
    a: np.ndarray, b: np.ndarray | None = None, *, lower=True, eigvals_only=False, overwrite_a=False,
    overwrite_b=False, type=1, check_finite=True, subset_by_index=None, subset_by_value=None, driver=None,
):  # fmt: skip
    """a u = u w; a u = b u w, a b u = u w, b a u = u w of the types 1, 2, 3"""
    options = {"subset_by_index": subset_by_index, "subset_by_value": subset_by_value, "driver": driver}
    if b is None:
        found = own(linalg.eigh, a, lower=lower, check_finite=check_finite, **options)
        if np.shape(found[1])[-1] == np.shape(a)[-1]:
            w, u = all_pairs(linalg.eigh, a, found[0], found[1], not lower, not lower)
        else:
            w, u = all_or_some(linalg.eigh, a, found, lower)
        return w if eigvals_only else pair_of(a, w, u)
    if np.ndim(a) > 2 or np.ndim(b) > 2:
        return over_stacks(linalg.eigh, a, b, lower=lower, eigvals_only=eigvals_only, type=type, **options)
    found = own(linalg.eigh, a, b, lower=lower, type=type, check_finite=check_finite, **options)
    low = factor_of(b, lower)
    within = own(turned_in, low, found[1], type)
    inside = reduced(a, low, type, lower)
    w, z = pairs(linalg.eigh, inside, found[0], within, False, not lower)
    if eigvals_only:
        return w
    return w, (np.matmul(low, z) if type == 3 else linalg.solve_triangular(low, z, 2, True))


def turned_in(low: Any, u: Any, kind: int) -> Any:
    """The vectors of the reduced matrix, from those of the generalised problem."""
    return linalg.solve_triangular(low, u, 0, True) if kind == 3 else np.matmul(adjoint(low), u)


def all_or_some(f: Any, a: Any, found: Any, lower: Any) -> Any:
    """The pairs of a standard problem, of which a stack has all, or each matrix its own."""
    w, u = found[0], found[1]
    if np.ndim(a) == 2 or np.shape(u)[-1] == np.shape(a)[-1]:
        return pairs(f, a, w, u, not lower, not lower)
    count = int(np.prod(np.shape(a)[:-2]))
    flat = np.reshape(a, (count, *np.shape(a)[-2:]))
    values, vectors = own(np.reshape, w, (count, -1)), own(np.reshape, u, (count, *np.shape(u)[-2:]))
    parts = tuple(
        [some_pairs(f, flat[i], values[i], vectors[i], upper=not lower, last=not lower) for i in range(count)]
    )
    some_w, some_u = np.stack([p[0] for p in parts]), np.stack([p[1] for p in parts])
    return np.reshape(some_w, np.shape(w)), np.reshape(some_u, np.shape(u))


def pair_of(a: Any, w: Any, u: Any) -> Any:
    """Two results, of a stack in a list as SciPy gives them."""
    return [w, u] if np.ndim(a) > 2 else (w, u)


@written_out(linalg.eigvalsh)
def eigvalsh(
    a: np.ndarray, b: np.ndarray | None = None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1,
    check_finite=True, subset_by_index=None, subset_by_value=None, driver=None,
):  # fmt: skip
    """w of `eigh`"""
    subset = {"subset_by_index": subset_by_index, "subset_by_value": subset_by_value}
    return linalg.eigh(
        a, b, lower=lower, eigvals_only=True, type=type, check_finite=check_finite, driver=driver, **subset
    )


def chosen(select: Any, select_range: Any, max_ev: Any = 0) -> Any:
    """What is asked for, as the functions of banded matrices take it."""
    return {"select": select, "select_range": select_range, "max_ev": max_ev}


def refuse_misread(a_band: Any, lower: Any, select: Any) -> None:
    """Refuse the one storage of which LAPACK's ?sbevd and ?hbevd read a corner in place of the diagonal."""
    if np.shape(a_band)[-1] == 1 and np.shape(a_band)[-2] > 1 and not lower and select in ("a", "all", 0):
        raise NotDifferentiableError(
            "of a matrix of order 1 with lower=False and several rows of a_band, SciPy returns the first row "
            "as the eigenvalue, which is outside the matrix; the diagonal is the last row",
            next='give the last row alone, a_band[-1:], or select="i", select_range=(0, 0)',
        )


non_differentiable(chosen, why="reads arguments")
non_differentiable(refuse_misread, why="checks an argument")


@written_out(linalg.eig_banded)
def eig_banded(
    a_band: np.ndarray, *, lower=False, eigvals_only=False, overwrite_a_band=False, select="a",
    select_range=None, max_ev=0, check_finite=True,
):  # fmt: skip
    """a u = u w, a stored by diagonals; of order 1, what SciPy misreads is refused"""
    check_band(linalg.eig_banded, "a_band", a_band)
    refuse_misread(a_band, lower, select)
    options = chosen(select, select_range, max_ev)
    if np.ndim(a_band) > 2:
        return over_stacks(linalg.eig_banded, a_band, lower=lower, eigvals_only=eigvals_only, **options)
    found = own(linalg.eig_banded, a_band, lower, check_finite=check_finite, **options)
    w, u = pairs(linalg.eig_banded, matrix_of(a_band, lower), found[0], found[1], False, False)
    return w if eigvals_only else (w, u)


@written_out(linalg.eigvals_banded)
def eigvals_banded(
    a_band: np.ndarray,
    *,
    lower=False,
    overwrite_a_band=False,
    select="a",
    select_range=None,
    check_finite=True,
):
    """w of `eig_banded`"""
    return linalg.eig_banded(
        a_band, lower, True, select=select, select_range=select_range, check_finite=check_finite
    )


@written_out(linalg.eigh_tridiagonal)
def eigh_tridiagonal(
    d: Array, e: Array, *, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0,
    lapack_driver="auto",
):  # fmt: skip
    """a u = u w, a with d on its diagonal and e beside it"""
    found = own(
        linalg.eigh_tridiagonal,
        d,
        e,
        False,
        select,
        select_range,
        check_finite,
        tol,
        vector_driver(lapack_driver),
    )
    n = np.shape(d)[-1]
    beside = np.expand_dims(np.concatenate((e, np.zeros((*np.shape(e)[:-1], 1))), axis=-1), -2)
    a = np.expand_dims(d, -1) * np.eye(n) + beside * np.eye(n, k=-1)
    w, u = all_or_some(linalg.eigh_tridiagonal, a, found, True)
    return w if eigvals_only else pair_of(a, w, u)


def vector_driver(lapack_driver: Any) -> Any:
    """A driver that computes vectors too."""
    return "auto" if lapack_driver == "sterf" else lapack_driver


non_differentiable(vector_driver, why="reads an argument")


@written_out(linalg.eigvalsh_tridiagonal)
def eigvalsh_tridiagonal(
    d: Array, e: Array, *, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"
):
    """w of `eigh_tridiagonal`"""
    return linalg.eigh_tridiagonal(
        d, e, eigvals_only=True, select=select, select_range=select_range, check_finite=check_finite, tol=tol,
        lapack_driver=vector_driver(lapack_driver),
    )  # fmt: skip

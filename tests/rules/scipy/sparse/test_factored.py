"""Matrices factored once: solutions in both modes and to second order, by one factorisation, and refusals."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import linalg

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.testing import check_grads, exempt

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
X = np.array([1.0, 2.0, 3.0])
A, COMPLEX = sp.csc_array(D), sp.csc_array(D * (1 + 1j) + np.eye(3))
ROW, COLUMN = A.tocoo().coords

EXEMPT = [
    *(
        exempt(f, why="its value has no numbers; programs below use it")
        for f in (linalg.splu, linalg.factorized)
    ),
    exempt(linalg.spilu, why="its value has no derivative; programs below use it"),
    exempt(linalg.SuperLU.solve, why="factors cannot be copied, as a check does; a test below checks it"),
]
CONSTANT = [
    *((linalg.splu(A), x, t) for t in "NTH" for x in (X, D)),
    *((linalg.splu(COMPLEX), X * (1 - 2j), t) for t in "NTH"),
    (linalg.spilu(A, drop_tol=0.5), X, "N"),
]


@pytest.mark.parametrize(("lu", "b", "trans"), CONSTANT)
def test_right_hand_sides_of_factors_that_were_made_before(lu: Any, b: Any, trans: str) -> None:
    check_grads(lambda b: np.sum(np.abs(lu.solve(b, trans)) ** 3), b, order=2)


def solved_twice(a: Any, b: Any) -> Any:
    lu = linalg.splu(a)
    return np.sum(np.abs(lu.solve(lu.solve(b), "T")) ** 3 + np.abs(lu.solve(b, "H")) ** 2)


def factorized(a: Any, b: Any) -> Any:
    solve = linalg.factorized(a)
    return np.sum(solve(solve(b)) ** 3)


def from_values(values: Any, b: Any) -> Any:
    lu = linalg.splu(sp.csc_array((values, (ROW, COLUMN)), shape=(3, 3)))
    return np.sum(lu.solve(b) ** 3)


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (solved_twice, (A, X)),
    (solved_twice, (COMPLEX, X * (1 - 2j))),
    (solved_twice, (A, D + 1.0)),
    (factorized, (A, X)),
    (from_values, (A.tocoo().data, X)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS)
def test_programs_to_second_order(f: Any, args: Any) -> None:
    check_grads(f, *args, order=2)


def test_a_matrix_is_factored_once_for_value_gradient_and_hessian(monkeypatch: Any) -> None:
    calls: list[int] = []
    factor = linalg._dsolve.linsolve._superlu.gstrf

    def counting(*args: Any, **kwargs: Any) -> Any:
        calls.append(1)
        return factor(*args, **kwargs)

    monkeypatch.setattr(linalg._dsolve.linsolve._superlu, "gstrf", counting)
    values = A.tocoo().data
    cr.grad(from_values, argnums=(0, 1))(values, X)
    assert len(calls) == 1
    with specialised_after(9):  # a run that is recorded for a text would factor once more
        cr.hvp(lambda v: from_values(v, X), values, values)
    assert len(calls) == 2


def test_what_cancels_in_the_factors_still_moves() -> None:
    # elimination makes the last entry of U zero but for what is stored there
    a = sp.csc_array(np.array([[2.0, 4.0, 1.0], [1.0, 2.0, 3.0], [1.0, 5.0, 1.0]]))
    a_bar = cr.grad(lambda a: np.sum(linalg.splu(a).solve(X)))(a)
    y, b_bar = np.linalg.solve(a.toarray(), X), np.linalg.solve(a.toarray().T, np.ones(3))
    assert np.allclose(a_bar.toarray(), -np.outer(b_bar, y))


def test_a_matrix_changed_after_it_was_factored() -> None:
    def f(values: Any) -> Any:
        own = values * 1.0
        lu = linalg.splu(sp.csc_array((own, (ROW, COLUMN)), shape=(3, 3)))
        own[0] = 100.0
        return np.sum(lu.solve(X) ** 2)

    values = A.tocoo().data
    assert np.allclose(cr.grad(f)(values), cr.grad(lambda v: np.sum(system(v) ** 2))(values))


def system(values: Any) -> Any:
    return linalg.spsolve(sp.csc_array((values, (ROW, COLUMN)), shape=(3, 3)), X)


def test_single_precision() -> None:
    a, b = A.astype(np.float32), X.astype(np.float32)
    got = cr.grad(lambda a, b: np.sum(linalg.splu(a).solve(b)), argnums=(0, 1))(a, b)
    want = cr.grad(lambda a, b: np.sum(linalg.spsolve(a, b)), argnums=(0, 1))(A, X)
    assert got[0].dtype == got[1].dtype == np.float32
    assert np.allclose(got[0].toarray(), want[0].toarray(), rtol=1e-5)
    assert np.allclose(got[1], want[1], rtol=1e-5)


def test_what_says_how_factors_are_stored_does_not_move() -> None:
    def f(a: Any) -> Any:
        lu = linalg.splu(a)
        return lu.shape[0] * lu.nnz * (lu.perm_r[0] + lu.perm_c[0] + 1.0) * np.sum(lu.solve(X))

    lu = linalg.splu(A)
    count = lu.shape[0] * lu.nnz * (lu.perm_r[0] + lu.perm_c[0] + 1.0)
    want = cr.grad(lambda a: np.sum(linalg.spsolve(a, X)))(A).toarray()
    assert np.allclose(cr.grad(f)(A).toarray(), count * want)


def test_a_preconditioner_by_an_incomplete_factorisation_of_what_moves_has_no_part() -> None:
    def f(a: Any) -> Any:
        linalg.spilu(a).solve(X)
        return np.sum(linalg.spsolve(a, X))

    want = cr.grad(lambda a: np.sum(linalg.spsolve(a, X)))(A)
    assert np.allclose(cr.grad(f)(A).toarray(), want.toarray())


def test_what_is_refused() -> None:
    with pytest.raises(cr.ChainRulesError, match="SuperLU does not say"):
        cr.grad(lambda a: np.sum(linalg.spilu(a).solve(X)))(A)
    with pytest.raises(cr.UnsupportedArgument, match="trans"):
        cr.grad(lambda a: np.sum(linalg.splu(a).solve(X, "X")))(A)
    with pytest.raises(cr.UnsupportedArgument, match="square"):
        cr.grad(lambda a: np.sum(linalg.splu(a).solve(X)))(A[:2].tocsc())
    with pytest.raises(cr.NotDifferentiableError, match="singular"):
        cr.grad(lambda a: np.sum(linalg.splu(a).solve(X)))(A * 0.0)

"""Krylov solvers and least squares with operators: against dense solutions, to second order, and refusals."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import linalg
from scipy.sparse.linalg import LinearOperator

import chainrules as cr
from chainrules.rules.scipy.sparse.least_squares import estimated
from chainrules.testing import check_grads, exempt

KRYLOV = ("cg", "bicg", "bicgstab", "cgs", "gmres", "lgmres", "gcrotmk", "minres", "tfqmr", "qmr")
LEAST_SQUARES = ("lsqr", "lsmr")
EXEMPT = [
    *(
        exempt(getattr(linalg, name), why="returns a count; programs below")
        for name in (*KRYLOV, *LEAST_SQUARES)
    ),
    exempt(estimated, why="has no derivative, as a test below shows"),
]
D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
RING = 0.5 * np.roll(np.eye(3), 1, 0) + 0.5 * np.roll(np.eye(3), -1, 0)
TALL = sp.csc_array(np.vstack([D, np.ones((1, 3))]))
X, T = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])
C = np.array([1.0, 2.0, -1.0, 4.0])
TIGHT = {"atol": 1e-13, "btol": 1e-13}


def ring(t: Any) -> Any:
    return lambda v: t * v + 0.5 * np.roll(v, 1) + 0.5 * np.roll(v, -1)


def by_products(name: str, t: Any, b: Any) -> Any:
    adjoint = ring(t) if name in ("bicg", "qmr") else None
    a = LinearOperator((3, 3), matvec=ring(t), rmatvec=adjoint, dtype=float)
    return np.sum(getattr(linalg, name)(a, b, rtol=1e-12)[0] ** 3)


def dense(t: Any, b: Any) -> Any:
    return np.sum(np.linalg.solve(np.diag(t) + RING, b) ** 3)


@pytest.mark.parametrize("name", KRYLOV)
def test_iterations_with_an_operator_differentiate_the_exact_solution(name: str) -> None:
    got = cr.grad(lambda t, b: by_products(name, t, b), argnums=(0, 1))(T, X)
    want = cr.grad(dense, argnums=(0, 1))(T, X)
    assert np.allclose(got[0], want[0], rtol=1e-9, atol=0)
    assert np.allclose(got[1], want[1], rtol=1e-9, atol=0)
    moved = cr.jvp(lambda t: by_products(name, t, X), (T,), (X,))[1]
    assert np.isclose(moved, want[0] @ X, rtol=1e-9)


@pytest.mark.parametrize("name", ["cg", "gmres"])
def test_second_order(name: str) -> None:
    check_grads(lambda t, b: by_products(name, t, b), T, X, order=2)


def test_complex_numbers() -> None:
    def loss(t: Any, b: Any) -> Any:
        a = LinearOperator((3, 3), matvec=lambda v: t * v + 1j * np.roll(v, 1), dtype=complex)
        return np.sum(np.abs(linalg.gmres(a, b, rtol=1e-13)[0]) ** 2)

    check_grads(loss, T * (1 + 0.5j), X * (1 - 2j), order=1)


def test_qmr_with_a_sparse_matrix() -> None:
    check_grads(lambda a, b: np.sum(linalg.qmr(a, b, rtol=1e-13)[0] ** 3), sp.csc_array(D), X, order=1)


@pytest.mark.parametrize("name", LEAST_SQUARES)
def test_least_squares(name: str) -> None:
    f = getattr(linalg, name)
    check_grads(lambda a, c, d: np.sum(f(a, c, d, **TIGHT)[0] ** 3), TALL, C, 0.3, order=1)
    check_grads(lambda a, c: np.sum(f(a, c, **TIGHT)[0] ** 3), TALL, C, order=2)


def test_damped_least_squares_with_fewer_rows_than_columns() -> None:
    def loss(a: Any, b: Any, d: Any) -> Any:
        return np.sum(linalg.lsqr(a, b, d, **TIGHT)[0] ** 3)

    def by_formula(a: Any, b: Any, d: Any) -> Any:
        return np.sum(np.linalg.solve(a.T @ a + d**2 * np.eye(4), a.T @ b) ** 3)

    wide = TALL.toarray().T + 1.0
    got = cr.grad(loss, argnums=(0, 1, 2))(wide, X, 0.7)
    want = cr.grad(by_formula, argnums=(0, 1, 2))(wide, X, 0.7)
    for a, b in zip(got, want, strict=True):
        assert np.allclose(a, b, rtol=1e-8)


def test_a_preconditioner_has_no_influence() -> None:
    def loss(a: Any, b: Any) -> Any:
        ilu = linalg.spilu(a, drop_tol=0.3)
        M = LinearOperator((3, 3), ilu.solve)
        return np.sum(linalg.gmres(a, b, M=M, rtol=1e-13)[0] ** 3)

    check_grads(loss, sp.csc_array(D), X, order=1)


@pytest.mark.parametrize("name", ["cg", "gmres", "bicgstab"])
def test_the_adjoint_system_has_the_adjoint_of_the_preconditioner(name: str) -> None:
    used: list[str] = []

    def loss(t: Any) -> Any:
        a = LinearOperator((3, 3), matvec=ring(t), dtype=float)
        return np.sum(getattr(linalg, name)(a, X, M=M, rtol=1e-12)[0] ** 3)

    def noted(word: str) -> Any:
        return lambda v: used.append(word) or v / T  # type: ignore[func-returns-value]  # notes, then divides

    M = LinearOperator((3, 3), matvec=noted("M"), rmatvec=noted("adjoint"), dtype=float)
    got = cr.grad(loss)(T)
    assert np.allclose(got, cr.grad(dense)(T, X), rtol=1e-9)
    assert ("adjoint" in used) == (name != "cg")


def test_where_an_iteration_starts_has_no_influence() -> None:
    def loss(t: Any) -> Any:
        a = LinearOperator((3, 3), matvec=ring(t), dtype=float)
        return np.sum(linalg.cg(a, X, x0=t * 2.0, rtol=1e-12)[0] ** 3)

    assert np.allclose(cr.grad(loss)(T), cr.grad(dense)(T, X), rtol=1e-9)


def test_what_is_refused() -> None:
    a = LinearOperator((3, 3), matvec=ring(T), dtype=float)
    with pytest.raises(cr.NotDifferentiableError, match="has not converged"):
        cr.grad(lambda b: np.sum(linalg.cg(a, b, rtol=1e-14, maxiter=1)[0]))(X)
    with pytest.raises(cr.NotDifferentiableError, match="depend on one another"):
        cr.grad(lambda b: np.sum(linalg.lsqr(TALL.T, b)[0]))(X)
    with pytest.raises(cr.NotDifferentiableError, match="depend on one another"):
        cr.grad(lambda c: np.sum(linalg.lsmr(np.ones((4, 2)), c)[0]))(C)
    with pytest.raises(cr.NotDifferentiableError, match="istop is 7"):
        cr.grad(lambda c: np.sum(linalg.lsqr(TALL, c, iter_lim=1, **TIGHT)[0]))(C)
    with pytest.raises(cr.ChainRulesError, match="estimates on its way"):
        cr.grad(lambda c: linalg.lsqr(TALL, c)[3])(C)
    with pytest.raises(cr.UnsupportedArgument, match="M1"):
        cr.grad(lambda b: np.sum(linalg.qmr(sp.csc_array(D), b, M1=sp.eye_array(3))[0]))(X)

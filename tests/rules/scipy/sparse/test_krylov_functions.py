"""Functions of sparse matrices times vectors: by everything, against differences and dense formulas."""

from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import funm_multiply_krylov
from tests.rules.cases import case

import chainrules as cr
from chainrules.rules.scipy.sparse.krylov_functions import applied, coupled, held
from chainrules.testing import check_grads, check_rule, exempt

D = np.array([[-1.0, 0.5, 0.0], [0.0, 0.3, 0.5], [1.3, 0.0, -2.0]])
X = np.array([1.0, 2.0, 3.0])
A, AT = sp.csr_array(D), np.nonzero(D)
THERE = np.array([0, 2]), np.array([1, 1])
expm = scipy.linalg.expm


def cubic(x: Any) -> Any:
    """X³ − X"""
    return x @ x @ x - x


CASES = [
    case(applied, expm, D[AT], X, AT),
    case(applied, cubic, D[AT] + 0.1j, X - 1j, AT),
    case(coupled, expm, D[AT], X, X[::-1] / 2, AT, THERE),
    case(coupled, expm, D[AT] + 0.1j, X + 1j, X[::-1] * (0.5 - 0.2j), AT, AT),
    *(case(funm_multiply_krylov, f, P, X, rtol=1e-14) for f in (expm, cubic) for P in (A, D)),
    case(funm_multiply_krylov, expm, A * (1 + 0.3j), X * (1 - 2j), rtol=1e-14),
]
EXEMPT = [exempt(held, why="refuses its derivative, or has none")]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_by_the_factor_of_the_matrix_and_in_the_second_order() -> None:
    check_grads(lambda a, b, t: funm_multiply_krylov(expm, a, b, t=t, rtol=1e-14), A, X, 0.7, order=2)


def test_by_what_the_function_captured() -> None:
    def value(c: Any, b: Any) -> Any:
        return funm_multiply_krylov(lambda x: expm(c * x) * c, A, b, rtol=1e-14)

    check_grads(value, 0.4, X, order=1)
    with pytest.raises(cr.NotDifferentiableError, match="captured"):
        cr.grad(lambda b: cr.grad(lambda c: np.sum(value(c, b)))(0.4))(X)
    with pytest.raises(cr.NotDifferentiableError, match="captured"):
        cr.hessian(lambda c: np.sum(funm_multiply_krylov(lambda x: expm(c * x), A * c, X)))(0.4)
    check_grads(lambda c: np.sum(value(c, X)), 0.4, order=2)
    slope = cr.grad(lambda c: np.sum(cr.grad(lambda b: np.sum(value(c, b)))(X)))(0.4)
    by_hand = np.sum(expm(0.4 * D.T) @ (np.eye(3) + 0.4 * D.T))
    assert slope == pytest.approx(by_hand)


def test_of_a_large_matrix() -> None:
    n = 300
    line = sp.diags_array([-2 * np.ones(n), np.ones(n - 1), np.ones(n - 1)], offsets=[0, 1, -1]).tocsr() * 3.0
    b, w = np.linspace(1.0, 2.0, n), np.cos(np.arange(n))
    a_bar, b_bar = cr.grad(lambda a, b: w @ funm_multiply_krylov(expm, a, b), argnums=(0, 1))(line, b)
    dense = line.toarray()
    derivative = scipy.linalg.expm_frechet(dense.T, np.outer(w, b), compute_expm=False)
    np.testing.assert_allclose(a_bar.toarray(), derivative * (dense != 0), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(b_bar, expm(dense.T) @ w, rtol=1e-9, atol=1e-12)


def test_a_vector_of_zeros() -> None:
    slope = cr.grad(lambda b: np.sum(funm_multiply_krylov(expm, A, b)))(np.zeros(3))
    np.testing.assert_allclose(slope, np.sum(expm(D), axis=0))


def test_a_space_that_ends() -> None:
    at, d = np.nonzero(np.eye(3)), np.array([1.0, 2.0, 3.0])
    value, slope = cr.value_and_grad(lambda b: np.sum(applied(expm, d, b, at)))(np.eye(3)[0])
    assert value == pytest.approx(np.e)
    np.testing.assert_allclose(slope, np.exp(d))


def test_what_did_not_converge_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="max_restarts"):
        cr.grad(lambda b: np.sum(funm_multiply_krylov(expm, A, b, restart_every_m=2, max_restarts=1)))(X)

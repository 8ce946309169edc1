"""The factors L and U of a sparse matrix: by its entries, against differences and dense formulas."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import splu
from tests.rules.cases import normal

import chainrules as cr
from chainrules.rules.scipy.sparse.elimination import eliminated
from chainrules.testing import check_grads, exempt

EXEMPT = [exempt(eliminated, why="takes its value from SciPy; programs with splu are held to differences")]


def grid(m: int) -> Any:
    """The five-point matrix of a square of m × m points, shifted."""
    one = sp.eye_array(m)
    line = sp.diags_array([2 * np.ones(m), -np.ones(m - 1), -np.ones(m - 1)], offsets=[0, 1, -1])
    return sp.csc_array(sp.kron(one, line) + sp.kron(line, one) + 0.1 * sp.eye_array(m * m))


def log_determinant(a: Any) -> Any:
    return np.sum(np.log(np.abs(splu(a).U.diagonal())))


def scattered(n: int) -> Any:
    """A matrix without structure, which is pivoted."""
    a = sp.random_array((n, n), density=0.3, rng=np.random.default_rng(4))
    return sp.csc_array(a + sp.diags_array(0.05 * np.arange(1.0, n + 1), offsets=0))


@pytest.mark.parametrize("a", [grid(3), scattered(8)])
def test_the_determinant_by_the_entries(a: Any) -> None:
    a_bar = cr.grad(log_determinant)(a)
    stored = a.tocoo()
    inverse = np.linalg.inv(a.toarray()).T
    np.testing.assert_allclose(a_bar.toarray()[stored.coords], inverse[stored.coords], rtol=1e-9, atol=1e-12)
    assert a_bar.nnz == a.nnz


@pytest.mark.parametrize("a", [grid(3), scattered(8), scattered(6) * (1 + 0.2j)])
@pytest.mark.parametrize("name", ["L", "U"])
def test_each_factor(a: Any, name: str) -> None:
    weights = normal(*a.shape)
    check_grads(lambda a: getattr(splu(a), name).multiply(weights).sum(), a, order=1)
    check_grads(lambda a: getattr(splu(a), name) @ weights[0], a, order=1)


def test_both_factors_are_the_matrix() -> None:
    a = scattered(8)

    def again(a: Any) -> Any:
        lu = splu(a)
        return (lu.L @ lu.U).toarray()[lu.perm_r][:, lu.perm_c]

    value, moved = cr.jvp(again, (a,), (a,))
    np.testing.assert_allclose(value, a.toarray(), atol=1e-12)
    np.testing.assert_allclose(moved, a.toarray(), atol=1e-12)


def test_second_derivatives() -> None:
    check_grads(log_determinant, grid(2), order=2)


def test_a_likelihood_of_a_random_field() -> None:
    a, x = grid(4), normal(16)

    def likelihood(scale: Any, shift: Any) -> Any:
        precision = sp.csc_array(a * scale + sp.eye_array(16) * shift)
        return 0.5 * x @ (precision @ x) - 0.5 * log_determinant(precision)

    check_grads(likelihood, 1.3, 0.4, order=1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_factors_have_the_precision_that_scipy_gives(dtype: Any) -> None:
    a = scattered(6).astype(dtype)
    value, moved = cr.jvp(lambda a: splu(a).U, (a,), (a,))
    assert value.dtype == moved.dtype == splu(a).U.dtype
    np.testing.assert_allclose(value.toarray(), splu(a).U.toarray(), rtol=1e-5)

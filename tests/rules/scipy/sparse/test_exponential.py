"""Exponentials times vectors, powers, sums of Kronecker products: against differences and dense matrices."""

from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse import linalg
from tests.rules.cases import case

import chainrules as cr
from chainrules.rules.scipy.sparse.exponential import moved
from chainrules.testing import check_grads, check_rule

D = np.array([[-1.0, 0.5, 0.0], [0.0, 0.3, 0.5], [1.3, 0.0, -2.0]])
X = np.array([1.0, 2.0, 3.0])
A = sp.csr_array(D)
HERE = (np.array([0, 1, 2]), np.array([1, 1, 0]))

CASES = [
    case(moved, X / 3, X, HERE),
    *(case(linalg.expm_multiply, P(D), X) for P in (sp.csr_array, sp.csc_matrix)),
    case(linalg.expm_multiply, A, D + 1.0),
    case(linalg.expm_multiply, A * (1 + 1j), X * (1 - 2j)),
    *(case(linalg.matrix_power, A, power=n) for n in (1, 2, 3)),
    case(sp.kronsum, A, sp.csr_array(D[:2, :2])),
    case(sp.kronsum, A, sp.csr_array(D[:2, :2]), format="csc"),
    case(sp.swapaxes, sp.coo_array(D), axis1=0, axis2=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a, b: np.sum(linalg.expm_multiply(a, b) ** 2), A[:2, :2], X[:2], order=2)


@pytest.mark.parametrize("t", [1e-3, 1.0, 30.0])
def test_of_matrices_of_any_norm(t: float) -> None:
    n = 12
    line = sp.diags_array([-2 * np.ones(n), np.ones(n - 1), np.ones(n - 1)], offsets=[0, 1, -1]).tocsr() * t
    b, w = np.linspace(1.0, 2.0, n), np.cos(np.arange(n))
    a_bar, b_bar = cr.grad(lambda a, b: w @ linalg.expm_multiply(a, b), argnums=(0, 1))(line, b)
    dense = line.toarray()
    derivative = scipy.linalg.expm_frechet(dense.T, np.outer(w, b), compute_expm=False)
    assert np.allclose(a_bar.toarray(), derivative * (dense != 0), rtol=1e-9, atol=1e-12)
    assert np.allclose(b_bar, scipy.linalg.expm(dense.T) @ w, rtol=1e-9, atol=1e-12)


def test_what_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="start="):
        cr.grad(lambda b: np.sum(linalg.expm_multiply(A, b, start=0.0, stop=1.0, num=3)))(X)
    with pytest.raises(cr.UnsupportedArgument, match="power"):
        cr.grad(lambda a: linalg.matrix_power(a, 0).sum())(A)

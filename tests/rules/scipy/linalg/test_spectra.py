"""Eigenvalues and vectors, left and right, of matrices and of pairs."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, constant, normal

import chainrules as cr
from chainrules.rules.scipy.linalg.spectra import general_pairs
from chainrules.testing import check_grads, check_rule

REAL = np.diag([1.0, 2.0, 4.0]) + 0.3 * normal(3, 3)
TURNING = normal(3, 3)
COMPLEX = complex_normal(3, 3)
CASES = [
    *(case(linalg.eig, x) for x in (REAL, TURNING, COMPLEX, normal(2, 2, 2))),
    case(linalg.eig, REAL, left=True),
    case(linalg.eig, COMPLEX, left=True, right=False),
    case(linalg.eig, REAL, constant(None), right=False),
    case(linalg.eig, REAL, REAL.T @ REAL, left=True, why="a pair with real vectors"),
    case(linalg.eig, np.stack([REAL, REAL.T]), np.stack([np.eye(3)] * 2) + 0.1 * normal(3, 3, seed=3)),
    *(case(linalg.eigvals, x) for x in (REAL, TURNING, COMPLEX)),
    case(linalg.eigvals, COMPLEX, complex_normal(3, 3, seed=5)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a: linalg.eig(a)[1], TURNING)
    check_grads(linalg.eigvals, TURNING, TURNING.T @ TURNING)


def test_the_modulus_of_vectors_of_a_pair() -> None:
    check_grads(lambda a: np.abs(linalg.eig(a, COMPLEX)[1]), TURNING + 0j, order=1, modes=("rev",))


def test_what_depends_on_a_phase_that_nothing_fixes_is_refused() -> None:
    def loss(a: Any) -> Any:
        return np.sum(np.real(linalg.eig(a, COMPLEX)[1]))

    with pytest.raises(cr.NotDifferentiableError, match="phase"):
        cr.grad(loss)(TURNING)
    _, dv = cr.jvp(lambda a: linalg.eig(a, COMPLEX)[1] * 2, (TURNING,), (TURNING,))
    assert isinstance(dv, cr.NotImplementedTangent)


def test_defective_and_singular_matrices_are_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="defective"):
        cr.grad(lambda a: np.sum(np.real(linalg.eigvals(a))))(np.array([[1.0, 1.0], [0.0, 1.0]]))
    with pytest.raises(cr.NotDifferentiableError, match="second is singular"):
        cr.grad(lambda a: np.sum(np.real(linalg.eigvals(a, np.diag([1.0, 0.0])))))(normal(2, 2))
    with pytest.raises(cr.UnsupportedArgument, match="homogeneous"):
        cr.grad(lambda a: np.sum(np.real(linalg.eigvals(a, homogeneous_eigvals=True))))(normal(2, 2))


def test_pairs_are_what_they_are_given() -> None:
    assert general_pairs(None, REAL, 1.0, 2.0, True) == (1.0, 2.0)

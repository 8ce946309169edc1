"""Eigenvalues and vectors of general matrices, LAPACK's lengths and phases, defective ones refused."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

TURN = np.array([[0.6, -0.8], [0.8, 0.6]])
MATRICES = [
    normal(3, 3),
    normal(2, 3, 3, seed=5),
    normal(4, 4, seed=2),
    complex_normal(3, 3),
    complex_normal(2, 2, 2),
    np.diag([1.0, 2.0, 4.0]) + 0.1 * normal(3, 3),
    normal(3, 3).astype(np.float32),
    normal(1, 1),
    np.zeros((0, 0)),
    np.zeros((0, 2, 2)),
]
CASES = [case(f, x) for f in (np.linalg.eig, np.linalg.eigvals) for x in MATRICES]
CASES += [case(np.linalg.eigvals, TURN, why="entries of its vectors tie")]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("x", [np.diag([1.0, 2.0, 4.0]) + 0.1 * normal(3, 3), complex_normal(2, 2)])
def test_second_order(x: Any) -> None:
    check_grads(lambda a: np.linalg.eig(a)[1], x)
    check_grads(np.linalg.eigvals, x)


def test_modulus_of_vectors_of_a_real_matrix() -> None:
    check_grads(lambda a: np.abs(np.linalg.eig(a)[1]) ** 2, normal(3, 3, seed=1))


def test_traces_of_powers_of_the_identity() -> None:
    gradient = cr.grad(lambda a: np.sum(np.linalg.eigvals(a).real ** 3))(np.eye(2))
    np.testing.assert_allclose(gradient, 3 * np.eye(2))


def test_a_defective_matrix_is_refused() -> None:
    jordan = np.array([[1.0, 1.0], [0.0, 1.0]])
    with pytest.raises(cr.NotDifferentiableError, match="defective"):
        cr.grad(lambda a: np.max(np.linalg.eigvals(a).real))(jordan)
    with pytest.raises(cr.NotDifferentiableError, match="defective"):
        cr.jvp(np.linalg.eigvals, (jordan,), (np.eye(2),))

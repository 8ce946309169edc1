"""Schur forms, real and complex, and the subspaces that coinciding eigenvalues leave determined."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule, with_tangent

REAL = np.diag([1.0, 2.0, 4.0]) + 0.3 * normal(3, 3)
PAIRS = np.array([[1.0, 2.0, 0.3], [-3.0, 1.0, 0.5], [0.0, 0.0, 4.0]])
BLOCKS = np.array([[0.3, 1.0, 2.0], [0.5, -1.0, 0.7], [0.0, 0.0, 0.2]])
CASES = [
    case(linalg.schur, REAL),
    case(linalg.schur, np.diag([1.0, -2.0, 4.0, -5.0]) + 0.3 * normal(4, 4), sort="lhp"),
    case(linalg.schur, np.stack([REAL, REAL.T])),
    case(linalg.rsf2csf, with_tangent(PAIRS, BLOCKS), normal(3, 3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(linalg.schur, REAL)


def leading(a: Any) -> Any:
    z = linalg.schur(a, "complex", sort="lhp")[1][:, :2]
    return z @ z.conj().T


@pytest.mark.parametrize("x", [PAIRS - 2 * np.eye(3), complex_normal(3, 3)])
def test_the_projector_onto_a_subspace(x: Any) -> None:
    check_grads(leading, x, order=1, modes=("rev",))


def test_a_subspace_whose_eigenvalues_coincide() -> None:
    tied = np.diag([-1.0, -1.0, 3.0]) + 0j
    seed, step, h = complex_normal(3, 3), complex_normal(3, 3, seed=5), 1e-5

    def loss(a: Any) -> Any:
        return np.real(np.sum(leading(a) * seed))

    slope = (loss(tied + h * step) - loss(tied - h * step)) / (2 * h)
    np.testing.assert_allclose(np.real(np.sum(np.conj(cr.grad(loss)(tied)) * step)), slope, rtol=1e-8)


def test_what_is_not_determined_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="complex pairs"):
        cr.grad(lambda a: np.sum(linalg.schur(a)[1]))(PAIRS)
    with pytest.raises(cr.NotDifferentiableError, match="phase"):
        cr.grad(lambda a: np.sum(np.real(linalg.schur(a, "complex")[1])))(PAIRS)
    with pytest.raises(cr.NotDifferentiableError, match="eigenvalues coincide"):
        cr.grad(lambda a: np.sum(linalg.schur(a)[1] * normal(2, 2)))(np.array([[1.0, 1.0], [0.0, 1.0]]))
    _, dz = cr.jvp(lambda a: linalg.schur(a, "complex")[1] * 2, (PAIRS,), (PAIRS,))
    assert isinstance(dz, cr.NotImplementedTangent)

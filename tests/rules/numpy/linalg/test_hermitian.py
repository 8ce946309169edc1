"""Eigenvalues and vectors of Hermitian matrices, LAPACK's phases, and coinciding eigenvalues."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

import chainrules as cr
from chainrules.rules.numpy.linalg.gaps import settled
from chainrules.tangents import Composite
from chainrules.testing import check_grads, check_rule

OPTIONS: list[dict[str, Any]] = [{}, {"UPLO": "U"}]
MATRICES = [normal(3, 3), normal(2, 3, 3), complex_normal(4, 4), complex_normal(2, 2, 2), normal(1, 1)]
SINGLE = normal(3, 3).astype(np.float32)
CASES = [
    case(settled, normal(2, 2), constant(False)),
    *(
        case(f, x, **kwargs)
        for f in (np.linalg.eigh, np.linalg.eigvalsh)
        for x in (*MATRICES, SINGLE, np.zeros((0, 0)), np.zeros((0, 0), complex))
        for kwargs in OPTIONS
    ),
]
REPEATED = np.diag([2.0, 2.0, 5.0])


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("x", [normal(3, 3), normal(2, 2, 2), complex_normal(3, 3)])
def test_second_order(x: Any) -> None:
    check_grads(lambda a: np.linalg.eigh(a)[1], x)
    check_grads(np.linalg.eigvalsh, x)


def test_a_phase_that_matters_is_lapacks() -> None:
    def loss(a: Any) -> Any:
        return np.sum(np.real(np.linalg.eigh(a)[1]) * normal(3, 3, seed=4))

    check_grads(loss, complex_normal(3, 3), order=1)


def test_coinciding_eigenvalues_have_the_derivative_along_their_vectors() -> None:
    gradient = cr.grad(lambda a: np.sum(np.linalg.eigvalsh(a) ** 2))(REPEATED)
    np.testing.assert_allclose(gradient, 2 * REPEATED, atol=1e-12)


def test_vectors_of_coinciding_eigenvalues_are_refused_where_they_mix() -> None:
    y, pullback = rrule_of(np.linalg.eigh, REPEATED)
    u_bar = np.zeros((3, 3))
    u_bar[:, 2] = 1.0
    alone = pullback(Composite[type(y)](eigenvectors=u_bar))[0]
    expected = np.zeros((3, 3))
    expected[2, :2] = 1 / 3
    np.testing.assert_allclose(alone, expected, atol=1e-12)
    with pytest.raises(cr.NotDifferentiableError, match="values coincide"):
        pullback(Composite[type(y)](eigenvectors=np.ones((3, 3))))
    with pytest.raises(cr.NotDifferentiableError, match="values coincide"):
        cr.grad(lambda a: (np.linalg.eigh(a)[1] ** 3).sum())(REPEATED)


@pytest.mark.parametrize(
    "f", [np.linalg.eigvalsh, lambda a: np.linalg.eigh(a)[0], np.linalg.eigvals, np.linalg.svdvals]
)
def test_second_derivatives_where_values_coincide_are_refused(f: Any) -> None:
    gradient = cr.grad(lambda a: np.sum(np.real(f(a) - 1.0) ** 2))
    np.testing.assert_array_equal(gradient(np.eye(2)), 0.0)
    with pytest.raises(cr.HigherOrderError, match="coincide"):
        cr.grad(lambda a: np.sum(gradient(a)))(np.eye(2))


def test_a_phase_that_jumps_is_refused() -> None:
    a = np.array([[1.0, 0, 0], [0, 2, 1j], [0, -1j, 3]])
    with pytest.raises(cr.NotDifferentiableError, match="phase"):
        cr.grad(lambda a: np.sum(np.imag(np.linalg.eigh(a)[1])))(a)


def test_forward_says_what_is_missing() -> None:
    _, dy = cr.jvp(lambda a: np.linalg.eigh(a)[0], (REPEATED,), (np.eye(3),))
    np.testing.assert_allclose(dy, np.ones(3))
    _, du = cr.jvp(lambda a: np.linalg.eigh(a)[1] * 2.0, (REPEATED,), (np.eye(3),))
    assert isinstance(du, cr.NotImplementedTangent)

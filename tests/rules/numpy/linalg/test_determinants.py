"""Determinants, singular ones too."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.tangents import Composite
from chainrules.testing import check_grads, check_rule

RANK_ONE = np.outer([1.0, 2.0, 3.0], [1.0, -1.0, 0.5])
RANK_TWO = RANK_ONE + np.diag([1.0, 0.0, 0.0])
CASES = [
    case(np.linalg.det, normal(3, 3)),
    case(np.linalg.det, normal(2, 3, 3)),
    case(np.linalg.det, complex_normal(3, 3)),
    case(np.linalg.det, normal(1, 1)),
    case(np.linalg.det, RANK_TWO, why="singular: the adjugate has rank one"),
    case(np.linalg.det, RANK_ONE, why="singular twice: the adjugate is zero"),
    case(np.linalg.det, np.stack([RANK_TWO, normal(3, 3)]), why="one of the stack singular"),
    case(np.linalg.det, (1 + 2j) * RANK_TWO, why="singular and complex"),
    case(np.linalg.slogdet, normal(3, 3)),
    case(np.linalg.slogdet, normal(2, 3, 3)),
    case(np.linalg.slogdet, complex_normal(3, 3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_derivative_of_a_product_of_diagonal_entries() -> None:
    _, pullback = rrule_of(np.linalg.det, np.diag([2.0, 0.0, 5.0]))
    np.testing.assert_allclose(pullback(1.0)[0], np.diag([0.0, 10.0, 0.0]), atol=1e-12)


@pytest.mark.parametrize("x", [RANK_TWO, RANK_TWO + 1e-13 * np.eye(3)])
def test_the_second_derivative_of_a_singular_matrix(x: Any) -> None:
    def cofactors(a: Any) -> Any:
        return np.stack((np.cross(a[1], a[2]), np.cross(a[2], a[0]), np.cross(a[0], a[1])))

    v = normal(3, 3)
    gradient = cr.grad(np.linalg.det)
    expected = cr.grad(lambda a: np.sum(cofactors(a) * v))(x)
    found = cr.grad(lambda a: np.sum(gradient(a) * v))(x)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("x", [RANK_ONE, np.zeros((2, 2))])
def test_second_derivatives_where_singular_values_coincide(x: Any) -> None:
    check_grads(np.linalg.det, x)


def test_of_a_large_matrix_they_are_refused() -> None:
    gradient = cr.grad(np.linalg.det)
    with pytest.raises(cr.HigherOrderError, match="coincide"):
        cr.grad(lambda a: np.sum(gradient(a)))(np.diag([1.0] * 15 + [0.0, 0.0]))


def test_slogdet_of_a_singular_matrix_says_so() -> None:
    y, pullback = rrule_of(np.linalg.slogdet, np.diag([1.0, 0.0]))
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        pullback(Composite[type(y)](logabsdet=1.0))

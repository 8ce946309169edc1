"""The exponential of a matrix and its Fréchet derivative, to third order and at both sizes."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.rules.scipy.linalg.exponentials import SMALL, moved_exponential
from chainrules.testing import check_grads, check_rule

CASES = [
    *(case(linalg.expm, x) for x in (normal(3, 3), complex_normal(3, 3), normal(2, 2, 2), 5 * normal(4, 4))),
    case(linalg.expm, np.triu(normal(3, 3)), why="triangular"),
    case(linalg.expm, np.diag(normal(3)), why="diagonal"),
    case(linalg.expm, np.array([[0.0, 1.0], [0.0, 0.0]]), why="defective"),
    case(linalg.expm, normal(1, 1)),
    case(linalg.expm_frechet, normal(3, 3), normal(3, 3, seed=1)),
    case(linalg.expm_frechet, complex_normal(2, 2), complex_normal(2, 2), compute_expm=False),
    case(linalg.expm_frechet, normal(2, 2, 2), normal(2, 2, 2), compute_expm=False),
    case(linalg.expm_frechet, normal(2, 2), normal(2, 2, seed=3), method="blockEnlarge"),
    case(linalg.expm_cond, normal(2, 2)),
    case(moved_exponential, complex_normal(2, 2), normal(2, 2)),
    case(moved_exponential, normal(2, 2, 2), normal(2, 2), why="stretched"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_higher_orders() -> None:
    check_grads(linalg.expm, normal(2, 2), order=3)
    check_grads(lambda a: linalg.expm_frechet(a, np.cos(a), compute_expm=False), normal(2, 2))


@pytest.mark.parametrize("n", [SMALL, SMALL + 1])
@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_both_ways_agree_whatever_the_size_of_the_cotangent(n: int, size: float) -> None:
    a, y_bar = normal(n, n) / np.sqrt(n), size * normal(n, n, seed=1)
    expected = linalg.expm_frechet(a.T, y_bar, method="blockEnlarge", compute_expm=False)
    x_bar = rrule_of(linalg.expm, a)[1](y_bar)[0]
    np.testing.assert_allclose(x_bar, expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())


def test_a_zero_matrix_and_a_zero_cotangent() -> None:
    _, pullback = rrule_of(linalg.expm, np.zeros((2, 2)))
    np.testing.assert_allclose(pullback(np.eye(2))[0], np.eye(2))
    np.testing.assert_array_equal(pullback(np.zeros((2, 2)))[0], 0)


def test_a_number_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="two axes"):
        cr.grad(lambda x: linalg.expm(x)[0, 0])(2.0)

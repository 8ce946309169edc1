"""The angles of the cosine-sine decomposition of a unitary matrix."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, exempt


def angles(h: Any, m: int, p: int, q: int) -> Any:
    return linalg.cossin(linalg.expm(h - np.swapaxes(np.conj(h), -1, -2)), p, q, separate=True)[1]


def middle(h: Any, m: int, p: int, q: int) -> Any:
    return linalg.cossin(linalg.expm(h - np.swapaxes(np.conj(h), -1, -2)), p, q)[1]


CASES: list[Any] = []
EXEMPT = [exempt(linalg.cossin, why="its argument stays unitary: checked along paths below")]
SIZES = [(4, 2, 2), (5, 2, 3), (5, 2, 2), (6, 4, 3)]


@pytest.mark.parametrize(("m", "p", "q"), SIZES)
@pytest.mark.parametrize("numbers", [normal, complex_normal])
@pytest.mark.parametrize("f", [angles, middle])
def test_angles(f: Any, numbers: Any, m: int, p: int, q: int) -> None:
    check_grads(lambda h: f(h, m, p, q), 0.3 * numbers(m, m), order=1)


def test_the_value_is_that_of_scipy() -> None:
    x, _ = linalg.qr(normal(5, 5))
    for a, b in zip(cr.vjp(lambda x: linalg.cossin(x, 2, 3), x)[0], linalg.cossin(x, 2, 3), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-14)


def test_vectors_and_second_derivatives_are_refused() -> None:
    x, _ = linalg.qr(normal(4, 4))
    with pytest.raises(
        (cr.NotDifferentiableError, TypeError, cr.ChainRulesError), match="vectors of a cosine-sine"
    ):
        cr.grad(lambda x: np.sum(linalg.cossin(x, 2, 2)[0] ** 3))(x)
    gradient = cr.grad(lambda x: np.sum(linalg.cossin(x, 2, 2, separate=True)[1]))
    with pytest.raises(cr.HigherOrderError, match="second derivative"):
        cr.grad(lambda x: np.sum(gradient(x) ** 3))(x)
    with pytest.raises(cr.UnsupportedArgument, match="p"):
        cr.grad(lambda x: np.sum(linalg.cossin((x[:2, :2], x[:2, 2:], x[2:, :2], x[2:, 2:]))[1]))(x)

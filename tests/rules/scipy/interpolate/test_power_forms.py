"""Polynomials in powers: Lagrange's, Taylor's of a function, and quotients of two."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import approximate_taylor_polynomial, lagrange, pade
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

# SciPy 1.18 announces that it will not have them for ever
pytestmark = pytest.mark.filterwarnings("ignore:.*deprecated and will be removed:DeprecationWarning")

X, Y = np.array([-1.0, 0.7, 1.5, 2.9]), normal(4)
A = np.array([1.0, 1.0, 0.5, 0.2, 0.05, 0.01])


def wave(x: Any) -> Any:
    return np.exp(0.3 * x) * np.cos(x)


CASES = [
    case(lagrange, X, Y),
    case(approximate_taylor_polynomial, wave, 0.4, 3, 0.5),
    case(approximate_taylor_polynomial, wave, 0.4, 2, 0.5, order=5),
    case(pade, A, 2),
    case(pade, A, 2, 1),
    case(pade, A[:2], 1, 0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_values_are_those_of_scipy() -> None:
    value, _ = cr.vjp(lambda w: lagrange(X, w).coeffs, Y)
    np.testing.assert_allclose(value, lagrange(X, Y).coeffs, rtol=1e-12)


def test_second_derivatives_of_a_quotient() -> None:
    check_grads(lambda a: pade(a, 1)[0](0.3) / pade(a, 1)[1](0.3), A[:3])


def test_what_the_function_captured() -> None:
    def slope(w: float) -> Any:
        return approximate_taylor_polynomial(lambda x: np.sin(w * x), 0.0, 1, 0.01, order=8).coeffs[0]

    assert cr.grad(slope)(1.3) == pytest.approx(1.0, rel=1e-8)

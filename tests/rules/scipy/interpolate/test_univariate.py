"""FITPACK's objects: made by sites, values and knots, called, differentiated, integrated and solved."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import InterpolatedUnivariateSpline, LSQUnivariateSpline, UnivariateSpline
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X = np.array([0.0, 0.7, 1.5, 2.2, 2.9, 3.3, 4.0, 4.4, 5.1])
Y, W, AT = np.sin(2 * X) + 0.2 * normal(9), np.linspace(1.0, 2.0, 9), np.array([0.2, 1.9])
P = UnivariateSpline
KNOTS = np.array([-0.3, -0.2, -0.1, 0.0, 1.1, 2.0, 3.2, 3.3, 3.4, 3.5])
WAVE = np.array([1.0, -1.0, 1.5, -1.0, 2.0, -2.0])
S = P._from_tck((KNOTS, np.append(WAVE, np.zeros(4)), 3))
TWICE_ZERO = P._from_tck(
    (np.arange(-9.0, 10.0, 2.0), np.append(5 * np.array([1.0, 1.0, -1.0, -1.0, 1.0, 1.0]), np.zeros(4)), 3)
)
CASES = [
    *(case(P.__call__, S, AT, nu=nu) for nu in (0, 1)),
    *(case(P.__call__, S, np.array([-0.5, 1.9]), ext=ext) for ext in ("zeros", 3)),
    case(P.integral, S, 0.5, 2.7),
    case(P.derivatives, S, 1.9),
    case(P.roots, TWICE_ZERO, why="as many roots wherever differences are taken"),
    *(case(f, S) for f in (P.get_coeffs, P.get_knots)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_interpolants_by_sites_values_and_points() -> None:
    for make in (InterpolatedUnivariateSpline, lambda x, y: UnivariateSpline(x, y, s=0, k=2)):
        check_grads(lambda x, y, at, make=make: make(x, y)(at), X[:6], Y[:6], AT, order=1)


def test_given_knots() -> None:
    t = np.array([1.3, 2.8])
    check_grads(lambda x, y, w, t: LSQUnivariateSpline(x, y, t, w)(AT), X, Y, W, t, order=1)


def test_derivative_and_integral_are_splines() -> None:
    check_grads(lambda x, y: InterpolatedUnivariateSpline(x, y).derivative()(1.9), X[:6], Y[:6], order=1)
    check_grads(lambda x, y: InterpolatedUnivariateSpline(x, y).antiderivative()(1.9), X[:6], Y[:6], order=1)


def test_a_smoothing_spline_keeps_its_sum_of_squares() -> None:
    """Against an invariant: as the values move, the sum of squares stays s."""

    def left(y: Any) -> Any:
        return np.sum(np.square(y - UnivariateSpline(X, y, s=0.1)(X)))

    np.testing.assert_allclose(cr.grad(left)(Y), np.zeros(9), atol=2e-3)


@pytest.mark.parametrize("name", ["get_residual"])
def test_methods_without_rules_are_refused(name: str) -> None:
    with pytest.raises(cr.NoRuleError, match=name):
        cr.grad(lambda y: getattr(UnivariateSpline(X, y, s=0.1), name)())(Y)

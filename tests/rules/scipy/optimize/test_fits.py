"""Least squares and fitted curves against differences and closed forms."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_rule

X = np.linspace(0.0, 2.0, 12)
Y = np.exp(-1.3 * X) + 0.05 * np.cos(40 * X)


def line(x, a, b):
    return a + b * x


def line_slopes(x, a, b):
    return np.stack([np.ones_like(x), x], axis=1)


def decay(x, a, b):
    return a * np.exp(-b * x)


def misfit(p, y):
    return decay(X, *p) - y


def slopes(x, a, b):
    return np.stack([np.exp(-b * x), -a * x * np.exp(-b * x)], axis=1)


def misfit_slopes(p, y):
    return slopes(X, *p)


START = held(np.array([1.0, 1.0]))
TIGHT: dict[str, Any] = {"ftol": 1e-14, "xtol": 1e-14}
CASES = [
    case(optimize.leastsq, held(misfit), START, (Y,), Dfun=misfit_slopes, **TIGHT),
    case(optimize.curve_fit, held(line), X, Y, jac=line_slopes),
    case(optimize.curve_fit, held(decay), X, Y, START, jac=slopes, **TIGHT),
    case(
        optimize.curve_fit, held(decay), X, Y, START, 0.1 + 0.05 * X, absolute_sigma=True, jac=slopes, **TIGHT
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_line_is_the_normal_equations():
    A = np.stack([np.ones_like(X), X], axis=1)

    def closed(y):
        p = np.linalg.solve(A.T @ A, A.T @ y)
        r = A @ p - y
        return p, np.linalg.inv(A.T @ A) * np.sum(r * r) / (len(y) - 2)

    def fitted(y):
        return optimize.curve_fit(line, X, y)

    for part in (0, 1):
        ours = cr.grad(lambda y, part=part: np.sum(fitted(y)[part]))(Y)
        np.testing.assert_allclose(ours, cr.grad(lambda y, part=part: np.sum(closed(y)[part]))(Y), rtol=1e-6)


FIRM: dict[str, Any] = {"jac": "cs", "ftol": None, "xtol": 1e-15, "gtol": 1e-15}


def test_large_residuals_need_the_second_term_of_the_hessian():
    def solved(t):
        aim = Y + t * np.cos(3 * X)
        return optimize.least_squares(misfit, [1.0, 1.0], args=(aim,), **FIRM).x[1]

    h = 1e-4
    assert cr.grad(solved)(1.0) == pytest.approx((solved(1.0 + h) - solved(1.0 - h)) / (2 * h), rel=1e-3)


@pytest.mark.parametrize("loss", ["linear", "soft_l1", "huber", "cauchy", "arctan"])
def test_every_loss(loss):
    def cost(t):
        result = optimize.least_squares(misfit, [1.0, 1.0], args=(t * Y,), loss=loss, f_scale=0.05, **FIRM)
        return result.cost + np.sum(result.x) + np.sum(result.fun**2)

    h = 1e-4
    differences = (cost(1.1 + h) - cost(1.1 - h)) / (2 * h)
    assert cr.grad(cost)(1.1) == pytest.approx(differences, rel=1e-4)
    assert cr.derivative(cost)(1.1) == pytest.approx(differences, rel=1e-4)


def test_what_describes_the_search_has_no_derivative():
    def f(t):
        return optimize.least_squares(misfit, [1.0, 1.0], args=(t * Y,)).optimality

    with pytest.raises(cr.ChainRulesError, match="no derivative of its entry 'optimality'"):
        cr.grad(f)(1.0)


def test_a_loss_of_the_user_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="loss"):
        cr.grad(lambda t: optimize.least_squares(misfit, [1.0, 1.0], args=(t * Y,), loss=lambda z: z).cost)(
            1.0
        )

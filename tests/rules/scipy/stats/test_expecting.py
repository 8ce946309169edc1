"""Expectations of functions: by what these captured, and by every parameter."""

import numpy as np
import pytest
from scipy import stats

import chainrules as cr
from chainrules.testing import check_grads, exempt

CASES: list = []
EXEMPT = [
    exempt(f, why="calls a function: checked below with functions that capture")
    for f in (stats.rv_continuous.expect, stats.rv_discrete.expect, type(stats.norm(0.0)).expect)
]


def by_characteristic_function(a, m, s, t):
    """E cos(t x) of a gamma variable: the real part of e^{i m t} (1 − i s t)⁻ᵃ."""
    return np.real(np.exp(1j * m * t) * (1.0 - 1j * s * t) ** -a)


def test_by_what_is_captured_and_by_every_parameter():
    def expected(a, m, s, t):
        return stats.gamma.expect(lambda x: np.cos(t * x), (a,), loc=m, scale=s)

    p = (1.7, 0.1, 1.3, 0.4)
    known = [derivative(by_characteristic_function, p, i) for i in range(4)]
    np.testing.assert_allclose(cr.grad(expected, (0, 1, 2, 3))(*p), known, rtol=1e-7)
    moved = cr.jvp(expected, p, (1.0, -2.0, 0.5, 3.0))[1]
    assert moved == pytest.approx(np.dot(known, (1.0, -2.0, 0.5, 3.0)), rel=1e-7)


def derivative(f, p, i):
    """By one argument, from four values."""
    h = 1e-3 * np.eye(len(p))[i]
    near, far = (f(*(p + k * h)) - f(*(p - k * h)) for k in (1, 2))
    return (8.0 * near - far) / 12e-3


def test_between_bounds():
    def expected(lb, s, t):
        return stats.norm.expect(lambda x: x**2 * t, scale=s, lb=lb, ub=1.5, conditional=True)

    check_grads(expected, -0.4, 1.3, 0.4, order=1)


def test_an_end_that_moves():
    by_end = cr.grad(lambda b: stats.truncexpon.expect(None, (b,)))(2.0)
    assert by_end == pytest.approx(cr.grad(stats.truncexpon.mean)(2.0), rel=1e-6)


def test_frozen_ones_agree():
    def frozen(m, s):
        return stats.norm(m, scale=s).expect(np.square)  # m² + s²

    np.testing.assert_allclose(cr.grad(frozen, (0, 1))(0.3, 2.0), (0.6, 4.0), rtol=1e-7)
    assert cr.jvp(frozen, (0.3, 2.0), (1.0, 1.0))[1] == pytest.approx(4.6)
    assert cr.grad(lambda t: stats.norm(0.3, 2.0).expect(lambda x: t * x))(1.0) == pytest.approx(0.3)


def test_discrete_ones():
    check_grads(lambda mu, t: stats.poisson.expect(lambda k: np.exp(-t * k), (mu,)), 2.3, 0.3, order=1)
    check_grads(lambda p: stats.binom(8, p).expect(lambda k: k**2, lb=2, conditional=True), 0.3, order=1)
    assert cr.grad(lambda m: stats.poisson.expect(None, (2.3,), loc=m))(1.0) == pytest.approx(1.0)

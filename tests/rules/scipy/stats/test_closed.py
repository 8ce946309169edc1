"""Densities and distribution functions in closed form: both modes and orders, inside and at the ends."""

import numpy as np
import pytest
from scipy import stats

import chainrules as cr

X = np.linspace(0.2, 0.7, 4)
SHAPES = {"gamma": (2.3,), "beta": (2.0, 3.0), "t": (5.0,), "lognorm": (0.7,)}
PLAIN = ("norm", "expon", "logistic", "cauchy", "gumbel_r", "laplace")


@pytest.mark.parametrize("method", ["pdf", "cdf", "sf"])
@pytest.mark.parametrize("name", [*PLAIN, *SHAPES])
@pytest.mark.parametrize("x", [X, 0.5], ids=["array", "number"])
def test_both_modes_and_orders(name, method, x):
    of = getattr(getattr(stats, name), method)

    def f(p):
        shapes = [a * p[3] for a in SHAPES.get(name, ())]
        return np.sum(np.sin(of(x * p[2], *shapes, loc=p[0] - 0.4, scale=p[1])))

    p, v = np.array([0.3, 1.7, 1.1, 1.05]), np.array([0.3, -0.5, 0.7, 0.2])
    steps = 1e-6 * np.eye(4)
    expected = np.array([(f(p + e) - f(p - e)) / 2e-6 for e in steps])
    gradient = cr.grad(f)
    np.testing.assert_allclose(gradient(p), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(cr.jvp(f, (p,), (v,))[1], expected @ v, rtol=1e-5, atol=1e-7)
    second = (gradient(p + 1e-5 * v) - gradient(p - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(cr.hvp(f, p, v), second, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(cr.grad(lambda p: gradient(p) @ v)(p), second, rtol=1e-4, atol=1e-6)


def test_beside_points_outside_and_far_away():
    """A point outside moves nothing, an infinite one neither."""
    x = np.array([-1.0, 0.0, 0.5, np.inf])
    found = cr.grad(lambda scale: np.sum(stats.expon.cdf(x, scale=scale)))(2.0)
    assert found == pytest.approx(-0.5 * np.exp(-0.25) / 4.0)
    by_x = cr.grad(lambda x: np.sum(stats.norm.sf(x)))(np.array([-np.inf, 0.3, 60.0]))
    np.testing.assert_allclose(by_x, [0.0, -stats.norm.pdf(0.3), 0.0], atol=1e-300)

"""Smoothing surfaces, against a dense solver of their own with an exact root."""

from math import factorial
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import BSpline, RectBivariateSpline
from scipy.optimize import brentq
from tests.rules.cases import normal

import chainrules as cr
from chainrules.testing import check_grads

X, Y = np.linspace(0, 1, 9) ** 1.2, np.linspace(0, 2, 11)
Z = np.sin(4 * X)[:, None] * np.cos(3 * Y) + 0.1 * normal(9, 11)


def one_way(x: Any, t: Any, k: int) -> tuple[Any, Any]:
    """The B-splines at the sites, and FITPACK's jumps at the inner knots, by differences."""
    each = [BSpline(t, e, k) for e in np.eye(len(t) - k - 1)]
    inner = t[k + 1 : -k - 1]
    jumps = np.array([f.derivative(k)(inner + 1e-9) - f.derivative(k)(inner - 1e-9) for f in each]).T
    return BSpline.design_matrix(x, t, k, extrapolate=True).toarray(), jumps * (
        (t[-1] - t[0]) / (len(inner) + 1)
    ) ** k / factorial(k)


def exactly(x: Any, y: Any, z: Any, s: Any, places: Any, kx: int, ky: int) -> Any:
    """The surface at (0.4, 1.3), by one system for all coefficients."""
    tx, ty = x[places[0]], y[places[1]]
    (a, j), (b, k) = one_way(x, tx, kx), one_way(y, ty, ky)

    def fit(p: float) -> Any:
        root = np.exp(p / 2)
        system = np.kron(np.concatenate((a, root * j)), np.concatenate((b, root * k)))
        goal = np.zeros((len(a) + len(j), len(b) + len(k)))
        goal[: len(a), : len(b)] = z
        return np.linalg.lstsq(system, goal.ravel(), rcond=None)[0].reshape(a.shape[1], b.shape[1])

    p = brentq(lambda p: np.sum(np.square(z - a @ fit(p) @ b.T)) - s, -30.0, 20.0, xtol=1e-14)
    c = fit(p)
    return BSpline(tx, np.eye(len(c)), kx)(0.4) @ c @ BSpline(ty, np.eye(c.shape[1]), ky)(1.3)


@pytest.mark.parametrize(("kx", "ky", "s"), [(3, 3, 0.9), (2, 3, 0.8), (1, 2, 0.7)])
def test_by_sites_values_and_s(kx: int, ky: int, s: Any) -> None:
    def value(x: Any, y: Any, z: Any, s: Any) -> Any:
        return RectBivariateSpline(x, y, z, kx=kx, ky=ky, s=s)(0.4, 1.3)[0, 0]

    found = RectBivariateSpline(X, Y, Z, kx=kx, ky=ky, s=s)
    assert found.fp == pytest.approx(s, rel=1e-3)
    places = [np.searchsorted(at, t) for at, t in zip((X, Y), found.get_knots(), strict=True)]
    assert value(X, Y, Z, s) == pytest.approx(exactly(X, Y, Z, s, places, kx, ky), abs=1e-2)
    gradient = cr.grad(value, argnums=(0, 1, 2, 3))(X, Y, Z, s)
    for i, (at, by) in enumerate(zip((X, Y, Z, s), gradient, strict=True)):
        direction = normal(*np.shape(at), seed=i)
        ends: Any = [[X, Y, Z, s] for _ in range(2)]
        for sign, moved in zip((1, -1), ends, strict=True):
            moved[i] = at + sign * 1e-5 * direction
        slope = np.subtract(*[exactly(x, y, z, s_, places, kx, ky) for x, y, z, s_ in ends]) / 2e-5
        assert np.sum(by * direction) == pytest.approx(slope, rel=1e-2, abs=1e-3)


def test_the_sum_of_squares_is_s() -> None:
    fp = cr.grad(lambda z, s: RectBivariateSpline(X, Y, z, s=s).get_residual(), argnums=(0, 1))
    by_values, by_s = fp(Z, 0.9)
    np.testing.assert_allclose(by_values, np.zeros((9, 11)), atol=1e-8)
    assert by_s == pytest.approx(1.0)


def test_one_polynomial_where_that_is_smooth_enough() -> None:
    check_grads(lambda x, z: RectBivariateSpline(x, Y, z, s=60.0)(0.4, 1.3), X, Z, order=1)

"""Second derivatives through rules that are called, of functions that are linear in what moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import ndimage, signal, sparse
from scipy.interpolate import CubicSpline, KroghInterpolator, make_interp_spline
from scipy.spatial.transform import Rotation

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

X = np.array([0.3, -0.75, 1.1, 0.2, -1.43, 0.6])
SITES, POINTS = np.linspace(0.0, 1.0, 6), np.array([0.05, 0.31, 0.62, 0.77, 0.93])
LAPLACE = sparse.diags([-np.ones(5), 2.0 * np.ones(6), -np.ones(5)], [-1, 0, 1], format="csr")
TURN = Rotation.from_rotvec([0.3, 0.1, -0.2])


def spline(x: Any) -> Any:
    return np.sum(CubicSpline(SITES, x * x)(POINTS) ** 3)


def b_spline(x: Any) -> Any:
    return np.sum(np.exp(make_interp_spline(SITES, np.sin(x))(POINTS)))


def polynomial(x: Any) -> Any:
    return KroghInterpolator(SITES, x)(0.45) ** 3 * x[0]


def smoothed(x: Any) -> Any:
    return np.sum(signal.savgol_filter(x * x, 5, 2) ** 2)


def blurred(x: Any) -> Any:
    return np.sum(ndimage.gaussian_filter1d(x * x, 1.0) ** 3)


def product(x: Any) -> Any:
    return x @ (LAPLACE @ (x * x)) + np.sum((LAPLACE @ np.stack((x, x**2), axis=1)) ** 3)


def turned(x: Any) -> Any:
    return np.sum(TURN.apply(np.reshape(x * x, (2, 3))) ** 3)


def sites_too(x: Any) -> Any:
    return np.sum(CubicSpline(SITES + 0.01 * x, x * x)(POINTS) ** 2)


def points_too(x: Any) -> Any:
    return np.sum(CubicSpline(SITES, x)(POINTS + 0.01 * x[:5]) ** 3)


PROGRAMS: list[Callable[[Any], Any]] = [
    *(spline, b_spline, polynomial, smoothed, blurred, product, turned, sites_too, points_too),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_products_and_hessians(f: Any) -> None:
    v = np.array([0.2, -1.0, 0.4, 0.6, -0.3, 0.5])
    with specialised_after(1, early=True):
        for x in (X, 1.1 * X, X[::-1].copy(), np.zeros(6), X):
            steps = 1e-5 * np.eye(6)
            expected = np.array([(cr.grad(f)(x + d) - cr.grad(f)(x - d)) / 2e-5 for d in steps])
            for _ in range(2):
                np.testing.assert_allclose(cr.hvp(f, x, v), expected @ v, rtol=1e-5, atol=1e-5)
                np.testing.assert_allclose(cr.hessian(f)(x), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("f", [spline, b_spline, smoothed, product, turned])
def test_a_text_has_them(f: Any) -> None:
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for k in range(3):
            cr.hvp(f, X * (1.0 + 0.1 * k), X)
    assert met == []

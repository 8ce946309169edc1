"""Smoothing splines: exact fits against differences, smoothed ones against a dense solver of their own."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import BSpline, make_smoothing_spline, make_splrep, splrep
from scipy.optimize import brentq
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_rule

X = np.array([0.0, 0.7, 1.5, 2.2, 2.9, 3.3, 4.0, 4.4, 5.1])
Y, W = np.sin(2 * X) + 0.2 * normal(9), np.linspace(1.0, 2.0, 9)
CASES = [
    *(case(splrep, X[:6], Y[:6], k=k) for k in (2, 3)),
    case(splrep, X[:6], Y[:6], xb=-0.5, xe=4.0),
    case(splrep, X, Y, W, t=np.array([1.3, 2.8])),
    case(splrep, X, Y, s=50.0, why="one polynomial"),
    case(make_splrep, X[:6], Y[:6]),
    *(case(make_smoothing_spline, X[:6], Y[:6], W[:6], lam) for lam in (0.3, 0.01)),
    case(make_smoothing_spline, X[:6], normal(2, 6), lam=0.1, axis=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def exactly(x: Any, y: Any, w: Any, s: Any, t: Any, k: int) -> Any:
    """Values at 1.9 of the smoothing spline with knots t, by dense matrices and an exact root."""
    basis = BSpline.design_matrix(x, t, k, extrapolate=True).toarray()
    inner = np.unique(t)[1:-1]
    highest = [BSpline(t, e, k).derivative(k) for e in np.eye(len(t) - k - 1)]
    jumps = np.array([f(inner + 1e-9) - f(inner - 1e-9) for f in highest]).T

    def fit(p: float) -> Any:
        system = np.concatenate((w[:, None] * basis, np.exp(p) * jumps))
        return np.linalg.lstsq(system, np.concatenate((w * y, np.zeros(len(jumps)))), rcond=None)[0]

    p = brentq(lambda p: np.sum(np.square(w * (y - basis @ fit(p)))) - s, -20.0, 10.0, xtol=1e-14)
    return BSpline(t, fit(p), k)(1.9)


@pytest.mark.parametrize("make", [splrep, make_splrep])
def test_a_smoothing_spline_by_values_weights_sites_and_s(make: Any) -> None:
    def value(x: Any, y: Any, w: Any, s: Any) -> Any:
        found = make(x, y, w=w, s=s)
        t, c, k = found if isinstance(found, tuple) else (found.t, found.c, found.k)
        return BSpline(t, c[: len(t) - k - 1], k)(1.9)

    s: Any = 0.4
    t = splrep(X, Y, W, s=s)[0]
    assert 8 < len(t) < 13
    which = np.searchsorted(X, t)
    gradient = cr.grad(value, argnums=(0, 1, 2, 3))(X, Y, W, s)
    for i, (at, by) in enumerate(zip((X, Y, W, s), gradient, strict=True)):
        direction = normal(*np.shape(at), seed=i)
        ends: Any = [[X, Y, W, s] for _ in range(2)]
        for sign, moved in zip((1, -1), ends, strict=True):
            moved[i] = at + sign * 1e-5 * direction
        slope = np.subtract(*[exactly(x, y, w, s, x[which], 3) for x, y, w, s in ends]) / 2e-5
        near = (
            1e-5 if i else 1e-3
        )  # knots move with the sites, under coefficients that meet s to a thousandth
        assert np.sum(by * direction) == pytest.approx(slope, rel=near)


@pytest.mark.parametrize("lam", [None, 0.0])
def test_a_factor_that_scipy_chooses_and_none_are_refused(lam: Any) -> None:
    with pytest.raises(cr.UnsupportedArgument, match="lam"):
        cr.grad(lambda y: make_smoothing_spline(X, y, lam=lam)(1.0)[()])(Y)


def test_a_system_near_to_a_singular_one_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="singular"):
        cr.grad(lambda y: make_smoothing_spline(X, y, lam=1e-15)(1.0)[()])(Y)


@pytest.mark.parametrize("option", ["per", "full_output"])
def test_options_without_rules_are_refused(option: str) -> None:
    closed = np.append(Y[:-1], Y[0])
    with pytest.raises(cr.UnsupportedArgument, match=option):
        cr.grad(lambda y: np.sum(splrep(X, y, **{option: 1})[1]))(closed)

"""How a minimum moves: runs in which its parameters stand still, by what is asked for alone."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running import minima
from chainrules.engines.specialised.running.entry import Settings

T = np.linspace(0.0, 2.0, 40)
DATA = 2.0 * np.exp(-0.7 * T) + 0.1 * np.cos(7 * T)


def fitted(data: Any, t: Any, weight: Any) -> Any:
    def misfit(p: Any) -> Any:
        return p[0] * np.exp(-p[1] * t) - data + weight * p[0] ** 2

    return optimize.least_squares(misfit, np.array([1.0, 1.0]), xtol=1e-12, ftol=1e-14).x[1]


def alone(data: Any, t: Any, weight: Any) -> Any:
    found = optimize.minimize(
        lambda p: np.sum((p - data[:1]) ** 2 + t[1] * weight * p**4), np.zeros(1), tol=1e-12
    )
    return found.x[0]


def number(data: Any, t: Any, weight: Any) -> Any:
    def misfit(a: Any) -> Any:
        return np.sum((np.exp(-a * t) - data) ** 2) + weight * a**2

    return optimize.minimize_scalar(misfit, bracket=(0.1, 1.0), tol=1e-12).x


def differences(f: Any, x: tuple[Any, ...], i: int, step: float = 1e-3) -> Any:
    found = np.zeros(np.shape(x[i]))
    for k in np.ndindex(np.shape(x[i])):
        e = np.zeros(np.shape(x[i]))
        e[k] = step
        ahead, behind = ((*x[:i], x[i] + s * e, *x[i + 1 :]) for s in (1, -1))
        found[k] = (f(*ahead) - f(*behind)) / (2 * step)
    return found


@pytest.mark.parametrize("f", [fitted, alone, number])
@pytest.mark.parametrize("argnums", [(0,), (1,), (2,), (0, 2)])
def test_by_what_is_asked_for(f: Any, argnums: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[tuple[int, ...]] = []
    name = "multiples" if f is number else "cotangents"
    cotangents = getattr(minima.OfMinimum, name)

    def noted(self: Any, *given: Any) -> Any:
        found = cotangents(self, *given)
        used.append(self.floating)
        assert f is not fitted or self.mixed is not None
        return found

    monkeypatch.setattr(minima.OfMinimum, name, noted)
    gradient = cr.grad(f, argnums)
    for _ in range(2 * Settings.runs + 2):
        gradient(DATA, T, 0.3)
    for x in ((DATA, T, 0.3), (DATA[::-1] * 0.5 + 1.0, T + 0.1, 0.7)):
        found = gradient(*x)
        for i, gradient_by in zip(argnums, found, strict=True):
            np.testing.assert_allclose(gradient_by, differences(f, x, i), rtol=1e-3, atol=2e-5)
    assert len(used[-1]) == 1 + len(argnums)


def decay(t: Any, a: Any, b: Any) -> Any:
    return a * np.exp(-b * t)


def curve(data: Any) -> Any:
    p, _ = optimize.curve_fit(decay, T, data, p0=(1.0, 1.0))
    return p[0] * p[1]


def curve_and_spread(data: Any) -> Any:
    p, spread = optimize.curve_fit(decay, T, data, p0=(1.0, 1.0))
    return p[0] * np.sqrt(spread[1, 1])


@pytest.mark.parametrize(("f", "calls"), [(curve, 1), (curve_and_spread, 2)])
def test_a_covariance_that_nobody_reads_is_left_out(f: Any, calls: int) -> None:
    for _ in range(Settings.runs + 2):
        gradient = cr.grad(f)(DATA)
    np.testing.assert_allclose(gradient, differences(f, (DATA,), 0), rtol=1e-3, atol=1e-6)
    text = cr.derivative_source(f, DATA, mode="specialised")
    assert len(re.findall(r"handed_rrule_\d+_\(", text)) == calls


def test_bounds_that_are_infinite() -> None:
    from chainrules.rules.scipy.optimize.fits import are_infinite

    open_ = np.array([-np.inf, np.inf])
    assert are_infinite(-np.inf, np.inf)
    assert are_infinite(open_, [np.inf, np.inf], np.float64(np.inf))
    assert not are_infinite(-np.inf, 3)
    assert not are_infinite(-np.inf, np.nan)
    assert not are_infinite(open_, np.array([0.0, np.inf]))

"""Sums and series against closed forms, in both modes and orders; what is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special

import chainrules as cr

RATES = np.array([1.0, 2.0])


def zeta_and_slope(s: float) -> tuple[float, float]:
    """ζ(s), and ζ′(s) by the terms up to n and the integral of the rest [DLMF 25.2.9]."""
    k = np.arange(1.0, 2e5)
    n = k[-1] + 0.5
    rest = -(n ** (1 - s)) * (np.log(n) / (s - 1) + 1 / (s - 1) ** 2)
    return special.zeta(s), -np.sum(np.log(k) * k**-s) + rest


# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "finite, args": (
        lambda t: integrate.nsum(lambda k, s: s**k / k, 1, 3, args=(t,)).sum,
        lambda t: t + t**2 / 2 + t**3 / 3,
    ),
    "sums of different lengths": (
        lambda t: np.sum(integrate.nsum(lambda k: t**k, 1.0, RATES).sum ** 2),
        lambda t: t**2 + (t + t * t) ** 2,
    ),
    "an empty one": (lambda t: t + integrate.nsum(lambda k: t**k, 3, 1).sum, lambda t: t),
    "a geometric series, and a step": (
        lambda t: integrate.nsum(lambda k: np.exp(-t * k), 0, np.inf, step=t).sum,
        lambda t: 1 / (1 - np.exp(-t * t)),
    ),
    "where it begins": (
        lambda t: integrate.nsum(lambda k: 1 / k**3, t, np.inf).sum,
        lambda t: -special.polygamma(2, t) / 2,
    ),
    "an array": (
        lambda t: np.sum(integrate.nsum(lambda k, r: np.exp(-r * k), 1, np.inf, args=(t * RATES,)).sum),
        lambda t: np.sum(1 / np.expm1(t * RATES)),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    f, closed = PROGRAMS[name]
    assert f(1.3) == pytest.approx(closed(1.3), rel=1e-9)
    assert cr.grad(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=1e-8)
    assert cr.derivative(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=1e-8)


@pytest.mark.parametrize("name", ["finite, args", "a geometric series, and a step"])
def test_second_order(name):
    f, closed = PROGRAMS[name]
    expected = cr.grad(cr.grad(closed))(1.3)
    assert cr.grad(cr.grad(f))(1.3) == pytest.approx(expected, rel=1e-8)


def test_a_series_that_falls_off_slowly():
    def f(s):
        return integrate.nsum(lambda k: 1 / k**s, 1, np.inf).sum

    value, slope = zeta_and_slope(1.5)
    assert f(1.5) == pytest.approx(value, rel=1e-8)
    assert cr.grad(f)(1.5) == pytest.approx(slope, rel=1e-8)


def test_what_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="log"):
        cr.grad(lambda t: integrate.nsum(lambda k: -t * k, 0, np.inf, log=True).sum)(1.0)
    with pytest.raises(cr.UnsupportedArgument, match="to −∞"):
        cr.grad(lambda t: integrate.nsum(lambda k: np.exp(t * k), -np.inf, 0).sum)(1.0)
    with pytest.raises(cr.UnsupportedArgument, match="2000 terms"):
        cr.grad(lambda t: integrate.nsum(lambda k: np.exp(-t * k), 1, 2000, maxterms=100).sum)(2.0)
    with pytest.raises(cr.ChainRulesError, match="error"):
        cr.grad(lambda t: integrate.nsum(lambda k: np.exp(-t * k), 0, np.inf).error)(1.0)

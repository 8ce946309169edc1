"""Many integrals at once against closed forms, in both modes and orders."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate

import chainrules as cr
from chainrules.core import UnsupportedArgument

TOLERANCE = np.finfo(float).eps ** 0.75  # tanhsinh's own
RATES = np.array([1.0, 2.0])

# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "args": (
        lambda t: np.sum(
            integrate.tanhsinh(lambda x, k: np.exp(-k * x), 0.0, 1.0, args=(t * RATES,)).integral
        ),
        lambda t: np.sum((1 - np.exp(-t * RATES)) / (t * RATES)),
    ),
    "limits that differ": (
        lambda t: np.sum(integrate.tanhsinh(lambda x: t * x, 0.0, t * RATES).integral ** 2),
        lambda t: np.sum((t**3 * RATES**2 / 2) ** 2),
    ),
    "an infinite limit": (
        lambda t: integrate.tanhsinh(lambda x: np.exp(-t * x), t, np.inf).integral,
        lambda t: np.exp(-t * t) / t,
    ),
    "both infinite": (
        lambda t: integrate.tanhsinh(lambda x: np.exp(-t * x * x), -np.inf, np.inf).integral,
        lambda t: np.sqrt(np.pi / t),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    f, closed = PROGRAMS[name]
    assert f(1.3) == pytest.approx(closed(1.3), rel=1e-9)
    assert cr.grad(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=10 * TOLERANCE)
    assert cr.derivative(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=10 * TOLERANCE)


def test_second_order():
    f, closed = PROGRAMS["args"]
    expected = cr.grad(cr.grad(closed))(1.3)
    assert cr.derivative(cr.grad(f))(1.3) == pytest.approx(expected, rel=1e-7)


def test_what_is_refused():
    with pytest.raises(UnsupportedArgument, match="log"):
        cr.grad(lambda t: integrate.tanhsinh(lambda x: t * x, 0.0, 1.0, log=True).integral.real)(1.0)
    ends = np.array([1.0, np.inf])
    with pytest.raises(UnsupportedArgument, match="differ in which limits"):
        cr.grad(lambda t: np.sum(integrate.tanhsinh(lambda x: np.exp(-t * x), 0.0, ends).integral))(1.0)
    with pytest.raises(cr.ChainRulesError, match="error"):
        cr.grad(lambda t: integrate.tanhsinh(lambda x: np.exp(t * x), 0.0, 1.0).error)(1.0)

"""Triple integrals by parameters and limits, against closed forms, in both modes and orders."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate

import chainrules as cr


def of(f, a, b, *limits, **options):
    return integrate.tplquad(f, a, b, *limits, **options)[0]


# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "args": (
        lambda t: of(lambda z, y, x, k: k * x * y * z, 0, 1, 0, 1, 0, 1, args=(t,)),
        lambda t: t / 8,
    ),
    "captured, with limits that are numbers": (
        lambda t: of(lambda z, y, x: np.exp(-t * (x + y + z)), 0, t, 0, 1, t, 2),
        lambda t: (1 - np.exp(-t * t)) * (1 - np.exp(-t)) * (np.exp(-t * t) - np.exp(-2 * t)) / t**3,
    ),
    "limits that are functions": (
        lambda t: of(
            lambda z, y, x: x * z, 0, 1, 0.0, lambda x: t * x, lambda x, y: 0.0, lambda x, y: x + t * y
        ),
        lambda t: ((1 + t * t) ** 3 - 1) / (6 * t) / 5,
    ),
    "an infinite limit": (
        lambda t: of(lambda z, y, x: np.exp(-t * x) * y * z * z, t, np.inf, 0, 1, 0, 1),
        lambda t: np.exp(-t * t) / t / 6,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    f, closed = PROGRAMS[name]
    assert f(1.3) == pytest.approx(closed(1.3), rel=1e-8)
    assert cr.grad(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=1e-8)
    assert cr.derivative(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=1e-8)


def test_second_order():
    f, closed = PROGRAMS["captured, with limits that are numbers"]
    expected = cr.grad(cr.grad(closed))(1.3)
    assert cr.grad(cr.grad(f))(1.3) == pytest.approx(expected, rel=1e-7)
    assert cr.derivative(cr.grad(f))(1.3) == pytest.approx(expected, rel=1e-7)


def test_a_function_of_numbers_alone():
    def f(t):
        """One point at a time, as math.sin takes no array."""
        return of(lambda z, y, x: math.sin(t * x) * y * z, 0, 1, 0, 1, 0, 1)

    assert cr.derivative(f)(1.3) == pytest.approx(
        (math.sin(1.3) * 1.3 + math.cos(1.3) - 1) / 1.3**2 / 4, rel=1e-8
    )


def test_what_is_refused():
    with pytest.raises(cr.ChainRulesError, match="of the error"):
        cr.grad(lambda t: integrate.tplquad(lambda z, y, x: t * x, 0, 1, 0, 1, 0, 1)[1])(1.0)
    with pytest.raises(cr.UnsupportedArgument, match="exchange the limits"):
        cr.grad(lambda t: of(lambda z, y, x: np.exp(-t * x), np.inf, 0.0, 0, 1, 0, 1))(1.0)

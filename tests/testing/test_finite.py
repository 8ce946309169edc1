"""Finite differences against closed forms, and their error estimates against the truth."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from chainrules.tangents import Composite, Zero
from chainrules.testing import DifferencesError, checking, jvp, vjp
from chainrules.testing.richardson import Side, derivative

# (name, g, derivative at zero, relative error allowed)
SCALARS: list[tuple[str, Any, float, float]] = [
    ("exponential", lambda t: math.exp(2 * t), 2.0, 1e-12),
    ("line", lambda t: 3 * t + 1, 3.0, 1e-14),
    ("logarithm next to zero", lambda t: math.log(1e-3 + t), 1e3, 1e-10),
    ("pole next to it", lambda t: 1 / (1e-3 + t), -1e6, 1e-10),
    ("root next to its edge", lambda t: math.sqrt(0.05 + t), 0.5 / math.sqrt(0.05), 1e-12),
    ("fast wave", lambda t: math.sin(1e3 * t + 0.3), 1e3 * math.cos(0.3), 1e-10),
    ("wave far out", lambda t: math.sin(t + 1e8), math.cos(1e8), 1e-9),
    ("corner next to it", lambda t: abs(t - 0.03), -1.0, 1e-12),
    ("steps", lambda t: math.floor(2.05 + t) + t, 1.0, 1e-12),
    ("stairs that fit the steps", lambda t: round(2.343 + 1.3 * t, 2), 0.0, 0.0),
    ("many stairs", lambda t: math.floor(1e3 * t + 0.3) / 1e3 + t, 1.0, 1e-12),
    ("cubic", lambda t: 1e3 * t**3, 0.0, 0.0),
    ("steep power", lambda t: (1 + t) ** 1000, 1000.0, 1e-10),
    ("tangent", lambda t: math.tan(1.5 + t), 1 / math.cos(1.5) ** 2, 1e-12),
]


@pytest.mark.parametrize("row", SCALARS, ids=[row[0] for row in SCALARS])
def test_derivatives_of_one_variable(row):
    _, g, want, allowed = row
    value, error = derivative(lambda t: np.array([g(t)]))
    assert abs(value[0] - want) <= allowed * abs(want)
    assert abs(value[0] - want) <= 3 * error[0] + 1e-15 * abs(want)


def test_every_component_takes_the_step_that_is_best_for_it():
    value, error = derivative(lambda t: np.array([np.sin(1 + t), abs(t - 0.01), 7.0, 1e6 * t]))
    assert value == pytest.approx([np.cos(1), -1, 0, 1e6], rel=1e-11, abs=1e-11)
    assert np.all(error < 1e-8)


@pytest.mark.parametrize(("side", "sign"), [("right", 1), ("left", -1)])
def test_one_side_never_looks_at_the_other(side: Side, sign: int):
    seen = []

    def g(t: float) -> np.ndarray[Any, Any]:
        seen.append(sign * t)
        return np.array([math.exp(3 * t)])

    assert derivative(g, side=side).value[0] == pytest.approx(3, rel=1e-10)
    assert min(seen) >= 0


def test_rounding_makes_the_error_large_and_says_so():
    value, error = derivative(lambda t: np.array([1e12 + np.sin(t)]))
    assert abs(value[0] - 1) < error[0] < 0.1


def test_no_finite_values_is_an_error_with_its_reason():
    def g(t: float) -> np.ndarray[Any, Any]:
        raise ValueError("outside")

    with pytest.raises(DifferencesError, match="outside"):
        derivative(g)
    with pytest.raises(DifferencesError, match="one side"):
        derivative(lambda t: np.array([math.nan]))


@dataclass
class Spring:
    stiffness: float
    at: np.ndarray[Any, Any]
    name: str = "spring"


def test_along_a_structured_direction():
    spring = Spring(2.0, np.array([1.0, -2.0]))
    dx = Composite[Spring](stiffness=0.5, at=np.array([1.0, 3.0]))
    slope = jvp(lambda s: {"energy": s.stiffness * np.sum(s.at**2) / 2, "name": s.name}, (spring,), (dx,))
    assert slope.tangent["energy"] == pytest.approx(0.5 * 5 / 2 + 2.0 * (1 * 1 - 2 * 3), rel=1e-11)
    assert slope.error < 1e-10


def test_a_direction_that_is_zero_in_an_argument_leaves_it_alone():
    slope = jvp(lambda a, n, flag: a**n if flag else a, (2.0, 3, True), (1.0, Zero(), Zero()))
    assert slope.tangent == pytest.approx(12.0, rel=1e-12)


def test_complex_numbers_move_along_complex_tangents():
    z, dz = 0.5 + 1j, 2.0 - 1j
    assert jvp(np.exp, (z,), (dz,)).tangent == pytest.approx(np.exp(z) * dz, rel=1e-11)
    assert jvp(abs, (z,), (dz,)).tangent == pytest.approx((z.conjugate() * dz).real / abs(z), rel=1e-11)


def test_single_precision_is_computed_in_double_where_it_can_be():
    x = np.array([0.3, 0.7], np.float32)
    slope = jvp(np.sin, (x,), (np.ones(2, np.float32),))
    assert slope.tangent.dtype == np.float32
    assert slope.error < 1e-9

    def strict(x: np.ndarray[Any, Any]) -> Any:
        if x.dtype != np.float32:
            raise TypeError("float32 only")
        return np.sin(x)

    slope = jvp(strict, (x,), (np.ones(2, np.float32),))
    assert slope.tangent == pytest.approx(np.cos(x), rel=1e-4)
    assert 1e-9 < slope.error < 1e-3


def test_a_projected_cotangent_takes_few_evaluations():
    calls = []

    def f(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        calls.append(1)
        return np.cumsum(np.sin(x))

    x, dx, y_bar = np.linspace(0, 1, 1000), np.linspace(1, 2, 1000), np.linspace(-1, 1, 1000)
    value, error = vjp(f, (x,), y_bar, (dx,))
    assert value == pytest.approx(float(y_bar @ np.cumsum(np.cos(x) * dx)), rel=1e-11)
    assert error < 1e-6
    assert len(calls) < 30


def test_max_range_bounds_how_far_an_entry_moves():
    seen = []

    def f(x: float) -> float:
        seen.append(abs(x - 5.0))
        return x**2

    with checking(max_range=1e-3):
        assert jvp(f, (5.0,), (3.0,)).tangent == pytest.approx(30.0, rel=1e-9)
    assert max(seen) <= 1e-3 * (1 + 1e-9)


def test_the_domain_is_not_left_with_a_warning():
    assert jvp(np.log, (1e-5,), (1.0,)).tangent == pytest.approx(1e5, rel=1e-9)

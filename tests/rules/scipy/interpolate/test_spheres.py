"""Surfaces on a sphere: near scattered values and through a grid, at points and on grids, and refusals."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import (
    LSQSphereBivariateSpline,
    RectSphereBivariateSpline,
    SmoothSphereBivariateSpline,
)
from scipy.interpolate._fitpack2 import SphereBivariateSpline
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_grads, check_rule

RNG = np.random.default_rng(0)
THETA, PHI = RNG.uniform(0.05, 3.1, 90), RNG.uniform(0.0, 6.28, 90)
R = np.sin(THETA) * np.cos(PHI) + np.cos(THETA) ** 2 + 0.1 * RNG.normal(size=90)
W = RNG.uniform(0.5, 2.0, 90)
TT, TP = np.array([0.9, 1.5, 2.2]), np.array([1.1, 2.3, 4.0, 5.1])
U, V = np.array([0.4, 0.9, 1.5, 2.1, 2.6]), np.array([-0.3, 0.8, 1.9, 2.9, 4.1, 5.0])
Z = np.cos(U)[:, None] + np.sin(V) + 0.1 * RNG.normal(size=(5, 6))
AT, TO = np.array([0.2, 1.0, 2.9]), np.array([0.3, 2.6, 6.0])
SMOOTH = SmoothSphereBivariateSpline(THETA, PHI, R, s=9.0)
NEAREST = LSQSphereBivariateSpline(THETA, PHI, R, TT, TP)
RECT = RectSphereBivariateSpline(U, V, Z)
CASES = [
    case(LSQSphereBivariateSpline.__call__, NEAREST, AT, TO),
    case(SmoothSphereBivariateSpline.__call__, SMOOTH, AT, TO, dtheta=1, grid=False),
    case(RectSphereBivariateSpline.__call__, RECT, AT, TO - 0.5, dphi=1),
    case(SphereBivariateSpline.__call__, NEAREST, AT, TO, grid=False),
    case(SphereBivariateSpline.ev, NEAREST, AT, TO),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_near_scattered_values_by_everything() -> None:
    def value(theta: Any, phi: Any, r: Any, tt: Any, tp: Any, w: Any) -> Any:
        surface = LSQSphereBivariateSpline(theta, phi, r, tt, tp, w)
        return surface.ev(AT, TO), surface.fp

    check_grads(value, THETA, PHI, R, TT, TP, W, order=1)


@pytest.mark.parametrize("count", [1, 2])
def test_few_knots_around(count: int) -> None:
    def value(r: Any, tp: Any) -> Any:
        return LSQSphereBivariateSpline(THETA, PHI, r, TT[:1], tp)(AT, TO)

    check_grads(value, R, TP[:count], order=1)


@pytest.mark.parametrize(
    "options", [{}, {"pole_continuity": True, "pole_flat": True}, {"pole_continuity": (True, False),
                                                                  "pole_flat": (True, False)}]
)  # fmt: skip
def test_through_a_grid_by_everything(options: Any) -> None:
    def value(u: Any, v: Any, z: Any, poles: Any) -> Any:
        surface = RectSphereBivariateSpline(u, v, z, pole_values=(poles[0], poles[1]), **options)
        return surface(AT, TO - 0.5)

    check_grads(value, U, V, Z, np.array([1.2, -0.7]), order=1)


def test_second_derivatives() -> None:
    def value(r: Any, at: Any) -> Any:
        return LSQSphereBivariateSpline(THETA, PHI, r * r, TT[:1], TP[:2]).ev(at, 0.8)

    v = 1.0 + 0.1 * R
    check_grads(cr.grad(value, (0, 1)), v, 0.4, order=1, modes=("fwd",))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "value at a pole"),
        ({"pole_values": (1.0, 1.0), "pole_continuity": True}, "slope at a smooth pole"),
        ({"pole_values": (1.0, 1.0), "s": 0.1}, "smoothing factor"),
    ],
)
def test_what_fitpack_estimates_is_refused(options: Any, why: str) -> None:
    with pytest.raises(cr.UnsupportedArgument, match=why):
        cr.grad(lambda z: RectSphereBivariateSpline(U, V, z, **options).ev(0.3, 0.4))(Z)


def test_knots_at_centres_of_gravity_are_refused() -> None:
    with pytest.raises(cr.NoRuleError, match="SmoothSphereBivariateSpline"):
        cr.grad(lambda r: SmoothSphereBivariateSpline(THETA, PHI, r, s=9.0).ev(0.3, 0.4))(R)

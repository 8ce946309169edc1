"""Surfaces: through values on a grid and near scattered ones, on a grid and at points, and outside."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import (
    BivariateSpline,
    LSQBivariateSpline,
    RectBivariateSpline,
    SmoothBivariateSpline,
    bisplev,
)
from scipy.interpolate._fitpack2 import _BivariateSplineBase as Surface
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X, Y = np.array([0.0, 0.7, 1.5, 2.3, 2.9]), np.array([0.0, 0.5, 1.1, 1.4, 2.0, 3.0])
Z, AT, TO = normal(5, 6), np.array([0.2, 1.9]), np.array([0.3, 1.2, 2.6])
SURFACE = RectBivariateSpline(X[:4], Y[:4], Z[:4, :4], ky=2)
TCK = (*SURFACE.tck, 3, 2)
RNG = np.random.default_rng(2)
U, V, W = RNG.uniform(0, 1, 30), RNG.uniform(0, 1, 30), RNG.uniform(0.5, 2.0, 30)
H = np.sin(3 * U) * V + 0.1 * RNG.normal(size=30)
CASES = [
    case(Surface.__call__, SURFACE, AT, TO),
    case(Surface.__call__, SURFACE, AT, TO[:2], dx=1, dy=1),
    case(Surface.__call__, SURFACE, AT, TO[:2], grid=False),
    case(Surface.__call__, SURFACE, AT, np.array([-1.0, 4.0]), grid=False, why="outside"),
    case(BivariateSpline.ev, SURFACE, AT, TO[:2], dy=1),
    case(BivariateSpline.integral, SURFACE, 0.2, 1.7, 0.4, 2.2),
    case(BivariateSpline.integral, SURFACE, 0.2, 7.0, 2.2, 0.4, why="outside, and backwards"),
    case(bisplev, AT, TO, TCK),
    case(bisplev, AT[:1], TO, TCK, dx=1, dy=1, why="one row"),
    case(bisplev, 0.2, -0.3, TCK, why="a number, outside"),
    case(Surface.get_knots, SURFACE),
    case(Surface.get_coeffs, SURFACE),
    case(Surface.get_residual, SURFACE),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(("kx", "ky"), [(3, 3), (2, 1), (1, 4)])
def test_through_a_grid_by_everything(kx: int, ky: int) -> None:
    def value(x: Any, y: Any, z: Any, at: Any, to: Any) -> Any:
        return RectBivariateSpline(x, y, z, kx=kx, ky=ky)(at, to)

    check_grads(value, X, Y, Z, AT, TO, order=1)


def test_second_derivatives() -> None:
    def value(x: Any, at: Any) -> Any:
        return RectBivariateSpline(x, Y[:3], Z[:4, :3], kx=3, ky=1).ev(at, 0.8)

    check_grads(cr.grad(value, (0, 1)), X[:4], 0.4, order=1, modes=("fwd",))


def test_borders_that_are_given() -> None:
    def value(x: Any, y: Any, z: Any) -> Any:
        return RectBivariateSpline(x, y, z, bbox=[-0.5, 3.5, -0.2, 3.3]).integral(-0.3, 3.2, 0.1, 2.0)

    check_grads(value, X, Y, Z, order=1)


def test_a_surface_that_is_a_derivative() -> None:
    check_grads(lambda z: RectBivariateSpline(X, Y, z).partial_derivative(1, 2)(AT, TO), Z, order=1)
    check_grads(lambda x, y: RectBivariateSpline(x, y, Z).partial_derivative(2, 0)(AT[:1], TO), X, Y, order=1)


@pytest.mark.parametrize("bbox", [(None,) * 4, (-0.1, 1.1, -0.2, 1.2)])
def test_near_scattered_values_by_everything(bbox: Any) -> None:
    def value(x: Any, y: Any, z: Any, tx: Any, ty: Any, w: Any) -> Any:
        surface = LSQBivariateSpline(x, y, z, tx, ty, w, bbox=list(bbox), kx=2, ky=1)
        return surface.ev(AT / 3, TO[:2] / 3), surface.fp

    check_grads(value, U, V, H, np.array([0.4]), np.array([0.3, 0.6]), W, order=1)


def test_knots_at_centres_of_gravity_are_refused() -> None:
    with pytest.raises(cr.NoRuleError, match="SmoothBivariateSpline"):
        cr.grad(lambda z: SmoothBivariateSpline(U, V, z, s=1.0).ev(0.3, 0.4))(H)


def test_a_fit_that_the_data_do_not_determine_is_refused() -> None:
    corner = U * 0.2
    with (
        pytest.warns(UserWarning, match="coefficients"),
        pytest.raises(cr.NotDifferentiableError, match="determine"),
    ):
        cr.grad(
            lambda z: np.sum(
                LSQBivariateSpline(corner, V, z, np.array([0.5]), np.array([0.5]), bbox=[0, 1, 0, 1])(AT, TO)
            )
        )(H)

"""Smooth surfaces over triangles: by points, values and places, at borders and outside."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CloughTocher2DInterpolator, griddata
from scipy.spatial import Delaunay
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

RNG = np.random.default_rng(5)
P, V, AT = RNG.uniform(-1, 1, (12, 2)), normal(12, 2), RNG.uniform(-0.4, 0.4, (5, 2))
EXACT = {"tol": 1e-14, "maxiter": 4000}
OUT = np.array([[0.1, 0.2], [3.0, 0.0]])


def surface(*data: Any, **how: Any) -> Any:
    """An object that has made of its triangulation what it makes at the first call."""
    made = CloughTocher2DInterpolator(*data, **EXACT, **how)
    made(np.zeros(2))
    return made


CASES = [
    case(CloughTocher2DInterpolator.__call__, surface(P, V), AT),
    case(CloughTocher2DInterpolator.__call__, surface(P, complex_normal(12), rescale=True), AT),
    case(CloughTocher2DInterpolator.__call__, surface(P, V), 0.1, np.array([0.2, 0.1])),
    case(CloughTocher2DInterpolator.__call__, surface(P, V, fill_value=2.0), OUT),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("rescale", [False, True])
def test_by_points_values_and_places(rescale: bool) -> None:
    check_grads(lambda p, v, at: surface(p, v, rescale=rescale)(at), P, V, AT, order=1)
    check_grads(lambda p, v: surface(p, v, rescale=rescale).grad, P, V, order=1)


def test_second_derivatives() -> None:
    def total(p: Any) -> Any:
        return np.sum(surface(p, V[:4, 0])(np.mean(P[:4], axis=0)))

    v = normal(4, 2)
    difference = (cr.grad(total)(P[:4] + 1e-5 * v) - cr.grad(total)(P[:4] - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(cr.hvp(total, P[:4], v), difference, rtol=1e-6, atol=1e-7)


def test_complex_values() -> None:
    check_grads(lambda p, v: surface(p, v)(AT), P, complex_normal(12), order=1)


def test_the_slopes_are_the_derivatives_at_the_data() -> None:
    made = surface(P, V)
    inner = Delaunay(P).simplices[0][0]
    slope = cr.jacobian(lambda at: made(at)[0])(P[inner])
    np.testing.assert_allclose(slope, made.grad[inner], rtol=1e-7)


def test_a_plane_has_its_own_slope_everywhere() -> None:
    slopes = cr.jacobian(lambda at: surface(P, P @ np.array([2.0, -3.0]))(at))(AT[0])
    np.testing.assert_allclose(np.reshape(slopes, 2), [2.0, -3.0])


def test_griddata() -> None:
    ours = cr.jacobian(lambda v: griddata(P, v, AT, method="cubic"))(V[:, 0])
    exact = surface(P, np.eye(12))(AT)
    np.testing.assert_allclose(ours, exact, atol=1e-5)


def test_a_point_in_no_triangle_has_no_part() -> None:
    points = np.concatenate((P, P[:1]))
    slope = cr.grad(lambda v: np.sum(surface(Delaunay(points), v)(AT)))(np.append(V[:, 0], V[0, 0]))
    np.testing.assert_allclose(
        slope[:12] + slope[12] * np.eye(12)[0], np.sum(surface(P, np.eye(12))(AT), axis=0)
    )
    assert slope[0] == 0.0 or slope[12] == 0.0


def test_outside_there_is_the_fill_value_with_derivative_zero() -> None:
    far = OUT[1:]
    value, slope = cr.value_and_grad(lambda v: np.sum(CloughTocher2DInterpolator(P, v, 7.0)(far)))(V[:, 0])
    assert value == 7.0
    np.testing.assert_array_equal(slope, np.zeros(12))


@pytest.mark.filterwarnings("ignore:Gradient estimation did not converge")
def test_slopes_that_did_not_converge_are_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="larger maxiter"):
        cr.grad(lambda v: np.sum(CloughTocher2DInterpolator(P, v, maxiter=1)(AT)))(V[:, 0])

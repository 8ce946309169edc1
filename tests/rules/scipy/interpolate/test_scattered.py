"""Values at scattered points: lines within simplices, nearest values, and what is outside."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator, griddata
from scipy.spatial import Delaunay
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

RNG = np.random.default_rng(5)
P, V, AT = RNG.uniform(-1, 1, (9, 2)), normal(9, 2), RNG.uniform(-0.3, 0.3, (2, 2))
LINE, SOLID = RNG.permutation(np.linspace(0.0, 2.0, 7)), RNG.uniform(-1, 1, (12, 3))
OUT = np.array([[0.1, 0.2], [3.0, 0.0]])


def lines(*data: Any, **how: Any) -> Any:
    """An object that has made of its triangulation what it makes at the first call."""
    made = LinearNDInterpolator(*data, **how)
    made(np.zeros(2))
    return made


CASES = [
    case(LinearNDInterpolator.__call__, lines(P, V), AT),
    case(LinearNDInterpolator.__call__, lines(P, complex_normal(9), rescale=True), AT),
    case(LinearNDInterpolator.__call__, lines(P, V), 0.1, np.array([0.2, 0.1])),
    case(LinearNDInterpolator.__call__, lines(P, V, fill_value=2.0), OUT),
    case(NearestNDInterpolator.__call__, NearestNDInterpolator(P, V, rescale=True), AT),
    case(NearestNDInterpolator.__call__, NearestNDInterpolator(P, V[:, 0]), AT, p=1),
    *(case(griddata, P, V, AT, method=method) for method in ("linear", "nearest")),
    *(case(griddata, LINE, V[:7], np.array([0.3, 1.1]), method=m) for m in ("linear", "nearest", "cubic")),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("rescale", [False, True])
def test_lines_by_points_values_and_places(rescale: bool) -> None:
    check_grads(lambda p, v, at: LinearNDInterpolator(p, v, rescale=rescale)(at), P, V, AT, order=1)
    check_grads(lambda p, v: LinearNDInterpolator(p, v, rescale=rescale).points, P, V, order=1)


def test_second_derivatives_in_three_dimensions() -> None:
    check_grads(lambda p, at: LinearNDInterpolator(p, V[:, 0][:4])(at), SOLID[:4], SOLID[:4].mean(0)[None])


def test_a_triangulation_that_is_given() -> None:
    check_grads(lambda p, v: LinearNDInterpolator(Delaunay(p), v)(AT), P, V, order=1)


def test_a_plane_has_its_own_slope_everywhere() -> None:
    slopes = cr.jacobian(lambda at: LinearNDInterpolator(P, P @ np.array([2.0, -3.0]))(at))(AT[0])
    np.testing.assert_allclose(np.reshape(slopes, 2), [2.0, -3.0])


def test_coordinates_in_a_tuple() -> None:
    check_grads(lambda x, y: griddata((P[:, 0], P[:, 1]), V, (x, y)), AT[:, 0], AT[:, 1], order=1)


def test_the_nearest_value_counts_alone() -> None:
    by_values, by_points, by_place = cr.grad(
        lambda v, p, at: np.sum(NearestNDInterpolator(p, v)(at)), argnums=(0, 1, 2)
    )(V[:, 0], P, AT[:1])
    assert np.sum(by_values) == np.max(by_values) == 1.0
    assert not np.any(by_points)
    assert not np.any(by_place)


def test_outside_there_is_the_fill_value_with_derivative_zero() -> None:
    value, slope = cr.value_and_grad(lambda v: np.sum(LinearNDInterpolator(P, v, 7.0)(OUT[1:])))(V[:, 0])
    assert value == 7.0
    np.testing.assert_array_equal(slope, np.zeros(9))
    far = OUT[1:]
    value, slope = cr.value_and_grad(
        lambda v: np.sum(NearestNDInterpolator(P, v)(far, distance_upper_bound=0.1))
    )(V[:, 0])
    assert np.isnan(value)
    np.testing.assert_array_equal(slope, np.zeros(9))

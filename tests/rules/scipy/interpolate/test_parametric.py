"""Curves in space: through points and near them, by points, weights, parameters and s."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import make_splprep, splev, splprep, splrep
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

T = np.linspace(0.0, 3.0, 14)
POINTS = np.stack((np.cos(T), np.sin(2 * T), T / 2)) + 0.1 * normal(3, 14)
W, U, AT = np.linspace(0.5, 2.0, 14), np.linspace(0.0, 1.0, 14) ** 1.2, np.array([0.2, 0.7])
CASES = [
    case(splprep, POINTS, s=0),
    case(splprep, POINTS[:2, :6], W[:6], k=2, s=0, why="weights do not count"),
    case(splprep, list(POINTS), None, U, s=1e3, why="a single polynomial"),
    case(make_splprep, POINTS),
    case(make_splprep, list(POINTS), w=W, u=U, s=1e3, ub=-0.1, ue=1.2, why="a single polynomial"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_through_points(k: int) -> None:
    def value(x: Any) -> Any:
        tck, u = splprep(x, s=0, k=k)
        return splev(AT, tck), u

    check_grads(value, POINTS, order=1)


def test_with_parameters_and_ends_that_are_given() -> None:
    def value(x: Any, u: Any) -> Any:
        return splev(AT, splprep(x, u=u, ub=-0.1, ue=1.2, s=0)[0])

    check_grads(value, POINTS, U, order=1)


def test_near_points() -> None:
    """SciPy meets s to a thousandth only: the derivative is held to that of a curve that meets it."""
    assert len(splprep(POINTS, w=W, u=U, s=0.3)[0][0]) > 8

    def left(x: Any, w: Any) -> Any:
        tck, u = splprep(x, w=w, u=U, s=0.3)
        return sum(np.sum((w * (row - fit)) ** 2) for row, fit in zip(x, splev(u, tck), strict=True))

    by_points, by_weights = cr.grad(left, argnums=(0, 1))(POINTS, W)
    np.testing.assert_allclose(by_points, 0.0, atol=1e-2)
    np.testing.assert_allclose(by_weights, 0.0, atol=1e-2)


def test_one_coordinate_is_as_of_a_spline_of_its_parameter() -> None:
    def curve(y: Any, u: Any, w: Any) -> Any:
        return np.sum(splev(AT, splprep([y], w=w, u=u, s=0.2)[0])[0])

    def spline(y: Any, u: Any, w: Any) -> Any:
        return np.sum(splev(AT, splrep(u, y, w=w, s=0.2)))

    for one, other in zip(
        cr.grad(curve, argnums=(0, 1, 2))(POINTS[0], U, W),
        cr.grad(spline, argnums=(0, 1, 2))(POINTS[0], U, W),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


def test_what_has_no_rule_is_refused() -> None:
    closed = np.concatenate((POINTS, POINTS[:, :1]), axis=1)
    for how in ({"per": 1}, {"full_output": 1}):
        with pytest.raises(cr.UnsupportedArgument, match="splprep"):
            cr.grad(lambda x, how=how: np.sum(splprep(x, s=0, **how)[1]))(closed)


def test_as_splprep_does() -> None:
    """Both smooth to the same s: the knots that they choose are the same here, and so is the derivative."""
    tangent = normal(3, 14, seed=2)

    def old(x: Any) -> Any:
        return splev(AT, splprep(x, w=W, s=0.3)[0])

    def new(x: Any) -> Any:
        return make_splprep(x, w=W, s=0.3)[0](AT)

    np.testing.assert_allclose(
        cr.jvp(new, (POINTS,), (tangent,))[1], cr.jvp(old, (POINTS,), (tangent,))[1], 1e-4
    )
    check_grads(lambda x, u: make_splprep(x, u=u, k=2)[0](AT), POINTS, U, order=1)

"""Grids: every method by values, places and points; descending places, several columns, and outside."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import NdBSpline, RegularGridInterpolator, interpn
from scipy.sparse.linalg import spsolve
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X, Y, Z = np.array([0.0, 0.7, 1.5, 2.9]), np.array([0.0, 1.0, 1.4, 2.0, 3.0]), np.array([0.0, 2.0])
V = normal(4, 5)
AT = np.array([[0.2, 1.6], [1.9, 0.3]])
OUT = np.array([[0.2, 1.7], [3.3, 0.3]])
T = tuple(np.concatenate(([-0.3, -0.1], x, [x[-1] + 0.1])) for x in (X[:3], Y[:3]))
SPLINE = NdBSpline(T, normal(4, 3), (1, 2))
SPLINES = ("slinear", "cubic", "quintic")


def grid(values: Any = V, **how: Any) -> Any:
    return RegularGridInterpolator((X, Y), values, **{"fill_value": 0.0, **how})


CASES = [
    case(NdBSpline, T, normal(4, 3), k=(1, 2)),
    *(case(NdBSpline.__call__, SPLINE, AT, nu=nu) for nu in (None, (0, 1))),
    case(NdBSpline.__call__, SPLINE, AT[1:] / 2, extrapolate=False),
    case(getattr, SPLINE, "c"),
    case(RegularGridInterpolator, (X, Y), V, fill_value=0.0),
    case(RegularGridInterpolator, (X[::-1], Y), normal(4, 5, 2), fill_value=0.0),
    *(case(RegularGridInterpolator.__call__, grid(method=m), AT) for m in ("linear", "nearest", "pchip")),
    case(RegularGridInterpolator.__call__, grid(bounds_error=False, fill_value=None), OUT),
    case(RegularGridInterpolator.__call__, grid(complex_normal(4, 5, 2)), AT),
    *(case(getattr, grid(), name) for name in ("grid", "values")),
    case(interpn, (X, Y), V, AT),
    case(interpn, (X, Y), V, (0.3, np.array([0.4, 1.7])), why="coordinates one by one"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("method", ["slinear", "cubic", "pchip"])
def test_programs_by_places_values_and_points(method: str) -> None:
    def value(x: Any, v: Any, at: Any) -> Any:
        if method == "pchip":
            return RegularGridInterpolator((x, Y), v, method)(at)
        return RegularGridInterpolator((x, Y), v, method, solver=spsolve)(at)

    check_grads(value, X, V, AT, order=1)


def test_a_spline_of_fifth_degree_and_its_derivative() -> None:
    def value(v: Any, at: Any) -> Any:
        return RegularGridInterpolator(
            (np.linspace(0.0, 1.0, 6), np.linspace(0.0, 2.0, 6)), v, "quintic", solver=spsolve
        )(at, nu=(1, 0))

    check_grads(value, normal(6, 6), AT[:1] / 3, order=1)


def test_another_method_than_that_of_the_object() -> None:
    check_grads(lambda v: grid(v)(AT, method="slinear"), V, order=1)


def test_second_derivatives_in_three_variables() -> None:
    """A product of lines has mixed ones only."""
    at, by = np.array([0.2, 1.7, 0.4]), np.meshgrid(X, Y, Z, indexing="ij")
    second = cr.hessian(lambda at: float(RegularGridInterpolator((X, Y, Z), by[0] * by[1] + by[2])(at)[0]))(
        at
    )
    np.testing.assert_allclose(second, [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], atol=1e-12)


def test_outside_there_is_a_constant() -> None:
    value, by_values = cr.value_and_grad(
        lambda v: np.sum(grid(v, bounds_error=False, fill_value=7.0)(OUT[1:]))
    )(V)
    assert value == 7.0
    np.testing.assert_array_equal(by_values, np.zeros_like(V))


@pytest.mark.parametrize("method", ["splinef2d", "cubic_legacy"])
def test_methods_without_rules_are_refused(method: str) -> None:
    with pytest.raises(cr.UnsupportedArgument, match=method):
        cr.grad(lambda v: np.sum(interpn((X, Y), v, AT, method=method)))(V)

"""Differences, gradients by coordinates, areas and unwrapped angles, against differences."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X = np.array([-1.0, 0.2, 0.9, 2.0])
CASES = [
    case(np.diff, normal(5)),
    case(np.diff, normal(2, 5).astype(np.float32), 2, 0),
    case(np.diff, normal(2, 5), 3, 1),
    case(np.diff, complex_normal(3), prepend=1.0, append=normal(2)),
    case(np.diff, normal(2, 3), n=2, axis=0, prepend=normal(1, 3), append=2.0),
    case(np.diff, normal(3), 0, why="no difference"),
    case(np.diff, normal(2), 5, why="nothing is left"),
    case(np.ediff1d, normal(2, 3)),
    case(np.ediff1d, normal(3), 2.0, normal(2)),
    case(np.ediff1d, complex_normal(3)),
    case(np.ediff1d, normal(3).astype(np.float32), to_begin=normal(1).astype(np.float32)),
    case(np.trapezoid, normal(2, 4), X),
    case(np.trapezoid, normal(4, 2), x=X, axis=0),
    case(np.trapezoid, complex_normal(3), dx=2.0),
    case(np.trapezoid, normal(3, 4), np.sort(normal(3, 4)), axis=0),
    case(np.trapezoid, normal(4).astype(np.float32)),
    *(case(np.gradient, normal(4), edge_order=e) for e in (1, 2)),
    *(case(np.gradient, normal(4), 0.5, edge_order=e) for e in (1, 2)),
    *(case(np.gradient, normal(4), X, edge_order=e) for e in (1, 2)),
    *(case(np.gradient, normal(3, 4).astype(np.float32), 0.5, X, edge_order=e) for e in (1, 2)),
    *(case(np.gradient, normal(3, 4), 2.0, axis=0, edge_order=e) for e in (1, 2)),
    *(case(np.gradient, complex_normal(3, 4), 2.0, 1.5, axis=(1, 0), edge_order=e) for e in (1, 2)),
    case(np.unwrap, 5 * normal(6)),
    case(np.unwrap, 5 * normal(3, 6).astype(np.float32), axis=0),
    case(np.unwrap, 5 * normal(6), discont=4.0, period=3.0),
]
PROGRAMS = {
    "diff": lambda x: np.diff(x * x, 2),
    "diff between ends": lambda x: np.diff(x * x, prepend=x[0] ** 2, append=x),
    "ediff1d": lambda x: np.ediff1d(x * x, x[0] ** 2),
    "trapezoid": lambda x: np.trapezoid(x**3, x),
    "gradient": lambda x: np.gradient(x**3, x),
    "unwrap": lambda x: np.unwrap(x**3),
}


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_second_order(name: str) -> None:
    check_grads(PROGRAMS[name], X)


def test_the_slope_of_a_parabola_is_exact_with_ends_of_second_order() -> None:
    dy = cr.jvp(lambda c: np.gradient(c * X**2, X, edge_order=2), (1.0,), (1.0,))[1]
    np.testing.assert_allclose(dy, 2 * X)


def test_uniform_coordinates_are_coordinates() -> None:
    even = np.arange(4.0)
    check_rule(np.gradient, normal(4), even)


@pytest.mark.parametrize(("args", "kwargs"), [((normal(3), 1.0, 2.0), {}), ((normal(2),), {"edge_order": 2})])
def test_what_numpy_refuses_is_refused_as_it_does(args: Any, kwargs: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        rrule_of(np.gradient, *args, **kwargs)


def test_small_integers_do_not_wrap_in_a_gradient() -> None:
    x = np.array([3, 1, 250], np.uint8)
    y, pullback = rrule_of(np.gradient, x)
    np.testing.assert_array_equal(y, np.gradient(x))
    assert pullback(np.ones(3))[0].dtype == np.float64

"""Interpolation: NumPy's values, differences, and the slopes at coordinates."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

XP = np.array([-1.0, 0.2, 1.0, 2.5])
FP = np.array([0.0, 1.0, 3.0, 2.0])
X = np.array([-2.0, -0.5, 0.7, 1.3, 3.0])
CASES = [
    case(np.interp, X, XP, normal(4)),
    case(np.interp, 0.7, XP, complex_normal(4)),
    case(np.interp, X[:, None].astype(np.float32), XP, normal(4), 5.0, 6.0),
    case(np.interp, X, XP, normal(4), right=6.0),
    case(np.interp, X, XP, normal(4), period=4.2),
    case(np.interp, X, XP.astype(np.float32), normal(4).astype(np.float32)),
    case(np.interp, X, np.array([0.1]), np.array([1.0]), why="one coordinate"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda x, f: np.interp(x * x, XP, f * f), X[:3], FP)
    check_grads(lambda xp: np.interp(0.7, xp, FP), XP)


@pytest.mark.parametrize("kwargs", [{}, {"period": 3.7}, {"left": 9.0}])
def test_values_are_numpys(kwargs: Any) -> None:
    x = np.linspace(-5, 5, 101)
    np.testing.assert_allclose(
        rrule_of(np.interp, x, XP, FP, **kwargs)[0], np.interp(x, XP, FP, **kwargs), atol=1e-14
    )


@pytest.mark.parametrize(
    ("x", "slope"), [(-1.0, 1 / 1.2), (0.2, 2 / 0.8), (2.5, -1 / 1.5), (-1.1, 0.0), (2.6, 0.0)]
)
def test_the_slope_at_a_coordinate_is_that_of_the_piece_to_the_right(x: float, slope: float) -> None:
    assert cr.grad(np.interp)(x, XP, FP) == pytest.approx(slope)


def test_beside_an_infinite_value_a_coordinate_has_its_own() -> None:
    fp = np.array([2.0, 1.0, np.inf])
    y, pullback = rrule_of(np.interp, 1.0, np.arange(3.0), fp)
    assert y == 1.0
    x_bar, _, fp_bar, *_ = pullback(1.0)
    assert x_bar == 0.0
    np.testing.assert_array_equal(fp_bar, [0.0, 1.0, 0.0])


def test_the_value_is_of_double_precision() -> None:
    one = np.ones(1, np.float32)
    assert rrule_of(np.interp, np.zeros(2), one, one)[0].dtype == np.interp(np.zeros(2), one, one).dtype


@pytest.mark.parametrize(
    "xp", [[0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0], [0.0, 1.0, 1.0, 1.0]]
)
def test_of_coordinates_that_are_the_same_the_last_has_the_value(xp: list[float]) -> None:
    x = np.array([-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0])
    np.testing.assert_array_equal(rrule_of(np.interp, x, np.array(xp), FP)[0], np.interp(x, xp, FP))
    check_grads(lambda fp: np.interp(x, np.array(xp), fp), FP, order=1)

"""B-splines: made, called, differentiated, integrated and converted; also by their knots."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import BSpline, PPoly
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

T, C = np.array([-0.6, -0.3, 0.0, 0.1, 0.9, 1.7, 2.2, 2.4, 3.0, 3.1]), normal(6)
AT = np.array([0.2, 1.4, 2.1, 3.3, -0.1])
S = BSpline(T, C, 3)
CASES = [
    case(BSpline, T, C, k=3),
    case(BSpline, T, normal(2, 6), k=3, axis=1),
    case(BSpline.construct_fast, T, C, k=3),
    case(BSpline.basis_element, T[:5]),
    *(case(BSpline.__call__, S, AT, nu=nu) for nu in (0, 1, 3, 4)),
    case(BSpline.__call__, BSpline(T, normal(2, 6), 3, axis=1), AT),
    case(BSpline.__call__, BSpline(T, normal(9), 0), AT, why="steps"),
    case(BSpline.__call__, S, AT, extrapolate="periodic"),
    case(BSpline.__call__, S, AT[:3], extrapolate=False),
    case(BSpline.derivative, S, nu=2),
    case(BSpline.antiderivative, S, nu=2),
    *(case(BSpline.integrate, S, 5.2, -7.3, extrapolate=how) for how in (True, False, "periodic")),
    *(case(getattr, S, name) for name in ("c", "t")),
    case(PPoly.from_spline, S),
    case(PPoly.from_spline, (T, C, 3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives_of_programs() -> None:
    check_grads(lambda t, c, at: BSpline(t, c, 3).derivative()(at), T, C, AT[:2])


def test_repeated_knots_at_the_ends() -> None:
    t = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 3.0])
    check_grads(lambda c, at: BSpline(t, c, 3)(at), C, np.array([0.5, 2.7]))
    assert cr.grad(lambda c: float(BSpline(t, c, 3)(3.0)))(C)[-1] == 1.0


def test_a_knot_belongs_to_the_piece_that_begins_there() -> None:
    hat = BSpline(np.array([-1.0, 0.0, 1.0, 2.0]), np.array([0.0, 3.0]), 1)
    assert cr.grad(lambda at: float(hat(at)))(0.0) == 3.0
    other = BSpline(np.array([-1.0, 0.0, 1.0, 2.0, 3.0]), np.array([0.0, 3.0, 1.0]), 1)
    assert cr.grad(lambda at: float(other(at)))(1.0) == -2.0

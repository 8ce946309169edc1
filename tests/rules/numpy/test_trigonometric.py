"""Trigonometric functions and their inverses against differences, and at their corners."""

import math

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of, uniform

from chainrules.testing import check_rule

NAMES = ["sin", "cos", "tan", "asin", "acos", "atan"]
CASES = [
    *(case(getattr(np, name), uniform(2, 3)) for name in NAMES),
    *(case(getattr(np, name), complex_normal(3)) for name in (*NAMES, "sinc")),
    *(case(getattr(math, name), -0.4) for name in NAMES),
    *(case(f, normal(3)) for f in (np.degrees, np.radians, np.rad2deg, np.deg2rad)),
    *(case(f, 0.3) for f in (math.degrees, math.radians)),
    case(np.arctan2, normal(2, 1), normal(3, seed=1)),
    *(case(math.atan2, y, -0.7) for y in (-0.3, 0.2, np.float32(0.3))),
    case(np.sinc, normal(2, 3)),
    case(np.sinc, np.array([0.0, 1e-9, 1e-4, 0.03, 0.05, 1.0, -2.0]), why="near zero and at integers"),
    case(np.sinc, np.float32(0.3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_arctan2_at_the_origin_and_where_squares_underflow():
    assert rrule_of(np.arctan2, 0.0, 0.0)[1](1.0) == (0.0, 0.0)
    assert rrule_of(np.arctan2, 1e-200, 1e-200)[1](1.0) == pytest.approx((5e199, -5e199))


def test_sinc_slope_near_zero_has_full_precision():
    for x in (1e-12, 1e-8, 1e-3, 0.0318, 0.0319):
        slope = frule_of(np.sinc, (x,), (1.0,))[1]
        t = math.pi * x  # (t cos t − sin t)/(x t) by an alternating series, summed exactly
        terms = ((-1) ** k * 2 * k * t ** (2 * k - 1) / math.factorial(2 * k + 1) for k in range(1, 12))
        assert slope == pytest.approx(math.pi * math.fsum(terms), rel=1e-12)


def test_infinite_slopes():
    for f in (np.arcsin, math.asin):
        assert rrule_of(f, 1.0)[1](1.0)[0] == math.inf
    _, pullback = rrule_of(np.arccos, np.array([1.0, 0.0]))
    np.testing.assert_array_equal(pullback(np.array([0.0, 1.0]))[0], [0.0, -1.0])

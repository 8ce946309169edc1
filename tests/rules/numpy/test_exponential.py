"""Exponentials, logarithms and hyperbolic functions against differences."""

import math

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of, uniform

from chainrules.testing import check_rule, with_tangent

ANYWHERE = ["exp", "exp2", "expm1", "sinh", "cosh", "tanh", "asinh"]
POSITIVE = ["log", "log2", "log10", "log1p", "atanh"]
CASES = [
    *(case(getattr(np, name), normal(2, 3)) for name in ANYWHERE),
    *(case(getattr(np, name), uniform(3)) for name in POSITIVE),
    *(case(getattr(np, name), complex_normal(3)) for name in (*ANYWHERE, *POSITIVE, "acosh")),
    *(case(getattr(math, name), 0.3) for name in (*ANYWHERE, *POSITIVE)),
    *(case(getattr(np, name), uniform(2).astype(np.float32)) for name in (*ANYWHERE, *POSITIVE)),
    case(np.exp, np.array(0.3), why="0-d"),
    case(np.exp, normal(0), why="empty"),
    case(np.exp, with_tangent(2, 1.0), why="an integer"),
    case(np.acosh, 1 + uniform(3)),
    case(math.acosh, 1.7),
    case(np.logaddexp, normal(2, 1), normal(3, seed=1)),
    case(np.logaddexp2, normal(3), 0.5),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_logaddexp_at_infinite_values():
    inf = math.inf
    for a, b, expected in [
        (-inf, 1.0, (0, 1)),
        (inf, 1.0, (1, 0)),
        (-inf, -inf, (1, 1)),
        (800.0, 0.0, (1, 0)),
    ]:
        assert rrule_of(np.logaddexp, a, b)[1](1.0) == expected


def test_infinite_slopes_meet_no_zero_cotangent():
    with np.errstate(divide="ignore"):
        for f, x in ((np.log, 0.0), (np.log2, 0.0), (np.log1p, -1.0), (np.arctanh, 1.0)):
            _, pullback = rrule_of(f, np.array([x, 0.5]))
            np.testing.assert_array_equal(pullback(np.array([0.0, 0.0]))[0], [0.0, 0.0])
    assert rrule_of(np.arccosh, 1.0)[1](1.0)[0] == math.inf


@pytest.mark.parametrize("f", [np.log, np.log2, np.log10, np.log1p, np.arctanh])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_where_there_is_no_value_there_is_no_derivative(f):
    x = np.array([-2.5, 0.5], np.float32)
    (x_bar,) = rrule_of(f, x)[1](np.ones(2, np.float32))
    assert np.isnan(x_bar[0])
    assert np.isfinite(x_bar[1])
    assert x_bar.dtype == np.float32
    assert np.isnan(frule_of(f, (-2.5,), (1.0,))[1])
    np.testing.assert_array_equal(rrule_of(f, x)[1](np.array([0.0, 0.0], np.float32))[0], [0, 0])


def test_the_slope_of_asinh_where_a_square_overflows():
    for f, x in ((np.asinh, 1e200), (math.asinh, -1e200), (np.asinh, np.float16(1000.0))):
        assert rrule_of(f, x)[1](type(x)(1.0))[0] == pytest.approx(1 / abs(float(x)), rel=1e-3)


@pytest.mark.parametrize("f", [np.expm1, math.expm1])
def test_the_slope_of_expm1_far_below_zero(f):
    assert rrule_of(f, -40.0)[1](1.0)[0] == pytest.approx(math.exp(-40.0), rel=1e-15)
    assert frule_of(f, (-40.0,), (1.0,))[1] == pytest.approx(math.exp(-40.0), rel=1e-15)

"""Arithmetic of numbers and arrays, against differences and at its corners."""

import math
import operator

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, held, normal, rrule_of, uniform

from chainrules.core import apply_rrule
from chainrules.tangents import NoTangent, Zero
from chainrules.testing import check_rule, with_tangent

BINARY = [np.add, np.subtract, np.multiply, np.divide, operator.add, operator.sub, operator.mul]
OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
CASES = [
    *(case(f, normal(2, 3), normal(2, 3, seed=1)) for f in BINARY),
    *(case(f, normal(3), normal(2, 1, seed=1), why="broadcast") for f in BINARY),
    *(case(f, complex_normal(3), complex_normal(3, seed=2)) for f in BINARY),
    *(case(f, normal(3), complex_normal(3, seed=2), why="real and complex") for f in BINARY),
    *(case(f, 0.7, -1.3) for f in (*OPERATORS[:4], operator.iadd, operator.isub, operator.imul)),
    *(case(f, 2.0, with_tangent(3, 1.0), why="int beside float") for f in OPERATORS),
    *(case(f, np.float32(0.7), normal(3).astype(np.float32), why="float32") for f in OPERATORS[:4]),
    *(case(f, normal(0), 2.0, why="empty") for f in OPERATORS),
    case(np.multiply, np.array(0.5), 2.0, why="0-d"),
    case(operator.mul, np.array([True, False]), 1.5, why="truth values"),
    case(operator.mul, 1j, 0.5),
    case(operator.mul, np.float64(0.3), np.arange(3), why="integer array"),
    case(np.multiply, [1.0, 2.0], 3.0, why="a list becomes an array"),
    case(np.add, 1.0, 2.0, dtype=None, why="an argument at its default"),
    *(case(f, uniform(2, 3), normal(3)) for f in (np.power, np.float_power, operator.pow)),
    *(case(operator.pow, normal(3), held(p), why="negative base") for p in (2, 3, -1, 2.0)),
    *(case(f, 2.5, 1.5) for f in (operator.pow, operator.ipow, pow, math.pow, operator.itruediv)),
    case(np.power, complex_normal(3), complex_normal(3, seed=2)),
    case(np.power, uniform(3), complex_normal(3)),
    case(operator.pow, 1.2 + 0.5j, 0.7),
    case(np.float_power, with_tangent(np.array([2, 3]), np.array([1.0, -0.5])), -2, why="integers"),
    *(case(f, normal(2, 2)) for f in (np.negative, np.positive, np.absolute, np.fabs, np.square, np.cbrt)),
    *(case(f, complex_normal(3)) for f in (np.negative, np.positive, np.absolute, np.square, np.sqrt)),
    *(case(f, -0.4) for f in (operator.neg, operator.pos, operator.abs, abs, math.fabs)),
    case(abs, 0.3 - 0.4j),
    *(case(f, uniform(3)) for f in (np.sqrt, np.cbrt, np.reciprocal)),
    *(case(f, 0.6) for f in (math.sqrt, math.cbrt, np.sqrt)),
    case(np.copysign, normal(3), normal(3, seed=5)),
    case(math.copysign, 2.0, -3.0),
    case(np.hypot, normal(2, 1), normal(3, seed=1)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


# (f, arguments, partials): conventions where differences cannot decide, and limits from one side
CORNERS = [
    (np.absolute, (np.array([0.0]),), ([0.0],)),
    (abs, (0.0,), (0.0,)),
    (abs, (0j,), (0j,)),
    (np.absolute, (np.array([0j]),), ([0j],)),
    (np.hypot, (0.0, 0.0), (0.0, 0.0)),
    (np.sqrt, (np.array([0.0]),), ([np.inf],)),
    (math.sqrt, (0.0,), (np.inf,)),
    (np.cbrt, (0.0,), (np.inf,)),
    (operator.pow, (0.0, 0), (0.0, 0.0)),
    (operator.pow, (0.0, 0.5), (np.inf, 0.0)),
    (operator.pow, (0.0, 1), (1.0, 0.0)),
    (operator.pow, (0.0, 2.0), (0.0, 0.0)),
    (operator.pow, (np.zeros(4), np.array([0.0, 0.5, 1.0, 2.0])), ([0.0, np.inf, 1.0, 0.0], [0.0] * 4)),
    (operator.pow, (np.array([0, 2]), 0), ([0.0, 0.0], np.log(2.0))),
    (operator.pow, (-2.0, 3.0), (12.0, -8.0 * np.log(2.0))),
    (operator.pow, (np.array([0.0]), 2), ([0.0], 0.0)),
]


@pytest.mark.parametrize(("f", "x", "partials"), CORNERS)
def test_corner(f, x, partials):
    y, pullback = rrule_of(f, *x)
    ones = np.ones_like(y, dtype=float)[()]
    for x_bar, partial in zip(pullback(ones), partials, strict=True):
        np.testing.assert_allclose(x_bar, partial, rtol=1e-14)
    for i, partial in enumerate(partials):
        dx = tuple(np.ones_like(x[j], dtype=float)[()] if j == i else Zero() for j in range(len(x)))
        dy = frule_of(f, x, dx)[1]
        np.testing.assert_allclose(np.sum(dy), np.sum(partial), rtol=1e-14)


@pytest.mark.parametrize(("f", "more"), [(np.sqrt, ()), (np.cbrt, ()), (operator.pow, (0.5,))])
def test_a_zero_cotangent_meets_no_infinite_partial(f, more):
    _, pullback = rrule_of(f, np.array([0.0, 4.0]), *more)
    assert pullback(np.array([0.0, 1.0]))[0][0] == 0.0


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("f", [np.power, np.float_power])
def test_a_negative_base_has_no_derivative_where_it_has_no_power(f):
    y, pullback = rrule_of(f, -2.0, 0.5)
    assert np.isnan(y)
    assert np.isnan(pullback(1.0)).all()


def test_in_place_operators_leave_arrays_to_the_engine():
    assert apply_rrule(operator.iadd, np.ones(2), np.ones(2)) is None
    assert apply_rrule(operator.ipow, np.ones(2), 2.0) is None


def test_operators_do_not_make_arrays_of_lists():
    assert apply_rrule(operator.mul, [1.0, 2.0], [3.0, 4.0]) is None
    assert apply_rrule(operator.add, [1.0], (2.0,)) is None
    y, _ = rrule_of(operator.mul, [1.0, 2.0], np.array([3.0, 4.0]))
    np.testing.assert_array_equal(y, [3.0, 8.0])


def test_a_truth_value_has_no_tangent():
    assert rrule_of(operator.mul, 2.0, True)[1](1.0) == (1.0, NoTangent())


def test_types_stay():
    x = np.ones(3, np.float32)
    for f, arguments in (
        (operator.mul, (x, 2.0)),
        (operator.pow, (x, 0.5)),
        (np.sqrt, (x,)),
        (np.hypot, (x, x)),
    ):
        y, pullback = rrule_of(f, *arguments)
        assert y.dtype == np.float32
        assert pullback(y)[0].dtype == np.float32


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("f", [np.divide, np.reciprocal])
def test_a_zero_cotangent_of_a_division_by_zero_gives_zero(f):
    x = np.array([0.0, 2.0])
    _, pullback = rrule_of(f, 1.0, x) if f is np.divide else rrule_of(f, x)
    np.testing.assert_array_equal(pullback(np.array([0.0, 1.0]))[-1], [0.0, -0.25])

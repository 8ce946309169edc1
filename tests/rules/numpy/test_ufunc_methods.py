"""The methods of ufuncs."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, held, normal, rrule_of, uniform

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.rules.numpy.ufunc_methods import sums_at
from chainrules.testing import check_rule

UFUNC = np.ufunc
ADD, MULTIPLY, MAXIMUM, POWER, LOGADDEXP, SUBTRACT = map(
    held, (np.add, np.multiply, np.maximum, np.power, np.logaddexp, np.subtract)
)
X = normal(2, 3)
PLACES = constant([0, 2, 0])
CASES = [
    *(case(UFUNC.reduce, f, X) for f in (ADD, MULTIPLY, MAXIMUM, LOGADDEXP, SUBTRACT)),
    case(UFUNC.reduce, ADD, complex_normal(2, 3), axis=None),
    case(UFUNC.reduce, MULTIPLY, np.array([0.0, 2.0]), initial=3.0, where=np.array([True, True])),
    case(UFUNC.reduce, LOGADDEXP, normal(2, 3, 2), axis=(0, -1), keepdims=True),
    *(case(UFUNC.accumulate, f, X, axis=1) for f in (ADD, MULTIPLY, MAXIMUM)),
    *(case(UFUNC.accumulate, held(np.minimum), normal(5, 2, seed=k)) for k in range(3)),
    case(UFUNC.accumulate, MAXIMUM, normal(2, 4, 2), axis=1, why="more axes"),
    case(UFUNC.accumulate, POWER, uniform(3, low=1.1, high=1.5)),
    *(case(UFUNC.reduceat, f, normal(4), constant([0, 2, 1])) for f in (ADD, MULTIPLY, LOGADDEXP)),
    case(UFUNC.reduceat, ADD, X, constant([0, 1]), axis=1),
    case(sums_at, X, indices=[1, 2, 0], axis=-1),
    case(sums_at, complex_normal(4, 2), indices=[0, 3, 1, 1], axis=0),
    *(case(UFUNC.outer, f, X, normal(2)) for f in (ADD, MULTIPLY)),
    case(UFUNC.outer, MULTIPLY, 2.0, complex_normal(2)),
    *(case(UFUNC.at, f, normal(3), PLACES, normal(3)) for f in (ADD, SUBTRACT)),
    case(UFUNC.at, ADD, normal(3), PLACES, 2.0, why="one value for all places"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def program(x: Any) -> Any:
    a = np.zeros(3)
    np.add.at(a, [0, 2, 0], x)
    return np.add.reduce(a * a) + np.hypot.reduce(x) + np.sum(np.divide.outer(x, x))


def test_a_program() -> None:
    x = uniform(3)
    expected = [(program(x + d) - program(x - d)) / 2e-6 for d in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(program)(x), expected, rtol=1e-6)


@pytest.mark.parametrize("x", [[1.0, 2.0, 2.0, 1.0], [2.0, 2.0, 3.0], [1.0], [0.5, np.nan, 2.0]])
def test_a_running_maximum_shares_the_conventions_of_a_maximum_of_two(x: Any) -> None:
    def running(x: Any) -> Any:
        return np.sum(np.maximum.accumulate(x) * np.arange(1.0, len(x) + 1))

    def one_by_one(x: Any) -> Any:
        y, total = x[0], x[0]
        for i in range(1, len(x)):
            y = np.maximum(y, x[i])
            total = total + y * (i + 1.0)
        return total

    np.testing.assert_array_equal(cr.grad(running)(np.array(x)), cr.grad(one_by_one)(np.array(x)))


def test_second_order() -> None:
    g = cr.grad(lambda x: np.logaddexp.reduce(x) * np.multiply.reduce(x))
    x, v = normal(3), normal(3, seed=1)
    found = cr.grad(lambda x: np.sum(g(x) * v))(x)
    np.testing.assert_allclose(found, (g(x + 1e-6 * v) - g(x - 1e-6 * v)) / 2e-6, rtol=1e-6)


def test_several_axes_where_their_order_matters_are_refused() -> None:
    with pytest.raises(ValueError, match="reorderable"):
        cr.grad(lambda x: np.subtract.reduce(x, axis=(0, 1)))(X)


def test_at_of_a_product_is_refused() -> None:
    def f(x: Any) -> Any:
        a = np.ones(3)
        np.multiply.at(a, [0, 0, 1], x)
        return np.sum(a)

    with pytest.raises(UnsupportedArgument, match="at"):
        cr.grad(f)(normal(3))


def test_where_is_refused_where_the_reduction_is_written_out() -> None:
    with pytest.raises(UnsupportedArgument, match="initial"):
        cr.grad(lambda x: np.hypot.reduce(x, initial=2.0))(normal(3))


def test_at_as_it_is_called() -> None:
    check_rule(np.add.at, normal(5), [0, 0, 2], normal(3))


@pytest.mark.parametrize("f", [np.power, np.arctan2, np.divide])
def test_a_reduction_is_numpys_own_or_refused(f: Any) -> None:
    x = uniform(9)
    try:
        y, _ = rrule_of(f.reduce, x)
    except cr.NotDifferentiableError:
        pass  # where NumPy's own is no fold
    else:
        np.testing.assert_allclose(y, f.reduce(x), rtol=1e-6)

"""Selections against differences, and their decisions at ties and bounds."""

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of

from chainrules.tangents import NoTangent
from chainrules.testing import check_rule

MASK = np.array([[True, False, True], [False, False, True]])
EXTREMA = [np.maximum, np.minimum, np.fmax, np.fmin]
CASES = [
    *(case(f, normal(2, 1), normal(3, seed=1)) for f in EXTREMA),
    *(case(f, 0.5, normal(3).astype(np.float32)) for f in EXTREMA),
    *(case(f, complex_normal(3), complex_normal(3, seed=2), why="by the real parts first") for f in EXTREMA),
    case(np.where, MASK, normal(2, 3), normal(2, 3, seed=1)),
    case(np.where, MASK, 0.0, normal(3), why="broadcast"),
    case(np.where, MASK[0], normal(2, 1), 1, why="integer branch"),
    case(np.where, True, 1.5, 2.5),
    case(np.where, normal(2, 3), why="indices of what is not zero"),
    case(np.heaviside, normal(3), 0.5),
    case(np.nan_to_num, normal(3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", EXTREMA)
def test_a_tie_is_shared(f):
    assert rrule_of(f, 1.0, 1.0)[1](1.0) == (0.5, 0.5)
    assert frule_of(f, (1.0, 1.0), (1.0, 0.0))[1] == 0.5


def test_fmax_ignores_nan_in_its_derivative_too():
    assert rrule_of(np.fmax, 2.0, np.nan)[1](1.0) == (1.0, 0.0)


def test_where_masks_what_is_infinite():
    x = np.array([0.0, 4.0])
    with np.errstate(divide="ignore"):
        logs = np.log(x)
    _, pullback = rrule_of(np.where, x > 0, logs, 0.0)
    logs_bar = pullback(np.ones(2))[1]
    np.testing.assert_array_equal(logs_bar, [0.0, 1.0])
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(rrule_of(np.log, x)[1](logs_bar)[0], [0.0, 0.25])


def test_where_of_a_condition_alone_gives_indices():
    y, pullback = rrule_of(np.where, MASK)
    np.testing.assert_array_equal(y, np.nonzero(MASK))
    assert pullback(y) == (NoTangent(),)


def test_nan_to_num_where_x_is_not_finite():
    x = np.array([1.0, np.nan, np.inf])
    np.testing.assert_array_equal(rrule_of(np.nan_to_num, x)[1](np.ones(3))[0], [1, 0, 0])
    z = np.array([complex(np.nan, 2.0), complex(1.0, np.inf)])
    for moved in (frule_of(np.nan_to_num, (z,), (np.full(2, 1 + 1j),)), rrule_of(np.nan_to_num, z)):
        t = moved[1](np.full(2, 1 + 1j))[0] if callable(moved[1]) else moved[1]
        np.testing.assert_array_equal(t, [1j, 1.0])


NAN = float("nan")


@pytest.mark.parametrize("f", [np.maximum, np.minimum])
def test_the_argument_that_is_nan_takes_the_cotangent(f):
    assert rrule_of(f, NAN, 1.0)[1](1.0) == (1.0, 0.0)
    assert rrule_of(f, 1.0, NAN)[1](1.0) == (0.0, 1.0)
    assert rrule_of(f, NAN, NAN)[1](1.0) == (0.5, 0.5)
    x_bar, _ = rrule_of(f, np.array([NAN, 0.0, 3.0]), np.array([1.0, 0.0, 3.0]))[1](np.ones(3))
    np.testing.assert_array_equal(x_bar, [1.0, 0.5, 0.5])
    assert frule_of(f, (NAN, 1.0), (2.0, 5.0))[1] == 2.0

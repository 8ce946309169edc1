"""Sums, means, products and extrema along axes; ties and zeros."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of

from chainrules.tangents import is_zero
from chainrules.testing import check_rule

MASK = np.array([[True, False, True], [False, True, True]])
AXES: list[dict[str, Any]] = [{}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 2)}]
REDUCTIONS = (np.sum, np.mean, np.prod, np.max, np.amax, np.min, np.amin, np.ptp)
CASES = [
    *(case(f, normal(2, 3, 2), **kwargs) for f in REDUCTIONS for kwargs in AXES),
    *(case(f, normal(4).astype(np.float32)) for f in REDUCTIONS),
    *(case(f, 2.0) for f in REDUCTIONS),
    *(case(f, complex_normal(2, 3), axis=1) for f in (np.sum, np.mean, np.prod)),
    case(np.sum, normal(2, 3), 1, why="axis by position"),
    case(np.sum, normal(0, 3), axis=0, why="empty"),
    case(np.ndarray.sum, normal(2, 3), axis=0, keepdims=True),
    case(np.ndarray.mean, normal(2, 3), 1),
    case(np.ndarray.max, normal(2, 3), axis=1),
    case(np.ndarray.prod, normal(2, 3)),
    case(np.sum, [[1.0, 2.0], [3.0, 4.0]], axis=0, why="lists"),
    case(np.prod, np.array([0.0, 2.0, 3.0]), why="one zero"),
    case(np.prod, np.array([0.0, 2.0, 0.0]), why="two zeros"),
    case(np.prod, np.array([[0.0, 2.0, 1.5], [1.0, 2.0, 3.0]]), axis=1, why="a zero in one row"),
    case(np.prod, np.array([[0.0, 2.0], [1.0, 0.0]]), axis=(0, 1), keepdims=True, why="zeros"),
    case(np.prod, np.zeros((0, 2)), axis=0, why="empty"),
    *(case(f, normal(2, 3), where=MASK, axis=1) for f in (np.sum, np.mean, np.prod, np.var, np.std)),
    *(case(f, complex_normal(2, 3), where=MASK[0], keepdims=True) for f in (np.sum, np.mean, np.prod)),
    *(case(f, normal(2, 3), initial=3.0) for f in (np.sum, np.prod, np.max, np.min)),
    *(
        case(f, normal(2, 3), initial=sign * 9.0, where=MASK, axis=0)
        for f, sign in ((np.max, -1), (np.min, 1))
    ),
    *(case(f, normal(3).astype(np.float32), dtype=np.float64) for f in (np.sum, np.mean, np.prod, np.std)),
    *(case(f, normal(3), dtype=complex) for f in (np.sum, np.mean, np.prod)),
    case(np.prod, np.array([[0.0, 2.0, 0.0]]), where=MASK[:1], axis=1, initial=2.0, why="a zero is left out"),
    *(case(f, normal(2, 3), mean=0.5, correction=1) for f in (np.var, np.std)),
    case(np.ndarray.max, normal(3), initial=-9.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [np.max, np.min])
def test_ties_share_equally(f: Any) -> None:
    x = np.array([[2.0, 2.0, 2.0], [5.0, 1.0, 5.0]])
    _, pullback = rrule_of(f, x, axis=1)
    expected = [[1 / 3] * 3, [0.5, 0, 0.5] if f is np.max else [0, 1, 0]]
    np.testing.assert_allclose(pullback(np.ones(2))[0], expected)


def test_a_nan_takes_the_cotangent_of_a_maximum() -> None:
    _, pullback = rrule_of(np.max, np.array([1.0, np.nan, 3.0]))
    np.testing.assert_array_equal(pullback(1.0)[0], [0, 1, 0])


@pytest.mark.parametrize(
    ("f", "initial", "expected"), [(np.max, 2.0, 1 / 3), (np.max, 9.0, 0), (np.min, 3.0, 1 / 2)]
)
def test_an_initial_value_ties_as_an_entry_does(f: Any, initial: float, expected: float) -> None:
    _, pullback = rrule_of(f, np.array([2.0, 2.0]), initial=initial)
    np.testing.assert_allclose(pullback(1.0)[0], [expected] * 2)


@pytest.mark.parametrize("f", [np.sum, np.prod, np.mean, np.var])
def test_whole_numbers_end_the_derivative(f: Any) -> None:
    _, pullback = rrule_of(f, np.array([1.5, 2.5]), dtype=int)
    assert is_zero(pullback(1.0)[0])
    assert is_zero(frule_of(f, (np.array([1.5, 2.5]),), (np.ones(2),), dtype=int)[1])


def test_the_mean_of_nothing_moves_nothing() -> None:
    with pytest.warns(RuntimeWarning):
        y, pullback = rrule_of(
            np.mean, np.ones((2, 2)), axis=1, where=np.array([[True, True], [False, False]])
        )
    np.testing.assert_array_equal(y, [1.0, np.nan])
    np.testing.assert_array_equal(pullback(np.ones(2))[0], [[0.5, 0.5], [0.0, 0.0]])
    with pytest.warns(RuntimeWarning):
        y, pullback = rrule_of(np.mean, np.ones((0, 2)), axis=0)
    assert pullback(np.ones(2))[0].shape == (0, 2)  # and no warning


@pytest.mark.parametrize("f", [np.sum, np.mean, np.prod])
def test_an_infinite_cotangent_leaves_out_what_is_left_out(f: Any) -> None:
    (x_bar,) = rrule_of(f, np.ones(2), where=np.array([True, False]))[1](np.inf)
    np.testing.assert_array_equal(x_bar, [np.inf, 0.0])

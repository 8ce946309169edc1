"""Arrays as sets: which entry each value is."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

NAMED = [np.unique_all, np.unique_counts, np.unique_inverse]
CASES = [
    case(np.unique, normal(2, 3)),
    case(np.unique, complex_normal(3)),
    case(np.unique, 3.0),
    case(np.unique, normal(0), why="empty"),
    case(np.unique, normal(2, 3), axis=1, return_counts=True),
    case(np.unique, normal(2, 3), False, True, True),
    case(np.unique, normal(4).astype(np.float32), return_index=True),
    *(case(f, normal(2, 3)) for f in (*NAMED, np.unique_values)),
    *(case(f, normal(3).astype(np.float32)) for f in (*NAMED, np.unique_values)),
    *(case(f, complex_normal(3)) for f in NAMED),
    case(np.union1d, normal(3), normal(2, 2, seed=1)),
    case(np.union1d, complex_normal(3), normal(2, seed=1)),
    case(np.union1d, normal(3).astype(np.float32), normal(2, seed=1)),
    case(np.setdiff1d, normal(3), np.array([8.0, 9.0])),
    case(np.setdiff1d, complex_normal(3), normal(2)),
    case(np.setdiff1d, normal(2, 2), normal(0), assume_unique=True),
    case(np.setxor1d, normal(3), normal(2, 2, seed=1)),
    case(np.setxor1d, complex_normal(3), normal(2, seed=2)),
    case(np.setxor1d, normal(3), normal(0), assume_unique=True),
    case(np.intersect1d, normal(3), normal(2, seed=1), why="nothing in common"),
    case(np.intersect1d, complex_normal(3), normal(0)),
    case(np.intersect1d, normal(0), normal(0)),
    case(np.trim_zeros, normal(3)),
    case(np.trim_zeros, complex_normal(2, 2)),
    case(np.trim_zeros, normal(2, 3), "f", 1),
]
PROGRAMS = [
    np.unique,
    lambda x: np.unique_counts(x)[0],
    lambda x: np.union1d(x, x * x),
    lambda x: np.setxor1d(x, 2 * x),
    np.trim_zeros,
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", PROGRAMS, ids=range(len(PROGRAMS)))
def test_second_order(f: Any) -> None:
    check_grads(lambda x: f(x * x), normal(4))


def gradient_of_values(f: Any, x: Any, *rest: Any, **kwargs: Any) -> Any:
    y = np.asarray(f(np.asarray(x), *rest, **kwargs))
    return cr.grad(lambda x: np.sum(np.arange(1.0, y.size + 1) * f(x, *rest, **kwargs)))(np.asarray(x))


def test_of_equal_entries_the_first_has_the_cotangent() -> None:
    np.testing.assert_array_equal(gradient_of_values(np.unique, [3.0, 1.0, 3.0, 1.0]), [2, 1, 0, 0])
    np.testing.assert_array_equal(gradient_of_values(np.intersect1d, [3.0, 1.0, 1.0], np.ones(2)), [0, 1, 0])
    np.testing.assert_array_equal(gradient_of_values(np.union1d, [3.0, 3.0], np.array([1.0, 3.0])), [2, 0])
    _, pullback = rrule_of(np.intersect1d, np.array([3.0, 1.0]), np.array([1.0, 3.0]), return_indices=True)
    x1_bar, x2_bar = pullback((np.array([1.0, 2.0]), cr.NoTangent(), cr.NoTangent()))
    np.testing.assert_array_equal([x1_bar, x2_bar], [[2, 1], [0, 0]])


def test_copies_that_a_careless_assume_unique_leaves() -> None:
    found = gradient_of_values(np.setdiff1d, [2.0, 1.0, 2.0], np.array([5.0]), assume_unique=True)
    np.testing.assert_array_equal(found, [1, 2, 3])


def test_nans_are_values_too() -> None:
    x = [np.nan, 1.0, np.nan]
    _, pullback = rrule_of(np.unique, np.array(x))
    np.testing.assert_array_equal(pullback(np.array([1.0, 2.0]))[0], [2, 1, 0])
    _, pullback = rrule_of(np.unique, np.array(x), equal_nan=False)
    np.testing.assert_array_equal(pullback(np.array([1.0, 2.0, 3.0]))[0], [2, 1, 3])


def test_values_of_any_order_go_back_to_their_entries() -> None:
    x = np.concatenate([complex_normal(3)] * 2)
    y, pullback = rrule_of(np.unique_values, x)
    np.testing.assert_array_equal(pullback(y)[0], [*x[:3], 0, 0, 0])


def test_zeros_that_are_cut_off() -> None:
    np.testing.assert_array_equal(
        gradient_of_values(np.trim_zeros, [0.0, 2.0, 0.0, 3.0, 0.0]), [0, 1, 2, 3, 0]
    )
    np.testing.assert_array_equal(rrule_of(np.trim_zeros, np.zeros(2))[1](np.zeros(0))[0], [0, 0])

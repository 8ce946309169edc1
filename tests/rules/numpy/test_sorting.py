"""Sorted and partitioned arrays against differences; what ties and NaNs do."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

CASES = [
    *(case(f, normal(5)) for f in (np.sort, np.ndarray.sort)),
    *(case(f, normal(2, 5).astype(np.float32), axis=0, stable=True) for f in (np.sort, np.ndarray.sort)),
    *(case(f, complex_normal(2, 3)) for f in (np.sort, np.ndarray.sort)),
    case(np.sort, normal(2, 3), axis=None),
    case(np.sort, normal(0), why="empty"),
    *(case(f, normal(7), constant(3)) for f in (np.partition, np.ndarray.partition)),
    *(case(f, normal(7, 2), constant((1, 2)), axis=0) for f in (np.partition, np.ndarray.partition)),
    case(np.partition, normal(3, 7), constant(8), axis=None),
    case(np.partition, complex_normal(5), constant(2)),
    case(np.sort_complex, normal(3)),
    case(np.sort_complex, complex_normal(2, 3)),
    case(np.sort_complex, normal(4).astype(np.float32)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [np.sort, lambda x: np.partition(x, 2), np.sort_complex], ids=range(3))
def test_second_order(f: Any) -> None:
    check_grads(lambda x: f(x * x), normal(4))


def test_ties_and_nans_keep_a_cotangent_each() -> None:
    _, pullback = rrule_of(np.sort, np.array([2.0, np.nan, 1.0, 2.0]))
    np.testing.assert_array_equal(pullback(np.array([1.0, 2.0, 3.0, 4.0]))[0], [2.0, 4.0, 1.0, 3.0])


@pytest.mark.parametrize("kth", [0, 500, (3, 700), 999])
def test_the_entries_of_a_partition_are_told_apart(kth: Any) -> None:
    x, w = normal(1000), normal(1000, seed=1)
    gradient = cr.grad(lambda x: np.sum(w * np.partition(x, kth)))(x)
    places = {value: i for i, value in enumerate(np.partition(x, kth))}
    np.testing.assert_array_equal(gradient, w[[places[value] for value in x]])

"""Functions that write into their first argument, against differences."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

from chainrules.testing import check_rule

MASK = normal(2, 3, seed=3) > 0
CASES = [
    case(np.put, normal(2, 3), constant([0, 4, 4]), normal(2), why="a place named twice"),
    case(np.put, normal(2, 3), constant([0, -1]), 2.0),
    case(np.put, normal(2, 3), constant([0, 4, 9]), 2.0, mode="clip"),
    case(np.ndarray.put, normal(2, 3), constant([0, 7]), normal(2), mode="wrap"),
    case(np.place, normal(2, 3), constant(MASK), normal(2), why="values repeated"),
    case(np.place, complex_normal(2, 3), constant(MASK), normal(5), why="values left over"),
    case(np.putmask, normal(2, 3), constant(MASK), normal(2)),
    case(np.copyto, normal(2, 3), normal(3), why="broadcast"),
    case(np.copyto, normal(2, 3), normal(2, 1), where=MASK),
    case(np.copyto, normal(2, 3).astype(np.float32), normal(3), where=MASK[0]),
    case(np.copyto, complex_normal(2, 3), normal(3), where=MASK),
    case(np.fill_diagonal, normal(3, 4), normal(2)),
    case(np.fill_diagonal, normal(7, 3), 2.0, wrap=True),
    case(np.ndarray.fill, complex_normal(2), 2.0),
    case(np.put_along_axis, normal(2, 3), constant(np.array([[1], [2]])), normal(2, 1), 1),
    case(np.put_along_axis, normal(2, 3), constant(np.array([1, 1])), 3.0, None),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_of_values_for_one_place_the_last_counts() -> None:
    a = np.zeros(2)
    _, pullback = rrule_of(np.put, a, [0, 0], np.array([1.0, 2.0]))
    np.testing.assert_array_equal(a, [2.0, 0.0])
    a_bar, _, v_bar = pullback(None, {0: np.array([5.0, 7.0])})
    np.testing.assert_array_equal(a_bar, [0.0, 7.0])
    np.testing.assert_array_equal(v_bar, [0.0, 5.0])

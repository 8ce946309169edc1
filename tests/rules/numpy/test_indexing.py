"""Every kind of index, and the functions that pick entries."""

import operator
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

from chainrules.tangents import IndexedTangent, NoTangent, unthunk
from chainrules.testing import check_rule

MASK = np.array([[True, False, True], [False, False, True]])
INDICES: list[Any] = [
    0,
    -1,
    np.int64(1),
    slice(None, None, -1),
    slice(0, 1),
    ...,
    None,
    (0, 1),
    (slice(None), 1),
    (..., 0),
    (None, 0, slice(1, None)),
    (Ellipsis, None, slice(None, 2)),
    [1, 0, 1],
    np.array([[0, 1], [1, 1]]),
    MASK,
    (MASK[:, 0], 1),
    (slice(None), [2, 2, 0]),
    ([0, 1, 0], [2, 2, 2]),
    ([0, 1], slice(1, None)),
    (0, [1, 1]),
    (None, [1, 1], slice(None), None),
    np.array([], dtype=int),
    (),
]
TABLE = np.array([[2, 0, 1], [1, 1, 0]])
CASES = [
    *(case(operator.getitem, normal(2, 3), constant(index), why=repr(index)) for index in INDICES),
    case(operator.getitem, normal(4), constant(2), why="one entry"),
    case(operator.getitem, complex_normal(2, 3), constant(1)),
    case(operator.getitem, normal(4).astype(np.float32), constant([1, 1])),
    case(operator.getitem, normal(2, 3, 4), constant(([0, 1], slice(None), [3, 3])), why="fancy axes apart"),
    case(operator.getitem, np.array(2.0), constant(()), why="0-d"),
    case(np.ndarray.item, normal(1)),
    case(np.ndarray.item, normal(2, 3), constant(-2)),
    case(np.ndarray.item, normal(2, 3), constant(1), constant(2)),
    case(np.ndarray.item, normal(2, 3), constant((1, -1))),
    case(np.take, normal(2, 3), constant([5, 0, 0])),
    case(np.take, normal(2, 3), constant(-1), axis=1),
    case(np.take, normal(2, 3), constant(TABLE), axis=1),
    case(np.take, normal(2, 3), constant([4, -7]), axis=0, mode="wrap"),
    case(np.take, normal(2, 3), constant([4, -7]), axis=1, mode="clip"),
    case(np.take, normal(2, 3), constant([[5, -1], [0, -6]]), why="in order, from both ends"),
    case(np.take, normal(2, 3), constant(np.array([], int)), why="nothing"),
    case(np.take, np.array(2.0), constant([0, 0]), why="0-d, twice"),
    case(np.ndarray.take, normal(3), constant([1, 1])),
    case(np.take_along_axis, normal(2, 3), constant(TABLE), axis=1),
    case(np.take_along_axis, normal(2, 3), constant(TABLE[:1] % 2), axis=0, why="indices of one row"),
    case(np.take_along_axis, normal(2, 3), constant(np.array([[1], [2]])), axis=-1),
    case(np.take_along_axis, normal(2, 3), constant(np.array([5, 0, 0])), axis=None),
    case(np.compress, constant([True, False, True]), normal(2, 3), axis=1),
    case(np.compress, constant([False, True, True]), normal(2, 3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_one_entry_costs_one_entry() -> None:
    _, pullback = rrule_of(operator.getitem, np.ones(10_000), 7)
    x_bar, index_bar = pullback(2.0)
    assert isinstance(x_bar, IndexedTangent)
    assert x_bar.nnz == 1
    assert index_bar is NoTangent()


def test_integers_have_float_cotangents() -> None:
    _, pullback = rrule_of(operator.getitem, np.array([1, 2, 3]), 1)
    np.testing.assert_array_equal(unthunk(pullback(0.5)[0]).dense(), [0, 0.5, 0])

"""Sums, means, products and extrema along axes; ties and zeros."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

from chainrules.core import UnsupportedArgument, apply_rrule
from chainrules.testing import check_rule

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


@pytest.mark.parametrize("kwargs", [{"where": np.array([True, False])}, {"initial": 1.0}, {"dtype": float}])
def test_what_is_not_taken_is_refused(kwargs: Any) -> None:
    with pytest.raises(UnsupportedArgument, match=next(iter(kwargs))):
        apply_rrule(np.sum, np.ones(2), **kwargs)

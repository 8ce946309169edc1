"""Norms of every order, and where they are zero or tie."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of

from chainrules.testing import check_rule

INF = np.inf
CASES = [
    *(case(np.linalg.norm, normal(4), ord=ord) for ord in (None, 0, 1, 2, 3, 1.5, -1, INF, -INF)),
    *(case(np.linalg.norm, complex_normal(4), ord=ord) for ord in (None, 1, 3, INF)),
    *(case(np.linalg.norm, normal(3, 2), ord=ord) for ord in (None, "fro", 1, -1, 2, -2, INF, -INF, "nuc")),
    *(case(np.linalg.norm, complex_normal(2, 3), ord=ord) for ord in ("fro", 1, 2, "nuc")),
    *(case(np.linalg.norm, normal(2, 3, 4), ord=ord, axis=(2, 0)) for ord in ("fro", 1, -INF, 2, "nuc")),
    *(case(np.linalg.norm, normal(2, 3), ord=ord, axis=-1, keepdims=True) for ord in (None, 1, 2.5, INF)),
    case(np.linalg.norm, normal(2, 3, 4), why="of all entries"),
    case(np.linalg.norm, normal(2, 3), axis=(0, 1), keepdims=True),
    case(np.linalg.norm, 2.0),
    case(np.linalg.norm, np.array([0.0, 2.0, -1.0]), 3, why="an entry that is zero"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("ord", [None, 1, 2, 3, np.inf])
def test_a_norm_of_zero_has_derivative_zero(ord: Any) -> None:
    _, pullback = rrule_of(np.linalg.norm, np.zeros(3), ord=ord)
    np.testing.assert_array_equal(pullback(1.0)[0], np.zeros(3))
    assert frule_of(np.linalg.norm, (np.zeros(3),), (np.ones(3),), ord=ord) == (0.0, 0.0)


def test_entries_that_tie_share() -> None:
    _, pullback = rrule_of(np.linalg.norm, np.array([2.0, -2.0, 1.0]), np.inf)
    np.testing.assert_array_equal(pullback(1.0)[0], [0.5, -0.5, 0])

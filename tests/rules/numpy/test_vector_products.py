"""Products of stacks of vectors."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

from chainrules.testing import check_grads, check_rule

CASES = [
    case(np.vecdot, normal(3), normal(3, seed=1)),
    case(np.vecdot, normal(2, 3), normal(3, seed=1)),
    case(np.vecdot, normal(3, 2), normal(3, 4, 2, seed=1), axis=0, why="other ranks"),
    case(np.vecdot, complex_normal(2, 3), complex_normal(2, 3, seed=2), keepdims=True),
    case(np.vecdot, normal(2, 0), normal(2, 0)),
    case(np.vecdot, normal(3).astype(np.float32), normal(3).astype(np.float32)),
    case(np.matvec, normal(2, 3), normal(3)),
    case(np.matvec, normal(5, 2, 3), normal(5, 3)),
    case(np.matvec, complex_normal(2, 3), complex_normal(4, 3, seed=2)),
    case(np.vecmat, normal(3), normal(3, 2)),
    case(np.vecmat, complex_normal(5, 3), complex_normal(3, 2, seed=2)),
    case(np.vecmat, normal(2, 3).astype(np.float32), normal(2, 3, 1).astype(np.float32)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a, b: np.vecdot(a, b) ** 2, complex_normal(3), complex_normal(3, seed=2))


def test_a_product_of_small_integers_stays_small() -> None:
    x = np.array([1, 2], np.int8)
    assert rrule_of(np.vecdot, x, x)[0].dtype == np.vecdot(x, x).dtype == np.int8

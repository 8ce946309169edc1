"""Systems of tensors, condition numbers, and products of many matrices."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

LA = np.linalg
SIZES = (4, 1, 3, 5, 2)
CHAIN = [normal(m, n, seed=m) for m, n in pairwise(SIZES)]
CASES = [
    case(LA.tensorsolve, normal(2, 3, 6), normal(2, 3, seed=1)),
    case(LA.tensorsolve, complex_normal(2, 3, 3, 2), complex_normal(2, 3, seed=1)),
    case(LA.tensorsolve, normal(6, 2, 3), normal(2, 3, seed=1), axes=(0,)),
    case(LA.tensorinv, normal(2, 3, 3, 2)),
    case(LA.tensorinv, complex_normal(6, 2, 3), ind=1),
    case(LA.tensorinv, normal(2, 2).astype(np.float32), ind=1),
    *(case(LA.cond, normal(3, 3), p=p) for p in (None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc")),
    case(LA.cond, complex_normal(2, 3)),
    case(LA.cond, complex_normal(2, 3, 3), "fro"),
    case(LA.multi_dot, CHAIN),
    case(LA.multi_dot, tuple(CHAIN[:2])),
    case(LA.multi_dot, [[[0.3, 0.1], [0.2, 0.5]], normal(2, 3), [1.0, 2.0, 3.0]], why="lists"),
    case(LA.multi_dot, [complex_normal(3), complex_normal(3, 2), normal(2, 4), normal(4)]),
    case(LA.multi_dot, [normal(3), normal(3, 2), normal(2, 2)]),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a, b: LA.multi_dot([a, b, a @ a.T]), normal(2, 3), normal(3, 2, seed=1))
    check_grads(lambda a: LA.tensorinv(a, 1), normal(3, 3))
    check_grads(LA.cond, normal(2, 3))


def test_a_singular_matrix_has_no_condition_to_differentiate() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="infinite"):
        rrule_of(LA.cond, np.diag([1.0, 0.0]))

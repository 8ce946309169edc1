"""Polar factors, also where singular values coincide."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.rules.scipy.linalg.polar import direction
from chainrules.testing import check_grads, check_rule

MATRICES = [normal(3, 3), complex_normal(3, 3), normal(4, 2), normal(2, 4), complex_normal(3, 2)]
CASES = [
    *(case(linalg.polar, x, side=side) for x in MATRICES for side in ("right", "left")),
    case(linalg.polar, np.eye(3), why="coinciding singular values"),
    case(linalg.polar, normal(2, 3, 3)),
    case(linalg.orthogonal_procrustes, normal(4, 3), normal(4, 3, seed=1)),
    case(linalg.orthogonal_procrustes, complex_normal(4, 2), complex_normal(4, 2, seed=2)),
    case(direction, complex_normal(3, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("x", [normal(3, 2), np.eye(2), complex_normal(2, 2)])
def test_second_order(x: Any) -> None:
    check_grads(linalg.polar, x)


def test_a_matrix_of_lower_rank_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="lower rank"):
        cr.grad(lambda a: np.sum(linalg.polar(a)[0]))(np.ones((2, 2)))

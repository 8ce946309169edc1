"""LU factors of matrices of every shape, with frozen exchanges."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_grads, check_rule

SHAPES = ((3, 3), (4, 2), (2, 4))
CASES = [
    *(case(linalg.lu, normal(*shape), permute_l=permute) for shape in SHAPES for permute in (False, True)),
    *(case(linalg.lu, complex_normal(*shape), p_indices=True) for shape in SHAPES),
    case(linalg.lu, normal(2, 3, 3)),
    case(linalg.lu, normal(2, 3, 2), permute_l=True),
    *(case(linalg.lu_factor, numbers(*shape)) for shape in SHAPES for numbers in (normal, complex_normal)),
    case(linalg.lu_factor, normal(2, 3, 3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a: linalg.lu(a, permute_l=True), normal(3, 3))


def test_a_system_solved_by_its_factors() -> None:
    def solved(a: Any, b: Any) -> Any:
        return linalg.lu_solve(linalg.lu_factor(a), b)

    check_grads(solved, normal(3, 3), normal(3), order=1)


def test_a_singular_leading_block_raises() -> None:
    import chainrules as cr

    with pytest.raises(np.linalg.LinAlgError):
        cr.grad(lambda a: np.sum(linalg.lu(a)[1]))(np.zeros((2, 2)))

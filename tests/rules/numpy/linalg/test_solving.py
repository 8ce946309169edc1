"""Linear systems, with vectors, matrices and stacks on the right."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.core import reverse
from chainrules.tangents import Zero
from chainrules.testing import check_rule


def regular(*shape: int, seed: int = 0) -> Any:
    return normal(*shape, seed=seed) + 3 * np.eye(shape[-1])


CASES = [
    case(np.linalg.solve, regular(3, 3), normal(3)),
    case(np.linalg.solve, regular(3, 3), normal(3, 2)),
    case(np.linalg.solve, regular(4, 3, 3), normal(3), why="a stack, one vector"),
    case(np.linalg.solve, regular(4, 3, 3), normal(3, 2), why="a stack, one right-hand side"),
    case(np.linalg.solve, regular(3, 3), normal(4, 3, 2), why="one matrix, a stack on the right"),
    case(np.linalg.solve, regular(2, 1, 3, 3), normal(4, 3, 1)),
    case(np.linalg.solve, complex_normal(3, 3), complex_normal(3, seed=4)),
    case(np.linalg.solve, regular(3, 3), complex_normal(3)),
    case(np.linalg.solve, regular(3, 3).astype(np.float32), normal(3).astype(np.float32)),
    case(np.linalg.inv, regular(3, 3)),
    case(np.linalg.inv, regular(2, 3, 3)),
    case(np.linalg.inv, complex_normal(3, 3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_matrix_is_left_out_where_it_is_constant() -> None:
    found = reverse(np.linalg.solve, (regular(3, 3), normal(3)), needs=(False, True))
    assert found is not None
    assert isinstance(found[1](np.ones(3))[0], Zero)

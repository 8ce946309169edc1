"""Matrix products in every combination of ranks."""

import operator
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.core import reverse
from chainrules.tangents import Zero
from chainrules.testing import check_rule

MATMUL = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (5, 3, 2)),
    ((2, 3), (5, 3, 4)),
    ((5, 1, 2, 3), (6, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((2, 0), (0, 3)),
]
DOT = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3,)),
    ((3,), (2, 3, 4)),
    ((2, 3), (4, 3, 2)),
]
CASES = [
    *(case(np.matmul, normal(*a), normal(*b, seed=1)) for a, b in MATMUL),
    *(case(np.dot, normal(*a), normal(*b, seed=1)) for a, b in DOT),
    case(np.dot, 2.0, normal(2, 3)),
    case(np.dot, normal(2), 3.0),
    case(np.ndarray.dot, normal(2, 3), normal(3)),
    case(operator.matmul, normal(2, 3), normal(3, 2)),
    case(np.matmul, complex_normal(2, 3), normal(3, 2)),
    case(np.matmul, normal(2, 3), complex_normal(3)),
    case(np.dot, complex_normal(2, 3), complex_normal(3, seed=2)),
    case(np.matmul, normal(2, 3).astype(np.float32), normal(3).astype(np.float32)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_what_is_not_wanted_is_not_computed() -> None:
    a, b = normal(2, 3), normal(3, 2)
    found = reverse(np.matmul, (a, b), needs=(False, True))
    assert found is not None
    a_bar, b_bar = found[1](np.eye(2))
    assert isinstance(a_bar, Zero)
    np.testing.assert_allclose(b_bar, a.T)

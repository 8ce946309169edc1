"""The functions of the array API, checked with their own arguments."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_grads, check_rule

LA = np.linalg
INF = np.inf
CASES = [
    case(LA.cross, normal(2, 3), normal(3, seed=1)),
    case(LA.cross, normal(3, 2), complex_normal(3, 2, seed=1), axis=0),
    case(LA.diagonal, normal(2, 3, 4), offset=1),
    case(LA.diagonal, normal(3, 3)),
    case(LA.matmul, normal(2, 3), normal(3, 4)),
    case(LA.matmul, normal(5, 2, 3), complex_normal(3)),
    *(case(LA.matrix_norm, normal(2, 3), ord=ord) for ord in ("fro", 1, -1, 2, -2, INF, -INF, "nuc")),
    case(LA.matrix_norm, complex_normal(2, 2, 3), ord="nuc", keepdims=True),
    case(LA.outer, normal(2), complex_normal(3)),
    case(LA.tensordot, normal(2, 3, 4), normal(4, 3, 2), axes=((1, 2), (1, 0))),
    case(LA.trace, normal(2, 3, 3), offset=-1),
    case(LA.trace, normal(3, 3).astype(np.float32), dtype=np.float64),
    case(LA.vecdot, complex_normal(2, 3), complex_normal(3, seed=1)),
    case(LA.vecdot, normal(3, 2), normal(3, 2, seed=1), axis=0),
    *(case(LA.vector_norm, normal(2, 3), ord=ord) for ord in (2, 1, 0, 3, -1, INF, -INF)),
    case(LA.vector_norm, complex_normal(2, 3, 2), axis=(0, 2), keepdims=True),
    case(LA.vector_norm, normal(2, 3), axis=-1, ord=1),
    case(LA.vector_norm, normal(3).astype(np.float32)),
    case(LA.vector_norm, -2.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("ord", ["fro", "nuc", 2, -2])
def test_second_order_of_norms(ord: Any) -> None:
    check_grads(lambda x: LA.matrix_norm(x, ord=ord), normal(2, 3))
    check_grads(lambda x: LA.norm(x, ord), complex_normal(3, 2))

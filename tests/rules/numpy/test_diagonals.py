"""Diagonals, traces and triangles."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_rule

CASES = [
    case(np.diag, normal(3)),
    case(np.diag, normal(3), 2),
    case(np.diag, normal(3), k=-1),
    case(np.diag, normal(2, 3), why="a matrix that is not square"),
    case(np.diag, normal(2, 3), 1),
    case(np.diag, normal(2, 3), -1),
    case(np.diag, normal(2, 3), 7, why="off the matrix"),
    case(np.diagonal, normal(2, 3, 4)),
    case(np.diagonal, normal(2, 3, 4), 1, 0, 2, why="axes apart"),
    case(np.diagonal, normal(2, 3, 4), offset=-1, axis1=-1, axis2=1),
    case(np.ndarray.diagonal, normal(3, 3)),
    case(np.diagflat, normal(2, 2), 1),
    case(np.trace, normal(3, 4)),
    case(np.trace, complex_normal(3, 3), offset=1),
    case(np.trace, normal(2, 3, 4), axis1=0, axis2=2),
    case(np.trace, normal(2, 3, 4), 0, 1, 2),
    case(np.ndarray.trace, normal(2, 2)),
    case(np.trace, normal(2, 2).astype(np.float32), dtype=float),
    case(np.trace, normal(2, 2), dtype=int, why="whole numbers"),
    case(np.tril, normal(3, 4), 1),
    case(np.triu, normal(2, 3, 3), k=-1),
    case(np.triu, normal(3), why="a vector"),
    case(np.tril, normal(3), -1, why="a vector"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)

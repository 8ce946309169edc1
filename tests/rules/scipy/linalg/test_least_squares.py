"""Least squares and pseudo-inverses at constant rank."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_grads, check_rule

LOW = normal(4, 2) @ normal(2, 3, seed=1)
CASES = [
    *(case(linalg.pinv, x) for x in (normal(4, 2), complex_normal(2, 3), normal(2, 3, 2))),
    case(linalg.pinv, normal(3, 2), return_rank=True),
    case(linalg.pinv, np.diag([3.0, 2.0, 1.0]) + 0.1 * normal(3, 3), rtol=0.2, atol=1.0, why="drops a value"),
    *(
        case(linalg.pinvh, x, lower=low)
        for x in (normal(3, 3), complex_normal(3, 3))
        for low in (False, True)
    ),
    case(linalg.pinvh, normal(2, 2, 2), return_rank=True),
    *(
        case(linalg.lstsq, normal(4, 2), normal(4, seed=2), lapack_driver=d)
        for d in ("gelsd", "gelss", "gelsy")
    ),
    case(linalg.lstsq, normal(4, 2), normal(4, 2, seed=2)),
    case(linalg.lstsq, complex_normal(2, 3), complex_normal(2, 2)),
    case(linalg.lstsq, complex_normal(4, 2), complex_normal(4, seed=3)),
    case(linalg.lstsq, normal(2, 4, 2), normal(2, 4, 1, seed=2)),
    case(linalg.lstsq, normal(2, 4, 2), normal(4, seed=2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(linalg.pinv, normal(3, 2))
    check_grads(lambda a, b: linalg.lstsq(a, b)[:2], normal(3, 2), normal(3))

"""LDL factors, with pivots of one and of two rows."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_grads, check_rule

PAIRS = np.array([[0.1, 2.0, 0.3], [2.0, -0.1, 0.5], [0.3, 0.5, 1.0]])
MATRICES = (normal(4, 4), PAIRS, normal(2, 2, 2), PAIRS + 0.2j * np.triu(PAIRS, 1))
CASES = [
    *(case(linalg.ldl, x, lower=lower) for x in MATRICES for lower in (True, False)),
    *(case(linalg.ldl, complex_normal(3, 3), lower=lower, hermitian=False) for lower in (True, False)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(linalg.ldl, PAIRS)

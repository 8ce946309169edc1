"""Norms of vectors and matrices."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_rule

CASES = [
    *(case(linalg.norm, x) for x in (normal(3), complex_normal(2, 3), normal(2, 2, 2))),
    *(case(linalg.norm, np.asfortranarray(normal(3, 2)), ord=o) for o in (1, -1, np.inf, 2, "nuc", "fro")),
    case(linalg.norm, normal(2, 3, 2), ord=2, axis=(0, 2), keepdims=True, check_finite=False),
    case(linalg.norm, complex_normal(3, 2), ord=3, axis=0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_norm_of_zero_has_derivative_zero() -> None:
    np.testing.assert_array_equal(cr.grad(linalg.norm)(np.zeros(3)), 0)

"""Determinants, also of singular matrices."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_rule

CASES = [
    case(linalg.det, x)
    for x in (
        normal(3, 3),
        complex_normal(2, 2),
        normal(2, 3, 3),
        normal(1, 1),
        normal(3, 3).astype(np.float32),
    )
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_a_singular_matrix_has_its_cofactors() -> None:
    np.testing.assert_allclose(cr.grad(linalg.det)(np.ones((2, 2))), [[1.0, -1.0], [-1.0, 1.0]])


def test_entries_that_are_not_finite_raise_what_scipy_raises() -> None:
    with pytest.raises(ValueError, match="infs or NaNs"):
        cr.grad(linalg.det)(np.full((2, 2), np.nan))

"""Sines, cosines and tangents of matrices."""

from typing import Any

import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_grads, check_rule

FUNCTIONS = (linalg.cosm, linalg.sinm, linalg.tanm, linalg.coshm, linalg.sinhm, linalg.tanhm)
CASES = [
    case(f, x)
    for f in FUNCTIONS
    for x in (0.5 * normal(3, 3), 0.5 * complex_normal(2, 2), 0.5 * normal(2, 2, 2))
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", FUNCTIONS[1:3])
def test_second_order(f: Any) -> None:
    check_grads(f, 0.5 * normal(2, 2))

"""Gaps between values, and vectors that are not determined."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, frule_of, normal, rrule_of

import chainrules as cr
from chainrules.rules.numpy.linalg.gaps import between, coincident, divided, inverse_gaps, settled
from chainrules.testing import check_rule

CASES = [
    case(settled, normal(2, 2), constant(False)),
    case(divided, normal(3, 3), normal(3, 3, seed=1), normal(3)),
    case(divided, normal(2, 0, 3, 3), normal(2, 0, 3, 3), normal(2, 0, 3)),
    case(divided, complex_normal(2, 3, 3), normal(2, 3, 3), complex_normal(2, 3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_loose_vectors_have_no_derivative() -> None:
    _, pullback = rrule_of(settled, np.eye(2), True)
    with pytest.raises(cr.HigherOrderError, match="coincide"):
        pullback(np.zeros((2, 2)))
    _, tangent = frule_of(settled, (np.eye(2), True), (np.eye(2), cr.NoTangent()))
    assert isinstance(tangent, cr.NotImplementedTangent)


def test_values_coincide_up_to_rounding_of_the_largest() -> None:
    w = np.array([1e-20, 0.0, 1.0, 1.0 + 2e-16, 1.1])
    np.testing.assert_array_equal(np.sum(coincident(w), axis=-1), [2, 2, 2, 2, 1])
    np.testing.assert_allclose(inverse_gaps(w)[4, 2], -10.0)


def test_no_gap_divides_the_diagonal_nor_what_coincides() -> None:
    w = np.array([1.0, 3.0, 3.0])
    y = divided(np.ones((3, 3)), between(w, loose=True), np.zeros(3))
    np.testing.assert_array_equal(y, [[0.0, 0.5, 0.5], [-0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]])

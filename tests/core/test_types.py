"""What counts as an array, and which arrays are another library's."""

import numpy as np
import pytest
from tests.core.calls import value_and_pullback

import chainrules as cr
from chainrules.core.types import Array, Real, is_foreign


class Other:
    def __array_function__(self, func, types, args, kwargs):
        return NotImplemented


@pytest.mark.parametrize(
    ("x", "foreign"),
    [(np.ones(2), False), (2.0, False), ([1.0], False), (np.float32(1), False), (Other(), True)],
)
def test_is_foreign(x, foreign: bool) -> None:
    assert is_foreign(x) is foreign


def test_a_subclass_of_numpys_array_is_not_foreign() -> None:
    assert not is_foreign(np.ma.array([1.0]))


@pytest.mark.parametrize("x", [1, 1.0, 1j, np.float32(1), np.int8(1), np.ones(2)])
def test_what_a_numeric_rule_takes(x) -> None:
    assert isinstance(x, Array)
    assert isinstance(x, Real) is (not isinstance(x, complex | np.ndarray))


def test_a_truth_value_is_taken_as_an_integer_without_a_tangent() -> None:
    y, pullback = value_and_pullback(np.multiply, 3.0, np.True_)
    assert y == 3.0
    assert pullback(1.0) == (1.0, cr.NoTangent())

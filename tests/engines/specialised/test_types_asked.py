"""What `isinstance` says is known where a text is written, as far as kinds tell."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of


def by_type(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return np.sum(x**2)
    return x**3 if isinstance(x, (float, int)) else 2.0 * x


def helped(v: Any) -> Any:
    return v * v if isinstance(v, (float, np.ndarray)) else 5.0 * v


def by_helper(x: Any, n: Any) -> Any:
    return np.sum(helped(x)) + helped(n) * x.sum()


def test_types_are_not_asked_again() -> None:
    with specialised_after(1):
        for _ in range(3):
            assert cr.grad(by_type)(2.0) == 12.0
            np.testing.assert_array_equal(cr.grad(by_type)(np.array([1.0, 3.0])), [2.0, 6.0])
            assert cr.grad(by_type)(np.float64(2.0)) == 12.0
    assert text_of(by_type)
    assert "isinstance" not in text_of(by_type)


@pytest.mark.parametrize("numbers", [(3, 2.0), (2.0, 3), (3, np.float64(2.0)), (np.int64(3), True)])
def test_a_number_that_may_be_of_several_types_is_asked(numbers: Any) -> None:
    """Whole numbers are no floats: 5 n in place of n²."""
    x = np.array([1.0, 2.0])
    with specialised_after(1):
        for n in (*numbers, *numbers):
            slope = cr.grad(by_helper)(x, n)
            np.testing.assert_array_equal(slope, 2 * x + (n * n if isinstance(n, float) else 5.0 * n))

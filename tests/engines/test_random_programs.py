"""Random programs: reverse, forward and differences agree, and the value is that of the program."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import assume, given
from tests.engines.fuzzing import examples
from tests.engines.random_programs import function_of, programs

import chainrules as cr

POINT = (0.7, 1.3)


@examples(40)
@given(programs())
def test_both_modes_agree_with_differences(text):
    check(text)


def check(text):
    f: Callable[..., Any] = function_of(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            value: Any = f(*POINT)
        except (UnboundLocalError, NameError, ArithmeticError, TypeError):
            assume(False)
        assume(isinstance(value, int | float | np.floating) and math.fabs(value) < 1e6)
        forward = tuple(cr.jvp(f, POINT, direction) for direction in [(1.0, 0.0), (0.0, 1.0)])
        assert all(y == value for y, _ in forward), text
        pushed = np.array([float(cr.materialize(dy, like=0.0)) for _, dy in forward])
        y, pullback = cr.vjp(f, *POINT)
        assert y == value, text
        pulled = np.array([float(cr.materialize(t, like=0.0)) for t in pullback(1.0)])
        np.testing.assert_allclose(pulled, pushed, rtol=1e-9, atol=1e-9, err_msg=text)
        again = [float(cr.materialize(t, like=0.0)) for t in cr.vjp(f, *POINT)[1](1.0)]
        np.testing.assert_array_equal(again, pulled, err_msg=text)  # the second pullback is made of a text
        wide, narrow = differences(f, 1e-4), differences(f, 1e-5)
        assume(np.allclose(wide, narrow, rtol=1e-4, atol=1e-4))
        np.testing.assert_allclose(
            pulled, narrow, rtol=2e-3, atol=2e-3 * (1 + math.fabs(value)), err_msg=text
        )


def differences(f, h):
    x, y = POINT
    return np.array([f(x + h, y) - f(x - h, y), f(x, y + h) - f(x, y - h)], float) / (2 * h)

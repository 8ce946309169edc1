"""Quotients, powers and logarithms of derivative rules: IEEE values without warnings, and their own rules."""

import math

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, uniform

from chainrules.rules.quiet import divide, log, power, power_text, ratio
from chainrules.testing import check_rule

CASES = [
    case(divide, normal(2, 1), uniform(3)),
    case(divide, 0.5, complex_normal(3)),
    case(power, uniform(3), -0.5),
    case(power, 2.0, 3),
    case(log, uniform(3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


# pytest makes an error of every warning
def test_infinite_without_a_warning():
    np.testing.assert_array_equal(divide(1.0, np.array([0.0, 2.0, -0.0])), [math.inf, 0.5, -math.inf])
    assert divide(1.0, 0.0) == divide(1.0, np.float64(0.0)) == math.inf
    assert power(0.0, -1.5) == power(np.float64(0.0), -1.5) == math.inf
    np.testing.assert_array_equal(power(np.array([0.0, 4.0]), -0.5), [math.inf, 0.5])
    assert log(0.0) == -math.inf


def test_a_ratio_is_zero_where_its_divisor_is():
    np.testing.assert_array_equal(ratio(3.0, np.array([0.0, 2.0])), [0.0, 1.5])
    assert ratio(3.0, 0.0) == 0.0
    assert ratio(np.float32(3), np.float32(2)).dtype == np.float32


def test_powers_of_python_numbers_stay_theirs():
    assert power(-8.0, 1 / 3) == (-8.0) ** (1 / 3)
    assert power(2, -1) == 0.5


@pytest.mark.parametrize("p", [*range(1, 15), 4.0, 3.5])
def test_powers_of_arrays_by_products(p):
    x = np.array([-1.5, 0.0, -0.0, 2.0, 0.3, np.inf, 1e-30])
    x = np.abs(x) if p == 3.5 else x
    found = power(x, p)
    np.testing.assert_allclose(found, np.power(x, p), rtol=1e-14)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(np.power(x, p)))
    text = power_text("x", p, True)
    np.testing.assert_allclose(eval(text, {"x": x}), np.power(x, p), rtol=1e-14)  # its own text
    assert ("** 2" in text and f"** {p}" not in text) == (3 <= p <= 12 and p != 3.5)
    assert power_text("x", p, False) == f"x ** {p!r}"

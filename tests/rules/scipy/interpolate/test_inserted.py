"""Knots inserted into splines: the spline stays, the coefficients move."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import BSpline, insert, splev
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

T, C = np.array([0.0, 0.0, 0.0, 0.0, 0.7, 1.5, 2.0, 2.0, 2.0, 2.0]), normal(6)
AT = np.array([0.3, 0.9, 1.7])
CASES = [
    case(BSpline.insert_knot, BSpline(T, C, 3), 0.9),
    case(BSpline.insert_knot, BSpline(T, normal(6, 2), 3), 1.6, m=2),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("m", [1, 2])
def test_knots_and_coefficients_that_are_read(m: int) -> None:
    def read(x: Any, t: Any, c: Any) -> Any:
        knots, values, _ = insert(x, (t, c, 3), m)
        return knots, values[: 6 + m]

    check_grads(read, 0.9, T + 0.01 * np.arange(10), C, order=1)


def test_objects_and_curves() -> None:
    check_grads(lambda x, c: insert(x, BSpline(T, c, 3)).c[:7], 0.9, normal(6, 2), order=1)
    check_grads(lambda x, c: insert(x, (T, list(c), 3))[1][1][:7], 0.9, normal(2, 6), order=1)


def test_the_spline_stays_as_it_is() -> None:
    got = cr.jacobian(lambda x: splev(AT, insert(x, (T, C, 3))))(0.9)
    np.testing.assert_allclose(got, np.zeros(3), atol=1e-12)


def test_closed_curves_are_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="per"):
        cr.vjp(lambda c: insert(0.9, (T, c, 3), per=1)[1], C)

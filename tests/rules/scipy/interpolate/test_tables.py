"""Tables of values: each kind, unsorted sites, several columns, and points outside."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import interp1d
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X, Y, AT = np.array([0.0, 0.7, 2.9, 1.5, 3.3]), normal(5), np.array([[0.2, 1.4], [2.0, 3.2]])
STEPS = ("nearest", "nearest-up", "previous", "next", "zero")
KINDS = ("linear", "slinear", "quadratic", "cubic", *STEPS)
OUT = np.array([-0.5, 1.2, 4.0])
CASES = [
    *(case(interp1d.__call__, interp1d(X, Y, kind), AT) for kind in KINDS),
    case(interp1d.__call__, interp1d(X, normal(5, 2), axis=0), AT),
    case(interp1d.__call__, interp1d(X, complex_normal(5)), 0.3),
    case(interp1d.__call__, interp1d(X, Y, fill_value=(0.5, 2.0), bounds_error=False), OUT),
    case(interp1d.__call__, interp1d(X, Y, "cubic", fill_value="extrapolate"), OUT),
    case(interp1d.__call__, interp1d(X, Y, "previous", fill_value="extrapolate"), OUT[1:]),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("kind", KINDS)
def test_programs_by_sites_and_values(kind: str) -> None:
    check_grads(lambda x, y, at: interp1d(x, y, kind)(at), X, normal(2, 5), AT[0], order=1)


@pytest.mark.parametrize(("kind", "at", "place"), [("previous", 4.0, 4), ("next", -1.0, 0)])
def test_a_table_goes_on_with_its_last_value(kind: str, at: float, place: int) -> None:
    by_values = cr.grad(lambda y: float(interp1d(X, y, kind, fill_value="extrapolate")(at)))(Y)
    np.testing.assert_array_equal(by_values, np.eye(5)[place])


def test_a_site_belongs_to_the_line_that_begins_there() -> None:
    assert cr.grad(lambda at: float(interp1d([0.0, 1.0, 2.0], [0.0, 3.0, 4.0])(at)))(1.0) == 1.0


def test_a_point_outside_is_refused_as_scipy_does() -> None:
    with pytest.raises(ValueError, match="above the interpolation range"):
        cr.grad(lambda y: float(interp1d(X, y)(9.0)))(Y)

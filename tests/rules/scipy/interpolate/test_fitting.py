"""Splines through and near data: by sites, values, weights and knots, at every degree."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline, make_lsq_spline
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.interpolate.collocation import collocation, placed
from chainrules.testing import check_rule

X, Y = np.array([0.0, 0.7, 1.5, 2.9, 3.3, 4.0, 4.4]), normal(7)
KNOTS = np.array([-0.3, -0.2, -0.1, -0.05, 1.0, 2.0, 4.5, 4.6, 4.7, 4.8])
EXACT = np.array([-0.3, -0.2, -0.1, -0.05, 1.0, 2.0, 3.0, 4.5, 4.6, 4.7, 4.8])
CASES = [
    *(case(make_interp_spline, X, Y, k) for k in (0, 1, 2, 3, 5)),
    case(make_interp_spline, X, Y, bc_type="natural"),
    case(make_interp_spline, X, Y, bc_type=([(1, 0.3)], [(2, -0.2)])),
    case(make_interp_spline, X, normal(2, 7), axis=1),
    case(make_interp_spline, X, Y, 3, EXACT),
    case(make_lsq_spline, X, Y, KNOTS, 3, np.linspace(1.0, 2.0, 7)),
    case(make_lsq_spline, X, normal(7, 2), held(KNOTS), 3, method="norm-eq"),
    case(make_lsq_spline, X, complex_normal(7), held(KNOTS)),
    *(
        case(collocation, EXACT, X[1:-1], k=3, left=(1,), right=(2,), turned=turned)
        for turned in (False, True)
    ),
    case(placed, np.array([1.0, 2.0, 3.0]), at=np.array([0, 3, 3]), shape=(2, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives_by_sites_and_values() -> None:
    """Against differences of the gradient, in one direction."""
    x, y, by_x = X[:5], Y[:5], normal(5, seed=3)

    def gradient(step: float) -> Any:
        return cr.grad(lambda v: float(make_interp_spline(x + step * by_x, v)(1.1)))(y)

    slope = cr.jvp(gradient, (0.0,), (1.0,))[1]
    np.testing.assert_allclose(slope, (gradient(1e-5) - gradient(-1e-5)) / 2e-5, rtol=1e-6, atol=1e-8)


def test_a_million_sites() -> None:
    """The gradient is that of the mean value, whose weights sum to one."""
    n = 10**6
    x = np.linspace(0.0, 1.0, n)
    weights = cr.grad(lambda y: make_interp_spline(x, y).c.mean())(np.zeros(n))
    assert weights.sum() == pytest.approx(1.0, rel=1e-9)


def test_a_spline_is_refused_where_its_ends_meet() -> None:
    closed = np.append(Y[:-1], Y[0])
    with pytest.raises(cr.UnsupportedArgument, match="periodic"):
        cr.grad(lambda y: float(make_interp_spline(X, y, bc_type="periodic")(1.0)))(closed)

"""Cubic interpolation: every condition at the ends, PCHIP's turns and Akima's weights."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import (
    Akima1DInterpolator,
    CubicHermiteSpline,
    CubicSpline,
    PchipInterpolator,
    pchip_interpolate,
)
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.rules.scipy.interpolate import cubic
from chainrules.testing import check_grads, check_rule

X, Y = np.array([0.0, 0.7, 1.5, 2.9, 3.3, 4.0]), normal(6)
AT = np.array([0.2, 1.4, 3.8])
CLOSED = np.append(Y[:-1], Y[0])
ENDS = ("not-a-knot", "natural", "clamped", ((1, 0.3), (2, -0.4)), ("clamped", "not-a-knot"))
RISING = np.array([0.0, 0.1, 0.9, 0.8, 1.5, 2.5])
CASES = [
    *(case(CubicSpline, X, Y, bc_type=ends) for ends in ENDS),
    *(case(CubicSpline, X[:3], Y[:3], bc_type=ends) for ends in ENDS[:2]),
    *(case(CubicSpline, X[:2], Y[:2], bc_type=ends) for ends in ENDS[:2]),
    *(case(cubic.cubics, X, Y, ends) for ends in ENDS[:2]),
    case(CubicSpline, X, normal(2, 6), axis=1),
    case(CubicSpline, X, complex_normal(6)),
    case(CubicHermiteSpline, X, Y, normal(6, seed=1)),
    case(PchipInterpolator, X, Y),
    case(PchipInterpolator, X, RISING),
    case(PchipInterpolator, X[:2], Y[:2]),
    case(PchipInterpolator, X, np.stack((Y, RISING)), axis=1),
    case(pchip_interpolate, X, RISING, AT),
    case(pchip_interpolate, X, RISING, AT, der=[0, 1]),
    *(case(Akima1DInterpolator, X, Y, method=method) for method in ("akima", "makima")),
    case(Akima1DInterpolator, X[:2], Y[:2]),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("ends", ENDS[2:4])
def test_second_derivatives_of_programs(ends: Any) -> None:
    check_grads(lambda x, y, at: CubicSpline(x, y, bc_type=ends)(at), X, Y, AT)


@pytest.mark.parametrize("n", [3, 4])
def test_the_periodic_spline(n: int) -> None:
    def value(x: Any, y: Any, at: Any) -> Any:
        return CubicSpline(x, np.concatenate((y, y[:1])), bc_type="periodic")(at)

    check_grads(value, X[:n], Y[: n - 1], np.array([0.2, 5.1]), order=2 if n == 3 else 1)


@pytest.mark.parametrize("make", [PchipInterpolator, Akima1DInterpolator])
def test_second_derivatives_of_shape_preserving_curves(make: Any) -> None:
    check_grads(lambda x, y, at: make(x, y)(at), X, RISING, AT)


def test_pchip_is_level_where_the_data_are() -> None:
    by_values = cr.jacobian(lambda y: PchipInterpolator(np.arange(5.0), y)(2.0, 1))(
        np.array([0, 1, 1, 2, 3.0])
    )
    np.testing.assert_array_equal(by_values, np.zeros(5))


def test_akima_is_linear_where_its_weights_vanish() -> None:
    by_values = cr.jacobian(lambda y: Akima1DInterpolator(np.arange(5.0), y)(2.0, 1))(np.arange(5.0))
    np.testing.assert_allclose(by_values @ np.arange(5.0), 1.0)
    np.testing.assert_allclose(by_values @ np.ones(5), 0.0, atol=1e-15)


@pytest.mark.parametrize("ends", [*ENDS, ((2, 0.3), (1, 0.2))])
def test_by_values_alone(ends: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The coefficients are linear in the values: a formula, with the derivatives of the program."""

    def f(x: Any, y: Any) -> Any:
        return np.sum(CubicSpline(x, y, bc_type=ends)(AT) ** 3)

    by_both = cr.grad(f, (0, 1))(X, Y)[1]
    check_grads(lambda y: f(X, y), Y, order=2)
    if ends[0] not in ((1, 0.3), (2, 0.3)):
        check_grads(lambda y: f(X, y), np.stack((Y, RISING), axis=1), order=1)
    monkeypatch.setattr(cubic, "reverse_of", None)
    np.testing.assert_allclose(cr.grad(f, 1)(X, Y), by_both, rtol=1e-12)

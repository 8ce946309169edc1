"""Piecewise polynomials of several variables: called, differentiated, integrated."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import NdPPoly
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X = (np.array([0.0, 1.0, 2.5]), np.array([-1.0, 0.5, 1.0, 2.0]))
C, AT = normal(3, 2, 2, 3), np.array([[0.3, -0.2], [1.7, 1.6], [2.8, 0.7]])
SURFACE = NdPPoly(C, X)
BOX = np.array([[0.2, 1.7], [0.1, 2.7], [0.1, 1.3]])
CASES = [
    case(NdPPoly, C, X),
    case(NdPPoly.__call__, SURFACE, AT),
    *(case(NdPPoly.__call__, SURFACE, AT, nu=nu) for nu in ((1, 0), (2, 1), (0, 3))),
    case(NdPPoly.__call__, SURFACE, AT[:2], extrapolate=False),
    case(NdPPoly.__call__, NdPPoly(complex_normal(2, 3, 2, 3, 2), X), AT[None]),
    case(NdPPoly.__call__, NdPPoly(normal(3, 2), X[:1]), AT[:, 0], why="of one variable"),
    case(NdPPoly.__call__, SURFACE, (AT[:, 0], 0.3), why="coordinate by coordinate"),
    *(case(NdPPoly.derivative, SURFACE, nu=nu) for nu in ((1, 0), (1, -1), (3, 0))),
    *(case(NdPPoly.antiderivative, SURFACE, nu=nu) for nu in ((1, 0), (2, 1))),
    *(case(NdPPoly.integrate_1d, SURFACE, 0.2, 1.7, axis=axis) for axis in (0, 1)),
    case(NdPPoly.integrate_1d, NdPPoly(normal(3, 2, 2), X[:1]), 0.2, 3.7, axis=0),
    case(NdPPoly.integrate, SURFACE, ((0.2, 1.7), (1.9, -0.3))),
    case(NdPPoly.integrate, NdPPoly(normal(2, 3, 2, 2, 2, 3), (X[0], *X)), BOX),
    *(case(getattr, SURFACE, name) for name in ("c", "x")),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives_of_programs() -> None:
    check_grads(lambda c, at: NdPPoly(c, X).antiderivative((1, 0))(at), C, AT[:1])


def test_outside_there_is_no_slope() -> None:
    value, slope = cr.value_and_grad(lambda at: NdPPoly(C, X)(at, extrapolate=False)[0])(
        np.array([[3.0, 0.0]])
    )
    assert np.isnan(value)
    np.testing.assert_array_equal(slope, [[0.0, 0.0]])


def test_an_integral_has_its_integrand_as_slope() -> None:
    got = cr.grad(lambda b: float(SURFACE.integrate(((0.0, b), (-1.0, 0.3)))))(1.2)
    inner = SURFACE.integrate_1d(-1.0, 0.3, 1)
    assert got == pytest.approx(float(inner(np.array([1.2]))[0]))


def test_integrals_over_one_variable_to_second_order() -> None:
    check_grads(lambda c: NdPPoly(c, X).integrate_1d(0.2, 0.7, 1).c, C, order=2)

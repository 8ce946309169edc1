"""Rational functions through values: by nodes, values and points, also on nodes."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import AAA, FloaterHormannInterpolator
from scipy.interpolate._bary_rational import _BarycentricRational as Rational
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X, Y, AT = np.array([0.0, 0.7, 1.5, 2.9, 2.2, 3.1]), normal(6), np.array([0.2, 1.4])
CASES = [
    case(Rational.__call__, FloaterHormannInterpolator(X, Y), AT),
    case(Rational.__call__, FloaterHormannInterpolator(X, normal(2, 6), axis=1, d=1), AT),
    case(Rational.__call__, FloaterHormannInterpolator(X, complex_normal(6)), 0.3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("d", [0, 1, 3, 5])
def test_by_nodes_values_and_points(d: int) -> None:
    check_grads(lambda x, y, at: FloaterHormannInterpolator(x, y, d=d)(at), X, Y, AT, order=1)


@pytest.mark.parametrize("at", [0.4, 1.5])
def test_second_derivatives_also_on_a_node(at: float) -> None:
    check_grads(lambda y, at: FloaterHormannInterpolator(X, y, d=2)(at), Y, at)
    check_grads(lambda at: FloaterHormannInterpolator(X, Y, d=2)(at), at)


def test_of_degree_n_it_is_the_polynomial() -> None:
    """x³ has the second derivative 6 x, on its nodes and between."""
    second = cr.jacobian(cr.grad(lambda at: float(FloaterHormannInterpolator(X, X**3, d=5)(at))))
    for at in (0.7, 1.9):
        np.testing.assert_allclose(second(at), 6 * at, rtol=1e-9)


def test_values_that_are_not_finite_are_left_out() -> None:
    slope = cr.grad(lambda y: np.sum(FloaterHormannInterpolator(X, y)(AT)))(np.where(X > 3, np.nan, Y))
    assert slope[-1] == 0.0
    assert np.all(slope[:-1] != 0.0)


def test_another_rational_function_by_points_only() -> None:
    fitted = AAA(np.linspace(0.0, 2.0, 30), np.exp(np.linspace(0.0, 2.0, 30)))
    np.testing.assert_allclose(cr.grad(lambda at: float(fitted(at)))(0.3), np.exp(0.3), rtol=1e-9)
    with pytest.raises(cr.NoRuleError, match="AAA"):
        cr.grad(lambda y: float(AAA(np.linspace(0.0, 2.0, 30), y)(0.3)))(np.linspace(0.0, 2.0, 30))


def test_points_at_infinity_and_complex_nodes_are_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="infinite"):
        cr.grad(lambda at: float(FloaterHormannInterpolator(X, Y)(at)))(np.inf)
    with pytest.raises(cr.UnsupportedArgument, match="complex"):
        cr.grad(lambda y: np.abs(FloaterHormannInterpolator(X + 1j, y)(0.3)))(Y)

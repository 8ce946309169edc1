"""Polynomials through values: both objects, their derivatives, repeated nodes, and points on nodes."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import (
    BarycentricInterpolator,
    KroghInterpolator,
    barycentric_interpolate,
    krogh_interpolate,
)
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.interpolate.through_nodes import polynomial
from chainrules.testing import check_grads, check_rule

X, Y, AT = np.array([0.0, 0.7, 1.5, 2.9, 2.2]), normal(5), np.array([0.2, 1.4])
TWICE = np.array([0.0, 0.0, 1.0, 1.0, 1.0])
KROGH, WARM = KroghInterpolator(X, Y), BarycentricInterpolator(X, Y)
WARM.derivatives(0.0)  # keeps what it makes for derivatives
CASES = [
    *(case(polynomial, X, normal(5, 2), AT, der=der) for der in (0, 2)),
    case(polynomial, held(TWICE), complex_normal(5), AT, der=1),
    *(case(P.__call__, P(X, normal(2, 5), axis=1), AT) for P in (KroghInterpolator, BarycentricInterpolator)),
    *(case(type(p).derivative, p, 0.3, der=2) for p in (KROGH, WARM)),
    *(case(type(p).derivatives, p, AT, der=2) for p in (KROGH, WARM)),
    *(
        case(f, X, Y, AT, der=der)
        for f in (krogh_interpolate, barycentric_interpolate)
        for der in (1, [0, 2])
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("at", [0.2, 0.7])
def test_second_derivatives_also_on_a_node(at: float) -> None:
    check_grads(polynomial, X[:3], Y[:3], np.array([at]))


@pytest.mark.parametrize("P", [KroghInterpolator, BarycentricInterpolator])
def test_objects_by_nodes_and_values(P: Any) -> None:
    check_grads(lambda x, y, at: P(x, y, axis=1)(at), X, normal(2, 5), AT, order=1)
    check_grads(lambda x, y: P(x, y).derivatives(0.3)[2], X, Y, order=1)


def test_nodes_that_stand_several_times_move_together() -> None:
    def value(nodes: Any, y: Any) -> Any:
        return KroghInterpolator(nodes[np.array([0, 0, 1, 1, 1])], y)(AT)

    check_grads(value, np.array([0.0, 1.0]), Y, order=1)


def test_coefficients_that_scipy_makes_are_refused() -> None:
    for P, name in ((KroghInterpolator, "c"), (BarycentricInterpolator, "wi")):
        with pytest.raises(cr.NotDifferentiableError, match=f"{P.__name__}.{name}"):
            cr.grad(lambda x, P=P, name=name: np.sum(getattr(P(x, Y), name)))(X)
        with pytest.raises(cr.NotDifferentiableError, match=f"{P.__name__}.{name}"):
            cr.jvp(lambda x, P=P, name=name: np.sum(getattr(P(x, Y), name)), (X,), (X,))


def test_an_object_without_values_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="yi"):
        cr.grad(lambda x: BarycentricInterpolator(x).n * x[0])(X)

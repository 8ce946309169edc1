"""Piecewise polynomials: made, called, differentiated, integrated, solved, converted."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import BPoly, PPoly
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.rules.scipy.interpolate.objects import holding
from chainrules.testing import check_grads, check_rule

C, X, AT = normal(4, 3), np.array([0.0, 1.0, 2.5, 3.0]), np.array([0.2, 1.4, 2.9, 3.3, -0.1])
DOWN = BPoly(C, X[::-1])
CASES = [
    *(case(P, C, X) for P in (PPoly, BPoly)),
    *(case(P, normal(2, 3, 2, 2), X[:3], axis=1) for P in (PPoly, BPoly)),
    *(case(P.construct_fast, C, X) for P in (PPoly, BPoly)),
    *(case(P.__call__, P(C, X), AT, nu=nu) for P in (PPoly, BPoly) for nu in (0, 2)),
    case(PPoly.__call__, PPoly(C, X), AT, nu=5),
    *(case(P.__call__, P(C, X), AT, extrapolate="periodic") for P in (PPoly, BPoly)),
    *(case(P.__call__, P(C, X), AT[:3], extrapolate=False) for P in (PPoly, BPoly)),
    case(PPoly.__call__, PPoly(complex_normal(3, 3, 2), X), AT[:2], why="several complex polynomials"),
    case(DOWN.__call__.__func__, DOWN, AT[:2], why="descending breakpoints"),
    *(case(P.derivative, P(C, X), nu=2) for P in (PPoly, BPoly)),
    *(case(P.antiderivative, P(C, X), nu=2) for P in (PPoly, BPoly)),
    *(case(P.integrate, P(C, X), 2.0, -0.2) for P in (PPoly, BPoly)),
    *(case(P.integrate, P(C, X), -3.2, 11.3, extrapolate="periodic") for P in (PPoly, BPoly)),
    *(case(getattr, P(C, X), name) for P in (PPoly, BPoly) for name in ("c", "x")),
    case(PPoly.from_bernstein_basis, BPoly(C, X)),
    case(BPoly.from_power_basis, PPoly(C, X)),
    case(PPoly.roots, PPoly(C, X), discontinuity=False),
    case(PPoly.solve, PPoly(C, X), 0.1, discontinuity=False),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("P", [PPoly, BPoly])
def test_second_derivatives_of_programs(P: Any) -> None:
    check_grads(lambda c, x, at: P(c, x).antiderivative()(at), C, X, AT[:2])


def test_an_object_keeps_its_second_derivatives() -> None:
    """What `holding` gives moves, too, where its rule is itself differentiated."""
    assert holding(1.0, ()) == 1.0
    by_both = cr.jacobian(cr.grad(lambda at, c: float(PPoly(c, X)(at))), 1)(0.5, C)
    np.testing.assert_allclose(by_both[:, 0], [0.75, 1.0, 1.0, 0.0])


def test_a_breakpoint_belongs_to_the_piece_that_begins_there() -> None:
    kinked = PPoly(np.array([[1.0, 5.0], [0.0, 1.0]]), np.array([0.0, 1.0, 2.0]))
    assert cr.grad(lambda at: float(kinked(at)))(1.0) == 5.0
    assert cr.grad(lambda at: float(kinked(at)))(2.0) == 5.0
    np.testing.assert_array_equal(cr.grad(lambda p: float(p(1.0)))(kinked).x, [0.0, -5.0, 0.0])


def test_outside_there_is_no_slope() -> None:
    value, slope = cr.value_and_grad(lambda at: PPoly(C, X)(at, extrapolate=False)[()])(3.5)
    assert np.isnan(value)
    assert slope == 0.0


@pytest.mark.parametrize("y", [0.0, 2.0])
def test_roots_at_jumps_and_of_constant_pieces_are_refused(y: float) -> None:
    step = PPoly(np.array([[0.0, 0.0], [0.0, 4.0]]), np.array([0.0, 1.0, 2.0]))
    with pytest.raises((cr.NotDifferentiableError, cr.UnsupportedArgument)):
        cr.grad(lambda c: np.sum(PPoly(c, step.x).solve(y)))(step.c)

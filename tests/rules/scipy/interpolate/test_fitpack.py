"""Splines as tuples: by points, knots and coefficients, on knots, at the ends and outside."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import BSpline, spalde, splantider, splder, splev, splint, splrep, sproot
from tests.rules.cases import case, normal, of_one_form

import chainrules as cr
from chainrules.testing import check_grads, check_rule

T, C = np.array([0.0, 0.1, 0.3, 0.4, 1.1, 2.0, 2.9, 3.0, 3.2, 3.5]), normal(6)
TCK, S = (T, C, 3), BSpline(T, C, 3)
PADDED = (T, np.append(C, np.zeros(4)), 3)
CURVE = (T, [normal(6, seed=1), normal(6, seed=2)], 3)
WIDE = np.array([0.0, 1.0, 2.0, 3.0, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5])
WAVE = (WIDE, np.array([1.0, -1.0, 1.5, -1.0, 2.0, -2.0]), 3)
AT, OUT = np.array([0.7, 1.4, 2.5]), np.array([-0.2, 1.4, 3.3])
CASES = [
    *(case(splev, AT, of_one_form(TCK), der=der) for der in (0, 1, 3)),
    *(case(splev, OUT, of_one_form(TCK), der=der, ext=ext) for der in (0, 1) for ext in (0, 1, 3)),
    case(splev, 0.7, of_one_form(PADDED)),
    case(splev, AT, of_one_form(CURVE)),
    case(splev, AT, S, der=1),
    case(splint, 0.5, 2.7, of_one_form(TCK)),
    case(splint, 2.7, -1.0, of_one_form(PADDED), why="backwards, and from outside"),
    case(splint, 0.5, 2.7, of_one_form(CURVE)),
    case(splint, 0.5, 2.7, S),
    case(spalde, 0.7, of_one_form(TCK)),
    case(spalde, AT, of_one_form(TCK)),
    case(spalde, AT, of_one_form(CURVE)),
    *(case(f, spline, n=n) for f in (splder, splantider) for spline in (PADDED, S) for n in (1, 2)),
    case(splder, PADDED, n=-1),
    case(sproot, of_one_form(WAVE)),
    case(sproot, of_one_form((WIDE, [WAVE[1], 2 * WAVE[1]], 3))),
    case(sproot, BSpline(*WAVE)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives_of_programs() -> None:
    check_grads(lambda t, c, at: splev(at, splder((t, c, 3))), T, PADDED[1], AT[:2])


@pytest.mark.parametrize("at", [T[3], T[4], T[6]])
@pytest.mark.parametrize("der", [0, 1, 3])
def test_values_on_knots_are_those_of_scipy(at: float, der: int) -> None:
    value, _ = cr.value_and_grad(lambda c: float(splev(at, (T, c, 3), der)))(C)
    assert value == pytest.approx(float(splev(at, TCK, der)), rel=1e-12)
    value, _ = cr.value_and_grad(lambda c: spalde(at, (T, c, 3))[der])(C)
    assert value == pytest.approx(spalde(at, TCK)[der], rel=1e-12)


def test_a_fit_of_splrep_is_held_as_data() -> None:
    x = np.linspace(0.0, 3.0, 9)
    fit = splrep(x, np.sin(x))
    assert cr.grad(lambda at: float(splev(at, fit)))(1.0) == pytest.approx(float(splev(1.0, fit, 1)))


def test_working_storage_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="full_output"):
        cr.grad(lambda c: splint(0.5, 2.7, (T, c, 3), full_output=1)[0])(C)


@pytest.mark.parametrize("f", [splev, splint, spalde, sproot])
def test_too_few_knots_are_refused_before_scipy_reads_beyond_them(f: Any) -> None:
    at = {splev: (AT,), splint: (0.5, 2.7), spalde: (0.7,), sproot: ()}[f]
    for t, c in ((T[:5], C), (T[:0], C[:0]), (np.stack((T, T)), C), (T, C[:4]), (T, [C[:5], C[:5]])):
        with pytest.raises(cr.UnsupportedArgument, match="knots"):
            cr.grad(lambda c, t=t: np.sum(f(*at, (t, c, 3))))(c)

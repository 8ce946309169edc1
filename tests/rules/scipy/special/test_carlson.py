"""Carlson's integrals and their derivatives, against differences and against mpmath's integrals."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, rrule_of, uniform

import chainrules as cr
from chainrules.rules.scipy.special.carlson import carlson
from chainrules.testing import check_grads, check_rule

FUNCTIONS = (
    (special.elliprc, 2),
    *((f, 3) for f in (special.elliprf, special.elliprd, special.elliprg)),
    (special.elliprj, 4),
)
POINT = (0.3, 1.2, 0.8, 0.5)
EQUAL = (0.7, 0.7, 0.7, 0.7)
COMPLEX = (0.3 + 0.4j, 1.2 - 0.5j, 0.8 + 0.1j, 0.5 + 0.2j)
CASES = [
    *(case(f, *(uniform(2, seed=i) for i in range(n))) for f, n in FUNCTIONS),
    *(case(f, *EQUAL[:n], why="all alike") for f, n in FUNCTIONS),
    *(case(f, *COMPLEX[:n]) for f, n in FUNCTIONS),
    *(
        case(f, *(uniform(2, seed=i) for i in range(n)), np.zeros(2), why="written into an array")
        for f, n in FUNCTIONS
    ),
    case(special.elliprd, uniform(3, 1), 2.0, uniform(2)),
    case(special.elliprc, 0.3, -0.6, why="principal value"),
    case(special.elliprj, 0.3, 1.2, 0.8, -0.6, why="principal value"),
    case(special.elliprj, 0.3, 1.2, 0.8, np.array([-0.6, 0.6]), why="one principal value"),
    case(carlson, *POINT, k=1, b=(0.5, 1.5, 0.5, 1.0)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(("f", "count"), FUNCTIONS)
def test_second_order(f, count):
    check_grads(f, *EQUAL[:count], order=2)
    check_grads(f, *POINT[:count], order=2)


@pytest.mark.parametrize(
    ("f", "reference", "z"),
    [
        (special.elliprf, mpmath.elliprf, (1e-8, 1.0, 1e8)),
        (special.elliprd, mpmath.elliprd, (1e-6, 1.0, 1.0 + 1e-9)),
        (special.elliprd, mpmath.elliprd, (3.0, 3.0, 1e-5)),
        (special.elliprd, mpmath.elliprd, (2.0 + 1j, 0.1, 2.0 + 1.0001j)),
        (special.elliprg, mpmath.elliprg, (1e-6, 1.0, 1e6)),
        (special.elliprj, mpmath.elliprj, (1.0, 1.0, 1.0, 1.0 + 1e-7)),
        (special.elliprj, mpmath.elliprj, (1e-3, 2.0, 30.0, 1e4)),
        (special.elliprc, mpmath.elliprc, (1.0, 1.0 + 1e-9)),
        (special.elliprc, mpmath.elliprc, (1e5, 1e-5)),
    ],
)
def test_derivatives_by_mpmath(f, reference, z):
    cotangents = rrule_of(f, *z)[1](1.0 + 0j if np.iscomplexobj(z) else 1.0)
    with mpmath.workdps(40):
        for i, found in enumerate(cotangents):
            others = list(map(mpmath.mpmathify, z))
            h = abs(others[i]) * mpmath.mpf(10) ** -12
            ends = [reference(*others[:i], others[i] + s * h, *others[i + 1 :]) for s in (-1, 1)]
            slope = complex((ends[1] - ends[0]) / (2 * h))
            expected = slope.conjugate() if np.iscomplexobj(z[i]) else slope.real
            assert abs(found - expected) <= 1e-11 * abs(slope)


def test_an_argument_zero_has_an_infinite_slope():
    assert cr.grad(special.elliprf)(0.0, 1.0, 2.0) == -math.inf
    assert rrule_of(special.elliprf, 0.0, 1.0, 2.0)[1](0.0)[0] == 0.0
    assert cr.grad(special.elliprg)(0.0, 1.0, 2.0) == pytest.approx(special.elliprf(0.0, 1.0, 2.0) / 4)


def test_arguments_on_both_sides_of_the_cut_are_refused():
    with pytest.raises(cr.NotDifferentiableError, match="both sides of the negative axis"):
        cr.vjp(special.elliprd, -1 + 0.01j, -1 - 0.01j, 1.0)[1](1.0 + 0j)


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_slopes_of_rd_by_doubling_at_many_points(moved):
    x = 10 ** np.random.default_rng(moved).uniform(-8, 8, (3, 20))
    x[:, :5] = 1 + 1e-3 * x[:, :5] ** 0.1
    x[(moved == 0) + 0, 5] = 0.0
    found = rrule_of(special.elliprd, *x)[1](np.ones(20))[moved]
    with mpmath.workdps(40):
        for at, slope in enumerate(found):
            z = [mpmath.mpf(v) for v in x[:, at]]
            h = z[moved] * mpmath.mpf(10) ** -12
            ends = [mpmath.elliprd(*(v + s * h * (j == moved) for j, v in enumerate(z))) for s in (-1, 1)]
            assert slope == pytest.approx(float((ends[1] - ends[0]) / (2 * h)), rel=1e-12, abs=0)


def test_slopes_of_rd_far_apart_and_not_finite():
    found = rrule_of(special.elliprd, np.array([1e-200, np.nan, np.inf, 0.0, 1.0]), 1.0, 1e100)[1](np.ones(5))
    assert np.all(found[0][:1] < 0)
    assert np.isnan(found[0][1])
    assert (found[0][2], found[0][3]) == (0.0, -math.inf)
    assert found[0][4] == pytest.approx(special_slope(1.0, 1.0, 1e100), rel=1e-12)


def special_slope(x, y, z):
    """∂R_D/∂x by a difference at 30 digits"""
    with mpmath.workdps(30):
        ends = [mpmath.elliprd(x + s * mpmath.mpf(10) ** -10, y, z) for s in (-1, 1)]
        return float((ends[1] - ends[0]) * 10**10 / 2)

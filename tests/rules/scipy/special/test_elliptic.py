"""Elliptic integrals and Jacobi's functions against differences and mpmath, at the ends of m as well."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, rrule_of, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule

M = np.array([-3.0, -0.05, 0.0, 0.02, 0.7])
ONE = (special.ellipk, special.ellipkm1, special.ellipe)
CASES = [
    *(case(f, M) for f in (special.ellipk, special.ellipe)),
    *(case(f, uniform(3)) for f in ONE),
    *(case(f, 0.0, why="m = 0") for f in (special.ellipk, special.ellipe)),
    case(special.ellipkm1, np.array([1e-3, 0.95, 1.0, 4.0])),
    *(case(f, uniform(3), np.zeros(3), why="written into an array") for f in ONE),
    *(
        case(f, uniform(3, 1), M)
        for f in (special.ellipkinc, special.ellipeinc, special.ellipj)
        if f.nout == 1
    ),
    *(
        case(f, np.array([-7.0, -2.0, 2.0, 9.0]), 0.3, why="several periods")
        for f in (special.ellipkinc, special.ellipeinc)
    ),
    *(
        case(f, uniform(3), uniform(3), np.zeros(3), why="written into an array")
        for f in (special.ellipkinc, special.ellipeinc)
    ),
    case(special.ellipj, uniform(3), 0.4),
    case(special.ellipj, np.array([-5.0, 0.0, 3.0]), np.array([0.0, 0.3, 0.9])[1:2]),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("m", [-2.0, 0.0, 1e-3, 0.6])
def test_second_order(m):
    check_grads(special.ellipk, m, order=2)
    check_grads(special.ellipe, m, order=2)
    check_grads(special.ellipkm1, 1.0 - m, order=2)
    check_grads(special.ellipkinc, 2.0, m, order=2)
    check_grads(special.ellipeinc, 2.0, m, order=2)


def test_second_order_of_jacobi():
    def total(u, m):
        sn, cn, dn, phase = special.ellipj(u, m)
        return sn * cn + dn * dn + phase

    check_grads(total, 1.3, 0.4, order=2)


@pytest.mark.parametrize("m", [-1e8, -0.5, -1e-9, 0.0, 1e-12, 1e-4, 0.099, 0.101, 0.999, 1 - 1e-9])
def test_complete_integrals_by_mpmath(m):
    for f, reference in ((special.ellipk, mpmath.ellipk), (special.ellipe, mpmath.ellipe)):
        with mpmath.workdps(40):
            expected = float(mpmath.diff(reference, m, h=mpmath.mpf(10) ** -15))
        assert cr.grad(f)(m) == pytest.approx(expected, rel=3e-13 if m < 0.9 else 1e-7)


@pytest.mark.parametrize(("phi", "m"), [(1e-5, 0.3), (1.5, 1e-10), (1.2, 0.9999), (0.3, -50.0), (4.0, 0.5)])
def test_incomplete_integrals_by_mpmath(phi, m):
    for f, reference in ((special.ellipkinc, mpmath.ellipf), (special.ellipeinc, mpmath.ellipe)):
        with mpmath.workdps(40):
            expected = float(mpmath.diff(lambda v, r=reference: r(phi, v), m, h=mpmath.mpf(10) ** -15))
        assert cr.grad(f, argnums=1)(phi, m) == pytest.approx(expected, rel=1e-12)


def test_the_ends_of_the_domain():
    assert cr.grad(special.ellipk)(1.0) == math.inf
    assert cr.grad(special.ellipkm1)(0.0) == -math.inf
    assert cr.grad(special.ellipe)(1.0) == -math.inf
    assert rrule_of(special.ellipk, 1.0)[1](0.0)[0] == 0.0
    assert cr.grad(special.ellipk)(-math.inf) == 0.0
    assert math.isnan(cr.grad(special.ellipk)(1.5))
    assert cr.grad(special.ellipkinc, argnums=1)(1.0, 1.0) == pytest.approx(
        float(mpmath.diff(lambda m: mpmath.ellipf(1.0, m), 1 - 1e-12)), rel=1e-6
    )
    assert math.isnan(cr.grad(special.ellipk)(math.nan))
    assert cr.grad(lambda m: np.sum(special.ellipk(m)))(np.zeros(0)).shape == (0,)

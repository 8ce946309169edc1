"""Legendre functions and spherical harmonics by their arguments, against differences, and at the poles."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, constant, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule

Z = np.array([-0.7, 0.2, 0.9])
N, M = constant(4), constant(2)
ANGLE = np.array([0.3, 1.2])
ASSOC = (special.assoc_legendre_p, special.assoc_legendre_p_all)
SPH = (special.sph_legendre_p, special.sph_legendre_p_all)
HARMONICS = (special.sph_harm_y, special.sph_harm_y_all)
CASES = [
    *(case(f, N, Z, diff_n=d) for f in (special.legendre_p, special.legendre_p_all) for d in (0, 1)),
    case(special.legendre_p, constant(np.array([[0], [1], [5]])), Z),
    *(case(f, N, M, Z, norm=norm, diff_n=1) for f in ASSOC for norm in (False, True)),
    *(case(f, N, M, 1.5 + 0.3j, branch_cut=3) for f in ASSOC),
    *(case(f, N, M, ANGLE, diff_n=d) for f in SPH for d in (0, 1)),
    *(case(f, N, M, ANGLE, np.array([[0.4]]), diff_n=d) for f in HARMONICS for d in (0, 1)),
    *(case(special.lpmv, held(m), 3.0, Z) for m in (0, 1, 3)),
    case(special.lpmv, held(1), 2.6, Z, why="a real degree"),
    case(special.lpmv, held(-2), 3.3, Z, why="a negative order"),
    *(case(special.lqn, constant(3), z) for z in (0.3, 2.3)),
    *(case(special.lqmn, constant(2), constant(3), z) for z in (0.3, 2.3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda z: special.legendre_p(4, z)[0], 0.3, order=2)
    check_grads(lambda z: special.assoc_legendre_p(4, 3, z)[0], 0.3, order=2)
    check_grads(lambda t: special.sph_legendre_p(4, 1, t)[0], 0.3, order=2)
    check_grads(lambda t, p: np.real(special.sph_harm_y(3, 2, t, p)), 0.3, 0.7, order=2)
    check_grads(lambda v, x: special.lpmv(1, v, x), 2.6, 0.3, order=2)
    check_grads(lambda z: special.lqn(2, z)[0][2], 0.3, order=2)


def test_the_poles():
    def along(t):
        return np.real(special.sph_harm_y(2, 1, t, 0.3))

    slope = -math.sqrt(15 / (8 * math.pi)) * math.cos(0.3)
    assert cr.grad(along)(0.0) == pytest.approx(slope)
    assert cr.grad(along)(math.pi) == pytest.approx(slope)
    assert cr.grad(lambda z: special.assoc_legendre_p(4, 1, z)[0])(1.0) == math.inf


def test_the_ends_of_lpmv():
    def slope(m, v, x):
        return cr.grad(special.lpmv, argnums=2)(m, v, x)

    assert slope(0, 2.5, 1.0) == pytest.approx(2.5 * 3.5 / 2)
    assert slope(0, 4.0, -1.0) == pytest.approx(-10.0)
    assert slope(1, 4.0, 1.0) == math.inf
    assert slope(2, 4.0, 1.0) == pytest.approx(-90.0)
    assert slope(3, 4.0, -1.0) == 0.0
    assert slope(2, 4.0, 1 - 1e-13) == pytest.approx(-90.0, rel=1e-9)


@pytest.mark.parametrize(("m", "v", "x"), [(0, 0.5, 0.3), (1, 2.6, -0.9), (4, 7.25, 0.4), (2, 1.0, 0.2)])
def test_the_degree_of_lpmv_by_mpmath(m, v, x):
    with mpmath.workdps(40):
        expected = float(mpmath.diff(lambda d: mpmath.legenp(d, m, x), v + mpmath.mpf(10) ** -25).real)
    assert cr.grad(special.lpmv, argnums=1)(m, v, x) == pytest.approx(expected, rel=1e-10)


def test_what_is_missing_is_refused_by_name():
    with pytest.raises(cr.UnsupportedArgument, match="this would be the third"):
        cr.grad(lambda z: special.legendre_p(4, z, diff_n=2)[0])(0.3)
    with pytest.raises(cr.NoRuleError, match="below a negative order"):
        cr.grad(special.lpmv, argnums=1)(-3, 1.0, 0.3)
    with pytest.raises(cr.NoRuleError, match="by their order"):
        cr.grad(special.lpmv)(1.0, 2.5, 0.3)

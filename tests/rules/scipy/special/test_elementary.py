"""Entropies, losses, transformations and Lambert's function against differences, and at their edges."""

import math

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, held, normal, rrule_of, uniform

import chainrules as cr
from chainrules.rules.scipy.special.exponential_moments import moment
from chainrules.testing import check_rule

X, P = uniform(2, 3, seed=1), uniform(3, seed=2)
PAIRS = (special.xlogy, special.xlog1py, special.rel_entr, special.kl_div, special.boxcox, special.boxcox1p)
MORE = (special.inv_boxcox, special.inv_boxcox1p, special.huber, special.pseudo_huber, special.powm1)
ONE = (special.entr, special.exprel, special.cosm1, special.wrightomega, special.lambertw)
CASES = [
    *(case(f, X, P) for f in (*PAIRS, *MORE, special.agm)),
    *(case(f, X) for f in ONE),
    *(case(f, 60 * X) for f in (special.sindg, special.cosdg, special.tandg, special.cotdg)),
    case(moment, np.array([-3.0, -0.5, 0.0, 7.9, 12.0]), held(2)),
    case(special.radian, X, P, 0.3),
    case(special.tklmbda, np.array([-0.4, 0.3, 2.0]), np.array([0.7, -0.2, 1.5])),
    case(special.tklmbda, 0.3, 0.02),
    case(special.boxcox, X, np.zeros(3), why="the logarithm"),
    case(special.boxcox, 2.0, -30.0),
    case(special.exprel, np.array([-3.0, -0.5, 0.0, 1e-5, 7.9, 12.0])),
    case(special.rel_entr, X.astype(np.float32), P.astype(np.float32)),
    case(special.agm, 1.0, 1.0, why="equal"),
    case(special.agm, -1.0, -0.3),
    case(special.huber, 0.5, normal(5)),
    case(special.pseudo_huber, 2.0, np.zeros(2)),
    *(case(f, complex_normal(3), complex_normal(2, 3, seed=5)) for f in (special.xlogy, special.xlog1py)),
    case(special.wrightomega, complex_normal(3)),
    case(special.lambertw, complex_normal(3), 1),
    case(special.lambertw, np.array([-0.2, -0.05]), k=-1),
    case(special.lambertw, 0.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_zero_factor_does_not_look_at_the_logarithm():
    for f in (special.xlogy, special.rel_entr):
        assert rrule_of(f, 0.0, 2.0)[1](1.0)[1] == 0.0
        assert rrule_of(f, 0.0, 0.0)[1](1.0)[1] == 0.0
    assert rrule_of(special.xlogy, 0.0, 0.0)[1](1.0)[0] == -math.inf
    assert rrule_of(special.rel_entr, 0.0, 0.0)[1](1.0)[0] == math.inf
    assert rrule_of(special.xlogy, 0.0, 0.0)[1](0.0) == (0.0, 0.0)


def test_entropies_at_zero_and_outside():
    assert rrule_of(special.entr, 0.0)[1](1.0) == (math.inf,)
    assert rrule_of(special.entr, 0.0)[1](0.0) == (0.0,)
    assert math.isnan(rrule_of(special.entr, -1.0)[1](1.0)[0])
    assert math.isnan(rrule_of(special.kl_div, -1.0, 2.0)[1](1.0)[1])


def test_box_and_cox_by_lambda_at_zero_and_at_the_edge():
    slope = rrule_of(special.boxcox, 3.0, 0.0)[1](1.0)[1]
    assert math.isclose(slope, math.log(3.0) ** 2 / 2, rel_tol=1e-15)
    assert rrule_of(special.boxcox, 0.0, 2.0)[1](1.0) == (0.0, 0.25)
    third = cr.derivative(cr.derivative(cr.derivative(lambda p: special.boxcox(3.0, p))))(0.0)
    assert math.isclose(third, math.log(3.0) ** 4 / 4, rel_tol=1e-9)


def test_lambert_at_its_branch_point_and_at_zero():
    w = cr.derivative(lambda z: special.lambertw(z).real)
    assert w(0.0) == 1.0
    assert rrule_of(special.wrightomega, -1.0 + math.pi * 1j)[1](0.0)[0] == 0.0


def test_the_mean_of_a_zero_is_zero():
    assert rrule_of(special.agm, 0.0, 2.0)[1](1.0) == (math.inf, 0.0)
    assert rrule_of(special.agm, 0.0, 2.0)[1](0.0) == (0.0, 0.0)

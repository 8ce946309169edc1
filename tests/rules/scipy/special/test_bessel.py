"""Bessel functions by argument and order against differences, and points that are decided or refused."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, constant, held, rrule_of, uniform

import chainrules as cr
from chainrules.core import ChainRulesError
from chainrules.rules.scipy.special.orders import by_order
from chainrules.tangents import NotImplementedTangent
from chainrules.testing import check_grads, check_rule

KINDS = ("j", "y", "i", "k", "ie", "ke", "h1", "h2")
REAL = (special.jv, special.yv, special.iv, special.kv)
HANKEL = (special.hankel1, special.hankel2)
V, X = uniform(3, low=0.3, high=4.0), uniform(3, low=0.5, high=6.0, seed=1)
CASES = [
    *(case(f, V, X) for f in (*REAL, *HANKEL)),
    *(case(f, 1.3, 0.4) for f in (*REAL, *HANKEL)),
    *(case(f, -V, X, why="negative orders") for f in (*REAL, *HANKEL)),
    *(case(f, np.array([[0.0], [1.0], [5.0]]), np.array([0.2, 4.0, 9.0])) for f in REAL),
    *(case(f, held(V), complex_normal(3)) for f in (*REAL, *HANKEL)),
    case(special.jv, V.astype(np.float32), X.astype(np.float32)),
    case(special.jv, np.zeros(0), np.zeros(0)),
    *(case(by_order, V, X, kind=kind, k=1) for kind in KINDS),
    *(case(f, constant(np.array([0, 1, 4])), X) for f in (special.yn, special.kn)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", REAL)
@pytest.mark.parametrize(("v", "x"), [(0.4, 0.7), (2.0, 5.0), (-1.5, 2.0), (6.0, 5.0)])
def test_second_derivatives(f, v, x):
    check_grads(f, v, x, order=2)


@pytest.mark.parametrize(
    ("f", "v", "x", "truth"), [(special.iv, 1.5, 2.0, -0.926), (special.jv, 1.0, 2.0, -0.056)]
)
def test_the_order_moves_where_others_say_zero(f, v, x, truth):
    h = 1e-5
    differences = (f(v + h, x) - f(v - h, x)) / (2 * h)
    gradient = cr.grad(f)(v, x)
    assert gradient == pytest.approx(differences, rel=1e-8)
    assert gradient == pytest.approx(truth, abs=5e-4)


def test_known_values_by_order():
    x = np.array([0.3, 2.0, 20.0])
    zeros = np.zeros(3)

    def by_order(f):
        return rrule_of(f, zeros, x)[1](np.ones(3))[0]

    np.testing.assert_allclose(by_order(special.jv), np.pi / 2 * special.y0(x), rtol=1e-12)  # DLMF 10.15.3
    np.testing.assert_allclose(by_order(special.yv), -np.pi / 2 * special.j0(x), rtol=1e-12)
    np.testing.assert_allclose(by_order(special.iv), -special.k0(x), rtol=1e-12)  # DLMF 10.38.4
    assert np.all(by_order(special.kv) == 0)


def test_slopes_at_zero():
    assert rrule_of(special.jv, 1.0, 0.0)[1](1.0)[1] == 0.5
    assert rrule_of(special.jv, 0.5, 0.0)[1](1.0)[1] == np.inf
    assert rrule_of(special.jv, 0.5, 0.0)[1](1.0)[0] == 0.0
    assert rrule_of(special.kv, 0.5, 0.0)[1](1.0)[0] == np.inf


def test_points_without_a_derivative_by_the_order_are_refused():
    with pytest.raises(ChainRulesError, match="jv by its order at v = 2, z = -1, where"):
        cr.grad(special.jv)(2.0, -1.0)
    with pytest.raises(ChainRulesError, match="iv by its order at v = 0, z = 0"):
        cr.grad(special.iv)(0.0, 0.0)
    with pytest.raises(ChainRulesError, match="jv by its order at v = 3, z = -2"):
        cr.derivative(lambda v: special.jv(v, -2.0))(3.0)
    slope = 0.5 * (special.jv(1, -1.0) - special.jv(3, -1.0))
    assert cr.grad(special.jv, argnums=1)(2.0, -1.0) == pytest.approx(slope)
    curvature = 0.25 * (special.jv(0, -1.0) - 2 * special.jv(2, -1.0) + special.jv(4, -1.0))
    assert cr.grad(cr.grad(lambda x: special.jv(2.0, x)))(-1.0) == pytest.approx(curvature)


def test_the_order_at_a_complex_argument_is_not_implemented():
    v_bar, z_bar = rrule_of(special.jv, 1.0, 1.0 + 1.0j)[1](1.0 + 0.0j)
    assert isinstance(v_bar, NotImplementedTangent)
    assert np.isfinite(z_bar)

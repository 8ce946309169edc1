"""Scaled Bessel functions against differences, at corners, and far out, where the terms cancel."""

import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, held, rrule_of, uniform

from chainrules.testing import check_grads, check_rule

FUNCTIONS = (special.jve, special.yve, special.ive, special.kve, special.hankel1e, special.hankel2e)
ALONE = (special.i0e, special.i1e, special.k0e, special.k1e)
V, X = uniform(3, low=0.3, high=4.0), uniform(3, low=0.5, high=6.0, seed=1)
Z = complex_normal(4) + 0.3
CASES = [
    *(case(f, V, X) for f in FUNCTIONS),
    *(case(f, 1.3, 0.4) for f in FUNCTIONS),
    *(case(f, held(1.3), Z) for f in FUNCTIONS),
    *(case(f, X) for f in ALONE),
    *(case(f, -X, why="the other side of the corner") for f in (special.i0e, special.i1e)),
    case(special.ive, held(2.0), -X),
    case(special.ive, -V, X),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", FUNCTIONS[:4])
def test_second_derivatives(f):
    check_grads(f, 1.3, 2.4, order=2)


def test_the_corner_has_the_middle_slope():
    assert rrule_of(special.i0e, 0.0)[1](1.0)[0] == 0.0


@pytest.mark.parametrize("x", [3e4, 1e6, 1e10])
def test_far_out_the_slope_is_that_of_a_root(x):
    for f, v in ((special.i0e, 0), (special.k0e, 0), (special.i1e, 1), (special.k1e, 1)):
        expected = -f(x) * (0.5 / x)
        sign = -1 if f in (special.i0e, special.i1e) else 1
        expected += -sign * f(x) * 0.5 * (v * v - 0.25) / x**2
        assert rrule_of(f, x)[1](1.0)[0] == pytest.approx(expected, rel=1e-8)
    assert rrule_of(special.i0e, -x)[1](1.0)[0] == -rrule_of(special.i0e, x)[1](1.0)[0]

"""Hypergeometric functions by argument against differences; by a parameter they are refused."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, held, rrule_of, uniform

import chainrules as cr
from chainrules.core import ChainRulesError
from chainrules.tangents import NotImplementedTangent
from chainrules.testing import check_rule

X, Z = uniform(3), 0.3 * complex_normal(3)
A, B, C = held(0.7), held(1.3), held(2.1)
CASES = [
    *(case(special.hyp0f1, B, z) for z in (X, -5 * X, Z, 0.0)),
    *(case(special.hyp1f1, A, B, z) for z in (X, -5 * X, Z, 0.0)),
    *(case(special.hyperu, A, B, x) for x in (X, 5 * X)),
    *(case(special.hyp2f1, A, B, C, z) for z in (X, -5 * X, Z, 0.0)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_derivatives():
    found = cr.grad(cr.grad(lambda z: special.hyp2f1(0.7, 1.3, 2.1, z)))(0.2)
    assert found == pytest.approx(0.7 * 1.7 * 1.3 * 2.3 / (2.1 * 3.1) * special.hyp2f1(2.7, 3.3, 4.1, 0.2))


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (special.hyp0f1, (1.0, 0.5)),
        (special.hyp1f1, (1.5, 2.5, -100.0)),
        (special.hyperu, (1.0, 2.0, 0.5)),
        (special.hyp2f1, (1.5, 2.0, 2.5, -5.0)),
    ],
)
def test_parameters_are_refused_by_name(f, x):
    assert isinstance(rrule_of(f, *x)[1](1.0)[0], NotImplementedTangent)
    with pytest.raises(ChainRulesError, match=f"scipy.special.{f.__name__} by its parameters"):
        cr.grad(f)(*x)
    assert np.isfinite(cr.grad(f, argnums=f.nin - 1)(*x))

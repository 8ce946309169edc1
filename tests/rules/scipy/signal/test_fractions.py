"""Partial fractions and back, with numerators shorter and longer, and roots that count as one."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held

import chainrules as cr
from chainrules.testing import check_rule

B, A = np.array([0.3, 0.2, 0.7]), np.array([2.0, 0.7, 0.4, 0.1])
REAL = np.poly([0.8, -0.5, -0.2])
"""A denominator with real roots, whose order does not change where its coefficients are turned."""
P, R = np.array([0.5, -0.3, -0.3, 0.8]), np.array([1.0, 0.4, 0.7, 0.2])
CASES = [
    *(
        case(f, b, a)
        for f in (signal.residue, signal.residuez)
        for b, a in ((B, REAL), (B, A), (A, np.array([1.0, 0.4, 0.9])))
    ),
    case(signal.residue, complex_normal(2), complex_normal(3, seed=4)),
    *(
        case(f, R[:3], P[[0, 1, 3]], k)
        for f in (signal.invres, signal.invresz)
        for k in (held(np.zeros(1)), B)
    ),
    case(signal.invres, complex_normal(2), complex_normal(2, seed=4), np.array([0.3])),
    *(
        case(signal.unique_roots, np.array([0.1, 0.7, 0.15, 0.72]), held(0.1), kind)
        for kind in ("min", "max", "avg")
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [signal.invres, signal.invresz])
def test_poles_that_coincide(f):
    def numerator(r):
        return f(r, P, [0.2])[0]

    np.testing.assert_allclose(numerator(R), f(R, P, [0.2])[0])
    cr.testing.check_grads(numerator, R, order=1)


def test_residues_and_back_are_the_identity():
    def there_and_back(b):
        return np.real(signal.invres(*signal.residue(b, A))[0]) * A[0]

    np.testing.assert_allclose(cr.jacobian(there_and_back)(B), np.eye(3), atol=1e-12)


def test_a_double_pole_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match="coincide"):
        cr.jacobian(lambda a: np.real(signal.residue(B, a)[0]))(np.array([1.0, 2.0, 1.0]))

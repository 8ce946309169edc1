"""Laguerre's and Jacobi's polynomials by argument and parameters, against differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X = np.array([-0.9, -0.2, 0.4])
DEGREES = np.array([[0], [1], [4]])
CASES = [
    case(special.eval_laguerre, held(4), X),
    case(special.eval_laguerre, held(2.5), X + 1, why="a real degree"),
    *(case(special.eval_genlaguerre, held(n), 0.7, X) for n in (3, DEGREES)),
    *(case(special.eval_jacobi, held(n), 0.7, -0.2, X) for n in (3, DEGREES)),
    case(special.eval_jacobi, held(3), -0.4, -0.6, 0.3, why="α + β = −1"),
    case(special.eval_jacobi, held(3), 0.7, 0.2, X + 0.3j),
    *(case(special.eval_sh_jacobi, held(n), 2.7, 1.2, (X + 1) / 2) for n in (3, DEGREES)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda a, x: special.eval_genlaguerre(3, a, x), 0.7, 0.3, order=2)
    check_grads(lambda a, b, x: special.eval_jacobi(4, a, b, x), 0.7, 0.2, 0.3, order=2)


@pytest.mark.parametrize(
    ("n", "a", "b", "x"), [(40, 0.3, 2.0, 0.6), (7, -0.9, 5.0, -1.0), (5, 0.5, 0.1, 3.0)]
)
def test_parameters_by_mpmath(n, a, b, x):
    with mpmath.workdps(40):
        by_a = float(mpmath.diff(lambda v: mpmath.jacobi(n, v, b, x), a))
        by_b = float(mpmath.diff(lambda v: mpmath.jacobi(n, a, v, x), b))
        of_laguerre = float(mpmath.diff(lambda v: mpmath.laguerre(n, v, x), a))
    assert cr.grad(special.eval_jacobi, argnums=1)(n, a, b, x) == pytest.approx(by_a, rel=1e-11)
    assert cr.grad(special.eval_jacobi, argnums=2)(n, a, b, x) == pytest.approx(by_b, rel=1e-11)
    assert cr.grad(special.eval_genlaguerre, argnums=1)(n, a, x) == pytest.approx(of_laguerre, rel=1e-11)


def test_what_is_missing_is_refused_by_name():
    with pytest.raises(cr.NoRuleError, match="by their degree"):
        cr.grad(special.eval_laguerre)(2.5, 0.3)
    with pytest.raises(cr.NotDifferentiableError, match="a degree here is not whole"):
        cr.grad(special.eval_genlaguerre, argnums=1)(2.5, 0.7, 0.3)
    with pytest.raises(cr.NotDifferentiableError, match="a whole number below"):
        cr.grad(special.eval_jacobi, argnums=1)(3, -1.5, -1.5, 0.3)

"""Laguerre's and Jacobi's polynomials by argument and parameters, against differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.rules.scipy.special.derivatives import derivative
from chainrules.rules.scipy.special.jacobi import by_alpha, by_beta, laguerre_by_parameter
from chainrules.testing import check_grads, check_rule

X = np.array([-0.9, -0.2, 0.4])
DEGREES = np.array([[0], [1], [4]])
CASES = [
    case(special.eval_laguerre, held(4), X),
    *(case(special.eval_laguerre, n, X + 1) for n in (2.5, 3.0)),
    *(case(special.eval_genlaguerre, held(n), 0.7, X) for n in (3, DEGREES)),
    *(case(special.eval_genlaguerre, n, 0.7, x) for n in (2.5, 3.0) for x in (X, 20.0)),
    case(special.eval_jacobi, 2.5, 0.7, -0.2, X),
    case(special.eval_jacobi, 3.0, 0.7, -0.2, 0.3),
    case(special.eval_jacobi, held(3.0), -1.5, -1.5, 0.3, why="the sums have a pole"),
    case(special.eval_sh_jacobi, 2.5, 2.7, 1.2, 0.7),
    case(laguerre_by_parameter, 3.0, 0.7, X),
    *(case(f, 3.0, 0.7, -0.2, 0.4) for f in (by_alpha, by_beta)),
    *(
        case(derivative, 2.5, 0.7, X, kind="eval_genlaguerre", orders=orders)
        for orders in ((1, 0, 1), (0, 1, 0))
    ),
    case(derivative, 2.5, 0.7, 0.2, 0.4, kind="eval_jacobi", orders=(1, 0, 0, 1)),
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


@pytest.mark.parametrize(
    ("n", "a", "b", "x"), [(0.4, 0.3, 2.0, 0.6), (12.3, -0.4, 0.2, -0.5), (2.0, 1.5, 0.0, 0.99)]
)
def test_the_degree_by_mpmath(n, a, b, x):
    with mpmath.workdps(40):
        of_jacobi = float(mpmath.diff(lambda v: mpmath.jacobi(v, a, b, x), n))
        of_laguerre = float(mpmath.diff(lambda v: mpmath.laguerre(v, a, 9 * x), n))
    assert cr.grad(special.eval_jacobi)(n, a, b, x) == pytest.approx(of_jacobi, rel=1e-11)
    assert cr.grad(special.eval_genlaguerre)(n, a, 9 * x) == pytest.approx(of_laguerre, rel=1e-11)


def test_left_of_minus_one_functions_of_a_real_degree_have_no_derivative():
    assert not np.isfinite(cr.grad(special.eval_jacobi)(2.5, 0.7, 0.2, -1.5))

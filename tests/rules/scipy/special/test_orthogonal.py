"""Orthogonal polynomials by argument, degree and parameter, against differences and mpmath."""

import math

import mpmath
import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, constant, frule_of

import chainrules as cr
from chainrules.rules.scipy.special.orthogonal import as_whole, chebyt_by_degree
from chainrules.testing import check_grads, check_rule

X = np.array([-0.9, -0.2, 0.4])
DEGREES = np.array([[0], [1], [4]])
PLAIN = (
    special.eval_chebyt,
    special.eval_chebyu,
    special.eval_chebyc,
    special.eval_chebys,
    special.eval_legendre,
)
SHIFTED = (special.eval_sh_chebyt, special.eval_sh_chebyu, special.eval_sh_legendre)
HERMITE = (special.eval_hermite, special.eval_hermitenorm)
CASES = [
    *(case(f, 3, (X + 1) / 2 if f in SHIFTED else X) for f in (*PLAIN, *SHIFTED)),
    *(case(f, DEGREES, 0.3) for f in (*PLAIN, *SHIFTED)),
    *(case(f, 2.6, (X + 1) / 2 if f in SHIFTED else X, why="a real degree") for f in (*PLAIN, *SHIFTED)),
    *(case(f, 2.6, 2.5, why="beyond the interval") for f in (*PLAIN, *SHIFTED)),
    *(case(f, 2.3, 0.3 + 0.2j) for f in (*PLAIN, *SHIFTED)),
    case(chebyt_by_degree, 2.6, X),
    *(case(f, constant(n), X) for f in HERMITE for n in (0, 3, DEGREES)),
    case(special.eval_gegenbauer, 3, 0.7, X),
    case(special.eval_gegenbauer, 2.4, 0.2, X, why="a real degree"),
    case(special.eval_gegenbauer, DEGREES, 1.3, 0.3),
    case(special.eval_gegenbauer, 2.4, 0.7, 0.3 + 0.2j),
    *(case(as_whole, n) for n in (2.6, np.array([2.0, 3.5]))),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", PLAIN)
@pytest.mark.parametrize(("n", "x"), [(3, 0.3), (0, 0.3), (2.6, -0.4), (2.3, 1.2)])
def test_second_order(f, n, x):
    check_grads(f, n, x, order=2)


@pytest.mark.parametrize("n", [200, 1000])
def test_high_degrees_given_as_floats(n):
    """Pₙ′ = n (Pₙ₋₁ − x Pₙ)/(1 − x²)        [DLMF 18.9.17 and 18.9.18]"""
    x = 0.3
    expected = n * (special.eval_legendre(n - 1, x) - x * special.eval_legendre(n, x)) / (1 - x * x)
    assert cr.grad(special.eval_legendre, 1)(float(n), x) == pytest.approx(expected, rel=1e-12)
    assert cr.grad(special.eval_gegenbauer, 2)(float(n), 0.5, x) == pytest.approx(expected, rel=1e-12)


def test_second_order_by_all_three():
    check_grads(special.eval_gegenbauer, 2.3, 0.7, 0.3, order=2)


@pytest.mark.parametrize("f", HERMITE)
def test_second_order_of_hermite(f):
    check_grads(lambda x: f(4, x), 0.3, order=2)


def gegenbauer(n, lam, x):
    n, lam, x = map(mpmath.mpmathify, (n, lam, x))
    return mpmath.gammaprod([n + 2 * lam], [n + 1, 2 * lam]) * mpmath.hyp2f1(
        -n, n + 2 * lam, lam + 0.5, (1 - x) / 2
    )


@pytest.mark.parametrize(
    ("n", "lam", "x"),
    [
        (0.3, 0.01, 0.5),
        (7.0, 0.5, -0.999),
        (60.5, 1.5, 0.2),
        (3.0, -0.3, 0.2),
        (5.2, 4.0, 0.99999),
        (2.2, 1.2, 30.0),
    ],
)
def test_degree_and_parameter_by_mpmath(n, lam, x):
    for i in (0, 1):
        tangents = tuple(float(k == i) for k in range(3))
        with mpmath.workdps(40):
            orders = tuple(int(v) for v in tangents[:2])
            expected = float(mpmath.diff(lambda a, b: gegenbauer(a, b, x), (n, lam), orders))
        found = frule_of(special.eval_gegenbauer, (n, lam, x), tangents)[1]
        assert found == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("n", [0.5, 12.0, 300.25, 2000.0])
def test_degree_of_legendre_by_mpmath(n):
    with mpmath.workdps(40):
        expected = float(mpmath.diff(lambda v: mpmath.legenp(v, 0, 0.3), n))
    assert cr.grad(special.eval_legendre)(n, 0.3) == pytest.approx(expected, rel=1e-11)


def test_the_ends_of_the_interval():
    functions = (special.eval_chebyt, special.eval_chebyu, special.eval_legendre)
    slope = [float(cr.grad(f, argnums=1)(4, 1.0)) for f in functions]
    assert slope == pytest.approx([16.0, 40.0, 10.0])
    assert cr.grad(cr.grad(special.eval_legendre, argnums=1), argnums=1)(4, 1.0) == pytest.approx(45.0)
    assert [float(cr.grad(f, argnums=1)(0, 1.0)) for f in PLAIN] == [0.0] * len(PLAIN)
    assert cr.grad(special.eval_legendre)(4, 1.0) == pytest.approx(0.0, abs=1e-14)
    assert cr.grad(special.eval_legendre)(4, -1.0) == -math.inf
    assert cr.grad(special.eval_legendre)(3, -1.0) == math.inf
    assert math.isnan(cr.grad(special.eval_legendre)(3, -1.5))
    assert math.isnan(cr.grad(special.eval_chebyt)(3, -1.5))
    assert cr.grad(special.eval_chebyt, argnums=1)(3, -1.5) == pytest.approx(24.0)


def test_negative_degrees_are_reflected():
    def slope(f, n):
        return cr.grad(f, argnums=1)(n, 0.3)

    assert slope(special.eval_legendre, -4) == slope(special.eval_legendre, 3)
    assert slope(special.eval_chebyu, -5) == -slope(special.eval_chebyu, 3)
    assert slope(special.eval_chebyt, -3) == pytest.approx(slope(special.eval_chebyt, 3))


def test_what_cancels_is_refused_by_name():
    with pytest.raises(cr.NotDifferentiableError, match=r"degree 50.5 and parameter 10 .* it cancels"):
        cr.grad(special.eval_gegenbauer, argnums=1)(50.5, 10.0, 0.3)
    with pytest.raises(cr.NotDifferentiableError, match="not above"):
        cr.grad(special.eval_gegenbauer, argnums=1)(3.5, -0.7, 0.3)

"""Distribution functions of vectors, against exact ones in two dimensions and quadrature in three."""

import numpy as np
import pytest
from scipy import integrate, stats
from tests.rules.cases import case

import chainrules as cr
from chainrules import NoRuleError, UnsupportedArgument
from chainrules.rules.scipy.stats.orthants import orthant, quadrant, student_orthant
from chainrules.testing import check_grads, check_rule, constrained, exempt

COV = np.array([[2.0, 0.3], [0.3, 1.0]])
TALL = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 1.5]])
B = np.array([[0.3, -0.5], [0.0, 1.0], [2.0, 0.0]])
CASES = [
    case(orthant, B, constrained(COV, "positive definite")),
    case(orthant, B[:, :1], constrained(COV[:1, :1], "positive definite")),
]
_QUASI_RANDOM = "SciPy's value is quasi-random, which differences would magnify: checked through orthant"
_METHODS = (stats.multivariate_normal.cdf, stats.multivariate_normal.logcdf, stats.multivariate_t.cdf)
_MADE = stats.multivariate_normal(np.zeros(2), COV), stats.multivariate_t(np.zeros(2), COV, df=3.3)
EXEMPT = [
    exempt(f, why=_QUASI_RANDOM)
    for f in (*_METHODS, _MADE[0].cdf, _MADE[0].logcdf, _MADE[1].cdf, student_orthant)
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_quadrant_by_owens_function():
    h, k = np.array([0.3, -0.3, 0.0, 0.0, 1.0]), np.array([-0.5, 0.7, 0.4, 0.0, 0.0])
    for r in (-0.7, 0.4):
        found = quadrant(h, k, r)
        for i in range(len(h)):
            slope = np.sqrt(1 - r * r)

            def inner(t, at=k[i], r=r, slope=slope):
                return stats.norm.pdf(t) * stats.norm.cdf((at - r * t) / slope)

            assert np.isclose(found[i], integrate.quad(inner, -np.inf, h[i])[0], rtol=1e-9)


def test_three_dimensions_against_quadrature():
    b = np.array([[0.3, -0.5, 1.0]])
    along = TALL[1:, 0] / TALL[0, 0]
    rest = TALL[1:, 1:] - np.outer(along, TALL[0, 1:])

    def probability(limits):
        def inner(t):
            return stats.norm.pdf(t, scale=np.sqrt(2)) * orthant(limits[None, 1:] - along * t, rest)[0]

        return integrate.quad(inner, -np.inf, limits[0], epsabs=1e-12)[0]

    steps = 1e-4 * np.eye(3)
    expected = [(probability(b[0] + e) - probability(b[0] - e)) / 2e-4 for e in steps]
    assert np.allclose(cr.grad(lambda b: np.sum(orthant(b, TALL)))(b)[0], expected, rtol=1e-6)


def test_methods_have_the_derivatives_of_orthants():
    x, m = np.array([0.4, -0.1]), np.array([0.1, 0.2])

    def method(x, m, s):
        return stats.multivariate_normal.cdf(x, m, s * COV, rng=1)

    def frozen(x, m, s):
        return np.exp(stats.multivariate_normal(m, s * COV).logcdf(x, rng=1))

    exact = cr.grad(lambda x, m, s: np.sum(orthant(np.reshape(x - m, (1, 2)), s * COV)), (0, 1, 2))(x, m, 1.3)
    for f in (method, frozen):
        for found, wanted in zip(cr.grad(f, (0, 1, 2))(x, m, 1.3), exact, strict=True):
            assert np.allclose(found, wanted, rtol=1e-4)


def test_second_derivatives_are_those_of_the_density():
    check_grads(lambda b, s: np.sum(orthant(b, s * COV)), B[:1], 1.3, order=2)


def test_an_infinite_limit_drops_out():
    found = cr.grad(lambda x: stats.multivariate_normal.cdf(x, None, COV))(np.array([0.3, np.inf]))
    assert np.allclose(found, [stats.norm.pdf(0.3, scale=np.sqrt(2)), 0.0])


def test_students_in_two_dimensions_against_quadrature():
    nu, b = 3.3, np.array([0.3, -0.5])

    def by_first(u):  # the density of the first entry integrated over the second
        return stats.multivariate_t.pdf([b[0], u], None, COV, nu)

    expected = integrate.quad(by_first, -np.inf, b[1], epsabs=1e-12)[0]
    found = cr.grad(lambda x: stats.multivariate_t(None, COV, df=nu).cdf(x, random_state=1))(b)
    assert np.isclose(found[0], expected, rtol=1e-8)
    assert np.allclose(found, cr.grad(lambda x: stats.multivariate_t.cdf(x, None, COV, nu))(b))


def test_what_is_refused():
    with pytest.raises(UnsupportedArgument, match="lower_limit"):
        cr.grad(lambda x: stats.multivariate_normal.cdf(x, None, COV, lower_limit=0))(B[0])
    with pytest.raises(NoRuleError, match="df"):
        cr.grad(lambda df: stats.multivariate_t.cdf(B[0], None, COV, df))(3.0)

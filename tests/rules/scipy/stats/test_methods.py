"""Multivariate distributions: each method by its arguments and parameters, frozen or not."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, held

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.rules.scipy.stats.methods import parameter
from chainrules.testing import check_grads, check_rule, constrained, exempt

COV = np.array([[2.0, 0.3], [0.3, 1.0]])
MEAN, X = np.array([0.3, -0.2]), np.array([[0.1, 0.4], [1.0, -2.0]])
TALL = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 1.5]])
MIDDLE, MATRICES = np.arange(6.0).reshape(3, 2) / 3, np.sin(np.arange(12.0)).reshape(2, 3, 2)
ALPHA, P, KINDS = np.array([1.5, 2.5, 0.8]), np.array([0.2, 0.5, 0.3]), np.array([[1, 2, 0], [2, 0, 1]])
UNIT = np.array([0.6, 0.8, 0.0])
MOVED = np.array([[1.0, 0.2], [0.2, 0.7]])


def definite(a):
    """A covariance that stays symmetric."""
    return constrained(a, "positive definite")


def both(distribution, at, parameters, methods):
    """Cases of methods at some arguments, frozen and not; their parameters in the order of the call."""
    made = distribution(*[getattr(p, "primal", p) for p in parameters])
    for name in methods:
        yield case(getattr(distribution, name), *at, *parameters)
        yield case(getattr(made, name), *at)


DENSITY, MASS, MOMENTS = ("logpdf", "pdf"), ("logpmf", "pmf"), ("mean", "var", "cov")
NORMAL, STUDENT = (MEAN, definite(COV)), (MEAN, definite(COV), 3.3)
GAMMA, WISHART = (0.2, 1.3, 3.2, 0.8), (6.3, definite(COV))
PAIR = (held(3), constrained(P, "probability"))
CASES = [
    *both(stats.multivariate_normal, (X,), NORMAL, DENSITY),
    *both(stats.multivariate_normal, (), NORMAL, ("entropy",)),
    case(stats.multivariate_normal.logpdf, X, MEAN, np.array([1.0, 2.0]), why="a diagonal"),
    case(stats.multivariate_normal.logpdf, X, MEAN, 2.0, why="a multiple of the identity"),
    case(stats.multivariate_normal.pdf, 0.3, 0.1, 2.0, why="one number"),
    case(stats.multivariate_normal.logpdf, np.array([0.3, 0.4]), why="the standard one"),
    *both(stats.multivariate_t, (X,), STUDENT, DENSITY),
    *both(stats.multivariate_t, (), STUDENT, ("entropy",)),
    *both(stats.matrix_normal, (MATRICES,), (MIDDLE, definite(TALL), definite(COV)), DENSITY),
    case(stats.matrix_normal.entropy, definite(TALL), definite(COV)),
    case(stats.matrix_normal(MIDDLE, TALL, COV).entropy),
    *both(stats.matrix_t, (MATRICES,), (MIDDLE, definite(TALL), definite(COV), 3.3), DENSITY),
    *both(stats.wishart, (definite(MOVED),), WISHART, DENSITY),
    *both(stats.wishart, (), WISHART, ("mean", "mode", "var", "entropy")),
    *both(stats.invwishart, (definite(MOVED),), WISHART, DENSITY),
    *both(stats.invwishart, (), WISHART, ("mean", "mode", "var", "entropy")),
    *(case(stats.wishart.logpdf, np.array([1.3, 2.0]), 5.3, s) for s in (2.0, np.array([2.0, 1.0]))),
    *both(stats.dirichlet, (np.array([0.2, 0.5]),), (ALPHA,), DENSITY),
    case(stats.dirichlet.logpdf, np.array([[0.2, 0.3], [0.5, 0.1]]), ALPHA, why="two points"),
    *both(stats.dirichlet, (), (ALPHA,), (*MOMENTS, "entropy")),
    *both(stats.multinomial, (held(KINDS),), PAIR, MASS),
    *both(stats.multinomial, (), PAIR, ("mean", "cov", "entropy")),
    *both(stats.dirichlet_multinomial, (held(KINDS),), (ALPHA, held(3)), MASS),
    *both(stats.dirichlet_multinomial, (), (ALPHA, held(3)), MOMENTS),
    *both(stats.vonmises_fisher, (held(UNIT),), (held(UNIT[::-1].copy()), 2.3), DENSITY),
    *both(stats.vonmises_fisher, (), (held(UNIT), 2.3), ("entropy",)),
    *both(stats.normal_inverse_gamma, (np.array([0.3, 0.4]), np.array([1.2, 0.7])), GAMMA, DENSITY),
    *both(stats.normal_inverse_gamma, (), GAMMA, ("mean", "var")),
]
DISTRIBUTIONS = [
    "multivariate_normal",
    "multivariate_t",
    "matrix_normal",
    "matrix_t",
    "wishart",
    "invwishart",
    "dirichlet",
    "multinomial",
    "dirichlet_multinomial",
    "vonmises_fisher",
    "normal_inverse_gamma",
]
EXEMPT = [
    exempt(parameter, why="reads a frozen distribution, which has no differences: checked by the methods"),
    *(
        exempt(type(getattr(stats, name)).__call__, why="makes an object: checked by what its methods say")
        for name in DISTRIBUTIONS
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_frozen_ones_to_second_order():
    def normal(x, m, s):
        made = stats.multivariate_normal(m, s)
        return np.sum(made.logpdf(x)) + made.entropy()

    check_grads(lambda m, s: normal(X, m, s), MEAN, np.array([1.0, 2.0]), order=2)
    check_grads(lambda x: normal(x, MEAN, 1.3), X, order=1)
    check_grads(lambda d: stats.wishart(d, d * COV).logpdf(MOVED), 5.3, order=2)
    check_grads(lambda a: stats.dirichlet(a).logpdf(P), ALPHA, order=2)
    check_grads(lambda n, s: stats.multivariate_t(MEAN, s * COV, df=n).entropy(), 3.3, 2.0, order=1)


def test_directions_along_the_sphere():
    def of(f, v, w, k):
        return f(v / np.sqrt(v @ v), w / np.sqrt(w @ w), k)

    for f in (stats.vonmises_fisher.logpdf, lambda x, m, k: stats.vonmises_fisher(m, k).pdf(x)):
        check_grads(lambda v, w, k, f=f: of(f, v, w, k), np.array([1.0, 2.0, -0.3]), UNIT + 0.2, 2.3, order=1)


def test_the_gradient_of_a_frozen_distribution_has_its_parameters():
    found = cr.grad(lambda d: d.logpdf(0.3, 1.2))(stats.normal_inverse_gamma(*GAMMA))
    by = cr.grad(stats.normal_inverse_gamma.logpdf, (2, 3, 4, 5))(0.3, 1.2, *GAMMA)
    assert np.allclose([found._shapes[i] for i in range(4)], by)
    kept = cr.grad(lambda d: np.sum(d.logpdf(X)))(stats.multivariate_normal(MEAN, COV))
    by_mean, by_cov = cr.grad(lambda m, c: np.sum(stats.multivariate_normal.logpdf(X, m, c)), (0, 1))(
        MEAN, COV
    )
    assert np.allclose(kept.mean, by_mean)
    assert np.allclose(kept.cov_object._covariance, by_cov)


def test_many_degrees_of_freedom_are_the_normal_distribution():
    by_t = cr.grad(lambda m: np.sum(stats.multivariate_t.logpdf(X, m, COV, np.inf)))(MEAN)
    assert np.allclose(by_t, cr.grad(lambda m: np.sum(stats.multivariate_normal.logpdf(X, m, COV)))(MEAN))


def test_singular_covariances_are_refused():
    with pytest.raises(NotDifferentiableError, match="singular"):
        cr.grad(lambda s: stats.multivariate_normal.logpdf([0.1, 0.1], None, s * np.ones((2, 2)), True))(1.0)


def test_whole_numbers_do_not_move():
    assert cr.grad(lambda t: t * stats.multivariate_hypergeom.logpmf([1, 2], [3, 4], 3))(1.0) < 0.0
    assert np.isfinite(cr.grad(lambda p: stats.multinomial.logpmf([3, 0, 0], 3, p))(P)).all()
    assert np.array_equal(cr.grad(lambda p: stats.multinomial.pmf([3, 3, 0], 3, p))(P), np.zeros(3))


@pytest.mark.parametrize(
    ("f", "x", "parameters"),
    [
        (stats.dirichlet.logpdf, P, (ALPHA,)),
        (stats.dirichlet.pdf, P, (ALPHA,)),
        (stats.dirichlet_multinomial.logpmf, [1, 2, 0], (ALPHA, 3)),
        (stats.multinomial.pmf, [1, 2, 0], (3, P)),
        (stats.multivariate_normal.logpdf, X, (MEAN, COV)),
        (stats.multivariate_t.pdf, X, (MEAN, COV, 3.3)),
        (stats.wishart.logpdf, MOVED, (6.3, COV)),
    ],
)
def test_lists_and_tuples_are_arrays(f, x, parameters):
    """What is an array may be given as a list or tuple, to a distribution and to its frozen one."""

    def total(t, *given):
        return np.sum(f(*given) * t)

    def listed(v):
        return v.tolist() if isinstance(v, np.ndarray) else v

    def tupled(v):
        return tuple(map(tupled, v)) if isinstance(v, list) else v

    expected = cr.grad(total)(1.5, x, *parameters)
    lists = [listed(v) for v in (x, *parameters)]
    assert cr.grad(total)(1.5, *lists) == expected
    by_array = cr.grad(total, tuple(range(1, 2 + len(parameters))))(1.5, x, *parameters)
    for i, v in enumerate((x, *parameters)):
        if isinstance(v, np.ndarray):
            rest = [tupled(w) if j != i else v for j, w in enumerate(lists)]
            np.testing.assert_allclose(cr.grad(total, i + 1)(1.5, *rest), by_array[i], rtol=1e-12)

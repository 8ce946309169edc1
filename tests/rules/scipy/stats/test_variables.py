"""Random variables of the new infrastructure: made, transformed, mixed; by x and by every parameter."""

from typing import Any, ClassVar

import numpy as np
import pytest
from scipy import stats
from scipy.stats import Mixture
from scipy.stats._distribution_infrastructure import ShiftedScaledDistribution, UnivariateDistribution
from tests.rules.cases import case, held

import chainrules as cr
from chainrules import NoRuleError, NotDifferentiableError
from chainrules.core.loading import has_rules_of_base
from chainrules.testing import check_grads, check_rule, exempt

Gamma = stats.make_distribution(stats.gamma)
TRUNCATED = stats.truncate(stats.Normal(mu=0.3, sigma=1.2), -0.9, 2.0)
MIXED = stats.Mixture(
    [stats.Normal(mu=0.3, sigma=1.2), stats.Normal(mu=1.3, sigma=0.4)], weights=np.array([0.3, 0.7])
)
COUNT = stats.Binomial(n=6, p=0.3)
X, P = np.array([0.3, 1.1]), np.array([0.2, 0.7])
AT_X = ("pdf", "logpdf", "cdf", "ccdf", "logcdf", "logccdf")
AT_P, AT_LOG_P = ("icdf", "iccdf"), ("ilogcdf", "ilogccdf")
NUMBERS = (
    "mean",
    "variance",
    "standard_deviation",
    "skewness",
    "kurtosis",
    "entropy",
    "logentropy",
    "median",
    "support",
)
CASES = [
    *(case(getattr(v, m), X) for v in (TRUNCATED, MIXED) for m in AT_X),
    *(case(getattr(v, m), P) for v in (TRUNCATED, MIXED) for m in AT_P),
    *(case(getattr(v, m), np.log(P)) for v in (TRUNCATED, MIXED) for m in AT_LOG_P),
    *(case(getattr(v, m)) for v in (TRUNCATED, MIXED) for m in NUMBERS),
    case(COUNT.pmf, held(2.0)),
    case(COUNT.logpmf, held(2.0)),
    case(stats.Normal, mu=0.3, sigma=1.2),
]
METHODS = [(P, name) for P in (UnivariateDistribution, Mixture) for name in ("sample", "mode", "moment")]
MAKERS = [
    *(
        getattr(UnivariateDistribution, f"__{n}__")
        for n in ("add", "sub", "mul", "truediv", "neg", "pow", "abs")
    ),
    *(getattr(UnivariateDistribution, f"__r{n}__") for n in ("add", "sub", "mul", "truediv", "pow")),
    *(getattr(ShiftedScaledDistribution, f"__{n}__") for n in ("add", "sub", "mul", "truediv")),
    *(stats.exp, stats.log, stats.abs, stats.truncate, stats.order_statistic, stats.Mixture),
    stats.make_distribution,
]
EXEMPT = [
    *(
        exempt(f, why="makes an object that keeps what it computed: checked by what its methods say")
        for f in MAKERS
    ),
    *(exempt(getattr(P, name), why="checked below, by the parameters") for P, name in METHODS),
    *(
        exempt(getattr(Mixture, name), why="of whole numbers, which SciPy does not mix")
        for name in ("pmf", "logpmf")
    ),
]
MADE: dict[str, Any] = {
    "normal": (lambda m, s: stats.Normal(mu=m, sigma=s), (0.3, 1.2)),
    "logistic": (lambda m, s: m + s * stats.Logistic(), (0.3, 1.2)),
    "uniform": (lambda a, b: stats.Uniform(a=a, b=b), (0.3, 1.9)),
    "gamma": (lambda a, m, s: (Gamma(a=a) - m) / s, (2.7, 0.1, 1.2)),
    "downwards": (lambda a, m: m - Gamma(a=a), (2.7, 0.4)),
    "exp": (lambda m, s: stats.exp(stats.Normal(mu=m, sigma=s)), (0.3, 0.4)),
    "log": (lambda a: stats.log(Gamma(a=a)), (1.7,)),
    "square": (lambda m, s: stats.Normal(mu=m, sigma=s) ** 2, (0.3, 0.7)),
    "reciprocal": (lambda a, c: c / Gamma(a=a), (9.7, 1.3)),
    "power": (lambda c, m: c ** stats.Normal(mu=m, sigma=0.4), (1.7, 0.3)),
    "abs": (lambda m, s: abs(stats.Normal(mu=m, sigma=s)), (0.3, 0.7)),
    "truncated": (lambda m, a, b: stats.truncate(stats.Normal(mu=m, sigma=1.3), a, b), (0.3, -0.7, 2.0)),
    "ordered": (lambda m, s: stats.order_statistic(stats.Normal(mu=m, sigma=s), r=2, n=5), (0.3, 0.7)),
    "mixed": (
        lambda m, s, w: stats.Mixture(
            [stats.Normal(mu=m, sigma=s), stats.Normal(mu=2.0)], weights=np.stack([w, 1.0 - w])
        ),
        (0.3, 0.7, 0.4),
    ),
}


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("name", sorted(MADE))
def test_every_method_by_every_parameter(name):
    make, parameters = MADE[name]
    x = float(make(*parameters).icdf(0.6))

    def every(x, *p):
        v = make(*p)
        return v.logpdf(x), v.cdf(x), v.logccdf(x), v.icdf(0.4)

    check_grads(every, x, *parameters, order=1)


@pytest.mark.parametrize("name", ["gamma", "exp", "truncated", "mixed"])
def test_moments(name):
    make, parameters = MADE[name]
    check_grads(lambda *p: (make(*p).variance(), make(*p).moment(3)), *parameters, order=1)


def test_second_order():
    check_grads(lambda x, s: (s * stats.Normal(mu=0.3)).logpdf(x), 0.4, 1.2, order=2)


def test_frozen_unfrozen_and_new_agree():
    for name, old in (
        ("pdf", "pdf"),
        ("logpdf", "logpdf"),
        ("cdf", "cdf"),
        ("ccdf", "sf"),
        ("logcdf", "logcdf"),
        ("logccdf", "logsf"),
    ):
        new = cr.grad(lambda x, a, s, n=name: getattr(Gamma(a=a) * s, n)(x), (0, 1, 2))(0.8, 1.7, 1.3)
        frozen = cr.grad(lambda x, a, s, n=old: getattr(stats.gamma(a, scale=s), n)(x), (0, 1, 2))(
            0.8, 1.7, 1.3
        )
        plain = cr.grad(lambda x, a, s, n=old: getattr(stats.gamma, n)(x, a, scale=s), (0, 1, 2))(
            0.8, 1.7, 1.3
        )
        assert np.allclose(new, plain, rtol=1e-12)
        assert np.allclose(frozen, plain, rtol=1e-12)


def test_probabilities_between_two_points():
    check_grads(lambda a, b, m: stats.exp(stats.Normal(mu=m)).cdf(a, b), 0.3, 1.9, 0.2, order=1)
    check_grads(lambda a, b, m: stats.exp(stats.Normal(mu=m)).logccdf(a, b), 0.3, 1.9, 0.2, order=1)


def test_the_mode():
    assert cr.grad(lambda a, s: (s * Gamma(a=a)).mode(), (0, 1))(2.7, 1.3) == pytest.approx(
        (1.3, 1.7), rel=1e-6
    )
    assert cr.grad(lambda m: stats.Mixture([stats.Normal(mu=m)]).mode())(0.3) == pytest.approx(1.0, rel=1e-6)
    assert cr.grad(lambda a: stats.truncate(stats.Normal(), a, 3.0).mode())(1.0) == 1.0


@pytest.mark.parametrize("name", ["gamma", "truncated", "mixed"])
def test_samples_keep_their_probabilities(name):
    make, parameters = MADE[name]

    def drawn(*p):
        return make(*p).sample(shape=(4,), rng=7)

    for i in range(len(parameters)):
        moved = cr.jvp(drawn, parameters, tuple(float(i == j) for j in range(len(parameters))))[1]
        q = make(*parameters).cdf(drawn(*parameters))
        assert np.allclose(moved, cr.jacobian(lambda *p, q=q: make(*p).icdf(q), i)(*parameters), rtol=1e-5)


def test_outside_the_support_nothing_moves():
    for x in (-1.0, 3.0):
        found = cr.grad(lambda x, a, b: stats.truncate(stats.Normal(), a, b).cdf(x), (0, 1, 2))(x, -0.5, 2.0)
        assert found == (0.0, 0.0, 0.0)
    assert np.isnan(cr.grad(lambda s: stats.Normal(mu=0.0, sigma=s).pdf(0.3))(-1.0))


def test_the_gradient_of_a_variable_has_its_parameters():
    found = cr.grad(lambda v: v.logpdf(0.8))(stats.Normal(mu=0.3, sigma=1.2))
    by = cr.grad(lambda m, s: stats.norm.logpdf(0.8, m, s), (0, 1))(0.3, 1.2)
    assert (found._original_parameters["mu"], found._original_parameters["sigma"]) == by


class Exponential:
    """A distribution of the user's own."""

    __make_distribution_version__ = "1.16.0"
    parameters: ClassVar = {"rate": (0, np.inf)}
    support = (0, np.inf)

    def pdf(self, x, rate):
        return rate * np.exp(-rate * x)

    def cdf(self, x, rate):
        return -np.expm1(-rate * x)


def test_a_distribution_of_the_users_own():
    Own = stats.make_distribution(Exponential())
    for name, old in (("logpdf", "logpdf"), ("cdf", "cdf"), ("icdf", "ppf"), ("ccdf", "sf")):
        new = cr.grad(lambda x, r, n=name: getattr(Own(rate=r), n)(x), (0, 1))(0.4, 1.7)
        plain = cr.grad(lambda x, r, n=old: getattr(stats.expon, n)(x, scale=1.0 / r), (0, 1))(0.4, 1.7)
        assert np.allclose(new, plain)
    assert cr.grad(lambda r: Own(rate=r).variance())(1.7) == pytest.approx(-2 / 1.7**3)
    assert has_rules_of_base(Own), "it is not of the catalogue, whose every rule has a case"


MADE_OF_OTHERS: dict[str, Any] = {
    "exp": lambda s: stats.exp(stats.Normal(mu=0.0, sigma=s)).mean(),
    "truncate": lambda s: stats.truncate(stats.Normal(mu=s, sigma=1.0), lb=-s, ub=1.0).logpdf(0.2),
    "order": lambda s: stats.order_statistic(stats.Normal(mu=s, sigma=s), r=2, n=5).cdf(0.3),
    "mixed": lambda w: stats.Mixture([stats.Normal(), 2 * stats.Normal()], weights=[w, 1 - w]).pdf(0.4),
}


@pytest.mark.parametrize("name", MADE_OF_OTHERS)
def test_variables_made_of_others_to_second_order(name):
    check_grads(cr.grad(MADE_OF_OTHERS[name]), 0.5, order=1, modes=("fwd",))


@pytest.mark.filterwarnings("ignore:future versions will not create")  # SciPy's own
def test_what_is_refused():
    with pytest.raises(NotDifferentiableError, match="probability of 0 or 1"):
        cr.grad(lambda s: stats.exp(stats.Normal(sigma=s)).icdf(0.0))(1.0)
    with pytest.raises(NoRuleError, match="whole number"):
        cr.grad(lambda n: stats.Binomial(n=n, p=0.3).mean())(5.0)
    for differentiate in (cr.grad, lambda f: lambda x: cr.jvp(f, (x,), (1.0,))):
        with pytest.raises(NotDifferentiableError, match="exponent of a random variable's power"):
            differentiate(lambda n: (stats.Normal() ** n).mean())(2.0)
    with pytest.raises(NotDifferentiableError, match="samples of Binomial"):
        cr.grad(lambda p: stats.Binomial(n=3, p=p).sample(rng=1) * 1.0)(0.3)
    with pytest.raises(NotDifferentiableError, match="parameters are arrays"):
        cr.grad(lambda s: np.sum(stats.exp(stats.Normal(sigma=s)).mean()))(np.array([0.3, 0.4]))

"""The Gaussian kernel density by its data, weights, bandwidth and points."""

import numpy as np
import pytest
from scipy.stats import gaussian_kde
from tests.rules.cases import case, held, normal, uniform

import chainrules as cr
from chainrules import NoRuleError
from chainrules.testing import check_grads, check_rule, exempt

D, W, AT = normal(2, 9), uniform(9, seed=1), normal(2, 4, seed=2)
KDE, LINE = gaussian_kde(D, weights=W), gaussian_kde(D[0], 0.4)
CASES = [
    case(gaussian_kde.integrate_gaussian, held(KDE), AT[:, 0], np.array([[1.0, 0.2], [0.2, 0.7]])),
    case(gaussian_kde.integrate_box_1d, held(LINE), -0.3, 0.8),
    case(gaussian_kde.integrate_box, held(KDE), np.array([-0.3, -0.5]), np.array([0.6, 0.9])),
]
EXEMPT = [
    exempt(f, why="by its object, which a call on it reads: checked below, as programs")
    for f in (
        gaussian_kde, gaussian_kde.evaluate, gaussian_kde.pdf, gaussian_kde.logpdf,
        gaussian_kde.integrate_kde, gaussian_kde.marginal, gaussian_kde.resample, gaussian_kde.scotts_factor,
        gaussian_kde.silverman_factor,
        *(getattr(gaussian_kde, name).fget for name in ("weights", "neff", "inv_cov")),
    )
]  # fmt: skip


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def weighted(y):
    return np.sum(y * np.cos(np.arange(np.size(y))).reshape(np.shape(y)))


METHODS = {
    "evaluate": lambda k, at: weighted(k(at)),
    "logpdf": lambda k, at: weighted(k.logpdf(at)),
    "integrate_gaussian": lambda k, at: k.integrate_gaussian(at[:, 0], np.eye(2)),
    "integrate_box": lambda k, at: k.integrate_box(at[:, 0] - 2.0, at[:, 0]),
    "integrate_kde": lambda k, at: k.integrate_kde(gaussian_kde(at)),
    "marginal": lambda k, at: weighted(k.marginal([1]).pdf(at[0])),
    "attributes": lambda k, at: (
        weighted(k.covariance) + weighted(k.weights) + weighted(k.inv_cov) + weighted(k.cho_cov)
        + k.factor + k.neff + k.log_det + k.scotts_factor() + k.silverman_factor()
    ),
}  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_by_data_weights_and_bandwidth(method):
    def value(d, w, at):
        return METHODS[method](gaussian_kde(d, weights=w), at)

    check_grads(value, D, W, AT, order=1)
    check_grads(lambda b: METHODS[method](gaussian_kde(D, b, W), AT), 0.4, order=1)


def test_a_bandwidth_by_a_function_that_captures():
    def value(d, power):
        return weighted(gaussian_kde(d, lambda k: 1.2 * k.neff**power, W)(AT))

    check_grads(value, D, -0.3, order=1)


def test_second_order():
    check_grads(lambda d, b: weighted(gaussian_kde(d, b).logpdf(AT[0])), D[0], 0.4, order=2)


def test_the_gradient_by_the_object():
    found = cr.grad(lambda k: weighted(k(AT)))(KDE)
    assert found.dataset.shape == D.shape
    assert found.cho_cov.shape == (2, 2)


def test_samples_move_so_that_means_do_as_expectations():
    def second_moment(d, bandwidth):
        return np.mean(np.square(gaussian_kde(d, bandwidth).resample(40_000, seed=1)))

    def exactly(d, bandwidth):
        kde = gaussian_kde(d, bandwidth)
        return np.mean(np.square(d)) + 0.5 * (kde.covariance[0, 0] + kde.covariance[1, 1])

    drawn, exact = (cr.grad(f, (0, 1))(D, 0.4) for f in (second_moment, exactly))
    assert np.allclose(drawn[0], exact[0], atol=0.02)
    assert np.isclose(drawn[1], exact[1], rtol=0.02)


def test_what_cannot_be_followed_is_refused():
    with pytest.raises(NoRuleError, match="the places drawn"):
        cr.grad(lambda w: np.sum(gaussian_kde(D, weights=w).resample(4, seed=1)))(W)

    def set_later(b):
        kde = gaussian_kde(D)
        kde.set_bandwidth(b)
        return kde(AT)[0]

    with pytest.raises(NoRuleError, match="set_bandwidth"):
        cr.grad(set_later)(0.4)

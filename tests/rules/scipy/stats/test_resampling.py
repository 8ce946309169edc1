"""Bootstrap, permutation and Monte Carlo tests with the randomness fixed."""

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case as case
from tests.rules.cases import normal

import chainrules as cr
from chainrules import NoRuleError
from chainrules.testing import check_grads, check_rule, exempt

X, Y, Z, WIDE = normal(9), normal(7, seed=1), normal(9, seed=2), normal(3, 6, seed=3)


def apart(a, b, axis=-1):
    return np.mean(a, axis=axis) - np.mean(b**2, axis=axis)


def together(a, b, axis=-1):
    return np.mean(a * b, axis=axis) / np.std(b, axis=axis)


def by_rows(a):
    return np.mean(a) ** 2


FEW: Any = {"n_resamples": 19, "rng": 1}
CASES = [
    *(case(stats.bootstrap, (X, Y), apart, method=m, **FEW) for m in ("percentile", "basic", "BCa")),
    case(stats.bootstrap, (X,), by_rows, batch=5, **FEW),
    case(stats.bootstrap, (X, Z), together, paired=True, **FEW),
    case(stats.bootstrap, (WIDE,), np.std, axis=1, method="basic", **FEW),
]
EXEMPT = [
    exempt(f, why="a p-value that is a step, and is refused: the other fields are checked below")
    for f in (stats.permutation_test, stats.monte_carlo_test)
]
SAMPLES, PAIRS = {"permutation_type": "samples", **FEW}, {"permutation_type": "pairings", **FEW}


@pytest.mark.parametrize(
    ("data", "statistic", "how"),
    [
        ((X, Y), apart, FEW),
        ((X[:4], Y[:3]), apart, {"rng": 1}),
        ((X, Z), together, SAMPLES),
        ((X,), by_rows, SAMPLES),
        ((X, Z), together, PAIRS),
        ((WIDE, WIDE[:, :5] ** 2), apart, {"axis": 1, **FEW}),
    ],
)
def test_permutations(data, statistic, how):
    def total(data):
        y = stats.permutation_test(data, statistic, **how)
        return np.sum(y.statistic) + np.sum(
            y.null_distribution.T * np.cos(np.arange(len(y.null_distribution)))
        )

    check_grads(total, data, order=1)


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_one_sided_intervals():
    def end(x, side):
        bounds = stats.bootstrap((x,), np.std, alternative=side, **FEW).confidence_interval
        return bounds.high if side == "less" else bounds.low

    for side in ("less", "greater"):
        check_grads(lambda x, side=side: end(x, side), X, order=1)


def test_what_the_statistic_captured_moves():
    def error(x, power):
        y = stats.bootstrap((x,), lambda u, axis: np.mean(np.abs(u) ** power, axis=axis), **FEW)
        return y.standard_error

    check_grads(error, X, 1.7, order=1)


def test_samples_that_are_drawn_move_with_their_distribution():
    def total(x, scale):
        rng = np.random.default_rng(5)
        y = stats.monte_carlo_test(
            x,
            lambda size: stats.norm.rvs(scale=scale, size=size, random_state=rng),
            by_rows,
            n_resamples=9,
            batch=4,
        )
        return y.statistic + np.sum(y.null_distribution * np.arange(9))

    check_grads(total, X, 1.3, order=1)


def test_a_share_of_resamples_is_a_step():
    with pytest.raises(NoRuleError, match="'pvalue' has no derivative here"):
        cr.grad(lambda x: stats.permutation_test((x, Y), apart, **FEW).pvalue)(X)

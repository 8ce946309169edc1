"""Methods of SciPy's distributions in specialised texts: these are objects that can be called themselves."""

import numpy as np
import pytest
from scipy import stats

from .compared import hold_directions, is_right

X = np.array([0.7, 1.3, 0.4])
DATA = np.linspace(0.1, 2.0, 7)
COUNTS = np.array([0, 2, 3, 1])


def likelihood(x):
    return -np.sum(stats.norm.logpdf(DATA, x[0], scale=x[1])) + stats.gamma.logpdf(x[2], 2.0)


def mixture(x):
    parts = x[2] * stats.norm.pdf(DATA, x[0], 1.0) + (1.0 - x[2]) * stats.norm.pdf(DATA, x[1], 2.0)
    return np.sum(np.log(parts))


def of_counts(x):
    return np.sum(stats.poisson.logpmf(COUNTS, 3.0 * x[0])) + np.sum(stats.binom.logpmf(COUNTS, 5, x[2]))


def in_a_loop(x):
    total, weights = 0.0, stats.norm.pdf(DATA[:, None], x)
    for row in weights:
        total = total + np.log(row.sum())
    for v in DATA:
        total = total + stats.norm.logpdf(v, x[0], x[1])
    return total


def tails(x):
    return np.sum(stats.norm.cdf(DATA, x[0], x[1])) * stats.expon.sf(x[2]) + stats.norm.ppf(0.3, x[0], x[1])


def of_vectors(x):
    return stats.multivariate_normal.logpdf(DATA[:3], x, np.eye(3)) + stats.dirichlet.logpdf(
        [0.2, 0.3, 0.5], x
    )


def moments(x):
    """With a parameter left out before one that is given by name."""
    return stats.gamma.mean(x[0], scale=x[1]) + stats.norm.entropy(x[0], x[1]) * stats.gamma.var(x[2])


@pytest.mark.parametrize("f", [moments, likelihood, mixture, of_counts, in_a_loop, tails, of_vectors])
def test_methods_of_distributions(f):
    assert is_right(f, X, rtol=1e-5)
    if f not in (tails, of_vectors):
        hold_directions(f, X)

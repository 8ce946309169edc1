"""Random vectors and matrices: means move as expectations do."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import psi
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule, exempt

COUNT = 4000
COV, MEAN = np.array([[2.0, 0.3], [0.3, 1.0]]), np.array([0.3, -0.2])
SWAP = np.array([[0.0, 1.0], [1.0, 0.0]])
DRAWN: Any = {"size": 2, "random_state": 1}
CASES = [
    case(stats.multivariate_normal.rvs, MEAN, 1.3, **DRAWN),
    case(stats.multivariate_normal(MEAN, 1.3).rvs, **DRAWN),
    *(case(f, MEAN, 1.3, held(3.3), **DRAWN) for f in (stats.multivariate_t.rvs,)),
    case(stats.multivariate_t(MEAN, 1.3, 3.3).rvs, **DRAWN),
    case(stats.matrix_normal.rvs, np.eye(2), 1.3, 0.7, **DRAWN),
    case(stats.matrix_normal(np.eye(2), 1.3, 0.7).rvs, **DRAWN),
]


_QUANTILES = "its numbers move as quantiles, not as what drew them does: checked by expectations"
EXEMPT = [
    exempt(f, why=_QUANTILES)
    for d, made in (
        (stats.dirichlet, stats.dirichlet([1.0, 2.0])),
        (stats.wishart, stats.wishart(3.0, 1.0)),
        (stats.invwishart, stats.invwishart(3.0, 1.0)),
        (stats.normal_inverse_gamma, stats.normal_inverse_gamma()),
    )
    for f in (d.rvs, made.rvs)
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def drawn(distribution, *parameters):
    return distribution.rvs(*parameters, size=COUNT, random_state=3)


def kept(distribution, *parameters):
    return distribution(*parameters).rvs(size=COUNT, random_state=3)


EXPECTED = {
    "normal": (
        lambda draw, r: np.prod(draw(stats.multivariate_normal, MEAN, np.eye(2) + r * SWAP), axis=1),
        0.3,
        lambda r: 1.0,
    ),
    "student": (
        lambda draw, df: np.sum(draw(stats.multivariate_t, MEAN, COV, df) ** 2, axis=1),
        9.3,
        lambda df: -6.0 / (df - 2) ** 2,
    ),
    "dirichlet, first": (
        lambda draw, a: draw(stats.dirichlet, np.stack([a, 1.2, 0.7]))[:, 0],
        1.3,
        lambda a: 1.9 / (a + 1.9) ** 2,
    ),
    "dirichlet, last": (
        lambda draw, a: draw(stats.dirichlet, np.stack([0.5, a, 0.7]))[:, 2],
        1.3,
        lambda a: -0.7 / (a + 1.2) ** 2,
    ),
    "wishart": (
        lambda draw, n: np.linalg.slogdet(draw(stats.wishart, n, COV))[1],
        4.3,
        lambda n: (_trigamma(n / 2) + _trigamma(n / 2 - 0.5)) / 2,
    ),
    "inverse wishart": (
        lambda draw, n: draw(stats.invwishart, n, COV)[:, 0, 0],
        8.3,
        lambda n: -2.0 / (n - 3) ** 2,
    ),
    "normal-inverse-gamma": (
        lambda draw, a: draw(stats.normal_inverse_gamma, 0.1, 0.5, a, 1.2)[0] ** 2,
        8.3,
        lambda a: -2.4 / (a - 1) ** 2,
    ),
}


def _trigamma(x):
    return (psi(x + 1e-5) - psi(x - 1e-5)) / 2e-5


@pytest.mark.parametrize("draw", [drawn, kept])
@pytest.mark.parametrize("name", EXPECTED)
def test_the_mean_moves_as_the_expectation(name, draw):
    sample, at, slope = EXPECTED[name]
    each = cr.jacobian(lambda a: sample(draw, a))(at)
    assert abs(np.mean(each) - slope(at)) < 4 * np.std(each) / math.sqrt(COUNT)


def test_matrices_scale():
    for name in ("wishart", "invwishart"):
        draw = getattr(stats, name).rvs
        check_grads(lambda s, draw=draw: np.sum(draw(5.2, s * COV, random_state=1) ** 2), 1.7)

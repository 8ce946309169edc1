"""Quasi-Monte Carlo: discrepancies, scaling, normal points."""

import numpy as np
import pytest
from scipy.stats import qmc
from tests.rules.cases import case, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule, exempt

U, LOW, HIGH = uniform(6, 2, low=0.05, high=0.95), np.array([-1.0, -2.0]), np.array([1.0, 3.0])
CASES = [
    *(case(qmc.discrepancy, U, method=m) for m in ("CD", "WD", "MD", "L2-star")),
    case(qmc.discrepancy, U, iterative=True),
    case(qmc.update_discrepancy, U[0], U[1:], 0.3),
    *(case(qmc.geometric_discrepancy, U, method=m) for m in ("mindist", "mst")),
    case(qmc.geometric_discrepancy, U, metric="cityblock"),
    case(qmc.scale, U, LOW, HIGH),
    case(qmc.scale, U, LOW, HIGH, reverse=True),
]
EXEMPT = [
    exempt(f, why="an object with a state, and what it draws: checked below, as a program")
    for f in (qmc.MultivariateNormalQMC, qmc.MultivariateNormalQMC.random)
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("inv_transform", [True, False])
def test_normal_points(inv_transform):
    def total(mean, root):
        made = qmc.MultivariateNormalQMC(mean, root @ root.T, inv_transform=inv_transform, rng=3)
        other = qmc.MultivariateNormalQMC(mean, cov_root=root, rng=3)
        return np.sum((made.random(4) + other.random(4)) * np.arange(8.0).reshape(4, 2))

    check_grads(total, np.array([0.1, 0.2]), np.array([[1.0, 0.0], [0.3, 0.8]]), order=1)


def test_standard_normal_points_move_with_their_mean():
    def total(mean):
        return np.sum(qmc.MultivariateNormalQMC(mean, rng=3).random(4))

    assert np.array_equal(cr.grad(total)(np.array([0.1, 0.2])), [4.0, 4.0])


def test_points_of_the_cube_are_constants():
    assert np.isclose(
        cr.grad(lambda x: np.sum(x * qmc.Sobol(1, rng=1).random(4)))(2.0), qmc.Sobol(1, rng=1).random(4).sum()
    )

"""The noncentral beta distribution against differences."""

import numpy as np
import pytest

from chainrules.core import NotDifferentiableError
from chainrules.rules.scipy.special.beta_by_parameters import beta_by, beta_density
from chainrules.rules.scipy.special.noncentral_beta import (
    _mixed,
    mixed_by,
    mixed_by_mean,
    mixed_density,
    mixed_density_by,
)
from chainrules.testing import check_grads, exempt

TOGETHER = "x and 1 - x move together, as they do in ncfdtr, whose cases go through it"
EXEMPT = [
    *(exempt(f, why=TOGETHER) for f in (mixed_by, mixed_density, mixed_by_mean)),
    exempt(mixed_density_by, why="its own derivatives, the third of the distribution, are refused"),
]
A, B, X, H = np.array([0.7, 4.0]), np.array([1.5, 3.0]), np.array([0.3, 0.8]), np.array([0.4, 2.5])


@pytest.mark.parametrize(
    "f",
    [
        lambda a, b, x, h: mixed_by(a, b, x, 1.0 - x, h, 1, 0),
        lambda a, b, x, h: mixed_by(a, b, x, 1.0 - x, h, 0, 1),
        lambda a, b, x, h: mixed_density(a, b, x, 1.0 - x, h),
        lambda a, b, x, h: mixed_by_mean(a, b, x, 1.0 - x, h),
    ],
)
def test_against_differences(f):
    check_grads(f, A, B, X, H, order=1)


def test_too_many_terms_are_refused():
    with pytest.raises(NotDifferentiableError, match="mixture"):
        mixed_density(1.0, 1.0, 0.5, 0.5, 1e4)


def test_parameters_outside_the_domain_give_nan():
    assert np.isnan(mixed_by_mean(-1.0, 1.0, 0.5, 0.5, 1.0))


@pytest.mark.parametrize(("i", "j"), [(1, 0), (0, 1)])
def test_the_recurrence_is_the_sum_of_terms(i, j):
    rng = np.random.default_rng(3)
    a, b, h = 10 ** rng.uniform([[-1], [-1], [-2]], [[2], [2], [2]], (3, 60))
    x = np.append(rng.uniform(0, 1, 40), 1 - 10 ** rng.uniform(-4, 0, 20))
    terms = _mixed(a, b, x, 1 - x, h, lambda a, b, x, y: beta_by(a, b, x, y, i, j))
    np.testing.assert_allclose(mixed_by(a, b, x, 1 - x, h, i, j), terms, rtol=1e-11)
    densities = _mixed(a, b, x, 1 - x, h, beta_density)
    np.testing.assert_allclose(mixed_density(a, b, x, 1 - x, h), densities, rtol=1e-12)


def test_at_the_ends_only_the_first_term_has_a_density():
    assert mixed_density(1.0, 2.0, 0.0, 1.0, 0.5) == pytest.approx(2 * np.exp(-0.5))
    assert mixed_by(1.0, 2.0, np.array([0.0, 1.0]), np.array([1.0, 0.0]), 0.5, 1, 0).tolist() == [0.0, 0.0]

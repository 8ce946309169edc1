"""Sobol' indices, and a test of two Poisson means."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules import UnsupportedArgument
from chainrules.testing import check_grads, check_rule, exempt

VALUES = {"f_A": normal(2, 8), "f_B": normal(2, 8, seed=1), "f_AB": normal(3, 2, 8, seed=2)}
CASES = [
    *(
        case(stats.poisson_means_test, held(4), 10.3, held(9), 12.1, alternative=side)
        for side in ("two-sided", "less", "greater")
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


EXEMPT = [exempt(stats.sobol_indices, why="it takes keywords alone: checked below, as a program")]


def test_the_difference_moves():
    check_grads(lambda d: stats.poisson_means_test(4, 10.3, 9, 12.1, diff=d)[1], 0.1, order=1)


def ishigami(a):
    return lambda x: np.sin(x[0]) + a * np.sin(x[1]) ** 2 + 0.1 * x[2] ** 4 * np.sin(x[0])


def test_the_function_and_the_distributions_move():
    def indices(a, c):
        law = stats.uniform(-c, 2.0 * c)
        y = stats.sobol_indices(func=ishigami(a), n=32, dists=[law, law, stats.norm(0.0, c)], rng=3)
        return np.sum(y.first_order * np.arange(3)) + np.sum(y.total_order)

    check_grads(indices, 7.0, 2.0, order=1)


def test_values_move():
    check_grads(lambda v: np.sum(stats.sobol_indices(func=v, n=8).total_order), VALUES, order=1)


def test_another_estimator_is_refused():
    def other(f_A, f_B, f_AB):
        return f_A, f_B

    with pytest.raises(UnsupportedArgument, match="method"):
        cr.grad(
            lambda a: stats.sobol_indices(
                func=ishigami(a), n=8, dists=[stats.norm()] * 3, method=other
            ).first_order[0]
        )(7.0)


def test_a_rate_that_is_not_positive_does_not_move():
    assert cr.grad(lambda d: stats.poisson_means_test(0, 9, 1, 9, diff=d).pvalue)(1.0) == 0.0

"""Logarithms without cancellation, against mpmath."""

import math

import mpmath
import numpy as np
import pytest
from tests.rules.cases import case

from chainrules.rules.scipy.stats.logarithms import log1mexp, log1p_ratio, log1pmx, log_gamma_rest, psi_rest
from chainrules.testing import check_grads, check_rule

CASES = [
    case(log1mexp, np.array([-1e-3, -0.5, -0.9, -30.0])),
    case(log1pmx, np.array([-0.7, -1e-3, 0.2, 3.0])),
    case(log_gamma_rest, np.array([0.3, 4.0, 50.0])),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda w: log1p_ratio(w, 0), np.array([-0.9, -0.2, 0.0, 0.3, 4.0]), order=2)
    check_grads(log1pmx, np.array([-0.7, 0.2]), order=2)
    check_grads(log_gamma_rest, np.array([0.3, 50.0]), order=2)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_the_ratio_against_mpmath(n):
    with mpmath.workdps(40):
        for w in (-0.95, -0.49, -1e-9, 1e-4, 0.49, 0.51, 20.0):
            exact = float(mpmath.diff(lambda v: mpmath.log1p(v) / v, mpmath.mpf(w), n))
            assert math.isclose(log1p_ratio(w, n), exact, rel_tol=1e-11), w


def test_the_rest_of_psi_against_mpmath():
    with mpmath.workdps(40):
        for a in (0.2, 3.0, 29.0, 31.0, 1e6):
            exact = float(mpmath.digamma(a) - mpmath.log(a) + 1 / (2 * mpmath.mpf(a)))
            assert math.isclose(psi_rest(a), exact, rel_tol=1e-10), a

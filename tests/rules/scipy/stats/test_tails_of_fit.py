"""P-values of tests of fit, in both tails."""

import numpy as np
import pytest
from scipy import stats

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.rules.scipy.stats.tails_of_fit import cramer_tail, kolmogorov_tail
from chainrules.testing import check_grads

CASES: list = []


@pytest.mark.parametrize(
    ("n", "z"), [(3, 0.4), (3, 0.9), (20, 0.4), (20, 0.9), (20, 2.6), (140, 0.9), (140, 1.8)]
)
def test_the_exact_one(n, z):
    d = z / np.sqrt(n)
    assert np.isclose(kolmogorov_tail(d, n, "two-sided", "auto"), stats.kstwo.sf(d, n), rtol=1e-9, atol=1e-14)
    check_grads(lambda d: kolmogorov_tail(d, n, "two-sided", "auto"), d, order=1)


@pytest.mark.parametrize("x", [0.03, 0.2, 0.9])
def test_cramer_and_von_mises(x):
    check_grads(lambda x: cramer_tail(x, 14), x, order=1)


def test_a_matrix_that_is_too_large_is_refused():
    with pytest.raises(NotDifferentiableError, match="method='asymp'"):
        cr.grad(lambda d: kolmogorov_tail(d, 100_000, "two-sided", "auto"))(0.005)

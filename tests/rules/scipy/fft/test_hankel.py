"""The fast Hankel transform by its samples, spacing, order, offset and bias."""

import numpy as np
import pytest
from scipy import fft
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_rule

CASES = [
    *(case(f, normal(n), 0.1, 0.5, 0.2, 0.3) for f in (fft.fht, fft.ifht) for n in (5, 6)),
    *(case(f, normal(2, 5), 0.2, 1.0, why="without a bias") for f in (fft.fht, fft.ifht)),
    case(fft.fht, normal(4), 0.2, 1.5, 0.1, 0.0),
    case(fft.fhtoffset, 0.1, 0.5, 0.2, 0.3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("n", [7, 8])
def test_values_are_those_of_scipy(n):
    for f in (fft.fht, fft.ifht):
        y, _ = cr.vjp(f, normal(n), 0.1, 0.5, 0.2, 0.3)
        np.testing.assert_allclose(y, f(normal(n), 0.1, 0.5, 0.2, 0.3), rtol=1e-12)


def test_a_singular_coefficient_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match="where a coefficient is singular"):
        cr.grad(lambda mu: np.sum(fft.fht(normal(4), 0.1, mu, 0.0, 2.0)))(1.0)

"""Kolmogorov's and Smirnov's distributions and their inverses against differences."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, uniform

import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.rules.scipy.special.kolmogorov import kolmogorov_by, smirnov_by
from chainrules.testing import check_rule

X = np.array([0.3, 0.75, 0.81, 1.2, 2.5])
D = np.array([0.12, 0.33, 0.61])
N = np.array([1, 5, 40])
CASES = [
    case(special.kolmogorov, X),
    case(special.kolmogi, uniform(3)),
    case(kolmogorov_by, X, held(1)),
    case(kolmogorov_by, X, held(2)),
    case(kolmogorov_by, X, held(3)),
    case(special.smirnov, held(N), D),
    case(special.smirnovi, held(N), uniform(3)),
    case(smirnov_by, held(N), D, held(1)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_size_of_a_sample_is_a_whole_number_and_not_too_large():
    with pytest.raises(cr.NoRuleError, match="whole number"):
        cr.grad(lambda n: special.smirnov(n, 0.2))(5.0)
    with pytest.raises(NotDifferentiableError, match="observations"):
        cr.grad(lambda d: special.smirnov(10**6, d))(0.001)

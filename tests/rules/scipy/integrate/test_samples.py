"""Integrals of samples against differences."""

import numpy as np
import pytest
from scipy import integrate
from tests.rules.cases import case, held, normal

from chainrules.testing import check_rule

PLACES = np.array([0.0, 0.3, 0.7, 1.5, 1.6])
CASES = [
    case(integrate.trapezoid, normal(5)),
    case(integrate.trapezoid, normal(5), PLACES),
    case(integrate.trapezoid, normal(5), held(None), 0.3),
    case(integrate.trapezoid, normal(5, 2), PLACES, axis=0),
    case(integrate.trapezoid, normal(2, 5), np.cumsum(np.ones((2, 5)), axis=1) + 0.1 * normal(2, 5)),
    case(integrate.cumulative_trapezoid, normal(5)),
    case(integrate.cumulative_trapezoid, normal(5), PLACES, initial=0),
    case(integrate.cumulative_trapezoid, normal(5, 2), held(None), 0.3, axis=0),
    case(integrate.simpson, normal(2)),
    case(integrate.simpson, normal(5)),
    case(integrate.simpson, normal(5), PLACES),
    case(integrate.simpson, normal(6), dx=0.3),
    case(integrate.simpson, normal(4, 2), np.array([0.0, 0.3, 0.7, 1.5]), axis=0),
    case(integrate.cumulative_simpson, normal(2), dx=0.3),
    case(integrate.cumulative_simpson, normal(5), x=PLACES),
    case(integrate.cumulative_simpson, normal(6, 2), dx=0.3, axis=0),
    case(integrate.cumulative_simpson, normal(2, 5), x=PLACES, initial=0.7),
    case(integrate.romb, normal(5)),
    case(integrate.romb, normal(9, 2), 0.3, axis=0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)

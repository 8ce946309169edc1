"""The normal distribution function and its inverse against differences."""

import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, normal, uniform

from chainrules.testing import check_rule

CASES = [
    case(special.ndtr, normal(2, 3)),
    case(special.ndtr, complex_normal(3)),
    case(special.ndtri, uniform(3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)

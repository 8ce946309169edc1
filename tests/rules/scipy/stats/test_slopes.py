"""Lines through medians of slopes."""

import numpy as np
import pytest
from scipy import stats
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_rule

X, Y = normal(9), normal(9, seed=1)
CASES = [
    *(case(stats.theilslopes, Y, X, method=m) for m in ("joint", "separate")),
    case(stats.theilslopes, Y),
    *(case(stats.siegelslopes, Y, X, method=m) for m in ("hierarchical", "separate")),
    case(stats.siegelslopes, Y),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_pairs_without_nan():
    y = np.append(Y, np.nan)

    def slope(y, x):
        return stats.theilslopes(y, x, nan_policy="omit").slope

    assert np.allclose(cr.grad(slope)(y, np.append(X, 3.0))[:9], cr.grad(slope)(Y, X))

"""Filters that select: every one, with footprints, modes and origins; ties are shared."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_rule

N = ndimage
X = normal(4, 5)
CROSS = N.generate_binary_structure(2, 1)
CASES = [
    *(
        case(f, X, size=size, mode="mirror")
        for f in (N.maximum_filter, N.minimum_filter, N.median_filter)
        for size in (2, (3, 2))
    ),
    *(case(f, X, footprint=CROSS, mode="constant", cval=0.3) for f in (N.maximum_filter, N.median_filter)),
    *(case(f, X, size=3, mode=("wrap", "nearest")) for f in (N.maximum_filter, N.minimum_filter)),
    *(case(f, X, size=3, axis=0, origin=1) for f in (N.maximum_filter1d, N.minimum_filter1d)),
    case(N.rank_filter, X, rank=-2, size=3, origin=(1, -1)),
    case(N.percentile_filter, X, percentile=30, size=3),
    case(N.median_filter, normal(7), size=3, mode="wrap"),
    case(N.maximum_filter, normal(2, 3, 4), size=2, axes=(0, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_equal_entries_share_the_derivative():
    got = cr.grad(lambda x: N.maximum_filter(x, size=3, mode="constant")[1])(np.array([2.0, 2.0, 1.0]))
    np.testing.assert_allclose(got, [0.5, 0.5, 0.0])

"""Segments, cut out and added up."""

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.rules.scipy.signal.segments import added_up, cut
from chainrules.testing import check_rule

CASES = [
    *(case(cut, x, size=3, step=step) for x in (normal(2, 8), complex_normal(7)) for step in (1, 2, 4)),
    *(case(added_up, normal(2, 3, 4), step=step, length=9) for step in (1, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("step", [1, 3, 5])
def test_adding_up_is_the_transpose_of_cutting(step):
    x = normal(11)
    s = normal(*cut(x, size=4, step=step).shape, seed=1)
    np.testing.assert_allclose(
        np.sum(cut(x, size=4, step=step) * s), x @ added_up(s, step=step, length=11), rtol=1e-12
    )

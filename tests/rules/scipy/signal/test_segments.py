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


@pytest.mark.parametrize("lines", [(), (2,)])
@pytest.mark.parametrize("count", [0, 1, 2, 7])
@pytest.mark.parametrize(("size", "step"), [(1, 1), (3, 1), (4, 2), (5, 2), (3, 5), (8, 3)])
def test_segments_are_added_where_they_were_cut_out(lines, count, size, step):
    segments, length = normal(*lines, count, size), max(0, (count - 1) * step + size) + 4
    expected = np.zeros((*lines, length))
    for i in range(count):
        expected[..., i * step : i * step + size] += segments[..., i, :]
    np.testing.assert_allclose(added_up(segments, step=step, length=length), expected)


def test_segments_that_do_not_fit_are_refused():
    for count in (2, 7):
        with pytest.raises(ValueError, match=r"fit|broadcast"):
            added_up(normal(count, 8), step=3, length=(count - 1) * 3 + 7)

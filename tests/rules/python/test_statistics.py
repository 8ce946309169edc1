"""Functions of statistics."""

import statistics

import pytest
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules.testing import check_rule

DATA = [2.5, 0.5, 1.25, 3.75]
OF_DATA = (
    *(
        statistics.mean,
        statistics.fmean,
        statistics.geometric_mean,
        statistics.harmonic_mean,
        statistics.median,
    ),
    *(statistics.median_low, statistics.median_high, statistics.pvariance, statistics.variance),
    *(statistics.pstdev, statistics.stdev),
)
CASES = [
    *(case(f, x) for f in OF_DATA for x in (DATA, tuple(DATA[:3]), abs(normal(4)))),
    *(case(f, DATA, [1.0, 2.0, 3.0, 0.5]) for f in (statistics.fmean, statistics.harmonic_mean)),
    *(case(f, DATA, held(0.5), why="a given mean") for f in (statistics.pvariance, statistics.pstdev)),
    *(case(f, DATA, normal(4)) for f in (statistics.covariance, statistics.correlation)),
    *(case(f, (0.1, 0.7, -0.4), [2.0, 1, 0.3]) for f in (statistics.covariance, statistics.correlation)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_known_values():
    assert list(cr.grad(statistics.geometric_mean)([1.0, 4.0])) == pytest.approx([1.0, 0.25])
    assert list(cr.grad(statistics.stdev)([2.0, 2.0])) == [0.0, 0.0]
    assert cr.grad(cr.grad(lambda x: statistics.variance([x, 0.0])))(3.0) == pytest.approx(1.0)

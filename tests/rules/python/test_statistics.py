"""Functions of statistics."""

import statistics
from typing import Any

import pytest
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

INVERSE: Any = getattr(statistics, "_normal_dist_inv_cdf")  # noqa: B009  # what `NormalDist.inv_cdf` calls
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
    case(statistics.linear_regression, DATA, [0.3, 0.9, -0.4, 1.1]),
    case(statistics.linear_regression, tuple(DATA), normal(4)),
    case(statistics.linear_regression, DATA, DATA[::-1], proportional=True),
    case(INVERSE, 0.3, 0.2, 1.7),
    case(INVERSE, 0.9, -1.0, 0.5),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_known_values():
    assert list(cr.grad(statistics.geometric_mean)([1.0, 4.0])) == pytest.approx([1.0, 0.25])
    assert list(cr.grad(statistics.stdev)([2.0, 2.0])) == [0.0, 0.0]
    assert cr.value_and_grad(statistics.mean)([1e30, 1.0, -1e30])[0] == 1 / 3
    assert cr.value_and_grad(statistics.fmean)([1e30, 1.0, -1e30], [2.0, 1.0, 2.0])[0] == 1 / 5
    assert cr.grad(cr.grad(lambda x: statistics.variance([x, 0.0])))(3.0) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "f",
    [
        lambda p: statistics.NormalDist(p, 1.0 + p).inv_cdf(p),
        lambda p: statistics.NormalDist(0.1, p).quantiles(4)[0],
        lambda p: (statistics.NormalDist(p, 1.0) + statistics.NormalDist(1.0, p)).cdf(0.3),
        lambda p: statistics.quantiles([p, 1.0, 2 * p, p * p], n=3)[1],
        lambda p: statistics.median_grouped([1.0, 2.0, 2.0, 3.0], p),
    ],
)
def test_what_is_written_in_python(f):
    check_grads(f, 0.4)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (statistics.mean, ([],)),
        (statistics.variance, ([1.0],)),
        (statistics.geometric_mean, ([1.0, -2.0],)),
        (statistics.covariance, ([1.0, 2.0], [3.0])),
        (statistics.correlation, ([1.0, 2.0], [3.0, 3.0])),
        (statistics.linear_regression, ([1.0, 1.0], [3.0, 2.0])),
    ],
)
def test_errors_are_the_functions_own(f, args):
    with pytest.raises(statistics.StatisticsError):
        cr.vjp(f, *args)
    with pytest.raises(statistics.StatisticsError):
        cr.jvp(f, args, args)

"""Medians and quantiles: NumPy's values by every method, differences, ties, NaNs and ends."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, held, normal, rrule_of, uniform

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.rules.numpy.ranks import ENDS, sorted_line
from chainrules.testing import check_grads, check_rule

JUMPING = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
METHODS = [*ENDS, *JUMPING]
HOLES = np.where(uniform(3, 5, high=0.6) < 0.3, np.nan, normal(3, 5))
Q = np.array([0.12, 0.81])
CASES = [
    case(sorted_line, normal(2, 5)),
    *(case(f, normal(5)) for f in (np.median, np.nanmedian)),
    *(case(f, normal(4, 3).astype(np.float32), axis=0) for f in (np.median, np.nanmedian)),
    *(case(f, normal(2, 3, 4), axis=(0, 2), keepdims=True) for f in (np.median, np.nanmedian)),
    *(case(f, complex_normal(4)) for f in (np.median, np.nanmedian)),
    case(np.median, 3.0),
    case(np.nanmedian, np.array([2.0, np.nan, 1.0, 4.0])[[0, 2, 3]]),
    *(case(np.quantile, normal(7), 0.37 * np.ones((1, 2)), method=m) for m in METHODS),
    *(case(np.percentile, normal(2, 7).astype(np.float32), 100 * Q, axis=1, method=m) for m in METHODS),
    *(case(np.nanquantile, normal(2, 3, 4), Q, axis=(0, 2), method=m) for m in METHODS),
    *(case(np.nanpercentile, normal(7), 37.0, method=m, keepdims=True) for m in METHODS),
    case(np.quantile, normal(7), held(0.4), method="inverted_cdf", weights=uniform(7)),
    case(np.quantile, normal(2, 7), held(Q), axis=1, method="inverted_cdf", weights=uniform(2, 7)),
    case(np.nanpercentile, normal(7), held(40.0), method="inverted_cdf", weights=uniform(7)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("method", METHODS)
def test_values_are_numpys(method: Any) -> None:
    x = normal(4, 6)
    for a in (x, x[:, :5], np.round(x), (10 * x).astype(int), x.astype(np.float32)):
        for q in (0.0, 1.0, 0.5, 1 / 3, 0.2, 0.4, 1 / 6):
            value, expected = (
                rrule_of(np.quantile, a, q, axis=1, method=method)[0],
                np.quantile(a, q, 1, method=method),
            )
            assert value.dtype == expected.dtype
            np.testing.assert_allclose(value, expected, rtol=1e-6 if a.dtype == np.float32 else 1e-14)
    found = rrule_of(np.nanquantile, HOLES, Q, axis=1, method=method)[0]
    np.testing.assert_array_equal(found, np.nanquantile(HOLES, Q, axis=1, method=method))


def test_second_order() -> None:
    check_grads(lambda x: np.median(x * x), normal(4))
    check_grads(lambda x, q: np.quantile(x * x, q * q), normal(4), 0.6)
    check_grads(lambda x: np.nanpercentile(x**3, 30.0), normal(4))


def test_ties_share() -> None:
    x = np.array([1.0, 2.0, 2.0, 5.0])
    np.testing.assert_array_equal(cr.grad(np.median)(x), [0, 0.5, 0.5, 0])
    np.testing.assert_array_equal(cr.grad(np.quantile)(np.ones(4), 1.0), cr.grad(np.max)(np.ones(4)))
    np.testing.assert_array_equal(cr.jvp(np.median, (x,), (np.array([0.0, 1.0, 0.0, 0.0]),))[1], 0.5)


def test_nans_share_where_they_count_and_have_zero_where_they_are_left_out() -> None:
    x = np.array([1.0, 2.0, np.nan, np.nan])
    np.testing.assert_array_equal(cr.grad(np.median)(x), [0, 0, 0.5, 0.5])
    np.testing.assert_array_equal(cr.grad(np.quantile)(x, 0.1), [0, 0, 0.5, 0.5])
    np.testing.assert_array_equal(cr.grad(np.nanmedian)(x), [0.5, 0.5, 0, 0])
    np.testing.assert_allclose(cr.grad(np.nanquantile)(x, 0.1), [0.9, 0.1, 0, 0])
    np.testing.assert_array_equal(
        rrule_of(np.nanmedian, np.array([[np.nan], [1.0]]), axis=1)[1](np.ones(2))[0], [[0], [1]]
    )


def test_an_infinite_entry_is_no_harm_to_the_median() -> None:
    np.testing.assert_array_equal(cr.grad(np.median)(np.array([1.0, np.inf, 2.0])), [0, 0, 1])


@pytest.mark.parametrize(("q", "slope"), [(0.0, 2.0), (0.5, 6.0), (1.0, 6.0)])
def test_the_slope_by_q_is_the_one_above_and_at_the_end_the_one_below(q: float, slope: float) -> None:
    assert cr.grad(np.quantile, 1)(np.array([1.0, 2.0, 5.0]), q) == slope


def test_a_rank_cut_to_the_line_does_not_move() -> None:
    assert cr.grad(lambda q: np.quantile(np.arange(3.0), q, method="weibull"))(0.01) == 0.0


def test_what_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="overwrite_input"):
        rrule_of(np.median, normal(3), overwrite_input=True)
    with pytest.raises(UnsupportedArgument, match="2 axes"):
        rrule_of(np.nanquantile, normal(3, 2), Q[None], axis=0)


@pytest.mark.parametrize("q", [150.0, -0.5, [10.0, 150.0], [np.nan, 10.0]])
def test_places_that_numpy_refuses(q: Any) -> None:
    with pytest.raises(ValueError, match=r"range|NaN"):
        cr.grad(lambda x: np.sum(np.percentile(x, q)))(normal(7))

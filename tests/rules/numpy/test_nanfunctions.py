"""Reductions that leave NaNs out: NumPy's values, differences, and what has a zero cotangent."""

import warnings
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of, uniform

import chainrules as cr
from chainrules.rules.numpy.nanfunctions import root
from chainrules.testing import check_grads, check_rule

SUMS = [np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd]
EXTREMA = [np.nanmax, np.nanmin]
RUNNING = [np.nancumsum, np.nancumprod]
MASK = np.array([True, False, True])
HOLES = np.where(np.arange(12).reshape(3, 4) % 5 == 1, np.nan, normal(3, 4))
HOLES[1] = np.nan
CASES = [
    *(case(root, x) for x in (uniform(3), 0.5)),
    *(case(f, normal(5)) for f in (*SUMS, *EXTREMA, *RUNNING)),
    *(case(f, normal(3, 3).astype(np.float32), axis=0) for f in (*SUMS, *EXTREMA, *RUNNING)),
    *(case(f, normal(2, 3, 4), axis=(0, -1), keepdims=True) for f in (*SUMS, *EXTREMA)),
    *(case(f, complex_normal(2, 3), axis=1) for f in (*SUMS, *EXTREMA, *RUNNING)),
    *(case(f, normal(4).astype(np.float32), dtype=float) for f in (*SUMS, *RUNNING)),
    *(case(f, normal(2, 3), axis=1, where=MASK) for f in SUMS),
    *(case(f, normal(2, 3), axis=1, where=MASK, initial=-0.01) for f in EXTREMA),
    *(case(f, normal(3), initial=2.0) for f in (np.nansum, np.nanprod)),
    case(np.nanvar, normal(4), ddof=1),
    case(np.nanvar, normal(4), mean=np.array([0.2])),
    case(np.nanstd, normal(2, 4), axis=1, mean=np.ones((2, 1))),
    case(np.nanstd, normal(2, 4), axis=1, correction=1),
    case(np.nansum, 2.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [*SUMS, *EXTREMA, *RUNNING])
def test_second_order(f: Any) -> None:
    check_grads(lambda x: f(x * x, axis=0), normal(4))


@pytest.mark.parametrize("f", [*SUMS, *EXTREMA, *RUNNING])
def test_nans_are_left_out(f: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy warns of a row of NaNs
        expected = f(HOLES, axis=1)
    y, pullback = rrule_of(f, HOLES, axis=1)
    np.testing.assert_allclose(y, expected)
    (x_bar,) = pullback(np.ones(np.shape(y)))
    assert np.all(x_bar[np.isnan(HOLES)] == 0.0)
    kept = HOLES[2][~np.isnan(HOLES[2])]
    expected_bar = cr.grad(lambda x: np.sum(f(x)))(kept)
    if f not in RUNNING:  # whose values at the holes count again
        np.testing.assert_allclose(x_bar[2][~np.isnan(HOLES[2])], expected_bar)


def test_singular_points() -> None:
    np.testing.assert_array_equal(cr.grad(np.nanstd)(np.ones(3)), np.zeros(3))
    np.testing.assert_array_equal(cr.grad(np.nanprod)(np.array([0.0, np.nan, 2.0, 3.0])), [6, 0, 0, 0])
    np.testing.assert_array_equal(cr.grad(np.nanmax)(np.array([3.0, np.nan, 3.0, 1.0])), [0.5, 0, 0.5, 0])


def test_many_numbers_of_half_precision_are_counted() -> None:
    x = np.tile(np.array([[1.0, np.nan], [-1.0, 1.0]], np.float16), (2500, 1))
    y, pullback = rrule_of(np.nanmean, x, axis=0)
    np.testing.assert_array_equal(y, np.nanmean(x, axis=0))
    np.testing.assert_allclose(pullback(np.ones(2, np.float16))[0][1], [1 / 5000, 1 / 2500], rtol=1e-3)


def test_types_are_numpys() -> None:
    x = np.array([1.5, np.nan], np.float32)
    for options in ({"dtype": int}, {"initial": np.float64(1.0)}, {"dtype": float}):
        y, expected = rrule_of(np.nansum, x, **options)[0], np.nansum(x, **options)
        assert (y, y.dtype) == (expected, expected.dtype)

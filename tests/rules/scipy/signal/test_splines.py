"""B-splines on a grid: coefficients of signals and images, values at places inside and beyond."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, normal, of_one_form

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X, IMAGE = normal(9), normal(14, 15)
PLACES = np.array([-9.3, -0.4, 0.3, 2.6, 7.7, 8.4, 20.1])
CASES = [
    *(case(f, x) for f in (signal.cspline1d, signal.qspline1d) for x in (X, normal(1))),
    case(signal.cspline1d, X, 0.7),
    *(case(f, X, PLACES, 1.1, 0.2) for f in (signal.cspline1d_eval, signal.qspline1d_eval)),
    case(signal.symiirorder1, normal(30), 0.7, 0.3),
    case(signal.symiirorder1, normal(2, 20), 0.7, -0.4, precision=1e-4),
    *(case(f, IMAGE) for f in (signal.cspline2d, signal.qspline2d)),
    case(
        signal.sepfir2d,
        of_one_form(normal(5, 6)),
        np.array([1.0, 2.0, 0.5]),
        np.array([0.3, 0.2, 0.7, 0.4, 0.1]),
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_at_a_knot_the_second_derivative_of_a_cubic_spline_is_that_of_its_neighbours():
    def value(x):
        return signal.cspline1d_eval(X, np.stack([x]))[0]

    np.testing.assert_allclose(cr.derivative(cr.derivative(value))(3.0), X[2] - 2 * X[3] + X[4], rtol=1e-12)


def test_a_spline_through_samples_has_the_slope_one_by_each_sample():
    def at_samples(x):
        return signal.cspline1d_eval(signal.cspline1d(x), np.arange(9.0))

    np.testing.assert_allclose(cr.jacobian(at_samples)(X), np.eye(9), atol=1e-5)


def test_smoothing_by_its_strength():
    check_grads(lambda u: signal.cspline1d(X, u), 2.0, order=2)


@pytest.mark.parametrize(
    ("match", "f"),
    [
        ("lamb", lambda x: signal.cspline1d(x, 0.001)),
        ("lamb", lambda x: signal.qspline1d(x, 0.5)),
        ("z1", lambda x: signal.symiirorder1(x, 1.0, 1.2)),
        ("signal", lambda x: signal.symiirorder1(x, 1.0, 0.9)),
    ],
)
def test_what_has_no_rule_is_refused(match, f):
    with pytest.raises(cr.UnsupportedArgument, match=match):
        cr.jacobian(f)(X)


@pytest.mark.parametrize("pole", [0.3, 0.5, -0.4])
def test_single_precision_starts_as_scipy_does(pole):
    x = np.random.default_rng(0).normal(size=60).astype(np.float32)
    y, _ = cr.vjp(lambda x: signal.symiirorder1(x, 1.3, pole), x)
    np.testing.assert_allclose(y, signal.symiirorder1(x, 1.3, pole), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("match", "taps"), [("hrow", (13, 3)), ("hcol", (3, 13))])
def test_filters_that_reach_beyond_the_mirror_image_are_refused(match, taps):
    with pytest.raises(cr.UnsupportedArgument, match=match):
        cr.vjp(lambda x: signal.sepfir2d(x, np.ones(taps[0]), np.ones(taps[1])), np.ones((5, 5)))


def test_smoothed_images_are_refused():
    with pytest.raises(cr.UnsupportedArgument, match="lamb"):
        cr.jacobian(lambda x: signal.cspline2d(x, 5.0))(IMAGE)

"""Slopes, Laplacians and gradient magnitudes, built in and by the caller's functions."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules.testing import check_rule

N = ndimage
X = normal(4, 5)


def second(x, axis, output, mode, cval, width=0.8):
    return N.gaussian_filter1d(x, width, axis=axis, order=2, output=output, mode=mode, cval=cval)


CASES = [
    *(case(f, X, axis=axis, mode=("wrap", "mirror")) for f in (N.sobel, N.prewitt) for axis in (0, -1)),
    case(N.sobel, normal(2, 3, 4), mode="constant", cval=0.4),
    case(N.laplace, X, mode="nearest"),
    case(N.laplace, normal(2, 3, 4), axes=(0, 2)),
    case(N.gaussian_laplace, X, 0.8),
    case(N.gaussian_laplace, X, np.array([0.8, 1.1]), truncate=2.0),
    case(N.gaussian_gradient_magnitude, X, 0.8, mode="wrap"),
    case(N.generic_laplace, X, held(second)),
    case(N.generic_laplace, X, held(second), extra_arguments=(0.6,), axes=(1,)),
    case(N.generic_gradient_magnitude, X, held(second), extra_keywords={"width": 0.6}),
    case(N.generic_gradient_magnitude, X, held(N.sobel), mode="constant", cval=0.1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_what_the_function_captured_has_its_derivative():
    def loss(w):
        def slope(x, axis, output, mode, cval):
            return N.gaussian_filter1d(x, w, axis=axis, order=1, output=output, mode=mode, cval=cval)

        return np.sum(N.generic_gradient_magnitude(X, slope))

    h = 1e-6
    expected = (loss(0.9 + h) - loss(0.9 - h)) / (2 * h)
    np.testing.assert_allclose(cr.grad(loss)(0.9), expected, rtol=1e-7)


def test_where_the_gradient_vanishes_the_derivative_is_zero():
    flat = np.ones((3, 3))
    got = cr.grad(lambda x: np.sum(N.gaussian_gradient_magnitude(x, 1.0)))(flat)
    np.testing.assert_allclose(got, np.zeros((3, 3)), atol=1e-12)

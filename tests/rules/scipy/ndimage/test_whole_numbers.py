"""Images of whole numbers: SciPy cuts or rounds what it computes, and a derivative of that is zero."""

import numpy as np
import pytest
from scipy import ndimage as nd

import chainrules as cr

ROW, IMAGE = np.array([1, 2, 3, 5]), np.arange(12).reshape(3, 4) ** 2
W = np.array([0.21, 0.33, 0.47])
FUNCTIONS = {
    "convolve": lambda w, out: nd.convolve(ROW, w, output=out),
    "correlate1d": lambda w, out: nd.correlate1d(IMAGE, w, output=out),
    "gaussian_filter": lambda w, out: nd.gaussian_filter(IMAGE, 1 + w[0], output=out),
    "gaussian_laplace": lambda w, out: nd.gaussian_laplace(IMAGE, 1 + w[0], output=out),
    "gaussian_gradient_magnitude": lambda w, out: nd.gaussian_gradient_magnitude(IMAGE, 1 + w[0], output=out),
    "shift": lambda w, out: nd.shift(ROW, w[0], output=out),
    "map_coordinates": lambda w, out: nd.map_coordinates(ROW, [w * 3], output=out),
    "affine_transform": lambda w, out: nd.affine_transform(IMAGE, np.eye(2) * (1 + w[0]), output=out),
    "rotate": lambda w, out: nd.rotate(IMAGE, 30 * w[0], output=out),
}
OF_FLOATS = {
    "sobel": lambda x, out: nd.sobel(x, output=out),
    "laplace": lambda x, out: nd.laplace(x, output=out),
    "uniform_filter": lambda x, out: nd.uniform_filter(x, 3, output=out),
    "gaussian_filter": lambda x, out: nd.gaussian_filter(x, 1.0, output=out),
}


@pytest.mark.parametrize("out", [None, int, float])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_image_of_whole_numbers(name, out):
    def f(w):
        return np.sum(FUNCTIONS[name](w, out) * 1.0)

    value, gradient = cr.value_and_grad(f)(W)
    assert np.isclose(value, f(W), rtol=1e-12)
    if out is float:
        differences = [(f(W + e) - f(W - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-5)
    else:
        np.testing.assert_array_equal(gradient, 0.0)


@pytest.mark.parametrize("name", OF_FLOATS)
def test_a_result_of_whole_numbers(name):
    def f(x):
        return np.sum(OF_FLOATS[name](x, int) * 1.0)

    x = IMAGE * 0.37
    value, gradient = cr.value_and_grad(f)(x)
    assert value == f(x)
    np.testing.assert_array_equal(gradient, 0.0)

"""Convolution and correlation by both factors, in every mode, and against JAX's."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, normal, of_one_form

import chainrules as cr
from chainrules.rules.scipy.signal.convolution import convolved
from chainrules.testing import check_grads, check_rule

MODES = ("full", "same", "valid")
BOTH = [signal.convolve, signal.correlate]
PLANES = [signal.convolve2d, signal.correlate2d]
FAST = [signal.fftconvolve, signal.oaconvolve]
CASES = [
    *(case(f, normal(5), normal(n, seed=1), mode=mode) for f in BOTH for n in (2, 3, 6) for mode in MODES),
    *(case(f, normal(2, 4), normal(2, 2, seed=1), mode=mode) for f in FAST for mode in MODES),
    *(case(f, complex_normal(4), complex_normal(3, seed=3)) for f in (*BOTH, *FAST)),
    *(case(f, normal(3, 4), normal(2, 3, seed=1)) for f in PLANES),
    *(
        case(f, of_one_form(normal(3, 4)), of_one_form(normal(2, 3, seed=1)), mode=mode, boundary=boundary)
        for f in PLANES
        for mode in MODES
        for boundary in ("fill", "wrap", "symm")
    ),
    case(signal.convolve2d, normal(3, 4), normal(2, 3, seed=1), mode="same", fillvalue=0.7),
    case(signal.convolve, normal(4).astype(np.float32), normal(2).astype(np.float32)),
    case(signal.convolve, normal(2, 3, 2), normal(1, 2, 2, seed=1), mode="same", method="fft"),
    case(convolved, normal(4), normal(2, seed=1), mode="same", method="auto"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("mode", MODES)
def test_second_order(mode):
    check_grads(lambda a, v: signal.convolve(a, v, mode) ** 2, normal(4), normal(3, seed=1))


@pytest.mark.parametrize("mode", MODES)
def test_values_are_those_of_scipy(mode):
    for a, v in ((normal(5, 4), normal(2, 3)), (normal(4, 4), normal(4, 2))):
        for boundary in ("fill", "wrap", "symm"):
            for f in PLANES:
                y, _ = cr.vjp(lambda a, v, f=f, boundary=boundary: f(a, v, mode, boundary, 0), a, v)
                np.testing.assert_allclose(y, f(a, v, mode, boundary, 0), atol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_gradients_are_those_of_jax(mode):
    jax = pytest.importorskip("jax")
    a, v = normal(4, 5), normal(2, 3, seed=1)
    with jax.enable_x64(True):
        expected = jax.grad(lambda a: jax.numpy.sum(jax.scipy.signal.convolve(a, v, mode) ** 3))(a)
    np.testing.assert_allclose(
        cr.grad(lambda a: np.sum(signal.convolve(a, v, mode) ** 3))(a), expected, rtol=1e-9
    )


def test_a_convolution_along_some_axes_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="axes"):
        cr.grad(lambda a: np.sum(signal.fftconvolve(a, np.ones((2, 2)), axes=1)))(normal(2, 3))

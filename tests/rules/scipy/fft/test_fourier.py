"""Fourier transforms with every length, axis and norm, and against JAX's."""

import numpy as np
import pytest
from scipy import fft
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

NORMS = ("backward", "ortho", "forward")
X, Z = normal(2, 5), complex_normal(2, 5)
LINES = [fft.fft, fft.ifft, fft.irfft, fft.hfft]
REAL_LINES = [fft.rfft, fft.ihfft]
PLANES = [fft.fft2, fft.ifft2, fft.irfft2, fft.hfft2, fft.fftn, fft.ifftn, fft.irfftn, fft.hfftn]
REAL_PLANES = [fft.rfft2, fft.rfftn, fft.ihfft2, fft.ihfftn]
CASES = [
    *(case(f, X, norm=norm) for f in (*LINES, *REAL_LINES) for norm in NORMS),
    *(case(f, Z, n=n) for f in LINES for n in (1, 2, 4, 5, 9)),
    *(case(f, X, n=n) for f in REAL_LINES for n in (1, 2, 4, 7)),
    *(case(f, Z, axis=0, why="axis") for f in LINES),
    *(case(f, X.astype(np.float32)) for f in (*LINES, *REAL_LINES, *PLANES, *REAL_PLANES)),
    *(case(f, complex_normal(2, 4, 3)) for f in PLANES),
    *(case(f, normal(2, 4, 3), norm="ortho") for f in (*PLANES, *REAL_PLANES)),
    *(case(f, complex_normal(2, 3, 4), s=(4, 3), axes=(0, 2)) for f in PLANES),
    *(case(f, normal(2, 3, 4), s=(4, -1), axes=(2, 0)) for f in REAL_PLANES),
    *(case(f, normal(2, 3, 4), s=3, axes=1, why="one axis") for f in (fft.fftn, fft.rfftn, fft.irfftn)),
    case(fft.fftn, normal(2, 3, 4), s=(3,), why="a length alone"),
    *(case(f, x, axes=axes) for f in (fft.fftshift, fft.ifftshift) for x in (X, Z) for axes in (None, 1)),
    *(case(f, n, 0.3) for f in (fft.fftfreq, fft.rfftfreq) for n in (7, 8)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [*LINES, *REAL_LINES, fft.rfft2, fft.irfftn])
def test_second_order(f):
    check_grads(lambda x: np.abs(f(x)) ** 2, normal(3, 4))


def test_values_are_those_of_the_function():
    y, _ = cr.vjp(fft.hfft2, Z)
    np.testing.assert_array_equal(y, fft.hfft2(Z))


def test_a_permission_to_overwrite_is_not_taken():
    x = Z.copy()
    y, pullback = cr.vjp(lambda x: fft.fft(x, overwrite_x=True), x)
    np.testing.assert_array_equal(x, Z)
    np.testing.assert_allclose(pullback(y)[0], 5 * Z, rtol=1e-12)


@pytest.mark.parametrize("f", [fft.fftfreq, fft.rfftfreq])
def test_frequencies_with_their_number_among_the_primals(f):
    check_grads(f, 7, 0.3)


def test_a_power_spectrum_has_the_gradient_that_parseval_gives():
    weights = np.array([1.0, 2.0, 2.0])
    _, pullback = cr.vjp(fft.rfft, X[0])
    np.testing.assert_allclose(pullback(weights * fft.rfft(X[0]))[0], 5 * X[0], rtol=1e-12)


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "fft2", "rfftn"])
def test_gradients_are_those_of_jax(name):
    jax = pytest.importorskip("jax")
    x = normal(3, 4)

    def with_jax(x):
        return jax.numpy.sum(jax.numpy.abs(getattr(jax.numpy.fft, name)(x)) ** 4)

    with jax.enable_x64(True):
        expected = jax.grad(with_jax)(x)
    got = cr.grad(lambda x: np.sum(np.abs(getattr(fft, name)(x)) ** 4))(x)
    np.testing.assert_allclose(got, expected, rtol=1e-9)


def test_lengths_have_no_derivative():
    assert cr.grad(lambda x: x * fft.next_fast_len(int(x)))(7.5) == 7.0

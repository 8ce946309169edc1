"""Convolutions, trends and spectra beside those of JAX, windows beside those of PyTorch."""

from typing import Any

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import complex_normal, normal
from tests.rules.elsewhere import agrees_with_jax, jax, near, seed_of, torch

import chainrules as cr

X, Y = normal(23), normal(23, seed=1)


def both(name: str, part: Any = None, **options: Any) -> tuple[Any, Any]:
    """The function of both libraries, and of what it returns one part."""

    def of(library: Any) -> Any:
        def f(*x: Any) -> Any:
            y = getattr(library, name)(*x, **options)
            return y if part is None else y[part]

        return f

    return of(signal), of(jax.scipy.signal)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "correlate", "fftconvolve", "convolve2d", "correlate2d"])
def test_products(name: str, mode: str) -> None:
    if name[-1] != "d":
        agrees_with_jax(*both(name, mode=mode), normal(7), normal(4, seed=1))
    agrees_with_jax(*both(name, mode=mode), normal(4, 5), normal(3, 2, seed=1))
    agrees_with_jax(*both(name, mode=mode), complex_normal(4, 5), complex_normal(3, 2, seed=3))


@pytest.mark.parametrize("kind", ["linear", "constant"])
def test_detrend(kind: str) -> None:
    agrees_with_jax(*both("detrend", type=kind), normal(2, 9))


@pytest.mark.parametrize("average", ["mean", "median"])
@pytest.mark.parametrize("scaling", ["density", "spectrum"])
def test_spectra(scaling: str, average: str) -> None:
    options = {"nperseg": 8, "scaling": scaling, "average": average}
    agrees_with_jax(*both("welch", 1, **options), X)
    agrees_with_jax(*both("csd", 1, **options), X, Y)


def test_short_time_transforms_and_back() -> None:
    agrees_with_jax(*both("stft", 2, nperseg=8), X)
    spectrum = signal.stft(X, nperseg=8)[2]
    agrees_with_jax(*both("istft", 1, nperseg=8), spectrum)


@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize(
    ("name", "of_torch", "parameter"),
    [("gaussian", "std", 1.7), ("kaiser", "beta", 3.0), ("general_hamming", "alpha", 0.6)],
)
def test_windows_by_their_parameters(name: str, of_torch: str, parameter: float, sym: bool) -> None:
    """PyTorch takes the parameter as a number: it has the window's value, and differences its derivative."""

    def native(p: float) -> Any:
        made = getattr(torch.signal.windows, name)
        return made(9, sym=sym, dtype=torch.float64, **{of_torch: p}).numpy()

    y, dy = cr.jvp(lambda p: getattr(signal.windows, name)(9, p, sym), (parameter,), (1.0,))
    np.testing.assert_allclose(y, native(parameter), rtol=1e-9, atol=1e-10)
    h = 1e-3
    slope = (8 * (native(parameter + h) - native(parameter - h)) - native(parameter + 2 * h)) / (12 * h)
    slope += native(parameter - 2 * h) / (12 * h)
    np.testing.assert_allclose(dy, slope, rtol=1e-8, atol=1e-9)


def test_sums_of_cosines_by_their_weights() -> None:
    """Which they are linear in, so that the derivative by a weight is the window of that weight alone."""
    native, weights = torch.signal.windows.general_cosine, np.array([0.4, 0.5, 0.1])
    y, pullback = cr.vjp(lambda a: signal.windows.general_cosine(9, a), weights)
    near(y, native(9, a=list(weights), dtype=torch.float64))
    seed = seed_of(y)
    columns = [native(9, a=list(row), dtype=torch.float64).numpy() for row in np.eye(3)]
    near(pullback(seed)[0], [column @ seed for column in columns])

"""Analytic signals: Hilbert's transform in one dimension and two, and envelopes of frequency bands.

All are Fourier transforms between weights; an envelope is a modulus, whose derivative at a zero is zero.

See [Oppenheim & Schafer 2010].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft, signal

from ....core import UnsupportedArgument, non_differentiable
from ...numpy.fourier import resized
from .precision import written_in_precision
from .resampling import resample


def one_sided(n: int) -> Any:
    """Twos for positive frequencies, ones where there is no sign, zeros for negative ones."""
    w = np.zeros(n)
    w[0], w[1 : (n + 1) // 2] = 1.0, 2.0
    if n % 2 == 0:
        w[n // 2] = 1.0
    return w


def quadrant(n: int) -> Any:
    """The same with zero where there is no sign but at frequency zero."""
    w = np.zeros(n)
    w[0], w[1 : (n + 1) // 2] = 1.0, 2.0
    return w


def length_of(name: str, x: Any, N: Any, axis: int) -> int:
    """The length of the transform of a real signal."""
    if np.iscomplexobj(x):
        raise UnsupportedArgument(name, "x", x.dtype, why="it has to be real")
    n = np.shape(x)[axis] if N is None else int(N)
    if n <= 0:
        raise UnsupportedArgument(name, "N", N, why="it has to be positive")
    return n


non_differentiable(one_sided, quadrant, length_of, why="computes with lengths alone")


@written_in_precision(signal.hilbert)
def hilbert(x: np.ndarray | list, *, N=None, axis=-1):
    """x + i H x: the spectrum without its negative frequencies, the positive ones doubled"""
    x = np.asarray(x)
    n = length_of("scipy.signal.hilbert", x, N, axis)
    lines = np.moveaxis(x, axis, -1)
    return np.moveaxis(fft.ifft(fft.fft(lines, n) * one_sided(n)), -1, axis)


@written_in_precision(signal.hilbert2)
def hilbert2(x: np.ndarray | list, *, N=None, axes=(-2, -1)):
    """The spectrum of one quadrant, the positive frequencies of each axis doubled"""
    x = np.atleast_2d(np.asarray(x))
    sizes = (N, N) if N is None or isinstance(N, int) else N
    n = [length_of("scipy.signal.hilbert2", x, sizes[i], axes[i]) for i in range(2)]
    planes = np.moveaxis(x, axes, (-2, -1))
    spectrum = fft.fft2(planes, n) * (quadrant(n[0])[:, None] * quadrant(n[1]))
    return np.moveaxis(fft.ifft2(spectrum), (-2, -1), axes)


def band(z: Any, bp_in: Any, n_out: Any, squared: bool, residual: Any, axis: int) -> tuple[int, int, int]:
    """The first and last frequency and the length, after SciPy has found no fault with the arguments."""
    small = np.zeros(np.shape(z)[axis], z.dtype)
    signal.envelope(small, bp_in, n_out=n_out, squared=squared, residual=residual)
    n = np.shape(z)[axis]
    low = -(n // 2) if bp_in[0] is None else bp_in[0]
    high = (n + 1) // 2 if bp_in[1] is None else bp_in[1]
    return low, high, n if n_out is None else n_out


def analytic_weights(n: int, low: int, high: int) -> Any:
    """What the half spectrum of a real signal is multiplied by to be that of the band, at its n places."""
    w = np.zeros(n)
    w[: n // 2 + 1] = 1.0
    if low > 0:
        w[low:high] *= 2.0
    elif high > 0:
        w[1:high] *= 2.0
    return w


def in_order(n: int, low: int, high: int) -> Any:
    """The places of the frequencies of a band in a spectrum of n; SciPy finds none where it ends at zero."""
    return np.arange(low, high) % n if low <= 0 < high else np.arange(n)[low:high]


def outside(n: int, low: int, high: int, lowpass: bool) -> Any:
    """Ones for what the residual keeps, zeros for the band and, of a low-pass one, what is above."""
    w = np.ones(n)
    if low <= 0 < high:
        w[:high] = 0.0
        w[n + low if low < 0 else 0 :] = 0.0
    else:
        w[in_order(n, low, high)] = 0.0
    if lowpass and high > 0:
        w[high : (n + 1) // 2] = 0.0
    elif lowpass:
        w[low % n :] = 0.0
        w[: (n + 1) // 2] = 0.0
    return w


def halved_middle(m: int, size: int, factor: float) -> Any:
    """Ones, and the factor at the highest common frequency."""
    w = np.ones(size)
    if m % 2 == 0:
        w[m // 2] = factor
    return w


non_differentiable(
    band, analytic_weights, in_order, outside, halved_middle, why="computes with lengths alone"
)


def whole_spectrum(z: Any, n: int, low: int, high: int) -> Any:
    """The spectrum of a complex signal; of a real one its half, weighted, and zeros."""
    if np.iscomplexobj(z):
        return fft.fft(z)
    half = fft.rfft(z)
    zeros = np.zeros((*np.shape(z)[:-1], n - np.shape(half)[-1]))
    return np.concatenate([half, zeros], axis=-1) * analytic_weights(n, low, high)


@written_in_precision(signal.envelope)
def envelope(z: np.ndarray, *, bp_in=(1, None), n_out=None, squared=False, residual="lowpass", axis=-1):
    """|z_b|, z_b the analytic signal of a band, and the signal of the other frequencies"""
    low, high, m = band(z, bp_in, n_out, squared, residual, axis)
    lines = np.moveaxis(z, axis, -1)
    n = np.shape(lines)[-1]
    Z = whole_spectrum(lines, n, low, high)
    inner = Z[..., in_order(n, low, high)]
    baseband = fft.ifft(resized(inner, m, np.ndim(inner) - 1)) * (m / n)
    power = np.square(np.real(baseband)) + np.square(np.imag(baseband))
    y = power if squared else np.abs(baseband)
    y = np.moveaxis(y, -1, axis)
    if residual is None:
        return y
    rest = Z * outside(n, low, high, residual == "lowpass")
    if np.iscomplexobj(z):
        r = resample(rest, num=m, axis=-1, domain="freq")
    else:
        if m != n:
            rest = rest * halved_middle(min(n, m), n, 2.0 if m < n else 0.5)
        half = rest[..., : m // 2 + 1]
        r = fft.irfft(half, m) * (m / n)
    return np.stack([y, np.moveaxis(r, -1, axis)])

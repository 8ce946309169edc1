"""Filters with a finite response: by windows, by least squares, of least phase, and Gammatone's.

By cutoffs, gains, weights and the window's parameters; the number of taps is a count. `firls` is the
solution of its normal equations. A corner of `firwin2`'s gain that coincides with a frequency of its
grid follows the branch that interpolation takes. `minimum_phase` by Hilbert's transform follows the
entries at which the response is greatest and least.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import linalg, signal

from ....core import Array, NotDifferentiableError, Real, non_differentiable
from ...written import own, written_out
from ..versions import SCIPY
from .arguments import refuse_complex
from .precision import rounded_as
from .windows import window_of


@written_out(signal.kaiser_atten)
def kaiser_atten(width: Array, *, numtaps):
    """A = 2.285 (N − 1) π Δ + 7.95"""
    return 2.285 * (numtaps - 1) * np.pi * width + 7.95


@written_out(signal.kaiser_beta)
def kaiser_beta(a: Real):
    """Kaiser's β of an attenuation; 0 up to 21 dB, at both limits the branch below"""
    if a > 50:
        return 0.1102 * (a - 8.7)
    if a > 21:
        return 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21)
    return 0.0 * a


@written_out(signal.kaiserord)
def kaiserord(ripple: Real, *, width):
    """The number of taps, a count, and Kaiser's β"""
    return own(signal.kaiserord, ripple, width)[0], kaiser_beta(np.abs(ripple))


def bands_of(count: int, pass_zero: Any) -> tuple[bool, bool]:
    """Whether the filter lets frequency zero pass, and the highest."""
    if isinstance(pass_zero, str):
        pass_zero = pass_zero in ("bandstop", "lowpass")
    return bool(pass_zero), (count % 2 == 0) == bool(pass_zero)


def middles(n: int) -> Any:
    """The places of taps from the middle."""
    return np.arange(n) - 0.5 * (n - 1)


non_differentiable(bands_of, middles, why="computes with lengths and names alone")


@written_out(signal.firwin)
def firwin(
    cutoff: Real | np.ndarray | list,
    width: object = None,
    window: object = "hamming",
    *,
    numtaps,
    pass_zero=True,
    scale=True,
    fs=None,
):
    """h = w Σ (r sinc(r m) − l sinc(l m)) over the bands, with gain 1 in the middle of the first"""
    own(signal.firwin, numtaps, cutoff, width=width, window=window, pass_zero=pass_zero, scale=scale, fs=fs)
    half = 1.0 if fs is None else 0.5 * fs
    edges = np.reshape(np.asarray(cutoff), -1) / half
    low, high = bands_of(np.shape(edges)[0], pass_zero)
    edges = np.concatenate([np.zeros(int(low)), edges, np.ones(int(high))])
    m, h = middles(numtaps), 0.0
    for i in range(0, np.shape(edges)[0], 2):
        h = h + edges[i + 1] * np.sinc(edges[i + 1] * m) - edges[i] * np.sinc(edges[i] * m)
    if width is None:
        shape = window_of(window, numtaps, False)
    else:
        span: Any = width
        beta = kaiser_beta(kaiser_atten(span / half, numtaps=numtaps))
        shape = window_of(("kaiser", beta), numtaps, False)
    h = h * shape
    if not scale:
        return h
    if low:
        return h / np.sum(h)
    if np.shape(edges)[0] == 2 and high:
        return h / np.sum(h * np.cos(np.pi * m))
    return h / np.sum(h * np.cos(np.pi * m * 0.5 * (edges[0] + edges[1])))


def grid(freq: Any, fs: Any, numtaps: int, nfreqs: Any) -> Any:
    """The frequencies at which `firwin2` interpolates the gain, and those given with twins kept apart."""
    half = 1.0 if fs is None else 0.5 * fs
    count = 1 + 2 ** math.ceil(math.log2(numtaps)) if nfreqs is None else nfreqs
    shifts = np.zeros(len(freq))
    twins = np.flatnonzero(np.diff(freq) == 0)
    shifts[twins] -= np.finfo(float).eps * half
    shifts[twins + 1] += np.finfo(float).eps * half
    return np.linspace(0.0, half, count), shifts, half


non_differentiable(grid, why="chooses frequencies")


@written_out(signal.firwin2)
def firwin2(
    freq: np.ndarray | list,
    gain: np.ndarray | list,
    window: object = "hamming",
    *,
    numtaps,
    nfreqs=None,
    antisymmetric=False,
    fs=None,
):
    """The window times the response that the interpolated gain has at a grid of frequencies"""
    options = {"nfreqs": nfreqs, "window": window, "antisymmetric": antisymmetric, "fs": fs}
    own(signal.firwin2, numtaps, freq, gain, **options)
    freq = np.asarray(freq)
    gain = np.asarray(gain)
    x, shifts, half = grid(freq, fs, numtaps, nfreqs)
    turn = np.exp(-(numtaps - 1) / 2.0 * 1j * np.pi * x / half) * (1j if antisymmetric else 1.0)
    h = np.fft.irfft(np.interp(x, freq + shifts, gain) * turn)[:numtaps]
    if window is not None:
        h = h * window_of(window, numtaps, False)
    if antisymmetric and numtaps % 2:
        h = h * (middles(numtaps) != 0)
    return h


def refuse_singular(q: Any) -> None:
    """Refuse equations that least squares would have to solve."""
    if np.linalg.cond(q) > 1e15:
        raise NotDifferentiableError(
            "scipy.signal.firls of bands that do not determine the filter", next="ask for fewer taps"
        )


non_differentiable(refuse_singular, why="checks")


@written_out(signal.firls)
def firls(bands: np.ndarray | list, desired: np.ndarray | list, weight: object = None, *, numtaps, fs=None):
    """Q a = b, with Q and b integrals of cosines over the bands [Selesnick 2005]"""
    refuse_complex("firls", bands=bands, desired=desired)
    own(signal.firls, numtaps, bands, desired, weight=weight, fs=fs)
    f = np.reshape(np.asarray(bands), (-1, 2)) / (1.0 if fs is None else 0.5 * fs)
    d = np.reshape(np.asarray(desired), (-1, 2))
    w = own(np.ones, np.shape(d)[0]) if weight is None else np.reshape(np.asarray(weight), -1)
    half = (numtaps - 1) // 2
    n = own(np.arange, numtaps)[:, None, None]
    q = np.diff(np.sinc(f * n) * f, axis=2)[:, :, 0] @ w
    rows, columns = own(np.indices, (half + 1, half + 1))
    q = q[abs(rows - columns)] + q[rows + columns]
    refuse_singular(q)
    m = np.diff(d, axis=1) / np.diff(f, axis=1)
    c = d[:, :1] - f[:, :1] * m
    n = n[1 : half + 1]
    zeroth = (f * (m * f + c) - m * f * f / 2.0)[None]
    others = f * (m * f + c) * np.sinc(f * n) + m * np.cos(n * np.pi * f) / np.square(np.pi * n)
    b = np.diff(np.concatenate([zeroth, others]), axis=2)[:, :, 0] @ w
    a = linalg.solve(q, b, assume_a="pos")
    return np.concatenate([np.flip(a[1:]), 2.0 * a[:1], a[1:]])


def cepstral(n: int) -> Any:
    """The weights that fold a real cepstrum onto its causal side; the middle's differs before SciPy 1.18."""
    w = np.zeros(n)
    w[0], w[1 : n // 2] = 1.0, 2.0
    w[n // 2] = n % 2 + (SCIPY >= (1, 18))
    return w


def hilbert_weights(n: int) -> Any:
    """The signs of a discrete Hilbert transform's kernel."""
    w = np.zeros(n)
    w[1 : n // 2], w[n // 2 + 1 :] = 1.0, -1.0
    return w


def least_above_zero(h: Any) -> Any:
    """Where the least of the moduli that are not zero stands."""
    return int(np.flatnonzero(h > 0)[np.argmin(h[h > 0])])


non_differentiable(cepstral, hilbert_weights, least_above_zero, why="computes with lengths and places")


@written_out(signal.minimum_phase)
def minimum_phase(h: np.ndarray | list, *, method="homomorphic", n_fft=None, half=True):
    """exp of the folded cepstrum: the causal response with that modulus, or its root's"""
    own(signal.minimum_phase, h, method, n_fft, half=half)
    h = np.asarray(h)
    size = np.shape(h)[0]
    n = 2 ** math.ceil(math.log2(2 * (size - 1) / 0.01)) if n_fft is None else int(n_fft)
    if method == "hilbert":
        w = own(np.arange, n) * (2 * np.pi / n * (size // 2))
        H = np.real(np.fft.fft(h, n) * np.exp(1j * w))
        above, below = np.max(H) - 1.0, -np.min(H)
        root = np.sqrt(1.0 + above + below) + np.sqrt(1.0 - above + below)
        least = own(np.equal, H, np.min(H))
        mag = np.where(least, 0.0, np.sqrt(np.where(least, 1.0, H + below)) * 2.0 / root) + 1e-10
        phase = np.fft.fft(hilbert_weights(n) * np.fft.ifft(np.log(mag)))
        y = np.real(np.fft.ifft(mag * np.exp(phase)))
    else:
        mag = np.abs(np.fft.fft(h, n))
        log = np.log(mag + 1e-7 * mag[least_above_zero(mag)]) * (0.5 if half else 1.0)
        folded = np.real(np.fft.ifft(log)) * cepstral(n)
        y = rounded_as(np.real(np.fft.ifft(np.exp(np.fft.fft(folded)))), h)
    return y[: size // 2 + size % 2 if half else size]


@written_out(signal.firwin_2d)
def firwin_2d(
    window: str | tuple | list, fc: object = None, *, hsize, fs=2, circular=False, pass_zero=True, scale=True
):
    """The product of a filter of rows and one of columns; or one filter, along the radius"""
    own(signal.firwin_2d, hsize, window, fc=fc, fs=fs, circular=circular, pass_zero=pass_zero, scale=scale)
    if circular:
        n = max(hsize[0], hsize[1]) * 8
        along = firwin(fc, window=window, numtaps=n, fs=fs)
        x, y = np.meshgrid(np.linspace(-1, 1, hsize[0]), np.linspace(-1, 1, hsize[1]))
        return np.interp(np.sqrt(x**2 + y**2), np.linspace(0, 1, n), along)
    rows = firwin(fc, window=window[0], numtaps=hsize[0], fs=fs)
    columns = firwin(fc, window=window[1], numtaps=hsize[1], fs=fs)
    return rows[:, None] * columns

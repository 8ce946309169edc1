"""The chirp z-transform, along a spiral of points, and the part of a spectrum that it zooms into.

By the signal and by the points: y_k = Σ x_n A⁻ⁿ W^nk, by Bluestein's convolution. W and A are complex
numbers; a real frequency of `zoom_fft` moves them along the circle.

See [Rabiner, Schafer & Rader 1969].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft, signal

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .precision import is_single, rounded_as


def count_of(name: str, n: int, m: Any) -> int:
    """How many points there are."""
    count = n if m is None else int(m)
    if n < 1 or count < 1 or (m is not None and m != count):
        raise UnsupportedArgument(name, "m", m, why=f"there are {n} samples")
    return count


def default_chirp(m: int, k: Any) -> Any:
    """exp(−πi k² / m), without loss for large k."""
    return np.exp(-(1j * np.pi * (k**2 % (2 * m))) / m)


def fast_length(n: int) -> int:
    """A length of which transforms are fast."""
    return int(fft.next_fast_len(n))


non_differentiable(count_of, default_chirp, fast_length, why="computes with lengths alone")


def chirped(x: Any, before: Any, chirp: Any, m: int) -> Any:
    """y_k = c_k Σ x_n b_n c_n / c_{k−n} along the last axis"""
    n = np.shape(x)[-1]
    size = fast_length(n + m - 1)
    kernel = fft.fft(1.0 / np.concatenate([np.flip(chirp[1:n]), chirp[:m]]), size)
    y = fft.ifft(kernel * fft.fft(x * (before * chirp[:n]), size))
    return y[..., n - 1 : n + m - 1] * chirp[:m]


@written_out(signal.czt)
def czt(x: np.ndarray | list, w: object = None, a: Array = 1 + 0j, *, m=None, axis=-1):
    """y_k = Σ x_n a⁻ⁿ w^nk"""
    lines = np.swapaxes(np.asarray(x), axis, -1)
    n = np.shape(lines)[-1]
    count = count_of("scipy.signal.czt", n, m)
    k = own(np.arange, max(count, n))
    ratio: Any = w
    chirp = default_chirp(count, k) if w is None else ratio ** (k * k / 2.0)
    return np.swapaxes(chirped(lines, (1.0 * a) ** (-1.0 * k[:n]), chirp, count), axis, -1)


@written_out(signal.zoom_fft)
def zoom_fft(x: np.ndarray | list, fn: Array | list | tuple, *, m=None, fs=2, endpoint=False, axis=-1):
    """The spectrum at m frequencies from f₁ to f₂"""
    lines = np.swapaxes(np.asarray(x), axis, -1)
    n = np.shape(lines)[-1]
    count = count_of("scipy.signal.zoom_fft", n, m)
    ends = np.reshape(np.asarray(fn) * 1.0, -1)
    low: Any = ends[0] if np.shape(ends)[0] == 2 else 0.0
    scale = (ends[-1] - low) / fs * (count / (count - 1) if endpoint else 1.0)
    k = own(np.arange, max(count, n), dtype=float)
    before = np.exp(-2j * np.pi / fs * k[:n] * low)
    y = chirped(lines, before, np.exp(-1j * np.pi / count * k * k * scale), count)
    y = rounded_as(y, lines) if is_single((fn,)) else y
    return np.swapaxes(y, axis, -1)


@written_out(signal.czt_points)
def czt_points(w: object = None, a: Array = 1 + 0j, *, m):
    """a w^−k"""
    k = own(np.arange, m)
    if w is None:
        return a * own(np.exp, 2j * np.pi / m * k)
    ratio: Any = w
    return (1.0 * a) * ratio ** (-1.0 * k)

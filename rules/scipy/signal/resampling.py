"""Signals at other rates: by Fourier transforms, by a filter between zeros and a selection, and decimated.

`upfirdn` is bilinear. With y_k = Σ_j h_{kD−jU} x_j its transpose by the signal is the same with the filter
reversed and the rates exchanged; that by the filter is a sum over the signal for each of its taps. A
signal goes on beyond its ends as `mode` says, where that repeats its entries.

See [Crochiere & Rabiner 1983].
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import fft, signal

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO
from ...numpy.adjoints import conj
from ...numpy.fourier import resized
from ...numpy.tensors import bilinear
from ...written import own, written_out
from ..ndimage.edges import extended
from .arguments import refuse_number
from .cascades import sosfilt
from .finite import firwin
from .passes import sosfiltfilt
from .precision import rounded_as, written_in_precision
from .windows import window_of

_BEYOND = {
    "constant": "constant",
    "symmetric": "reflect",
    "reflect": "mirror",
    "edge": "nearest",
    "wrap": "wrap",
}
_STATISTICS: dict[str, Any] = {"mean": np.mean, "median": np.median, "minimum": np.min, "maximum": np.max}


def folded_spectrum(W: Any, n: int) -> Any:
    """The window over the half spectrum of a real signal: the mean over both signs of a frequency."""
    half = n // 2 + 1
    return np.concatenate([W[:1], (W[1:half] + np.flip(W[n - half + 1 :])) / 2.0])


def scaled_middle(n: int, size: int, factor: float) -> Any:
    """Ones, and the factor where both signs of the highest common frequency meet."""
    w = np.ones(size)
    if n % 2 == 0:
        w[n // 2] = factor
    return w


non_differentiable(scaled_middle, why="computes with lengths alone")


def brought_to(X: Any, num: int) -> Any:
    """A whole spectrum of another length."""
    n = np.shape(X)[-1]
    m = min(num, n)
    low, high = X[..., : m // 2 + 1], X[..., n - (m - m // 2 - 1) :]
    zeros = np.zeros((*np.shape(X)[:-1], max(num - n, 0)))
    if m % 2 == 0 and num < n:
        middle = low[..., -1:] + X[..., n - m // 2 : n - m // 2 + 1]
        return np.concatenate([low[..., :-1], middle, high], axis=-1)
    if m % 2 == 0 and num > n:
        middle = low[..., -1:] / 2.0
        return np.concatenate([low[..., :-1], middle, zeros[..., 1:], middle, high], axis=-1)
    return np.concatenate([low, zeros, high], axis=-1)


@written_out(signal.resample)
def resample(x: np.ndarray | list, t: object = None, window: object = None, *, num, axis=0, domain="time"):
    """The signal whose spectrum is that of x, cut off or continued by zeros"""
    if domain not in ("time", "freq"):
        raise UnsupportedArgument("scipy.signal.resample", "domain", domain, supported=["time", "freq"])
    x = np.moveaxis(np.asarray(x), axis, -1)
    n = np.shape(x)[-1]
    W: Any = None
    if callable(window):
        W = window(own(fft.fftfreq, n))
    elif window is not None:
        W = np.asarray(window) if hasattr(window, "shape") else np.fft.fftshift(window_of(window, n))
    if domain == "time" and not np.iscomplexobj(x):
        X = fft.rfft(x)
        if W is not None:
            X = X * folded_spectrum(W, n)
        m = min(num, n)
        X = X[..., : m // 2 + 1]
        if num != n:
            X = X * scaled_middle(m, m // 2 + 1, 2.0 if num < n else 0.5)
        y = fft.irfft(X * (num / n), num)
    else:
        X = fft.fft(x) if domain == "time" else x
        if W is not None:
            X = X * W
        y = fft.ifft(brought_to(X, num) * (num / n))
    y = rounded_as(np.moveaxis(y, -1, axis), x)
    if t is None:
        return y
    times: Any = t
    return y, times[0] + (times[1] - times[0]) * (n / num) * own(np.arange, num)


def between_zeros(h: Any, x: Any, *, up: int, down: int) -> Any:
    """y_k = Σ_j h_{kD−jU} x_j along the last axis"""
    return signal.upfirdn(h, x, up, down)


@frule(between_zeros)
def between_zeros_frule(tangents, h: np.ndarray, x: np.ndarray, *, up, down):
    """ẏ_k = Σ_j ḣ_{kD−jU} x_j + h_{kD−jU} ẋ_j"""
    dy = bilinear(lambda p, q: between_zeros(p, q, up=up, down=down), tangents, h, x)
    return between_zeros(h, x, up=up, down=down), dy


def spread_out(y: Any, down: int) -> Any:
    """Zeros between the entries of lines."""
    zeros = np.zeros((*np.shape(y), down - 1), dtype=y.dtype)
    wide = np.concatenate([y[..., None], zeros], axis=-1)
    return np.reshape(wide, (*np.shape(y)[:-1], np.shape(y)[-1] * down))


@rrule(between_zeros)
def between_zeros_rrule(h: np.ndarray, x: np.ndarray, *, up, down, needs):
    """x̄_j = Σ_k conj(h_{kD−jU}) ȳ_k        h̄_i = Σ_{kD−jU=i} conj(x_j) ȳ_k"""
    taps, n = np.shape(h)[0], np.shape(x)[-1]

    def between_zeros_pullback(y_bar):
        h_bar: Any = ZERO
        x_bar: Any = ZERO
        if needs[0]:
            seed = resized(spread_out(y_bar, down), taps + n * up, np.ndim(y_bar) - 1)
            parts = [np.sum(conj(x) * seed[..., i : i + n * up : up]) for i in range(taps)]
            h_bar = np.stack(parts)
        if needs[1]:
            before = -(taps - 1) % up
            turned = np.concatenate([np.zeros(before, dtype=h.dtype), np.flip(conj(h))])
            back = between_zeros(turned, y_bar, up=down, down=up)
            first = (taps - 1 + before) // up
            x_bar = resized(back, first + n, np.ndim(back) - 1)[..., first:]
        return h_bar, x_bar

    return between_zeros(h, x, up=up, down=down), between_zeros_pullback


def widths(taps: int, n: int, up: int, down: int) -> tuple[int, int, int]:
    """How far a filter reaches beyond both ends, and how many samples come before the first."""
    period = down // math.gcd(up, down)
    before = -(-(taps - 1) // up)
    before += -before % period
    count = -(-((n - 1) * up + taps) // down)
    after = max(((count - 1) * down) // up - n + 1, 0)
    return before, after, before * up // down


def ends_of(mode: str) -> str:
    """What stands beyond the ends."""
    if mode not in _BEYOND:
        raise UnsupportedArgument("scipy.signal.upfirdn", "mode", mode, supported=sorted(_BEYOND))
    return _BEYOND[mode]


non_differentiable(widths, ends_of, why="computes with lengths and names alone")


@written_out(signal.upfirdn)
def upfirdn(h: np.ndarray | list, x: np.ndarray | list, *, up=1, down=1, axis=-1, mode="constant", cval=0):
    """Zeros between the samples, the filter, and a selection"""
    h = np.asarray(h)
    lines = np.moveaxis(np.asarray(x), axis, -1)
    beyond = ends_of(mode)
    if beyond == "constant" and cval == 0:
        return np.moveaxis(between_zeros(h, lines, up=up, down=down), -1, axis)
    taps, n = np.shape(h)[0], np.shape(lines)[-1]
    before, after, skipped = widths(taps, n, up, down)
    flat = np.ndim(lines) - 1
    around = extended(
        lines * 1.0,
        widths=((0, 0),) * flat + ((before, after),),
        modes=("constant",) * flat + (beyond,),
        cval=cval,
    )
    y = between_zeros(h, around, up=up, down=down)[..., skipped:]
    count = -(-((n - 1) * up + taps) // down)
    return np.moveaxis(y[..., :count], -1, axis)


def rates(up: Any, down: Any) -> tuple[int, int]:
    """Both rates without their common divisor."""
    if up != int(up) or down != int(down) or up < 1 or down < 1:
        raise UnsupportedArgument("scipy.signal.resample_poly", "up, down", (up, down), why="not counts")
    common = math.gcd(int(up), int(down))
    return int(up) // common, int(down) // common


def checked_ends(padtype: Any, cval: Any) -> None:
    """Refuse what SciPy does not know to lie beyond the ends."""
    if padtype not in _STATISTICS:
        ends_of(padtype)
    if cval is not None and padtype != "constant":
        raise UnsupportedArgument("scipy.signal.resample_poly", "cval", cval, why=f"padtype is {padtype!r}")


def many_enough(taps: int, n: int, up: int, down: int, wanted: int) -> int:
    """How many zeros after a filter make the output long enough."""
    return max((wanted - 1) * down + 1 - (n - 1) * up - taps, 0)


def as_floats(x: Any, h: Any) -> Any:
    """The dtype of a filter over a signal."""
    return x.dtype if x.dtype.kind in "fc" else h.dtype


non_differentiable(rates, checked_ends, many_enough, as_floats, why="computes with lengths and names alone")


@written_out(signal.resample_poly)
def resample_poly(
    x: np.ndarray | list,
    window: object = ("kaiser", 5.0),
    *,
    up,
    down,
    axis=0,
    padtype="constant",
    cval=None,
):
    """`upfirdn` with a low-pass filter, without its delay"""
    x = np.asarray(x)
    refuse_number("resample_poly", x)
    up, down = rates(up, down)
    checked_ends(padtype, cval)
    if up == down == 1:
        return x * 1.0
    if isinstance(window, list | np.ndarray):
        h = np.asarray(window)
        half = (np.shape(h)[0] - 1) // 2
    else:
        half = 10 * max(up, down)
        h = firwin(1.0 / max(up, down), window=window, numtaps=2 * half + 1)
        h = h.astype(as_floats(x, h))
    n = np.shape(x)[axis]
    count = -(-(n * up) // down)
    before = down - half % down
    removed = (half + before) // down
    after = many_enough(np.shape(h)[0] + before, n, up, down, count + removed)
    h = np.concatenate([np.zeros(before, dtype=h.dtype), h * up, np.zeros(after, dtype=h.dtype)])
    background: Any = 0.0
    if padtype in _STATISTICS:
        background = _STATISTICS[padtype](x, axis=axis, keepdims=True)
        y = upfirdn(h, x - background, up=up, down=down, axis=axis)
    else:
        y = upfirdn(h, x, up=up, down=down, axis=axis, mode=padtype, cval=0 if cval is None else cval)
    lines = np.moveaxis(y, axis, -1)[..., removed : removed + count]
    return np.moveaxis(lines, -1, axis) + background


@written_in_precision(signal.decimate)
def decimate(x: np.ndarray | list, *, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    """A low-pass filter, and every so many samples"""
    if ftype not in ("iir", "fir"):
        raise UnsupportedArgument("scipy.signal.decimate", "ftype", ftype, supported=["iir", "fir"])
    x = np.asarray(x)
    if ftype == "iir":
        sos = own(signal.cheby1, 8 if n is None else n, 0.05, 0.8 / q, output="sos")
        y = sosfiltfilt(sos, x, axis=axis) if zero_phase else sosfilt(sos, x, axis=axis)
        return np.moveaxis(np.moveaxis(y, axis, -1)[..., ::q], -1, axis)
    b = own(signal.firwin, (20 * q if n is None else n) + 1, 1.0 / q, window="hamming")
    b = b.astype(as_floats(x, b))
    if zero_phase:
        return resample_poly(x, b, up=1, down=q, axis=axis)
    y = np.moveaxis(upfirdn(b, x, down=q, axis=axis), axis, -1)
    return np.moveaxis(y[..., : -(-np.shape(x)[axis] // q)], -1, axis)

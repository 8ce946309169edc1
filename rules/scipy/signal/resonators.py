"""Filters at one frequency: notches, peaks, combs and Gammatone's, by the frequency and the quality.

A comb has as many teeth as its frequency goes into the sampling frequency; as that count has to be whole,
SciPy refuses any other frequency, and a derivative is by the quality alone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import signal

from ....core import Real, non_differentiable
from ...written import own, written_out


def double(x: Any) -> Any:
    """A number in double precision, in which SciPy designs these."""
    return np.asarray(x).astype(float)


def coefficients(w: Any, bandwidth: Any) -> tuple[Any, Any]:
    """The gain 1 / (1 + tan(Δ/2)), and the coefficients below."""
    gain = 1.0 / (1.0 + np.tan(bandwidth / 2.0))
    cosine = np.cos(w)
    return gain, np.stack([gain / gain, -2.0 * gain * cosine, 2.0 * gain - 1.0])


@written_out(signal.iirnotch)
def iirnotch(w0: Real, Q: Real, *, fs=2.0, xp=None, device=None):
    """b = g (1, −2 cos ω, 1)"""
    own(signal.iirnotch, w0, Q, fs)
    w = 2.0 * np.pi * double(w0) / fs
    gain, a = coefficients(w, w / double(Q))
    return gain * np.stack([gain / gain, -2.0 * np.cos(w), gain / gain]), a


@written_out(signal.iirpeak)
def iirpeak(w0: Real, Q: Real, *, fs=2.0, xp=None, device=None):
    """b = (1 − g) (1, 0, −1)"""
    own(signal.iirpeak, w0, Q, fs)
    w = 2.0 * np.pi * double(w0) / fs
    gain, a = coefficients(w, w / double(Q))
    return (1.0 - gain) * own(np.array, [1.0, 0.0, -1.0]), a


def ends(n: int) -> tuple[Any, Any]:
    """Lists of n + 1 numbers, with a one at the beginning and at the end."""
    return np.eye(n + 1)[0], np.eye(n + 1)[n]


def teeth(fs: Any, w0: Any) -> int:
    """How often the frequency goes into the sampling frequency."""
    count: int = round(fs / w0)
    return count


non_differentiable(ends, teeth, why="computes with counts")


@written_out(signal.iircomb)
def iircomb(Q: Real, *, w0, ftype="notch", fs=2.0, pass_zero=False, xp=None, device=None):
    """b₀ + b_N z^−N over 1 + a_N z^−N, β = tan(π / 2Q)"""
    own(signal.iircomb, w0, Q, ftype, fs, pass_zero=pass_zero)
    n = teeth(fs, w0)
    beta = np.tan(n * 2.0 * np.pi * w0 / fs / Q / 4.0)
    notch = ftype.lower() == "notch"
    sign = -1.0 if bool(pass_zero) != notch else 1.0
    first, last = ends(n)
    b = (1.0 if notch else beta) / (1.0 + beta)
    c = (1.0 if notch else -beta) / (1.0 + beta)
    return b * first + sign * c * last, first + sign * (1.0 - beta) / (1.0 + beta) * last


def bandwidth(freq: Any) -> Any:
    """1.019 times the equivalent rectangular bandwidth of hearing at a frequency."""
    return 1.019 * (freq / 9.26449 + 24.7)


def fir_gammatone(freq: Any, order: int, numtaps: int, fs: Any) -> Any:
    """2 (2πB)^n / ((n − 1)! f_s) t^(n−1) exp(−2πBt) cos(2πft)"""
    t = own(np.arange, numtaps) / fs
    rate = 2.0 * np.pi * bandwidth(freq)
    scale = 2.0 * rate**order / math.factorial(order - 1) / fs
    return scale * own(np.power, t, order - 1) * np.exp(-rate * t) * np.cos(2.0 * np.pi * freq * t)


def iir_gammatone(freq: Any, fs: Any) -> tuple[Any, Any]:
    """Four zeros and four double poles [Slaney 1993]: a is ((1 − p z)(1 − p̄ z))⁴, p = exp(−B + iω)"""
    T = 1.0 / fs
    w, decay = 2.0 * np.pi * freq * T, 2.0 * np.pi * bandwidth(freq) * T
    turn, damped = np.exp(2j * w), np.exp(-decay)
    first, second = -2.0 * turn * T, 2.0 * np.exp(-decay + 1j * w) * T
    gain: Any = 1.0
    for root in (math.sqrt(3 + 2**1.5), math.sqrt(3 - 2**1.5)):
        for sign in (1.0, -1.0):
            gain = gain * (first + second * (np.cos(w) + sign * root * np.sin(w)))
    below = -2.0 * damped * damped - 2.0 * turn + 2.0 * (1.0 + turn) * damped
    g = np.abs(gain / below**4)
    one = damped / damped
    counts = (1.0, -4.0, 6.0, -4.0, 1.0)
    b = np.stack([counts[k] * np.cos(k * w) * damped**k for k in range(5)]) * (T**4 / g)
    pair = np.stack([one, -2.0 * damped * np.cos(w), damped * damped])
    four = np.convolve(pair, pair)
    return b, np.convolve(four, four)


@written_out(signal.gammatone)
def gammatone(freq: Real, *, ftype, order=None, numtaps=None, fs=None, xp=None, device=None):
    """The response of the ear's membrane at a frequency"""
    own(signal.gammatone, freq, ftype, order, numtaps, fs)
    rate = 2.0 if fs is None else fs
    if ftype.lower() == "iir":
        return iir_gammatone(freq, rate)
    taps = max(int(rate * 0.015), 15) if numtaps is None else numtaps
    return fir_gammatone(freq, 4 if order is None else order, taps, rate), own(np.ones, 1)

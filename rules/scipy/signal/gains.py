"""Responses of systems and of continuous filters over frequency: complex, in decibels and degrees, as delays.

The frequencies that SciPy chooses itself are held constant; those that are given have a derivative. The
phase is unwrapped as `np.unwrap` does. A system is a tuple of arrays, or an object; its response is that
of its polynomials, which is smooth where roots coincide.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal
from scipy.signal._ltisys import LinearTimeInvariant

from ....core import Array, NotDifferentiableError, UnsupportedArgument, non_differentiable
from ...written import written_out
from .arguments import refuse_axes
from .models import in_continuous_time, in_discrete_time
from .precision import rounded_as
from .responses import at, frequencies, freqz, freqz_zpk, is_count
from .systems import ss2tf


def found(f: Any, *data: Any, **options: Any) -> Any:
    """The frequencies that SciPy chooses."""
    return f(*data, **options)[0]


def spaced(w: Any, whole: bool, fs: Any) -> Any:
    """The frequencies of a group delay, where a number of them is given."""
    count = 512 if w is None else int(w)
    return np.linspace(0, fs if whole else fs / 2, count, endpoint=False)


def refuse_poles(below: Any) -> None:
    """Refuse a group delay at a frequency where the filter has a zero or a pole."""
    if np.any(np.abs(below) < 10 * np.finfo(float).eps):
        raise NotDifferentiableError(
            "scipy.signal.group_delay at a frequency where the filter vanishes", next="leave it out"
        )


def checked_plot(plot: Any) -> None:
    """Refuse to call a function that draws."""
    if plot is not None:
        raise UnsupportedArgument("scipy.signal.freqs", "plot", plot, supported=["None"])


def checked_polynomial(name: str, coefficients: Any) -> None:
    """Refuse several polynomials at once, which SciPy does not document, and those without coefficients."""
    if coefficients.ndim > 1 or coefficients.size == 0:
        raise UnsupportedArgument(
            "scipy.signal.freqs", name, coefficients.shape, supported=["coefficients along one axis"]
        )


non_differentiable(
    found, spaced, refuse_poles, checked_plot, checked_polynomial, why="chooses frequencies, and checks"
)


@written_out(signal.freqs)
def freqs(b: np.ndarray | list, a: np.ndarray | list, worN: object = 200, *, plot=None):
    """H(ω) = Σ b_k (iω)^k / Σ a_k (iω)^k"""
    checked_plot(plot)
    b = np.atleast_1d(np.asarray(b))
    a = np.atleast_1d(np.asarray(a))
    checked_polynomial("b", b)
    checked_polynomial("a", a)
    w = found(signal.freqs, b, a, worN) if is_count(worN) else np.atleast_1d(np.asarray(worN))
    s = 1j * w
    return w, at(np.flip(b), s) / at(np.flip(a), s)


@written_out(signal.freqs_zpk)
def freqs_zpk(z: np.ndarray | list, p: np.ndarray | list, k: Array, worN: object = 200):
    """H(ω) = k Π (iω − z) / Π (iω − p)"""
    zeros = np.asarray(z)
    poles = np.asarray(p)
    refuse_axes("freqs_zpk", z=zeros, p=poles)
    w = found(signal.freqs_zpk, z, p, k, worN) if is_count(worN) else np.atleast_1d(np.asarray(worN))
    s = 1j * w[:, None]
    gain = np.asarray(k).astype(float)
    return w, gain * np.prod(s - zeros, axis=-1) / np.prod(s - poles, axis=-1)


@written_out(signal.group_delay)
def group_delay(system: tuple | list, w: object = 512, *, whole=False, fs=2 * np.pi):
    """τ = Re Σ k c_k e^(−iωk) / Σ c_k e^(−iωk) − (the order of a), c = b ∗ the reversed conjugate of a"""
    b = np.atleast_1d(np.asarray(system[0]))
    a = np.atleast_1d(np.asarray(system[1]))
    f = spaced(w, whole, fs) if is_count(w) else np.atleast_1d(np.asarray(w)) * 1
    c = np.convolve(b, np.flip(np.conj(a)))
    u = np.exp(-2j * np.pi / fs * f)
    below = at(c, u)
    refuse_poles(below)
    return f, np.real(at(c * np.arange(np.shape(c)[0]), u) / below) - (np.shape(a)[0] - 1)


def decibels(w: Any, h: Any) -> tuple[Any, Any, Any]:
    """The frequencies, 20 log₁₀ |H|, and the angle in degrees."""
    power = np.square(np.real(h)) + np.square(np.imag(h))
    return w, 10.0 * np.log10(power), np.unwrap(np.angle(h)) * (180.0 / np.pi)


def one_row(num: Any) -> Any:
    """The numerator of a system with one output."""
    if np.shape(num)[0] != 1:
        raise UnsupportedArgument("scipy.signal.freqresp", "system", np.shape(num), why="several outputs")
    return num[0]


@written_out(signal.freqresp)
def freqresp(system: tuple | list | LinearTimeInvariant, w: object = None, *, n=10000):
    """H(ω) of a continuous system"""
    given = found(signal.freqresp, system, n=n) if w is None else w
    system = in_continuous_time("freqresp", system)
    if len(system) == 3:
        return freqs_zpk(*system, given)
    if len(system) == 2:
        f, h = freqs(*system, given)
    else:
        num, den = ss2tf(*system)
        f, h = freqs(one_row(num), den, given)
    return f, h.astype(complex)


@written_out(signal.bode)
def bode(system: tuple | list | LinearTimeInvariant, w: object = None, *, n=100):
    """The response of a continuous system in decibels and degrees"""
    return decibels(*freqresp(system, w, n=n))


def same_degree(num: Any, den: Any) -> tuple[Any, Any]:
    """Polynomials of z as polynomials of 1/z."""
    n, m = np.shape(num)[0], np.shape(den)[0]
    return np.concatenate([np.zeros(max(m - n, 0)), num]), np.concatenate([np.zeros(max(n - m, 0)), den])


@written_out(signal.dfreqresp)
def dfreqresp(system: tuple | list | LinearTimeInvariant, w: object = None, *, n=10000, whole=False):
    """H(ω) of a discrete system, ω in radians for each sample"""
    given = frequencies(n, whole, 2 * np.pi, False) if w is None else w
    system = in_discrete_time("dfreqresp", system)
    if len(system) == 4:
        f, h = freqz_zpk(*system[:3], given)
        return rounded_as(f, system), rounded_as(h, system)
    if len(system) == 3:
        f, h = freqz(*same_degree(np.asarray(system[0]), np.asarray(system[1])), given)
        return f.astype(float), h.astype(complex)
    rows, den = ss2tf(*system[:4])
    f, h = freqz(*same_degree(one_row(rows), den), given)
    return rounded_as(f, system), rounded_as(h, system)


@written_out(signal.dbode)
def dbode(system: tuple | list | LinearTimeInvariant, w: object = None, *, n=100):
    """The response of a discrete system in decibels and degrees"""
    system = in_discrete_time("dbode", system)
    f, h = dfreqresp(system, w, n=n)
    return decibels(f / system[-1], h)

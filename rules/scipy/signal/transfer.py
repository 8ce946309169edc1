"""Transfer functions as polynomials: another frequency band, discrete time, and quotients.

A change of variable by a quotient of polynomials, s = n(x) / d(x), takes Σ c_k s^k to Σ c_k n^k d^(N−k),
which is what all of these are; the result is divided by its leading coefficient.

See [Oppenheim & Schafer 2010].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .conversions import normalize
from .precision import written_in_precision


def first(a: Any) -> int:
    """How many zeros a list begins with."""
    found = np.flatnonzero(a)
    return int(found[0]) if len(found) else max(len(a) - 1, 0)


def checked(name: str, b: Any, a: Any) -> None:
    """Refuse numerators and denominators that are no lists."""
    for argument, given in (("b", b), ("a", a)):
        if np.ndim(given) != 1 or len(given) == 0:
            raise UnsupportedArgument(f"scipy.signal.{name}", argument, np.shape(given), why="it is no list")


non_differentiable(first, checked, why="counts and checks")


def lists(name: str, b: Any, a: Any) -> tuple[Any, Any]:
    """Numerator and denominator as lists of floats."""
    b = np.atleast_1d(np.asarray(b)) * 1.0
    a = np.atleast_1d(np.asarray(a)) * 1.0
    checked(name, b, a)
    return b, a


def summed(p: Any, q: Any) -> Any:
    """The sum of two polynomials, the highest power first."""
    n = max(np.shape(p)[0], np.shape(q)[0])
    return np.concatenate([np.zeros(n - np.shape(p)[0]), p]) + np.concatenate(
        [np.zeros(n - np.shape(q)[0]), q]
    )


def substituted(c: Any, above: Any, below: Any, degree: int) -> Any:
    """Σ c_k n^k d^(N−k), by Horner's scheme: (… (c_N n + c_{N−1} d) n + …), then what is left of d"""
    y, power = c[:1], own(np.ones, 1)
    for i in range(1, np.shape(c)[0]):
        power = np.convolve(power, below)
        y = summed(np.convolve(y, above), c[i] * power)
    for _ in range(degree - np.shape(c)[0] + 1):
        y = np.convolve(y, below)
    return y


def changed(b: Any, a: Any, above: Any, below: Any) -> tuple[Any, Any]:
    """Both polynomials with s = n / d."""
    degree = max(np.shape(b)[0], np.shape(a)[0]) - 1
    b, a = normalize(substituted(b, above, below, degree), substituted(a, above, below, degree))
    return b, a


@written_out(signal.bilinear)
def bilinear(b: np.ndarray | list, a: np.ndarray | list, fs: Array = 1.0):
    """s = 2 f (z − 1) / (z + 1)"""
    b, a = lists("bilinear", b, a)
    b, a = b[first(b) :], a[first(a) :]
    root = np.sqrt(2.0 * fs)
    return changed(b, a, root * own(np.array, [1.0, -1.0]), own(np.ones, 2) / root)


@written_out(signal.lp2lp)
def lp2lp(b: np.ndarray | list, a: np.ndarray | list, wo: Array = 1.0):
    """s → s / ω₀"""
    b, a = lists("lp2lp", b, a)
    by = np.asarray(wo) ** own(np.arange, max(len(b), len(a)))
    return normalize(b * np.flip(1.0 / by[: len(b)]), a * np.flip(1.0 / by[: len(a)]))


@written_in_precision(signal.lp2hp)
def lp2hp(b: np.ndarray | list, a: np.ndarray | list, wo: Array = 1.0):
    """s → ω₀ / s"""
    b, a = lists("lp2hp", b, a)
    n = max(len(b), len(a))
    by = np.asarray(wo) ** own(np.arange, n)
    above = np.concatenate([np.flip(b) * by[: len(b)], np.zeros(n - len(b))])
    return normalize(above, np.concatenate([np.flip(a) * by[: len(a)], np.zeros(n - len(a))]))


def quadratic(wo: Any) -> Any:
    """s² + ω₀²"""
    return np.stack([wo / wo, 0.0 * wo, wo * wo])


def linear(bw: Any) -> Any:
    """B s"""
    return np.stack([bw, 0.0 * bw])


@written_in_precision(signal.lp2bp)
def lp2bp(b: np.ndarray | list, a: np.ndarray | list, wo: Array = 1.0, bw: Array = 1.0):
    """s → (s² + ω₀²) / (B s)"""
    b, a = lists("lp2bp", b, a)
    return changed(b, a, quadratic(wo), linear(bw))


@written_in_precision(signal.lp2bs)
def lp2bs(b: np.ndarray | list, a: np.ndarray | list, wo: Array = 1.0, bw: Array = 1.0):
    """s → B s / (s² + ω₀²)"""
    b, a = lists("lp2bs", b, a)
    return changed(b, a, linear(bw), quadratic(wo))


@written_out(signal.deconvolve)
def deconvolve(signal: np.ndarray | list, divisor: np.ndarray | list):
    """The quotient, the impulse response of signal / divisor, and the remainder"""
    num, den = lists("deconvolve", signal, divisor)
    n = len(num) - len(den) + 1
    if n <= 0:
        return [], num
    impulse = own(np.eye, n)[0]
    quotient = filtered_by(num, den, impulse)
    return quotient, num - np.convolve(den, quotient)


def filtered_by(b: Any, a: Any, x: Any) -> Any:
    """The recursive filter."""
    return signal.lfilter(b, a, x)

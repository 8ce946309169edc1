"""Waves: chirps, sawtooths, pulses and sweeps; by time, frequencies, widths and phases.

Where two frequencies of a chirp agree the formulas divide nothing by nothing; they are written so that they
do not. At a jump or a corner the branch is SciPy's. A square wave is constant between its jumps.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import signal, special

from ....core import Array, Real, UnsupportedArgument, non_differentiable
from ...written import own, written_out

_METHODS = {
    **dict.fromkeys(("linear", "lin", "li"), "linear"),
    **dict.fromkeys(("quadratic", "quad", "q"), "quadratic"),
    **dict.fromkeys(("logarithmic", "log", "lo"), "logarithmic"),
    **dict.fromkeys(("hyperbolic", "hyp"), "hyperbolic"),
}


def checked(f0: Any, t1: Any, f1: Any, method: str) -> str:
    """The method's name, after SciPy has found no fault with the arguments."""
    signal.chirp(0.0, f0, t1, f1, method)
    return _METHODS[method]


non_differentiable(checked, why="checks arguments")


def logarithm_of(u: Any) -> Any:
    """log|1 + u| / u, and 1 at 0; by log(1 + u) / u = 1 / exprel(log(1 + u))"""
    positive = u > -1
    near = 1.0 / special.exprel(np.log1p(np.where(positive, u, 0.0)))
    beyond = np.where(positive, -2.0, u)
    return np.where(positive, near, np.log(np.abs(1.0 + beyond)) / beyond)


@written_out(signal.chirp)
def chirp(
    t: Array | list,
    f0: Real,
    t1: Real,
    f1: Real,
    phi: Real = 0,
    *,
    method="linear",
    vertex_zero=True,
    complex=False,
):
    """cos(2π ∫ f + φ), with f from f₀ to f₁ by a line, a parabola, a power or a hyperbola"""
    kind = checked(f0, t1, f1, method)
    t = np.asarray(t)
    if kind == "linear":
        turns = f0 * t + 0.5 * (f1 - f0) / t1 * t * t
    elif kind == "quadratic":
        beta = (f1 - f0) / (t1 * t1)
        early = f0 * t + beta * t**3 / 3
        turns = early if vertex_zero else f1 * t + beta * ((t1 - t) ** 3 - t1**3) / 3
    elif kind == "logarithmic":
        turns = f0 * t * special.exprel(np.log(f1 / f0) * t / t1)
    else:
        turns = f0 * t * logarithm_of((f0 - f1) / (f1 * t1) * t)
    phase = 2.0 * np.pi * turns + np.deg2rad(phi)
    return np.exp(1j * phase) if complex else np.cos(phase)


@written_out(signal.sawtooth)
def sawtooth(t: Array | list, width: Array | list = 1):
    """Up from −1 to 1 over a part w of the period, down over the rest"""
    w = np.asarray(width).astype(float)
    there = np.mod(np.asarray(t).astype(float), 2.0 * np.pi)
    w, there = w + 0.0 * there, there + 0.0 * w
    up, known = there < w * 2.0 * np.pi, (w >= 0) & (w <= 1)
    rise = there / (np.pi * np.where(up, w, 1.0)) - 1.0
    fall = (np.pi * (w + 1.0) - there) / (np.pi * (1.0 - np.where(up, 0.0, w)))
    return np.where(known, np.where(up, rise, fall), np.nan)


def checked_pulse(fc: Any, bw: Any, bwr: Any, tpr: Any, t: Any) -> None:
    """Refuse what SciPy does."""
    signal.gausspulse("cutoff" if isinstance(t, str) else 0.0, fc, bw, bwr, tpr)
    if isinstance(t, str) and t != "cutoff":
        raise UnsupportedArgument("scipy.signal.gausspulse", "t", t, supported=["times", "'cutoff'"])


non_differentiable(checked_pulse, why="checks arguments")


@written_out(signal.gausspulse)
def gausspulse(
    t: Array | list | str,
    fc: Array = 1000,
    bw: Array = 0.5,
    bwr: Array = -6,
    tpr: Array = -60,
    *,
    retquad=False,
    retenv=False,
):
    """exp(−a t²) cos(2π f t), a = −(π f B)² / 4 log 10^(r/20)"""
    checked_pulse(fc, bw, bwr, tpr, t)
    a = -((np.pi * fc * bw) ** 2) / (4.0 * (bwr * (own(np.log, 10.0) / 20.0)))
    if isinstance(t, str):
        return np.sqrt(-tpr * (math.log(10.0) / 20.0) / a)
    t = np.asarray(t)
    envelope = np.exp(-a * t * t)
    inphase = envelope * np.cos(2.0 * np.pi * fc * t)
    if not retquad:
        return (inphase, envelope) if retenv else inphase
    quadrature = envelope * np.sin(2.0 * np.pi * fc * t)
    return (inphase, quadrature, envelope) if retenv else (inphase, quadrature)


@written_out(signal.sweep_poly)
def sweep_poly(t: Array | list, poly: np.ndarray | list, phi: Array = 0):
    """cos(2π ∫ p + φ)"""
    c = np.asarray(poly) * 1.0
    t = np.asarray(t) * 1.0
    c = c / own(np.arange, len(c), 0, -1)
    turns = 0.0 * t
    for i in range(np.shape(c)[0]):
        turns = (turns + c[i]) * t
    return np.cos(2.0 * np.pi * turns + phi * (np.pi / 180.0))


@written_out(signal.gauss_spline)
def gauss_spline(x: Array | list, *, n):
    """The normal density with the variance of a B-spline, (n + 1) / 12"""
    variance = (n + 1) / 12.0
    return np.exp(-np.square(np.asarray(x)) / (2.0 * variance)) / math.sqrt(2.0 * math.pi * variance)

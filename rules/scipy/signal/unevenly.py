"""Signals at uneven times: Lomb's and Scargle's spectrum, and how strongly events keep time.

The spectrum is that of the best sinusoid, the solution of two equations. SciPy turns its phase so that
they separate; here they are solved as they are, which has the same value and no corner. Where sine and
cosine are not independent at the given times, as at frequency zero, the point is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import Array, NotDifferentiableError, UnsupportedArgument, non_differentiable
from ...written import own, written_out


def checked(x: Any, y: Any, freqs: Any, precenter: Any, normalize: Any, weights: Any, floating: bool) -> str:
    """How the spectrum is scaled, after SciPy has found no fault with the arguments."""
    if precenter is not None:
        raise UnsupportedArgument(
            "scipy.signal.lombscargle",
            "precenter",
            precenter,
            why="it is deprecated",
            next="give y - y.mean()",
        )
    signal.lombscargle(x, y, freqs[:1], normalize=normalize, weights=weights, floating_mean=floating)
    return str({False: "power", True: "normalize"}.get(normalize, normalize))


def refuse_dependent(determinant: Any) -> None:
    """Refuse frequencies at which sine and cosine are the same, up to a factor, at all times."""
    if np.any(determinant < 1e-13):
        raise NotDifferentiableError(
            "scipy.signal.lombscargle at a frequency for which sine and cosine depend on one another",
            next="leave that frequency out; frequency zero is one",
        )


non_differentiable(checked, refuse_dependent, why="checks arguments")


@written_out(signal.lombscargle)
def lombscargle(
    x: np.ndarray | list,
    y: np.ndarray | list,
    freqs: np.ndarray | list,
    weights: object = None,
    *,
    precenter=None,
    normalize=False,
    floating_mean=False,
):
    """min Σ w (y − a cos ωx − b sin ωx)² has (a, b) = (CC, CS; CS, SS)⁻¹ (YC, YS) [Zechmeister 2009]"""
    scaling = checked(x, y, freqs, precenter, normalize, weights, floating_mean)
    x = np.asarray(x) * 1.0
    y = np.asarray(y) * 1.0
    freqs = np.asarray(freqs) * 1.0
    w = own(np.ones, len(x)) if weights is None else np.asarray(weights) * 1.0
    w = (w / np.sum(w))[:, None]
    angle = x[:, None] * freqs
    cosine, sine, values = np.cos(angle), np.sin(angle), y[:, None]
    cc, cs = np.sum(w * cosine * cosine, axis=0), np.sum(w * cosine * sine, axis=0)
    ss = 1.0 - cc
    yc, ys = np.sum(w * values * cosine, axis=0), np.sum(w * values * sine, axis=0)
    yy, mean = np.sum(w * values * values), np.sum(w * values)
    if floating_mean:
        c, s = np.sum(w * cosine, axis=0), np.sum(w * sine, axis=0)
        cc, ss, cs = cc - c * c, ss - s * s, cs - c * s
        yc, ys, yy = yc - mean * c, ys - mean * s, yy - mean * mean
    determinant = cc * ss - cs * cs
    refuse_dependent(determinant)
    a, b = (yc * ss - ys * cs) / determinant, (ys * cc - yc * cs) / determinant
    if scaling == "amplitude":
        return np.squeeze(a + 1j * b)
    power = a * yc + b * ys
    return np.squeeze(power * (np.shape(x)[0] / 2.0) if scaling == "power" else power / yy)


@written_out(signal.vectorstrength)
def vectorstrength(events: Array | list, period: Array | list):
    """r e^(iφ) = the mean of exp(2πi t / T) over the events"""
    own(signal.vectorstrength, events, period)
    t = np.asarray(events)
    T = np.asarray(period)
    mean = np.mean(np.exp(2j * np.pi * np.reshape(t, -1) / T[..., None]), axis=-1)
    return np.abs(mean), np.angle(mean)

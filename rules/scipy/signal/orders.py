"""The least order of a recursive filter that meets a specification, and the filter of that order.

An order is a count, which jumps: it has no derivative. The critical frequencies that come with it move with
the edges and the ripples, at the order that was found. Where a band is stopped SciPy moves the edges by a
search, refused by name.

See [Oppenheim & Schafer 2010].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal, special

from ....core import Real, UnsupportedArgument, non_differentiable
from ...written import written_out

_EDGES = Real | np.ndarray | list | tuple
_STOPPED = "bandstop"
_KINDS = {
    "butterworth": "butter",
    "cauer": "ellip",
    "elliptic": "ellip",
    "chebyshev1": "cheby1",
    "chebyshevi": "cheby1",
    "chebyshev2": "cheby2",
    "chebyshevii": "cheby2",
}


def band_of(wp: Any, ws: Any) -> str:
    """Which band is passed."""
    p, s = np.ravel(wp), np.ravel(ws)
    if len(p) == 1:
        return "highpass" if p[0] >= s[0] else "lowpass"
    return "bandpass" if p[0] >= s[0] else _STOPPED


def order_of(f: Any, wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool, fs: Any) -> int:
    """The order that SciPy finds."""
    found = f(wp, ws, gpass, gstop, analog, fs)[0]
    if band_of(wp, ws) == _STOPPED:
        name = f"scipy.signal.{f.__name__}"
        raise UnsupportedArgument(name, "ws", "a band that is stopped", why="its edges come from a search")
    if found == 0:
        raise UnsupportedArgument(f"scipy.signal.{f.__name__}", "gstop", gstop, why="the order is zero")
    return int(found)


non_differentiable(band_of, order_of, why="computes with orders and names")


def edges(w: Any, analog: bool, fs: Any) -> Any:
    """The edges of a continuous filter."""
    w = np.reshape(np.asarray(w), -1) * (1.0 if fs is None else 2.0 / fs)
    return w if analog else np.tan(np.pi * w / 2.0)


def delivered(w: Any, analog: bool, fs: Any) -> Any:
    """Critical frequencies as the caller has them: a number, or two."""
    w = w if analog else np.arctan(w) * (2.0 / np.pi)
    w = w if fs is None else w * fs / 2.0
    return w[0] if np.shape(w)[0] == 1 else w


def excess(gain: Any) -> Any:
    """10^(g/10) − 1"""
    return 10.0 ** (0.1 * np.abs(gain)) - 1.0


@written_out(signal.buttord)
def buttord(wp: _EDGES, ws: object, gpass: Real, gstop: object, *, analog=False, fs=None):
    """|H|² = 10^(−g/10) at the edge of the band that is passed"""
    N = order_of(signal.buttord, wp, ws, gpass, gstop, analog, fs)
    p, wide, band = edges(wp, analog, fs), excess(gpass) ** (-0.5 / N), band_of(wp, ws)
    if band == "lowpass":
        return N, delivered(np.abs(wide * p), analog, fs)
    if band == "highpass":
        return N, delivered(np.abs(p / wide), analog, fs)
    half = wide * (p[1] - p[0]) / 2.0
    middle = np.sqrt(half * half + p[0] * p[1])
    return N, delivered(np.sort(np.abs(np.stack([middle - half, middle + half]))), analog, fs)


@written_out(signal.cheb1ord)
def cheb1ord(wp: _EDGES, ws: object, gpass: object, gstop: object, *, analog=False, fs=None):
    """The edges of the band that is passed"""
    N = order_of(signal.cheb1ord, wp, ws, gpass, gstop, analog, fs)
    return N, delivered(edges(wp, analog, fs), analog, fs)


@written_out(signal.ellipord)
def ellipord(wp: _EDGES, ws: object, gpass: object, gstop: object, *, analog=False, fs=None):
    """The edges of the band that is passed"""
    N = order_of(signal.ellipord, wp, ws, gpass, gstop, analog, fs)
    return N, delivered(edges(wp, analog, fs), analog, fs)


@written_out(signal.cheb2ord)
def cheb2ord(wp: _EDGES, ws: object, gpass: Real, gstop: Real, *, analog=False, fs=None):
    """T_N(ω_s/ω_p) = √((10^(g_s/10) − 1) / (10^(g_p/10) − 1)), ω_s the edges of what is stopped"""
    N = order_of(signal.cheb2ord, wp, ws, gpass, gstop, analog, fs)
    p, band = edges(wp, analog, fs), band_of(wp, ws)
    ratio = np.cosh(np.arccosh(np.sqrt(excess(gstop) / excess(gpass))) / N)
    if band == "lowpass":
        return N, delivered(p * ratio, analog, fs)
    if band == "highpass":
        return N, delivered(p / ratio, analog, fs)
    half = ratio * (p[0] - p[1]) / 2.0
    low = half + np.sqrt(half * half + p[0] * p[1])
    return N, delivered(np.stack([low, p[0] * p[1] / low]), analog, fs)


def kind_of(ftype: str) -> str:
    """The name of the function that designs a filter of a kind."""
    return _KINDS.get(ftype, ftype)


def checked(wp: Any, ws: Any, gpass: Any, gstop: Any, analog: bool, ftype: str, output: str, fs: Any) -> None:
    """Let SciPy find fault with the arguments."""
    signal.iirdesign(wp, ws, gpass, gstop, analog, ftype, output, fs)


non_differentiable(kind_of, checked, why="computes with names, and checks")


@written_out(signal.iirdesign)
def iirdesign(
    wp: _EDGES, ws: object, gpass: Real, gstop: Real, *, analog=False, ftype="ellip", output="ba", fs=None
):
    """The filter of the least order that meets the specification"""
    checked(wp, ws, gpass, gstop, analog, ftype, output, fs)
    edge = np.reshape(np.asarray(wp), -1)
    band, kind, where = band_of(wp, ws), kind_of(ftype), {"analog": analog, "fs": fs}
    made = {"btype": band, "output": output, "analog": analog, "fs": fs}
    if kind == "butter":
        return signal.butter(*signal.buttord(edge, ws, gpass, gstop, **where), **made)
    if kind == "cheby1":
        N, w = signal.cheb1ord(edge, ws, gpass, gstop, **where)
        return signal.cheby1(N, gpass, w, **made)
    if kind == "cheby2":
        N, w = signal.cheb2ord(edge, ws, gpass, gstop, **where)
        return signal.cheby2(N, gstop, w, **made)
    N, w = signal.ellipord(edge, ws, gpass, gstop, **where)
    return signal.ellip(N, gpass, gstop, w, **made)


def nearest(ratios: Any) -> int:
    """Which of the edges that are stopped is nearest; the first of those that are equally near."""
    return int(np.argmin(np.abs(ratios)))


def checked_kind(kind: str, arguments: Any) -> None:
    """Let SciPy find fault with the arguments."""
    signal.band_stop_obj(*arguments, kind)


non_differentiable(nearest, checked_kind, why="selects, and checks")


@written_out(signal.band_stop_obj)
def band_stop_obj(
    wp: Real, passb: np.ndarray, stopb: np.ndarray, gpass: Real, gstop: Real, *, ind, type
):  # fmt: skip
    """The order, as if it were no count, by the edge of the band that is passed"""
    checked_kind(type, (wp, ind, passb, stopb, gpass, gstop))
    p = np.stack([wp, passb[1]] if ind == 0 else [passb[0], wp])
    ratios = stopb * (p[0] - p[1]) / (stopb * stopb - p[0] * p[1])
    ratio = np.abs(ratios[nearest(ratios)])
    if type == "butter":
        return np.log10(excess(gstop) / excess(gpass)) / (2.0 * np.log10(ratio))
    if type == "cheby":
        return np.arccosh(np.sqrt(excess(gstop) / excess(gpass))) / np.arccosh(ratio)
    m, n = 1.0 / ratio**2, excess(gpass) / excess(gstop)
    return special.ellipk(m) * special.ellipk(1.0 - n) / (special.ellipk(1.0 - m) * special.ellipk(n))

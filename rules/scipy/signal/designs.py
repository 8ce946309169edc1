"""Recursive filters by their critical frequencies and ripples: Butterworth, Chebyshev, Bessel, Cauer.

A prototype with its band up to one, moved to the band that is asked for and to discrete time, all of it by
zeros and poles. The order is a count. The prototypes of Chebyshev move with their ripples, in decibels:
with sinh μ = 1/ε, their poles are −sinh(μN⁻¹ + iθ), or the reciprocals of these. That of Cauer moves with
both of its ripples, by Jacobi's elliptic functions. A derivative by the sampling frequency is refused.

See [Oppenheim & Schafer 2010]; of Cauer's filters, [Orfanidis 2006].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal, special

from ....core import Real, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .conversions import bilinear_zpk, lp2bp_zpk, lp2bs_zpk, lp2hp_zpk, lp2lp_zpk, zpk2tf
from .sections import sections_of

_BANDS = {
    **dict.fromkeys(("band", "bandpass", "pass", "bp"), "bandpass"),
    **dict.fromkeys(("bs", "bandstop", "bands", "stop"), "bandstop"),
    **dict.fromkeys(("l", "low", "lowpass", "lp"), "lowpass"),
    **dict.fromkeys(("high", "highpass", "h", "hp"), "highpass"),
}
_NORMS = {"bessel": "phase", "bessel_phase": "phase", "bessel_delay": "delay", "bessel_mag": "mag"}


def checked(name: str, N: Any, Wn: Any, rp: Any, rs: Any, fs: Any, options: dict[str, Any]) -> str:
    """The band, after SciPy has found no fault with the arguments."""
    signal.iirfilter(N, Wn, rp, rs, fs=fs, **options)
    if N == 0:
        raise UnsupportedArgument(name, "N", N, why="a filter of order zero has no critical frequency")
    return _BANDS[options["btype"].lower()]


def fixed(kind: str, N: int) -> Any:
    """The prototype of a kind, held constant."""
    if kind in ("butter", "butterworth"):
        return signal.buttap(N)
    return signal.besselap(N, norm=_NORMS[kind])


def angles(N: int, *, without_middle: bool = False) -> Any:
    """θ_m = π m / 2N for m = −N + 1, −N + 3, …"""
    m = np.arange(-N + 1, N, 2)
    return np.pi * (m[m != 0] if without_middle else m) / (2 * N)


non_differentiable(checked, fixed, angles, why="computes with an order and names")


def chebyshev_1(N: int, rp: Any) -> tuple[Any, Any, Any]:
    """p = −sinh(μ + iθ), sinh Nμ = 1/ε, ε² = 10^(r/10) − 1"""
    eps = np.sqrt(10.0 ** (0.1 * rp) - 1.0)
    p = -np.sinh(np.arcsinh(1.0 / eps) / N + 1j * angles(N))
    k = np.real(np.prod(-p))
    return np.zeros(0), p, k / np.sqrt(1.0 + eps * eps) if N % 2 == 0 else k


def chebyshev_2(N: int, rs: Any) -> tuple[Any, Any, Any]:
    """p = −1 / sinh(μ + iθ), z = i / sin θ, sinh Nμ = √(10^(r/10) − 1)"""
    mu = np.arcsinh(np.sqrt(10.0 ** (0.1 * rs) - 1.0)) / N
    z = 1j / np.sin(angles(N, without_middle=True))
    p = -1.0 / np.sinh(mu + 1j * angles(N))
    return z, p, np.real(np.prod(-p) / np.prod(-z))


def modulus(N: int, m: Any) -> Any:
    """k² = 16 q (Σ q^(j²+j) / θ₃)⁴ with N K′(k)/K(k) = K′(k₁)/K(k₁), for m = k₁²"""
    q = np.exp(-np.pi * special.ellipkm1(m) / (special.ellipk(m) * N))
    j = own(np.arange, 8)
    return 16.0 * q * (np.sum(q ** (j * (j + 1))) / (1.0 + 2.0 * np.sum(q ** ((j + 1) ** 2)))) ** 4


def cauer(N: int, rp: Any, rs: Any) -> tuple[Any, Any, Any]:
    """z = i / (k sn u), p = i cd(u − i v), u = j K/N, sc(N v K₁/K | 1 − k₁²) = 1/ε"""
    above, none = 10.0 ** (0.1 * rp) - 1.0, own(np.zeros, 0, complex)
    if N == 0:
        return none, none, 10.0 ** (-0.05 * rp)
    m1 = above / (10.0 ** (0.1 * rs) - 1.0)
    if N == 1:
        k = np.sqrt(1.0 / above)
        return none, np.reshape(-k, (1,)) + 0j, k
    m = modulus(N, m1)
    capital = special.ellipk(m)
    s, c, d, _ = special.ellipj(own(np.arange, 1 - N % 2, N, 2) * capital / N, m)
    v = capital / N * special.ellipkinc(np.arctan(1.0 / np.sqrt(above)), 1.0 - m1) / special.ellipk(m1)
    sv, cv, dv, _ = special.ellipj(v, 1.0 - m)
    z = 1j / (np.sqrt(m) * s[N % 2 :])
    p = -(c * d * sv * cv + 1j * s * dv) / (1.0 - np.square(d * sv))
    z, p = np.concatenate([z, np.conj(z)]), np.concatenate([p, np.conj(p[N % 2 :])])
    k = np.real(np.prod(-p) / np.prod(-z))
    return z, p, k / np.sqrt(1.0 + above) if N % 2 == 0 else k


@written_out(signal.ellipap)
def ellipap(rp: Real, rs: Real, *, N, xp=None, device=None):
    """The prototype with ripples in both bands"""
    _, poles, _ = own(signal.ellipap, N, rp, rs)
    z, p, k = cauer(N, rp, rs)
    return z, np.reshape(p, np.shape(poles)), k


@written_out(signal.cheb1ap)
def cheb1ap(rp: Real, *, N, xp=None, device=None):
    """The prototype with ripples in the band up to one"""
    own(signal.cheb1ap, N, rp)
    return chebyshev_1(N, rp)


@written_out(signal.cheb2ap)
def cheb2ap(rs: Real, *, N, xp=None, device=None):
    """The prototype with ripples from one on"""
    own(signal.cheb2ap, N, rs)
    return chebyshev_2(N, rs)


def moved(z: Any, p: Any, k: Any, band: str, w: Any) -> Any:
    """The prototype in another band."""
    w = np.reshape(w, -1)
    if band == "lowpass":
        return lp2lp_zpk(z, p, k, w[0])
    if band == "highpass":
        return lp2hp_zpk(z, p, k, w[0])
    centre, width = np.sqrt(w[0] * w[1]), w[1] - w[0]
    if band == "bandpass":
        return lp2bp_zpk(z, p, k, centre, width)
    return lp2bs_zpk(z, p, k, centre, width)


def designed(prototype: Any, Wn: Any, fs: Any, band: str, analog: bool, output: str) -> Any:
    """The filter of a prototype, as zeros and poles, as polynomials or in sections."""
    z, p, k = prototype
    w = np.asarray(Wn) if fs is None else 2.0 * np.asarray(Wn) / fs
    if not analog:
        w = 4.0 * np.tan(np.pi * w / 2.0)
    z, p, k = moved(z, p, k, band, w)
    if not analog:
        z, p, k = bilinear_zpk(z, p, k, 2.0)
    if output == "zpk":
        return z, p, k
    if output == "sos":
        return sections_of(z, p, k, None, analog)
    return zpk2tf(z, p, k)


@written_out(signal.butter)
def butter(Wn: Real | np.ndarray | list, *, N, btype="low", analog=False, output="ba", fs=None):
    """|H|² = 1 / (1 + (ω/ω_c)^2N)"""
    options = {"btype": btype, "analog": analog, "ftype": "butter"}
    band = checked("scipy.signal.butter", N, Wn, None, None, fs, options)
    return designed(fixed("butter", N), Wn, fs, band, analog, output)


@written_out(signal.bessel)
def bessel(Wn: Real | np.ndarray | list, *, N, btype="low", analog=False, output="ba", norm="phase", fs=None):
    """H = θ(0) / θ(s/ω_c), θ a reverse Bessel polynomial"""
    kind = "bessel_" + norm
    options = {"btype": btype, "analog": analog, "ftype": kind}
    band = checked("scipy.signal.bessel", N, Wn, None, None, fs, options)
    return designed(fixed(kind, N), Wn, fs, band, analog, output)


@written_out(signal.cheby1)
def cheby1(rp: Real, Wn: Real | np.ndarray | list, *, N, btype="low", analog=False, output="ba", fs=None):
    """|H|² = 1 / (1 + ε² T_N²(ω/ω_c))"""
    options = {"btype": btype, "analog": analog, "ftype": "cheby1"}
    band = checked("scipy.signal.cheby1", N, Wn, rp, None, fs, options)
    return designed(chebyshev_1(N, rp), Wn, fs, band, analog, output)


@written_out(signal.cheby2)
def cheby2(rs: Real, Wn: Real | np.ndarray | list, *, N, btype="low", analog=False, output="ba", fs=None):
    """|H|² = 1 / (1 + 1 / (ε² T_N²(ω_c/ω)))"""
    options = {"btype": btype, "analog": analog, "ftype": "cheby2"}
    band = checked("scipy.signal.cheby2", N, Wn, None, rs, fs, options)
    return designed(chebyshev_2(N, rs), Wn, fs, band, analog, output)


@written_out(signal.ellip)
def ellip(
    rp: Real, rs: Real, Wn: Real | np.ndarray | list, *, N, btype="low", analog=False, output="ba", fs=None
):
    """|H|² = 1 / (1 + ε² R_N²(ω/ω_c)), R_N Chebyshev's rational function"""
    options = {"btype": btype, "analog": analog, "ftype": "ellip"}
    band = checked("scipy.signal.ellip", N, Wn, rp, rs, fs, options)
    return designed(cauer(N, rp, rs), Wn, fs, band, analog, output)


@written_out(signal.iirfilter)
def iirfilter(
    Wn: Real | np.ndarray | list,
    rp: Real | None = None,
    rs: Real | None = None,
    *,
    N,
    btype="band",
    analog=False,
    ftype="butter",
    output="ba",
    fs=None,
):
    """The filter of the kind that `ftype` names"""
    options = {"btype": btype, "analog": analog, "ftype": ftype}
    band = checked("scipy.signal.iirfilter", N, Wn, rp, rs, fs, options)
    kind = ftype.lower()
    if kind in ("cheby1", "chebyshev1", "chebyshevi"):
        return designed(chebyshev_1(N, rp), Wn, fs, band, analog, output)
    if kind in ("cheby2", "chebyshev2", "chebyshevii"):
        return designed(chebyshev_2(N, rs), Wn, fs, band, analog, output)
    if kind in ("ellip", "elliptic", "cauer"):
        return designed(cauer(N, rp, rs), Wn, fs, band, analog, output)
    return designed(fixed(kind, N), Wn, fs, band, analog, output)

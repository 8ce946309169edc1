"""Windows by their parameters: Gaussian, Kaiser, Tukey, Chebyshev and their kin; and `get_window` by name.

The length is a count, and a window without parameters is constant. A periodic window is the symmetric one
that is longer by one, without its last entry. Where a window has corners that move with a parameter, as
Tukey's has, the entries at them follow SciPy's branch. The distance from the middle is not negative, so
that the generalised Gaussian is 1 there, whatever its shape.

See [Harris 1978].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal, special

from ....core import Array, Real, UnsupportedArgument, non_differentiable
from ...written import own, written_out


def places(f: Any, M: int, sym: bool, *parameters: Any) -> Any:
    """0, 1, … of the symmetric window, or none if it is flat; SciPy finds faults with the arguments."""
    f(M, *parameters, sym=sym)
    return np.arange(M + (not sym), dtype=float) if M > 1 else np.zeros(0)


def kept(M: int) -> slice:
    """The entries of the symmetric window that a window of so many has."""
    return slice(0, M)


non_differentiable(places, kept, why="computes with lengths alone")


def flat(M: int) -> Any:
    """The window of one entry, or of none."""
    return np.ones(M)


@written_out(signal.windows.gaussian)
def gaussian(std: Array, *, M, sym=True, xp=None, device=None):
    """w = exp(−n² / 2σ²)"""
    k = places(signal.windows.gaussian, M, sym, std)
    if len(k) == 0:
        return flat(M)
    n = k - (len(k) - 1.0) / 2.0
    return np.exp(-n * n / (2.0 * std * std))[kept(M)]


@written_out(signal.windows.general_gaussian)
def general_gaussian(p: Array, sig: Array, *, M, sym=True, xp=None, device=None):
    """w = exp(−|n / σ|^2p / 2)"""
    k = places(signal.windows.general_gaussian, M, sym, p, sig)
    if len(k) == 0:
        return flat(M)
    far = np.abs(k - (len(k) - 1.0) / 2.0)
    inner = far == 0
    power = np.exp(2.0 * p * np.log(np.where(inner, 1.0, far) / np.abs(sig)))
    return np.exp(-0.5 * np.where(inner, 0.0, power))[kept(M)]


@written_out(signal.windows.kaiser)
def kaiser(beta: Array, *, M, sym=True, xp=None, device=None):
    """w = I₀(β √(1 − u²)) / I₀(β), u from −1 to 1"""
    k = places(signal.windows.kaiser, M, sym, beta)
    if len(k) == 0:
        return flat(M)
    middle = (len(k) - 1.0) / 2.0
    root = np.sqrt(1.0 - own(np.square, (k - middle) / middle))
    return (special.i0(beta * root) / special.i0(np.asarray(beta)))[kept(M)]


@written_out(signal.windows.kaiser_bessel_derived)
def kaiser_bessel_derived(beta: Array, *, M, sym=True, xp=None, device=None):
    """w_n = √(Σ_{k≤n} v_k / Σ v_k), v Kaiser's window, and its mirror image"""
    own(signal.windows.kaiser_bessel_derived, M, beta, sym=sym)
    sums = np.cumsum(kaiser(beta, M=M // 2 + 1))
    half = np.sqrt(sums[:-1] / sums[-1])
    return np.concatenate([half, np.flip(half)])


@written_out(signal.windows.tukey)
def tukey(alpha: Real = 0.5, *, M, sym=True, xp=None, device=None):
    """A cosine's half period over α/2 at both ends, 1 between; constant in α outside of (0, 1)"""
    k = places(signal.windows.tukey, M, sym, alpha)
    if len(k) == 0 or alpha <= 0:
        return flat(M)
    if alpha >= 1:
        return own(signal.windows.hann, M, sym)
    n = len(k) - 1.0
    width = int(own(np.floor, alpha * n / 2.0))
    first, last = k[: width + 1], k[len(k) - width - 1 :]
    rise = 0.5 * (1.0 + np.cos(np.pi * (2.0 * first / alpha / n - 1.0)))
    fall = 0.5 * (1.0 + np.cos(np.pi * (2.0 * last / alpha / n - 2.0 / alpha + 1.0)))
    return np.concatenate([rise, np.ones(len(k) - 2 * width - 2), fall])[kept(M)]


@written_out(signal.windows.general_cosine)
def general_cosine(a: np.ndarray | list, *, M, sym=True):
    """w = Σ a_k cos(k φ), φ from −π to π"""
    n = places(signal.windows.general_cosine, M, sym, a)
    if len(n) == 0:
        return flat(M)
    angle = 2.0 * np.pi * n / (len(n) - 1.0) - np.pi
    a = np.asarray(a)
    w: Any = 0.0
    for i in range(np.shape(a)[0]):
        w = w + a[i] * np.cos(i * angle)
    return w[kept(M)]


@written_out(signal.windows.general_hamming)
def general_hamming(alpha: Array, *, M, sym=True, xp=None, device=None):
    """w = α + (1 − α) cos φ"""
    return general_cosine(np.stack([alpha, 1.0 - alpha]), M=M, sym=sym)


@written_out(signal.windows.exponential)
def exponential(center: object = None, tau: Array = 1.0, *, M, sym=True, xp=None, device=None):
    """w = exp(−|n − c| / τ); by the middle 0 at the entry that it stands on"""
    own(signal.windows.exponential, M, center, tau, sym)
    if M <= 1:
        return flat(M)
    n = own(np.arange, M + (not sym), dtype=float)
    middle = (len(n) - 1) / 2 if center is None else center
    return np.exp(-np.abs(n - middle) / tau)[kept(M)]


@written_out(signal.windows.chebwin)
def chebwin(at: Array, *, M, sym=True, xp=None, device=None):
    """The Fourier transform of T_{M−1}(β cos(πk/M)), T_{M−1}(β) = 10^(|A|/20), its greatest entry 1"""
    k = places(signal.windows.chebwin, M, sym, at)
    if len(k) == 0:
        return flat(M)
    n = len(k)
    order = n - 1.0
    x = np.cosh(np.arccosh(10.0 ** (np.abs(at) / 20.0)) / order) * np.cos(np.pi * k / n)
    above, below = x > 1, x < -1
    inside = ~(above | below)
    beyond = np.cosh(order * np.arccosh(np.where(inside, 2.0, np.abs(x))))
    within = np.cos(order * np.arccos(np.where(inside, x, 0.0)))
    p = np.where(inside, within, np.where(below, 2 * (n % 2) - 1.0, 1.0) * beyond)
    if n % 2:
        w = np.real(np.fft.fft(p))[: (n + 1) // 2]
        w = np.concatenate([np.flip(w[1:]), w])
    else:
        w = np.real(np.fft.fft(p * np.exp(1j * np.pi / n * k)))[: n // 2 + 1]
        w = np.concatenate([np.flip(w[1:]), w[1:]])
    return (w / np.max(w))[kept(M)]


_BY_NAME = {
    **dict.fromkeys(("gaussian", "gauss", "gss"), gaussian),
    **dict.fromkeys(("general_gaussian", "general gaussian", "general gauss", "ggs"), general_gaussian),
    **dict.fromkeys(("general_gauss",), general_gaussian),
    **dict.fromkeys(("kaiser", "ksr"), kaiser),
    **dict.fromkeys(("kaiser_bessel_derived", "kbd"), kaiser_bessel_derived),
    **dict.fromkeys(("tukey", "tuk"), tukey),
    "general_cosine": general_cosine,
    "general cosine": general_cosine,
    **dict.fromkeys(("general_hamming", "general hamming"), general_hamming),
    **dict.fromkeys(("exponential", "poisson"), exponential),
    **dict.fromkeys(("chebwin", "cheb"), chebwin),
}


def by_name(name: str, sym: bool) -> tuple[Any, bool]:
    """The program of a window with parameters, and whether it is symmetric."""
    if name.endswith("_symmetric"):
        name, sym = name[:-10], True
    elif name.endswith("_periodic"):
        name, sym = name[:-9], False
    if name not in _BY_NAME:
        raise UnsupportedArgument(
            "scipy.signal.get_window", "window", name, supported=sorted(_BY_NAME), why="it is held constant"
        )
    return _BY_NAME[name], sym


def is_fixed(window: Any) -> bool:
    """Whether a window is told by its name alone."""
    return isinstance(window, str) or (isinstance(window, tuple) and len(window) == 1)


non_differentiable(by_name, is_fixed, why="computes with names alone")


@written_out(signal.get_window)
def get_window(window: Real | str | tuple, *, Nx, fftbins=True, xp=None, device=None):
    """The window of that name and these parameters; Kaiser's by a number"""
    if is_fixed(window):
        return own(signal.get_window, window, Nx, fftbins)
    own(signal.get_window, window, Nx, fftbins)
    if not isinstance(window, tuple):
        return kaiser(window, M=Nx, sym=not fftbins)
    program, sym = by_name(window[0], not fftbins)
    return program(*window[1:], M=Nx, sym=sym)


def window_of(window: Any, n: int, fftbins: bool = True) -> Any:
    """The window that is named, or that is given as an array."""
    if window is None or isinstance(window, str | tuple | int | float):
        return get_window("boxcar" if window is None else window, Nx=n, fftbins=fftbins)
    return np.asarray(window)

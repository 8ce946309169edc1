"""Filters by zeros, poles and gain: from one frequency band to another, to discrete time, to polynomials.

Each is a short program of the zeros and poles. Back from polynomials the zeros and poles are roots, which
have a derivative where no two coincide. A gain is real: what the zeros and poles of a real filter leave of
an imaginary part is rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import Array, NotDifferentiableError, UnsupportedArgument, non_differentiable
from ...written import written_out
from .arguments import refuse_axes, refuse_other_sections
from .precision import written_in_precision


def surplus(z: Any, p: Any) -> int:
    """How many more poles than zeros there are."""
    if len(p) < len(z):
        raise UnsupportedArgument("scipy.signal", "z", len(z), why=f"there are only {len(p)} poles")
    return len(p) - len(z)


def leading(b: Any, a: Any) -> tuple[int, int]:
    """How many zeros of a numerator and a denominator SciPy takes off before it divides."""
    signal.normalize(b, a)
    before = int(np.flatnonzero(a)[0])
    large = np.flatnonzero(np.any(np.abs(np.atleast_2d(b) / a[before]) > 1e-14, axis=0))
    return int(large[0]) if large.size else np.shape(b)[-1] - 1, before


def refuse_coincident(roots: Any) -> None:
    """Refuse roots that coincide, up to what rounding does to a double one."""
    if len(roots) < 2:
        return
    apart = np.abs(roots[:, None] - roots) + np.where(np.eye(len(roots)), np.inf, 0.0)
    if np.min(apart) <= 1e-6 * max(1.0, float(np.max(np.abs(roots)))):
        raise NotDifferentiableError(
            "the roots of a polynomial where two of them coincide",
            next="design and differentiate the filter by its zeros and poles: output='zpk' or 'sos'",
        )


def is_real_filter(roots: Any) -> bool:
    """Whether complex roots come in pairs, so that their polynomial is real."""
    if not np.iscomplexobj(roots):
        return True
    above, below = roots[roots.imag > 0], roots[roots.imag < 0]
    if len(above) != len(below):
        return False
    return bool(np.all(np.sort_complex(above) == np.sort_complex(np.conj(below))))


non_differentiable(surplus, leading, refuse_coincident, is_real_filter, why="counts and checks")


def polynomial(roots: Any) -> Any:
    """The coefficients of Π (s − r), the highest power first; real where complex roots come in pairs."""
    c = np.ones(1)
    for i in range(len(roots)):
        c = np.concatenate([c, np.zeros(1)]) - roots[i] * np.concatenate([np.zeros(1), c])
    return np.real(c) if is_real_filter(roots) else c


def quotient(above: Any, below: Any) -> Any:
    """Re (Π a / Π b)"""
    return np.real(np.prod(above) / np.prod(below))


@written_in_precision(signal.zpk2tf)
def zpk2tf(z: np.ndarray | list, p: np.ndarray | list, k: Array):
    """b = k Π (s − z), a = Π (s − p)"""
    z = np.atleast_1d(np.asarray(z))
    p = np.atleast_1d(np.asarray(p))
    refuse_axes("zpk2tf", z=z, p=p)
    return k * polynomial(z), polynomial(p)


@written_out(signal.normalize)
def normalize(b: np.ndarray | list, a: np.ndarray | list):
    """b / a₀ and a / a₀, of several numerators too"""
    b = np.atleast_1d(np.asarray(b))
    a = np.atleast_1d(np.asarray(a))
    small, before = leading(b, a)
    b = b[..., small:] / a[before]
    return b[0] if np.ndim(b) == 2 and np.shape(b)[0] == 1 else b, a[before:] / a[before]


@written_out(signal.tf2zpk)
def tf2zpk(b: np.ndarray | list, a: np.ndarray | list):
    """The roots of both polynomials and b₀ / a₀"""
    b, a = normalize(b, a)
    z, p = np.roots(b), np.roots(a)
    refuse_coincident(z)
    refuse_coincident(p)
    return z, p, b[0]


@written_in_precision(signal.sos2tf)
def sos2tf(sos: np.ndarray):
    """The products of the sections' numerators and of their denominators"""
    refuse_other_sections("sos2tf", sos)
    b, a = np.ones(1), np.ones(1)
    for i in range(np.shape(sos)[0]):
        b, a = np.convolve(b, sos[i, :3]), np.convolve(a, sos[i, 3:])
    return b, a


@written_out(signal.lp2lp_zpk)
def lp2lp_zpk(z: np.ndarray | list, p: np.ndarray | list, k: Array, wo: Array = 1.0):
    """s → s / ω₀"""
    z = np.atleast_1d(np.asarray(z))
    p = np.atleast_1d(np.asarray(p))
    return wo * z, wo * p, k * wo ** surplus(z, p)


@written_out(signal.lp2hp_zpk)
def lp2hp_zpk(z: np.ndarray | list, p: np.ndarray | list, k: Array, wo: Array = 1.0):
    """s → ω₀ / s"""
    z = np.atleast_1d(np.asarray(z))
    p = np.atleast_1d(np.asarray(p))
    zeros = np.concatenate([wo / z, np.zeros(surplus(z, p))])
    return zeros, wo / p, k * quotient(-z, -p)


def both(s: Any, wo: Any) -> Any:
    """The two solutions x of x² − 2 s x + ω₀² = 0"""
    s = np.asarray(s).astype(complex)
    root = np.sqrt(s * s - wo * wo)
    return np.concatenate([s + root, s - root])


@written_out(signal.lp2bp_zpk)
def lp2bp_zpk(z: np.ndarray | list, p: np.ndarray | list, k: Array, wo: Array = 1.0, bw: Array = 1.0):
    """s → (s² + ω₀²) / (B s)"""
    z = np.atleast_1d(np.asarray(z))
    p = np.atleast_1d(np.asarray(p))
    degree = surplus(z, p)
    zeros = np.concatenate([both(z * bw / 2, wo), np.zeros(degree)])
    return zeros, both(p * bw / 2, wo), k * bw**degree


@written_out(signal.lp2bs_zpk)
def lp2bs_zpk(z: np.ndarray | list, p: np.ndarray | list, k: Array, wo: Array = 1.0, bw: Array = 1.0):
    """s → B s / (s² + ω₀²)"""
    z = np.atleast_1d(np.asarray(z))
    p = np.atleast_1d(np.asarray(p))
    centre = 1j * wo * np.ones(surplus(z, p))
    zeros = np.concatenate([both(bw / 2 / z, wo), centre, -centre])
    return zeros, both(bw / 2 / p, wo), k * quotient(-z, -p)


@written_out(signal.bilinear_zpk)
def bilinear_zpk(z: np.ndarray | list, p: np.ndarray | list, k: Array, fs: Array):
    """s → 2 f (z − 1) / (z + 1), by Tustin's rule"""
    z = np.atleast_1d(np.asarray(z))
    p = np.atleast_1d(np.asarray(p))
    fs2 = 2.0 * fs
    zeros = np.concatenate([(fs2 + z) / (fs2 - z), -np.ones(surplus(z, p))])
    return zeros, (fs2 + p) / (fs2 - p), k * quotient(fs2 - z, fs2 - p)

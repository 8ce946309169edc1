"""The Bessel function i0, its window kaiser, and logarithmic spacings: geomspace, logspace.

`i0` has a derivative in I₁, which SciPy computes. `geomspace` follows a spiral between complex numbers.
The number of points has no tangent. Not here: `linspace` (creation), windows without a parameter, whose
arguments are sizes. Absent: derivatives of `geomspace` from zero, where NumPy has no value.

See [DLMF 10.29.3].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, Real, frule, rrule, scalar_rule, unbroadcast
from ...tangents import ZERO
from ..quiet import ratio
from ..written import written_out
from .adjoints import conj
from .axes import is_exact
from .creation import weights
from .moving import filled


def i1(x: Any) -> Any:
    """The modified Bessel function I₁."""
    from scipy.special import i1

    return i1(np.asarray(x, float))[()]


scalar_rule(np.i0, lambda y, x: i1(x), holomorphic=False)
scalar_rule(i1, lambda y, x: np.i0(x) - np.where(x == 0, 0.5, ratio(y, x)), holomorphic=False)


@written_out(np.kaiser)
def kaiser(beta: Real, *, M):
    """yₙ = I₀(β √(1 − tₙ²)) / I₀(β)        tₙ from −1 to 1"""
    if M <= 1:
        return np.ones(max(M, 0)) + 0.0 * beta
    place = 2.0 * np.arange(M) / (M - 1) - 1.0
    return np.i0(beta * np.sqrt(np.maximum(1.0 - place * place, 0.0))) / np.i0(1.0 * beta)


@frule(np.geomspace)
def geomspace_frule(tangents, start: Array, stop: Array, *, num=50, endpoint=True, dtype=None, axis=0):
    """yᵢ = a¹⁻ʷ bʷ        ẏᵢ = yᵢ ((1 − w) ȧ/a + w ḃ/b)"""
    y = np.geomspace(start, stop, num, endpoint, dtype, axis)
    if is_exact(y.dtype):
        return y, ZERO
    w = weights(num, endpoint, np.ndim(y) - 1)
    dstart, dstop = filled(tangents[0], start, None), filled(tangents[1], stop, None)
    moved = (1 - w) * (dstart / start) + w * (dstop / stop)
    return y, np.moveaxis(np.moveaxis(y, axis, 0) * moved, 0, axis)


@rrule(np.geomspace)
def geomspace_rrule(start: Array, stop: Array, *, num=50, endpoint=True, dtype=None, axis=0):
    """yᵢ = a¹⁻ʷ bʷ        ā = Σ conj((1 − w) yᵢ/a) ȳᵢ, b̄ = Σ conj(w yᵢ/b) ȳᵢ"""
    y = np.geomspace(start, stop, num, endpoint, dtype, axis)
    w = weights(num, endpoint, np.ndim(y) - 1)

    def geomspace_pullback(y_bar):
        if is_exact(y.dtype):
            return ZERO, ZERO
        rows = np.moveaxis(conj(y) * y_bar, axis, 0)
        start_bar = np.sum((1 - w) * rows, axis=0) / conj(start)
        stop_bar = np.sum(w * rows, axis=0) / conj(stop)
        return unbroadcast(start_bar, np.shape(start)), unbroadcast(stop_bar, np.shape(stop))

    return y, geomspace_pullback


@written_out(np.logspace)
def logspace(start: Array, stop: Array, base: Array = 10.0, *, num=50, endpoint=True, dtype=None, axis=0):
    """yᵢ = bˣⁱ        xᵢ evenly from start to stop"""
    shape = np.broadcast_shapes(np.shape(start), np.shape(stop), np.shape(base))
    first, last = np.broadcast_to(start, shape), np.broadcast_to(stop, shape)
    powers = np.linspace(first, last, num, endpoint=endpoint, axis=axis)
    foot = np.expand_dims(np.broadcast_to(base, shape), axis) if np.ndim(base) else base
    y = np.power(foot, powers)
    return y if dtype is None else y.astype(dtype)

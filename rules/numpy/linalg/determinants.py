"""Determinants: det and slogdet, for one matrix or a stack of them, real and complex.

The derivative of `det` is the adjugate, which exists for singular matrices too. There it comes from
minors, so that it has derivatives itself, and for a large matrix from a singular value decomposition,
whose derivatives are refused where singular values coincide. `slogdet` has no derivative at a
singular matrix: NumPy's error says that it is singular.

See [Giles 2008].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import Array, frule, non_differentiable, rrule
from ....tangents import ZERO, from_fields
from ..adjoints import adjoint, conj
from ..nesting import nest
from ..reductions import others_product
from .singular_values import thin_factors

SMALL = 16
"""Up to this size the cofactors of a singular matrix are computed as minors."""


def is_singular(a: Any) -> bool:
    """Whether a matrix, or one of a stack, is so near to singular that its inverse says little."""
    try:
        condition = np.linalg.norm(a, 1, (-2, -1)) * np.linalg.norm(np.linalg.inv(a), 1, (-2, -1))
    except np.linalg.LinAlgError:
        return True
    return not bool(np.all(condition < np.finfo(condition.dtype).eps ** -0.5))


non_differentiable(is_singular, why="decides which formula is used")


def by_minors(a: Any) -> Any:
    """The cofactors by their definition, whose own derivatives exist whatever the rank is."""
    n = np.shape(a)[-1]
    others = others_of(n)
    minors = np.linalg.det(a[..., others[:, None, :, None], others[None, :, None, :]])
    return minors * (-1.0) ** np.add.outer(np.arange(n), np.arange(n))


def others_of(n: int) -> Any:
    """For each of n numbers, in a row, the others."""
    return np.nonzero(~np.eye(n, dtype=bool))[1].reshape(n, n - 1)


non_differentiable(others_of, why="returns indices")


def cofactors(a: Any, y: Any) -> Any:
    """The derivative of y = det a with respect to each entry of a, transposed as a is: y a⁻ᵀ."""
    if not is_singular(a):
        return np.expand_dims(y, (-1, -2)) * np.swapaxes(np.linalg.inv(a), -1, -2)
    if np.shape(a)[-1] <= SMALL:
        return by_minors(a)
    u, s, v = thin_factors(np.linalg.svd(a))
    phase = np.linalg.det(u) * np.linalg.det(adjoint(v))
    adjugate = np.matmul(conj(u) * np.expand_dims(others_product(s, -1), -2), np.swapaxes(v, -1, -2))
    return np.expand_dims(phase, (-1, -2)) * adjugate


@frule(np.linalg.det)
def det_frule(tangents, a: Array):
    """y = det a        ẏ = Σ C ȧ        C the cofactors, y a⁻ᵀ"""
    (da,) = tangents
    y = np.linalg.det(a)
    return y, np.sum(cofactors(a, y) * da, axis=(-1, -2))


@rrule(np.linalg.det)
def det_rrule(a: Array):
    """y = det a        ā = ȳ conj(C)        C the cofactors, y a⁻ᵀ"""
    y = np.linalg.det(a)

    def det_pullback(y_bar):
        return np.expand_dims(y_bar, (-1, -2)) * conj(cofactors(a, y))

    return y, det_pullback


@frule(np.linalg.slogdet)
def slogdet_frule(tangents, a: Array):
    """(s, l) = (det a / |det a|, log |det a|), t = tr(a⁻¹ ȧ)        l̇ = Re t        ṡ = i s Im t"""
    (da,) = tangents
    y = np.linalg.slogdet(a)
    t = np.trace(np.linalg.solve(a, da), axis1=-2, axis2=-1)
    if np.iscomplexobj(t):
        return y, from_fields(type(y), (1j * y.sign * np.imag(t), np.real(t)))
    return y, from_fields(type(y), (ZERO, t))


@rrule(np.linalg.slogdet)
def slogdet_rrule(a: Array):
    """(s, l) = (det a / |det a|, log |det a|)        ā = (l̄ − i Im(conj(s) s̄)) a⁻ᴴ; real: l̄ a⁻ᴴ"""
    y = np.linalg.slogdet(a)
    shape, sign = np.shape(y.sign), y.sign

    def slogdet_pullback(y_bar):
        weight = nest(y_bar[1], shape)
        if np.iscomplexobj(sign):
            weight = weight + 1j * np.imag(conj(sign) * nest(y_bar[0], shape))
        return np.expand_dims(weight, (-1, -2)) * adjoint(np.linalg.inv(a))

    return y, slogdet_pullback

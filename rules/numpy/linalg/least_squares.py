"""Least squares and pseudo-inverses: lstsq, pinv, at constant rank.

Where the rank changes the solution jumps and has no derivative; singular values below the cut-off
count as zero. A cut-off that drops any that are not zero is refused: the formulas do not hold there.
The pseudo-inverse of an ill-conditioned matrix is as sensitive as its value.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....core.callables import name_of
from ....core.seeds import absorbs
from ....tangents import NO_TANGENT, from_fields, materialize
from ..adjoints import adjoint, conj
from ..nesting import nest
from .factorizations import as_read, mirrored
from .singular_values import from_values, moved_values


def refuse_dropped(f: Any, a: Any, cut: Any) -> None:
    """Refuse a cut-off, relative to the greatest singular value, that drops some that are not zero."""
    if cut is None or not np.size(a):
        return
    s = np.linalg.svd(a, compute_uv=False)
    kept = s > np.asarray(cut)[..., None] * np.max(s, axis=-1, keepdims=True)
    least = np.min(s, axis=-1, where=kept, initial=np.inf)
    most = np.max(s, axis=-1, where=~kept, initial=0.0)
    if np.any((most > np.sqrt(np.finfo(s.dtype).eps) * least) & np.any(kept, axis=-1)):
        raise NotDifferentiableError(
            f"{name_of(f)} has no derivative here: the cut-off {cut} drops singular values that are not zero",
            closest="a cut-off below every singular value, or one that drops those of rounding alone",
            next="make it of the part that is to count, by numpy.linalg.svd",
        )


def dropping(cut: dict[str, Any]) -> Any:
    """The cut-off that `pinv` was given, under either of its names."""
    rcond = cut.get("rcond")
    return cut.get("rtol") if rcond is None else rcond


non_differentiable(refuse_dropped, dropping, why="checks an argument")


@frule(np.linalg.pinv)
def pinv_frule(tangents, a: np.ndarray, *, hermitian=False, **cut):
    """y = a⁺        ẏ = −y ȧ y + y yᴴ ȧᴴ (1 − a y) + (1 − y a) ȧᴴ yᴴ y        [Golub & Pereyra 1973]"""
    (da,) = tangents
    refuse_dropped(np.linalg.pinv, a, dropping(cut))
    y = np.linalg.pinv(a, hermitian=hermitian, **cut)
    if hermitian:
        a, da = mirrored(a, False), mirrored(da, False)
    return y, moved_inverse(da, a, y)


def moved_inverse(da: Any, a: Any, y: Any) -> Any:
    """ẏ for y = a⁺, by Golub and Pereyra."""
    dah, yh = adjoint(da), adjoint(y)
    left = np.matmul(np.matmul(y, yh), dah)
    right = np.matmul(dah, np.matmul(yh, y))
    return (
        -np.matmul(np.matmul(y, da), y)
        + (left - np.matmul(np.matmul(left, a), y))
        + (right - np.matmul(np.matmul(y, a), right))
    )


@rrule(np.linalg.pinv)
def pinv_rrule(a: np.ndarray, *, hermitian=False, **cut):
    """y = a⁺        ā = −yᴴ ȳ yᴴ + (1 − a y) ȳᴴ y yᴴ + yᴴ y ȳᴴ (1 − y a)"""
    refuse_dropped(np.linalg.pinv, a, dropping(cut))
    y = np.linalg.pinv(a, hermitian=hermitian, **cut)

    def pinv_pullback(y_bar):
        whole = mirrored(a, False) if hermitian else a
        seed, yh = adjoint(y_bar), adjoint(y)
        left = np.matmul(seed, np.matmul(y, yh))
        right = np.matmul(np.matmul(yh, y), seed)
        a_bar = (
            -np.matmul(np.matmul(yh, y_bar), yh)
            + (left - np.matmul(np.matmul(whole, y), left))
            + (right - np.matmul(right, np.matmul(y, whole)))
        )
        return as_read(a_bar, False) if hermitian else a_bar

    return y, pinv_pullback


def cut_off(a: Any, rcond: Any) -> Any:
    """The cut-off of `lstsq` as `pinv` takes it; LAPACK takes one that is no fraction as its precision."""
    eps = np.finfo(float).eps
    if rcond is None:
        return eps * max(np.shape(a))
    return rcond if 0 < rcond < 1 else eps


non_differentiable(cut_off, why="computes a bound")


@frule(np.linalg.lstsq)
def lstsq_frule(tangents, a: np.ndarray, b: np.ndarray, *, rcond=None):
    """x = a⁺ b, e = b − a x        ẋ = (a⁺)˙ b + a⁺ ḃ        of residuals: 2 Re Σ conj(e) (ḃ − ȧ x)"""
    da, db = materialize(tangents[0], like=a), materialize(tangents[1], like=b)
    refuse_dropped(np.linalg.lstsq, a, rcond)
    y = np.linalg.lstsq(a, b, rcond)
    plus = np.linalg.pinv(a, cut_off(a, rcond))
    dx = np.matmul(plus, db) + np.matmul(moved_inverse(da, a, plus), b)
    turned = conj(b - np.matmul(a, y[0])) * (db - np.matmul(da, y[0]))
    dr = 2 * np.reshape(np.sum(np.real(turned), axis=0), -1)[: np.shape(y[1])[0]]
    return y, from_fields(tuple, (dx, dr, NO_TANGENT, moved_values(da, a)))


@rrule(np.linalg.lstsq)
def lstsq_rrule(a: np.ndarray, b: np.ndarray, *, rcond=None):
    """x = a⁺ b, e = b − a x, c = a⁺ᴴ x̄        b̄ = c        ā = −c xᴴ + e (a⁺ c)ᴴ + a⁺ᴴ x ((1 − a⁺ a) x̄)ᴴ
    of residuals: b̄ = 2 r̄ e, ā = −2 r̄ e xᴴ        of singular values: as of svd"""
    refuse_dropped(np.linalg.lstsq, a, rcond)
    y = np.linalg.lstsq(a, b, rcond)
    b_shape = np.shape(b)
    columns = (b_shape[0], math.prod(b_shape[1:]))
    x_shape, r_shape, s_shape = np.shape(y[0]), np.shape(y[1]), np.shape(y[3])

    def lstsq_pullback(y_bar):
        x = np.reshape(y[0], (np.shape(a)[1], columns[1]))
        e = np.reshape(b, columns) - np.matmul(a, x)
        b_bar: Any = np.zeros_like(e)
        a_bar: Any = 0.0
        if not absorbs(y_bar[0]):
            plus = np.linalg.pinv(a, cut_off(a, rcond))
            x_bar = np.reshape(nest(y_bar[0], x_shape), np.shape(x))
            b_bar = np.matmul(adjoint(plus), x_bar)
            free = x_bar - np.matmul(plus, np.matmul(a, x_bar))
            a_bar = np.matmul(e, adjoint(np.matmul(plus, b_bar))) + np.matmul(
                np.matmul(adjoint(plus), x), adjoint(free)
            )
        if r_shape != (0,):
            b_bar = b_bar + 2 * nest(y_bar[1], r_shape) * e
        a_bar = a_bar - np.matmul(b_bar, adjoint(x))
        if not absorbs(y_bar[3]):
            a_bar = a_bar + from_values(a, nest(y_bar[3], s_shape))
        return a_bar, np.reshape(b_bar, b_shape)

    return y, lstsq_pullback

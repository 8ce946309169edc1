"""Least squares and pseudo-inverses: lstsq, pinv, at constant rank.

Where the rank changes the solution jumps and has no derivative. Singular values that the cut-off drops
count as zero where they are rounding; where they are more, `truncated` has the formulas. The pseudo-inverse
of an ill-conditioned matrix is as sensitive as its value.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import frule, non_differentiable, rrule
from ....tangents import NO_TANGENT, from_fields, is_zero, materialize
from ..adjoints import adjoint, conj
from ..nesting import nest
from .factorizations import as_read, mirrored
from .singular_values import from_values, moved_values
from .truncated import drops, moved_truncated


def dropping(cut: dict[str, Any]) -> Any:
    """The cut-off that `pinv` was given, under either of its names."""
    rcond = cut.get("rcond")
    return cut.get("rtol") if rcond is None else rcond


non_differentiable(dropping, why="reads an argument")


@frule(np.linalg.pinv)
def pinv_frule(tangents, a: np.ndarray, *, hermitian=False, **cut):
    """y = a⁺        ẏ = −y ȧ y + y yᴴ ȧᴴ (1 − a y) + (1 − y a) ȧᴴ yᴴ y        [Golub & Pereyra 1973]"""
    (da,) = tangents
    y = np.linalg.pinv(a, hermitian=hermitian, **cut)
    if hermitian:
        a, da = mirrored(a, False), mirrored(da, False)
    return y, moved_inverse(da, a, y, dropping(cut))


def moved_inverse(da: Any, a: Any, y: Any, cut: Any) -> Any:
    """ẏ for y = a⁺, by Golub and Pereyra; of the truncated decomposition where the cut-off drops a part."""
    if drops(a, cut):
        return adjoint(moved_truncated(da, a, cut))
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
    y = np.linalg.pinv(a, hermitian=hermitian, **cut)

    def pinv_pullback(y_bar):
        whole = mirrored(a, False) if hermitian else a
        a_bar = turned_inverse(y_bar, whole, y, dropping(cut))
        return as_read(a_bar, False) if hermitian else a_bar

    return y, pinv_pullback


def turned_inverse(y_bar: Any, a: Any, y: Any, cut: Any) -> Any:
    """ā for y = a⁺."""
    seed, yh = adjoint(y_bar), adjoint(y)
    if drops(a, cut):
        return moved_truncated(seed, a, cut)
    left = np.matmul(seed, np.matmul(y, yh))
    right = np.matmul(np.matmul(yh, y), seed)
    return (
        -np.matmul(np.matmul(yh, y_bar), yh)
        + (left - np.matmul(np.matmul(a, y), left))
        + (right - np.matmul(right, np.matmul(y, a)))
    )


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
    y = np.linalg.lstsq(a, b, rcond)
    cut = cut_off(a, rcond)
    plus = np.linalg.pinv(a, cut)
    dx = np.matmul(plus, db) + np.matmul(moved_inverse(da, a, plus, cut), b)
    turned = conj(b - np.matmul(a, y[0])) * (db - np.matmul(da, y[0]))
    dr = 2 * np.reshape(np.sum(np.real(turned), axis=0), -1)[: np.shape(y[1])[0]]
    return y, from_fields(tuple, (dx, dr, NO_TANGENT, moved_values(da, a)))


@rrule(np.linalg.lstsq)
def lstsq_rrule(a: np.ndarray, b: np.ndarray, *, rcond=None):
    """x = a⁺ b, e = b − a x, c = a⁺ᴴ x̄        b̄ = c        ā = −c xᴴ + e (a⁺ c)ᴴ + a⁺ᴴ x ((1 − a⁺ a) x̄)ᴴ
    of residuals: b̄ = 2 r̄ e, ā = −2 r̄ e xᴴ        of singular values: as of svd"""
    y = np.linalg.lstsq(a, b, rcond)
    b_shape = np.shape(b)
    columns = (b_shape[0], math.prod(b_shape[1:]))
    x_shape, r_shape, s_shape = np.shape(y[0]), np.shape(y[1]), np.shape(y[3])

    def lstsq_pullback(y_bar):
        x = np.reshape(y[0], (np.shape(a)[1], columns[1]))
        e = np.reshape(b, columns) - np.matmul(a, x)
        b_bar: Any = np.zeros_like(e)
        a_bar: Any = 0.0
        if r_shape != (0,):
            b_bar = 2 * nest(y_bar[1], r_shape) * e
            a_bar = -np.matmul(b_bar, adjoint(x))
        if not is_zero(y_bar[0]):
            cut = cut_off(a, rcond)
            plus = np.linalg.pinv(a, cut)
            x_bar = np.reshape(nest(y_bar[0], x_shape), np.shape(x))
            c = np.matmul(adjoint(plus), x_bar)
            b_bar = b_bar + c
            if drops(a, cut):
                seed = np.matmul(x_bar, adjoint(np.reshape(b, columns)))
                a_bar = a_bar + moved_truncated(adjoint(seed), a, cut)
            else:
                free = x_bar - np.matmul(plus, np.matmul(a, x_bar))
                turned = np.matmul(e, adjoint(np.matmul(plus, c))) - np.matmul(c, adjoint(x))
                a_bar = a_bar + turned + np.matmul(np.matmul(adjoint(plus), x), adjoint(free))
        if not is_zero(y_bar[3]):
            a_bar = a_bar + from_values(a, nest(y_bar[3], s_shape))
        return a_bar, np.reshape(b_bar, b_shape)

    return y, lstsq_pullback

"""Polynomials by their coefficients, the highest power first: polyval, vander, roots.

A root moves as p(r) = 0 tells, while it is simple; a repeated root has no derivative and is refused.
A leading coefficient of zero takes a root to infinity, which `roots` leaves out.

See [Wilkinson 1963].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import (
    Array,
    NotDifferentiableError,
    UnsupportedArgument,
    frule,
    non_differentiable,
    rrule,
    unbroadcast,
)
from ...tangents import ZERO
from .adjoints import conj


@frule(np.polyval)
def polyval_frule(tangents, p: np.ndarray, x: Array):
    """y = Σ pᵢ xⁿ⁻ⁱ        ẏ = Σ ṗᵢ xⁿ⁻ⁱ + p′(x) ẋ"""
    one_polynomial(p)
    dp, dx = tangents
    y = np.polyval(p, x)
    dy = ZERO if dx is ZERO else np.polyval(np.polyder(p), x) * dx
    return y, dy if dp is ZERO else np.polyval(dp, x) + dy


@rrule(np.polyval)
def polyval_rrule(p: np.ndarray, x: Array, *, needs):
    """y = Σ pᵢ xⁿ⁻ⁱ        p̄ᵢ = Σ ȳ conj(x)ⁿ⁻ⁱ        x̄ = ȳ conj(p′(x))"""
    one_polynomial(p)

    def polyval_pullback(y_bar):
        p_bar = x_bar = ZERO
        if needs[0]:
            powers = np.vander(np.reshape(conj(x), -1), len(p))
            p_bar = np.matmul(np.reshape(y_bar, -1), powers).astype(np.result_type(y_bar))
        if needs[1]:
            x_bar = unbroadcast(y_bar * conj(np.polyval(slope_of(p), x)), np.shape(x))
        return p_bar, x_bar

    return np.polyval(p, x), polyval_pullback


def slope_of(p: Any) -> Any:
    """The coefficients of p′, in the precision of p, which NumPy multiplies by whole numbers of 64 bits."""
    return np.polyder(p).astype(np.result_type(p))


def one_polynomial(p: Any) -> None:
    """Refuse coefficients of several polynomials."""
    if np.ndim(p) != 1:
        raise UnsupportedArgument(np.polyval, "p", p, next="evaluate one polynomial at a time")


non_differentiable(one_polynomial, why="checks an argument")


def slopes(x: Any, count: int, increasing: bool) -> Any:
    """The derivatives of the powers of x, a row for each."""
    if count < 2:
        return np.zeros((np.shape(x)[0], count))
    below = np.vander(x, count - 1, increasing=True) * np.arange(1, count)
    rows = np.concatenate((np.zeros_like(below[:, :1]), below), axis=1)
    return rows if increasing else rows[:, ::-1]


@frule(np.vander)
def vander_frule(tangents, x: np.ndarray, *, N=None, increasing=False):
    """yᵢⱼ = xᵢᵏ, with k falling or rising        ẏᵢⱼ = k xᵢᵏ⁻¹ ẋᵢ"""
    y = np.vander(x, N, increasing)
    return y, slopes(x, np.shape(y)[1], increasing) * np.expand_dims(tangents[0], -1)


@rrule(np.vander)
def vander_rrule(x: np.ndarray, *, N=None, increasing=False):
    """yᵢⱼ = xᵢᵏ, with k falling or rising        x̄ᵢ = Σ conj(k xᵢᵏ⁻¹) ȳᵢⱼ"""
    y = np.vander(x, N, increasing)
    count = np.shape(y)[1]

    def vander_pullback(y_bar):
        return np.sum(conj(slopes(x, count, increasing)) * y_bar, axis=1)

    return y, vander_pullback


def refuse_repeated(p: Any, y: Any, slope: Any) -> None:
    """Refuse roots at which the polynomial is flat, up to the precision that double roots have."""
    size = np.polyval(np.abs(np.polyder(p)), np.abs(y))
    if np.any(np.abs(slope) <= 10 * np.sqrt(np.finfo(y.dtype).eps) * size):
        raise NotDifferentiableError(
            "a repeated root of a polynomial has no derivative",
            next="use what is smooth in the coefficients, as values of the polynomial",
        )


non_differentiable(refuse_repeated, why="checks a root")


def slope_at(p: Any, y: Any) -> Any:
    """p′ at roots of p, all of them simple."""
    slope = np.polyval(slope_of(p), y)
    refuse_repeated(p, y, slope)
    return slope


@frule(np.roots)
def roots_frule(tangents, p: np.ndarray):
    """p(y) = 0        ẏ = −ṗ(y) / p′(y)"""
    y = np.roots(p)
    return y, -np.polyval(tangents[0], y) / slope_at(p, y)


@rrule(np.roots)
def roots_rrule(p: np.ndarray):
    """p(y) = 0        p̄ᵢ = −Σ conj(yⁿ⁻ⁱ / p′(y)) ȳ"""
    y = np.roots(p)

    def roots_pullback(y_bar):
        p_bar = -np.matmul(np.transpose(conj(np.vander(y, len(p)))), y_bar / conj(slope_at(p, y)))
        return p_bar.astype(np.result_type(y_bar))

    return y, roots_pullback

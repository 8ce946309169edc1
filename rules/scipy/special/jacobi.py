"""Polynomials of Laguerre and Jacobi, by their argument and their parameters.

By the argument each is one of a degree less (DLMF 18.9.15, 18.9.23). By the parameters, for whole
degrees, they are sums of those of lower degrees: Laguerre's Σ L_k/(n − k); Jacobi's by Froehlich 1994,
"Parameter derivatives of the Jacobi polynomials and the Gaussian hypergeometric function". Where a term
of that sum has a pole (α + β a whole number below −1) and for degrees that are not whole the point is
refused. There is no derivative by the degree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import Array, NotDifferentiableError, frule, non_differentiable, rrule, scalar_rule
from ....tangents import NotImplementedTangent

NO_DEGREE = NotImplementedTangent("the derivative of Laguerre's and Jacobi's polynomials by their degree")


def whole(n: Any) -> Any:
    """A degree as an integer, which it must be."""
    rounded = np.rint(np.asarray(n, float))
    if not np.array_equal(rounded, n) or np.any(rounded < 0):
        raise NotDifferentiableError(
            "a polynomial by its parameter: the derivative sums lower degrees; a degree here is not whole",
            next="give a whole degree, or take no derivative by the parameter",
        )
    return rounded.astype(np.int64)[()]


@frule(whole)
def whole_frule(tangents, n: Array):
    """ṅ is not known: the sums are those of whole degrees"""
    return whole(n), NO_DEGREE


@rrule(whole)
def whole_rrule(n: Array):
    """n̄ is not known: the sums are those of whole degrees"""

    def whole_pullback(y_bar):
        return NO_DEGREE

    return whole(n), whole_pullback


def lower_degrees(n: Any, *others: Any) -> Any:
    """0, …, max n − 1 along an axis before those of the arguments."""
    axes = len(np.broadcast_shapes(np.shape(n), *map(np.shape, others)))
    return np.arange(int(np.max(n, initial=0))).reshape(-1, *(1,) * axes)


def hold(n: Any, both: Any) -> None:
    """Refuse where a term of the sums has a pole."""
    pole = -1 - np.asarray(both)
    if np.any((pole == np.rint(pole)) & (pole >= 1) & (pole < 2 * np.asarray(n))):
        raise NotDifferentiableError(
            "Jacobi's polynomials by parameters whose sum is a whole number below −1: a term has a pole",
            next="use parameters above −1",
        )


non_differentiable(lower_degrees, hold, why="computes with degrees, and checks them")


def laguerre_by_parameter(n: Any, a: Any, x: Any) -> Any:
    """∂L_n^α/∂α = Σ_{k<n} L_k^α / (n − k)"""
    n = whole(n)
    k = lower_degrees(n, a, x)
    return np.sum(np.where(k < n, special.eval_genlaguerre(k, a, x), 0.0) / np.where(k < n, n - k, 1), axis=0)


def jacobi_by_parameter(n: Any, a: Any, b: Any, x: Any, sign: int) -> Any:
    """Σ_{k<n} (P_n ± f_k / (n − k) P_k) / (α+β+n+k+1)

    fₖ = (α+β+2k+1) (β+k+1)_{n−k} / (α+β+k+1)_{n−k} for α; for β with α in place of β, and (−1)^{n−k}.
    The factor α+β+1 stands above and below for k = 0, and is left out.
    """
    n = whole(n)
    hold(n, a + b)
    k = lower_degrees(n, a, b, x)
    other = b if sign > 0 else a
    rest = np.where(k == 0, 1.0, a + b + 1 + k)
    steps = np.where(k < n, (other + 1 + k) / rest, 1.0)
    f = np.flip(np.cumprod(np.flip(steps, 0), axis=0), 0) * np.where(k == 0, 1.0, a + b + 1 + 2 * k)
    gap = np.where(k < n, n - k, 1)
    alternating = 1.0 if sign > 0 else np.where(gap % 2 == 0, 1.0, -1.0)
    terms = special.eval_jacobi(n, a, b, x) + alternating * f / gap * special.eval_jacobi(k, a, b, x)
    return np.sum(np.where(k < n, terms / np.where(k < n, a + b + 1 + n + k, 1.0), 0.0), axis=0)


def jacobi_slope(n: Any, a: Any, b: Any, x: Any) -> Any:
    """P_n′ = ½ (n + α + β + 1) P_{n−1}^{(α+1, β+1)}        [DLMF 18.9.15]"""
    return (n + a + b + 1) / 2 * special.eval_jacobi(n - 1, a + 1, b + 1, x)


def _scale(n: Any, p: Any) -> Any:
    """What the shifted polynomial is divided by, (2n + p − 1 over n) = (n + p)ₙ / n!"""
    return special.binom(2 * n + p - 1, n)


def _scale_slope(n: Any, p: Any) -> Any:
    """∂ log (n + p)ₙ / ∂p = Σ_{k<n} 1 / (n + p + k)"""
    n = whole(n)
    k = lower_degrees(n, p)
    return np.sum(np.where(k < n, 1.0, 0.0) / np.where(k < n, n + p + k, 1.0), axis=0)


scalar_rule(special.eval_laguerre, NO_DEGREE, lambda y, n, x: -special.eval_genlaguerre(n - 1, 1.0, x))
scalar_rule(
    special.eval_genlaguerre,
    NO_DEGREE,
    lambda y, n, a, x: laguerre_by_parameter(n, a, x),
    lambda y, n, a, x: -special.eval_genlaguerre(n - 1, a + 1, x),
)
scalar_rule(
    special.eval_jacobi,
    NO_DEGREE,
    lambda y, n, a, b, x: jacobi_by_parameter(n, a, b, x, 1),
    lambda y, n, a, b, x: jacobi_by_parameter(n, a, b, x, -1),
    lambda y, n, a, b, x: jacobi_slope(n, a, b, x),
)


def _shifted_by_p(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    """G = P_n^{(p−q, q−1)}(2x − 1) / B(p)        ∂G/∂p = P_α / B − G B′/B"""
    part = jacobi_by_parameter(n, p - q, q - 1, 2 * x - 1, 1)
    return part / _scale(n, p) - y * _scale_slope(n, p)


def _shifted_by_q(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    """∂G/∂q = (P_β − P_α) / B"""
    a, b, t = p - q, q - 1, 2 * x - 1
    return (jacobi_by_parameter(n, a, b, t, -1) - jacobi_by_parameter(n, a, b, t, 1)) / _scale(n, p)


scalar_rule(
    special.eval_sh_jacobi,
    NO_DEGREE,
    _shifted_by_p,
    _shifted_by_q,
    lambda y, n, p, q, x: 2 * jacobi_slope(n, p - q, q - 1, 2 * x - 1) / _scale(n, p),
)

"""Polynomials of Laguerre and Jacobi, by their argument and their parameters.

By the argument each is one of a degree less (DLMF 18.9.15, 18.9.23). By the parameters, for whole
degrees, they are sums of those of lower degrees: Laguerre's Σ L_k/(n − k); Jacobi's by Froehlich 1994,
"Parameter derivatives of the Jacobi polynomials and the Gaussian hypergeometric function". By the degree, for
degrees that are not whole, and where a term of that sum has a pole (α + β a whole number below −1), they are
hypergeometric functions (`classical_jets`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from .derivatives import by_orders, derivative
from .polygammas import psi_difference


def whole(n: Any) -> bool:
    """Whether all degrees are, for which there are sums."""
    n = np.asarray(n)
    return bool(np.all((n == np.rint(n)) & (n >= 0)))


def lower_degrees(n: Any, *others: Any) -> Any:
    """0, …, max n − 1 along an axis before those of the arguments."""
    axes = len(np.broadcast_shapes(np.shape(n), *map(np.shape, others)))
    return np.arange(int(np.max(n, initial=0))).reshape(-1, *(1,) * axes)


def no_poles(n: Any, both: Any) -> bool:
    """Whether no term of Jacobi's sums has a pole."""
    pole = -1 - np.asarray(both)
    return not np.any((pole == np.rint(pole)) & (pole >= 1) & (pole < 2 * np.asarray(n)))


def laguerre_by_parameter(n: Any, a: Any, x: Any) -> Any:
    """∂L_n^α/∂α = Σ_{k<n} L_k^α / (n − k)"""
    if not whole(n):
        return derivative(n, a, x, kind="eval_genlaguerre", orders=(0, 1, 0))
    k = lower_degrees(n, a, x)
    return np.sum(np.where(k < n, special.eval_genlaguerre(k, a, x), 0.0) / np.where(k < n, n - k, 1), axis=0)


def by_alpha(n: Any, a: Any, b: Any, x: Any) -> Any:
    """∂P_n^{(α, β)}/∂α"""
    if not (whole(n) and no_poles(n, a + b)):
        return derivative(n, a, b, x, kind="eval_jacobi", orders=(0, 1, 0, 0))
    return _summed(n, a, b, x, 1)


def by_beta(n: Any, a: Any, b: Any, x: Any) -> Any:
    """∂P_n^{(α, β)}/∂β"""
    if not (whole(n) and no_poles(n, a + b)):
        return derivative(n, a, b, x, kind="eval_jacobi", orders=(0, 0, 1, 0))
    return _summed(n, a, b, x, -1)


def _summed(n: Any, a: Any, b: Any, x: Any, sign: int) -> Any:
    """Σ_{k<n} (P_n ± f_k / (n − k) P_k) / (α+β+n+k+1)

    fₖ = (α+β+2k+1) (β+k+1)_{n−k} / (α+β+k+1)_{n−k} for α; for β with α in place of β, and (−1)^{n−k}.
    The factor α+β+1 stands above and below for k = 0, and is left out.
    """
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


scalar_rule(
    laguerre_by_parameter,
    *(by_orders("eval_genlaguerre", *orders) for orders in ((1, 1, 0), (0, 2, 0), (0, 1, 1))),
)
scalar_rule(
    by_alpha,
    *(
        by_orders("eval_jacobi", *orders)
        for orders in ((1, 1, 0, 0), (0, 2, 0, 0), (0, 1, 1, 0), (0, 1, 0, 1))
    ),
)
scalar_rule(
    by_beta,
    *(
        by_orders("eval_jacobi", *orders)
        for orders in ((1, 0, 1, 0), (0, 1, 1, 0), (0, 0, 2, 0), (0, 0, 1, 1))
    ),
)
scalar_rule(
    special.eval_laguerre,
    lambda y, n, x: derivative(n, 0.0, x, kind="eval_genlaguerre", orders=(1, 0, 0)),
    lambda y, n, x: -special.eval_genlaguerre(n - 1, 1.0, x),
)
scalar_rule(
    special.eval_genlaguerre,
    by_orders("eval_genlaguerre", 1, 0, 0),
    lambda y, n, a, x: laguerre_by_parameter(n, a, x),
    lambda y, n, a, x: -special.eval_genlaguerre(n - 1, a + 1, x),
)
scalar_rule(
    special.eval_jacobi,
    by_orders("eval_jacobi", 1, 0, 0, 0),
    lambda y, n, a, b, x: by_alpha(n, a, b, x),
    lambda y, n, a, b, x: by_beta(n, a, b, x),
    lambda y, n, a, b, x: jacobi_slope(n, a, b, x),
)


def _shifted_by_degree(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    """∂G/∂n = P_n / B − G (2ψ(2n + p) − ψ(n + 1) − ψ(n + p))"""
    part = derivative(n, p - q, q - 1, 2 * x - 1, kind="eval_jacobi", orders=(1, 0, 0, 0))
    return part / _scale(n, p) - y * (2 * psi_difference(n + p, n) + psi_difference(n + 1, p - 1))


def _shifted_by_p(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    """G = P_n^{(p−q, q−1)}(2x − 1) / B(p)        ∂G/∂p = P_α / B − G B′/B"""
    return by_alpha(n, p - q, q - 1, 2 * x - 1) / _scale(n, p) - y * psi_difference(n + p, n)


def _shifted_by_q(y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    """∂G/∂q = (P_β − P_α) / B"""
    a, b, t = p - q, q - 1, 2 * x - 1
    return (by_beta(n, a, b, t) - by_alpha(n, a, b, t)) / _scale(n, p)


scalar_rule(
    special.eval_sh_jacobi,
    _shifted_by_degree,
    _shifted_by_p,
    _shifted_by_q,
    lambda y, n, p, q, x: 2 * jacobi_slope(n, p - q, q - 1, 2 * x - 1) / _scale(n, p),
)

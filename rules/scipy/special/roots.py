"""Gauss quadrature: nodes and weights by the parameters of Jacobi's and Laguerre's weights.

A node is a root, P(x; α) = 0, so ẋ = −P_α α̇ / P′. The weights are Γ's over P′² (Abramowitz & Stegun
25.4), a program of what has rules. The number of nodes is a whole number; the roots of the polynomials
without a parameter have no derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import Array, Real, frule, non_differentiable, rrule
from ....tangents import ZERO, is_zero
from ...written import own, written_out
from .jacobi import by_alpha, by_beta, jacobi_slope, laguerre_by_parameter

LN2 = float(np.log(2.0))


def still(n: int) -> int:
    """The number of nodes, which does not move."""
    return n


non_differentiable(still, why="a whole number")


def jacobi_nodes(a: Any, b: Any, *, n: int) -> Any:
    """The roots of P_n^{(α, β)}."""
    return own(special.roots_jacobi, n, float(a), float(b))[0]


def _node_slope(a: Any, b: Any, x: Any, n: int, sign: int) -> Any:
    return -(by_alpha if sign > 0 else by_beta)(still(n), a, b, x) / jacobi_slope(n, a, b, x)


@frule(jacobi_nodes)
def jacobi_nodes_frule(tangents, a: Real, b: Real, *, n):
    """ẋ = −(P_α α̇ + P_β β̇) / P′"""
    x = jacobi_nodes(a, b, n=n)
    da, db = tangents
    total = np.zeros(np.shape(x))
    if not is_zero(da):
        total = total + _node_slope(a, b, x, n, 1) * da
    if not is_zero(db):
        total = total + _node_slope(a, b, x, n, -1) * db
    return x, total


@rrule(jacobi_nodes)
def jacobi_nodes_rrule(a: Real, b: Real, *, n, needs):
    """ᾱ = −Σ x̄ P_α / P′, β̄ = −Σ x̄ P_β / P′"""
    x = jacobi_nodes(a, b, n=n)

    def jacobi_nodes_pullback(x_bar):
        a_bar = np.sum(x_bar * _node_slope(a, b, x, n, 1)) if needs[0] else ZERO
        b_bar = np.sum(x_bar * _node_slope(a, b, x, n, -1)) if needs[1] else ZERO
        return a_bar, b_bar

    return x, jacobi_nodes_pullback


def laguerre_nodes(a: Any, *, n: int) -> Any:
    """The roots of L_n^α."""
    return own(special.roots_genlaguerre, n, float(a))[0]


def _laguerre_node_slope(a: Any, x: Any, n: int) -> Any:
    return laguerre_by_parameter(still(n), a, x) / special.eval_genlaguerre(n - 1, a + 1, x)


@frule(laguerre_nodes)
def laguerre_nodes_frule(tangents, a: Real, *, n):
    """ẋ = −L_α α̇ / L′        L_n′ = −L_{n−1}^{α+1}"""
    x = laguerre_nodes(a, n=n)
    return x, _laguerre_node_slope(a, x, n) * tangents[0]


@rrule(laguerre_nodes)
def laguerre_nodes_rrule(a: Real, *, n):
    """ᾱ = −Σ x̄ L_α / L′"""
    x = laguerre_nodes(a, n=n)

    def laguerre_nodes_pullback(x_bar):
        return np.sum(x_bar * _laguerre_node_slope(a, x, n))

    return x, laguerre_nodes_pullback


def jacobi_rule(a: Any, b: Any, n: int) -> Any:
    """x and w = 2^(α+β+1) Γ(n+α+1) Γ(n+β+1) / (n! Γ(n+α+β+1) (1 − x²) P′²)        [A&S 25.4.33]"""
    x = jacobi_nodes(a, b, n=n)
    gammas = special.gammaln(n + a + 1) + special.gammaln(n + b + 1) - special.gammaln(n + a + b + 1)
    size = (a + b + 1) * LN2 + gammas - special.gammaln(n + 1.0)
    slope = np.abs(jacobi_slope(n, a, b, x))
    return x, np.exp(size - 2 * np.log(slope)) / ((1.0 - x) * (1.0 + x))


def _jacobi_total(a: Any, b: Any) -> Any:
    """μ = 2^(α+β+1) B(α+1, β+1), the sum of the weights"""
    return np.exp((a + b + 1) * LN2 + special.betaln(a + 1, b + 1))


@written_out(special.roots_jacobi)
def roots_jacobi(alpha: Real, beta: Real, *, n, mu=False):
    """x, w, and μ where asked for, of the weight (1 − x)^α (1 + x)^β"""
    own(special.roots_jacobi, n, alpha, beta)
    x, w = jacobi_rule(alpha, beta, n)
    return (x, w, _jacobi_total(alpha, beta)) if mu else (x, w)


@written_out(special.roots_gegenbauer)
def roots_gegenbauer(alpha: Real, *, n, mu=False):
    """Those of the weight (1 − x²)^(λ − ½), which is Jacobi's with α = β = λ − ½"""
    own(special.roots_gegenbauer, n, alpha)
    x, w = jacobi_rule(alpha - 0.5, alpha - 0.5, n)
    return (x, w, _jacobi_total(alpha - 0.5, alpha - 0.5)) if mu else (x, w)


@written_out(special.roots_sh_jacobi)
def roots_sh_jacobi(p1: Real, q1: Real, *, n, mu=False):
    """(x + 1)/2 and w / 2ᵖ of Jacobi's with α = p − q and β = q − 1"""
    own(special.roots_sh_jacobi, n, p1, q1)
    x, w = jacobi_rule(p1 - q1, q1 - 1, n)
    scale = np.exp(-p1 * LN2)
    nodes, weights = (x + 1) / 2, w * scale
    return (nodes, weights, _jacobi_total(p1 - q1, q1 - 1) * scale) if mu else (nodes, weights)


@written_out(special.roots_genlaguerre)
def roots_genlaguerre(alpha: Real, *, n, mu=False):
    """w = Γ(n+α+1) / (n! x L′²), of the weight x^α e^−x        [A&S 25.4.45]"""
    own(special.roots_genlaguerre, n, alpha)
    x = laguerre_nodes(alpha, n=n)
    size = special.gammaln(n + alpha + 1) - special.gammaln(n + 1.0)
    slope = np.abs(special.eval_genlaguerre(n - 1, alpha + 1, x))
    w = np.exp(size - 2 * np.log(slope)) / x
    return (x, w, np.exp(special.gammaln(alpha + 1))) if mu else (x, w)


@written_out(special.assoc_laguerre)
def assoc_laguerre(x: Array, k: Array = 0.0, *, n):
    """L_n^k(x)"""
    return special.eval_genlaguerre(n, k, x)

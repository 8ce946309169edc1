"""The polynomial through values at nodes, by nodes, values and points: what all its forms share.

It does not depend on how it is written (Newton's form, Lagrange's, the barycentric one), so that its
derivatives do not either. It is linear in the values. Where a node moves and its value stays, the
polynomial changes as if the value had moved against it by the polynomial's own slope there. A node that
stands several times has the value and then derivatives prescribed, as in Krogh, Math. Comp. 24, 185 (1970);
its copies move together, and each is as if the derivative of the next order had moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BarycentricInterpolator, KroghInterpolator

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, is_zero, materialize
from ...linearity import linear_in
from .places import spread


def polynomial(nodes: Any, values: Any, at: Any, *, der: int = 0) -> Any:
    """A derivative, of order der, of the polynomial through values at nodes; at points in a row."""
    flat = np.reshape(values, (len(nodes), -1))
    if len(np.unique(nodes)) == len(nodes):
        barycentric = BarycentricInterpolator(nodes, flat, wi=weights(nodes))
        y = barycentric.derivative(at, der) if np.size(at) else np.zeros((0, flat.shape[1]))
    else:
        y = KroghInterpolator(nodes, flat).derivative(at, der)
    return np.reshape(y, (np.size(at), *np.shape(values)[1:]))


def weights(nodes: Any) -> Any:
    """1/Π (x_i − x_j), scaled        Berrut & Trefethen, SIAM Review 46, 501 (2004), (3.2) and p. 510"""
    apart = nodes[:, None] - nodes
    np.fill_diagonal(apart, 1.0)
    span = np.ptp(nodes) if len(nodes) > 1 else 1.0
    size = np.sum(np.log(np.abs(apart) * 4 / span), axis=1)
    return np.prod(np.sign(apart), axis=1) * np.exp(np.mean(size) - size)


def orders(nodes: Any) -> Any:
    """How often each node stood before: the order of the derivative that is prescribed."""
    count = np.zeros(len(nodes), int)
    for k in range(1, len(nodes)):
        count[k] = count[k - 1] + 1 if nodes[k] == nodes[k - 1] else 0
    return count


non_differentiable(orders, why="counts")


def slopes(nodes: Any, values: Any) -> Any:
    """By how much each prescribed value changes along the polynomial"""
    count, trailing = orders(nodes), np.ndim(values) - 1
    y = polynomial(nodes, values, nodes, der=1)
    for r in range(1, np.max(count) + 1):
        y = np.where(spread(count == r, trailing), polynomial(nodes, values, nodes, der=r + 1), y)
    return y


@frule(polynomial)
def polynomial_frule(tangents, nodes: np.ndarray, values: np.ndarray, at: np.ndarray, *, der=0):
    """ẏ = p′ ẋ + the polynomial through v̇_i − p′(x_i) ẋ_i        p′ the next derivative"""
    d_nodes, d_values, d_at = tangents
    trailing = np.ndim(values) - 1
    moved = materialize(d_values, like=values)
    if not is_zero(d_nodes):
        moved = moved - slopes(nodes, values) * spread(d_nodes, trailing)
    dy = polynomial(nodes, moved, at, der=der)
    if not is_zero(d_at):
        dy = dy + polynomial(nodes, values, at, der=der + 1) * spread(d_at, trailing)
    return polynomial(nodes, values, at, der=der), dy


@linear_in(1)
@rrule(polynomial)
def polynomial_rrule(nodes: np.ndarray, values: np.ndarray, at: np.ndarray, *, der=0, needs):
    """v̄_i = Σ conj(l_i(x)) ȳ, x̄_i = −Re conj(p′(x_i)) v̄_i, x̄ = conj(p′(x)) ȳ"""
    n, trailing = np.size(nodes), np.ndim(values) - 1

    def polynomial_pullback(y_bar: Any) -> Any:
        nodes_bar: Any
        values_bar: Any
        nodes_bar, at_bar, values_bar = ZERO, ZERO, ZERO
        if needs[0] or needs[1]:
            basis = polynomial(nodes, np.eye(n), at, der=der)
            values_bar = np.tensordot(np.conj(basis), y_bar, ((0,), (0,)))
        if needs[0]:
            nodes_bar = -over(np.real(np.conj(slopes(nodes, values)) * values_bar), trailing)
        if needs[2]:
            at_bar = over(np.conj(polynomial(nodes, values, at, der=der + 1)) * y_bar, trailing)
        return nodes_bar, values_bar, at_bar

    return polynomial(nodes, values, at, der=der), polynomial_pullback


def over(products: Any, trailing: int) -> Any:
    """The sum over the trailing axes."""
    return np.sum(products, axis=tuple(range(1, 1 + trailing)))

"""Polynomials in powers: `lagrange`, `approximate_taylor_polynomial` and `pade`.

The coefficients of the first two are Taylor's, of the polynomial through values. The nodes of
`approximate_taylor_polynomial` stay where they are about its point, and the function is called as in the
program, so that what it captured has derivatives, too.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

import numpy as np
from scipy.interpolate import approximate_taylor_polynomial, lagrange, pade

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .piecewise import floats
from .through_nodes import polynomial

_VALUES = Array | list


def taylor(nodes: Any, values: Any, at: Any, degree: int) -> Any:
    """The polynomial of the powers of the distance from a point"""
    where = np.reshape(at, 1)
    rows = [polynomial(nodes, values, where, der=d)[0] / factorial(d) for d in range(degree, -1, -1)]
    return np.poly1d(np.stack(rows))


def checked_nodes(x: Any) -> None:
    """Refuse complex nodes, and none at all."""
    if np.iscomplexobj(x) or np.size(x) == 0:
        raise UnsupportedArgument(lagrange, "x", x, supported=["real nodes, one at least"])


non_differentiable(checked_nodes, why="checks an argument")


@written_out(lagrange)
def lagrange_written_out(x: _VALUES, w: _VALUES):
    """c_m = p⁽ᵐ⁾(0)/m!"""
    checked_nodes(x)
    nodes = floats(x)
    return taylor(nodes, floats(w), np.zeros(1), np.shape(nodes)[0] - 1)


def cosines(n: int) -> Any:
    """Where SciPy calls the function, from −1 to 1."""
    return np.cos(np.linspace(0, np.pi, n, endpoint=False))


non_differentiable(cosines, why="a constant")


@written_out(approximate_taylor_polynomial)
def taylor_of_function(f: Callable, x: Array, scale: Array, *, degree, order=None):
    """c_m = p⁽ᵐ⁾(x)/m!, with p through the values of f at x + s cos θ_i"""
    nodes = scale * cosines((degree if order is None else order) + 1) + x
    return taylor(nodes, f(nodes), x, degree)


def coefficient_type(found: Any) -> Any:
    """The dtype of the coefficients that SciPy finds."""
    return found[0].coeffs.dtype


non_differentiable(coefficient_type, why="computes with types alone")


@written_out(pade)
def pade_written_out(an: _VALUES, *, m, n=None):
    """p_j − Σ_l a_{j−l} q_l = a_j, with q_0 = 1        j = 0 … m + n"""
    dtype = coefficient_type(own(pade, an, m, n))
    a = floats(an)
    upper = np.size(a) - 1 - m if n is None else n
    a = a[: upper + m + 1]
    lag = np.arange(upper + m + 1)[:, None] - np.arange(1, m + 1)
    of_q = -np.where(lag >= 0, a[np.maximum(lag, 0)], 0.0)
    system = np.concatenate((np.eye(upper + m + 1, upper + 1), of_q), axis=1)
    pq = np.linalg.solve(system, a)
    q = np.concatenate((np.ones(1), pq[upper + 1 :]))
    return np.poly1d(pq[upper::-1].astype(dtype)), np.poly1d(q[::-1].astype(dtype))

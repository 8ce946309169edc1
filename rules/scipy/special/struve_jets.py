"""Struve's functions 𝐇 and 𝐋 by order and argument, as jets of the order.

The power series is a multiple of ₁F₂ (DLMF 11.2.1–2); that of 𝐋 does not cancel. Where that of 𝐇 does,
𝐇 = Y + 𝐊, and 𝐊 is an integral that is differentiated under its sign (11.2.5, 11.5.2). Low orders follow by
recurrence, in the direction in which the functions grow (11.4.23, 11.4.25). By the argument each is half a
difference, or sum, of neighbours (11.4.27–30).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import NotDifferentiableError
from .hypergeometric_series import series
from .linear_forms import Form, Jet, Orders, constant, everywhere, times, times_gamma, times_power
from .orders import order_values

LOST = 1e-10
LOWEST = -0.5
STEP = 0.19
ONE = (1,)


def struve(v: Any, x: Any, orders: Orders) -> Jet:
    """Of 𝐇."""
    return _by_argument("struve", -1, v, x, orders)


def modified_struve(v: Any, x: Any, orders: Orders) -> Jet:
    """Of 𝐋."""
    return _by_argument("modstruve", 1, v, x, orders)


def _by_argument(name: str, sign: int, v: Any, x: Any, orders: Orders) -> Jet:
    """𝐇ᵥ′ = ½ (𝐇ᵥ₋₁ − 𝐇ᵥ₊₁ + F), 𝐋ᵥ′ = ½ (𝐋ᵥ₋₁ + 𝐋ᵥ₊₁ + F), F = (x/2)ᵛ/(√π Γ(v + 3/2))"""
    k, m = orders
    if m:
        lower = (k, m - 1)
        below, above = (_by_argument(name, sign, v + s, x, lower) for s in (-1.0, 1.0))
        return 0.5 * (below + sign * above + _first(v, x, lower))
    made = np.where((x == 0) & (v > -1), 0.0, np.full((k + 1, v.size), np.nan))
    rows = np.flatnonzero(x > 0)
    made[:, rows] = _values(name, sign, v[rows], x[rows], k)
    for row in np.flatnonzero((x < 0) & (v == np.rint(v)) | np.any(np.isinf(made), axis=0)):
        raise NotDifferentiableError(
            f"scipy.special.{name} by its order at v = {v[row]:g}, x = {x[row]:g}",
            next="take a positive argument below the order, or the derivative by the argument alone",
        )
    return made


def _first(v: Any, x: Any, orders: Orders) -> Jet:
    """The m-th derivative by x of (x/2)ᵛ/(√π Γ(v + 3/2))"""
    k, m = orders
    made = constant(np.full(v.size, 0.5**m / math.sqrt(math.pi)), (k,))
    for n in range(m):
        made = times(made, Form(v - n, ONE))
    return times_gamma(times_power(made, np.log(0.5 * x), Form(v - m, ONE)), [], [Form(v + 1.5, ONE)])


def _values(name: str, sign: int, v: Any, x: Any, k: int) -> Jet:
    steps = np.maximum(np.ceil(LOWEST - v), 0.0)
    top = v + steps
    upper, here = (_upwards(sign, top + n, x, k) for n in (1.0, 0.0))
    for n in range(int(np.max(steps, initial=0.0))):
        at = top - n
        lower = times(here, Form(2 * at / x, (2 / x,))) + sign * upper + _first(at, x, (k, 0))
        upper, here = np.where(n < steps, here, upper), np.where(n < steps, lower, here)
    return here


def _upwards(sign: int, v: Any, x: Any, k: int) -> Jet:
    """(x/2)ᵛ⁺¹/(Γ(3/2) Γ(v + 3/2)) ₁F₂(1; 3/2, v + 3/2; ±x²/4), or Y + 𝐊; infinite where both cancel."""
    first = times(_first(v, x, (k, 0)), Form(x, (0,)))
    one, half = np.ones_like(x), np.full_like(x, 1.5)
    made, size = series([Form(one, (0,))], [Form(half, (0,)), Form(v + 1.5, ONE)], sign * 0.25 * x * x, first)
    rows = np.flatnonzero(~_keeps(made, size))
    if rows.size and sign < 0:
        y = np.stack([order_values(v[rows], x[rows], "y", i) / math.factorial(i) for i in range(k + 1)])
        rest = _integral(v[rows], x[rows], k)
        made[:, rows] = y + rest
        rows = rows[~_keeps(y + rest, np.abs(y) + np.abs(rest))]
    made[:, rows] = np.inf
    return made


def _keeps(made: Jet, size: Any) -> Any:
    """Where the digits are kept, of a derivative or beside the value."""
    return everywhere(size * 1e-16 <= LOST * np.maximum(np.abs(made), np.abs(made[0])))


def _integral(v: Any, x: Any, k: int) -> Jet:
    """𝐊 = (x/2)ᵛ⁻¹/(√π Γ(v + ½)) ∫ e⁻ᵗ (1 + t²/x²)^(v − ½) dt, by the trapezoidal rule in log t."""
    low, high = -42.0, np.log(60.0 + 4.0 * np.max(np.abs(v), initial=0.0))
    nodes = np.linspace(low, high, math.ceil((high - low) / STEP) + 1)[:, None]
    log = np.log1p((np.exp(nodes) / x) ** 2)
    weights = np.exp(nodes - np.exp(nodes) + (v - 0.5) * log) * (nodes[1] - nodes[0])
    made = np.stack([np.sum(weights * log**i, axis=0) / math.factorial(i) for i in range(k + 1)])
    made = times_power(made / math.sqrt(math.pi), np.log(0.5 * x), Form(v - 1, ONE))
    return times_gamma(made, [], [Form(v + 0.5, ONE)])

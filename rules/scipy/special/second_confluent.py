"""Tricomi's confluent hypergeometric function U(a, b, x) and all its derivatives, as jets.

U = 1/Γ(a) ∫ e^{g(v)} dv, g = a v − x eᵛ + (b − a − 1) log(1 + eᵛ)        [DLMF 13.4.4, t = eᵛ]

has one peak, and its integrand is analytic within π/2 of the real axis: the trapezoidal rule converges
exponentially, and by a and b it is differentiated under the integral. For a < 1 it is reached by recurrence
from a + n, a + n + 1 (13.3.7), in the direction in which U grows. By x its parameters move by one (13.3.22).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError
from .linear_forms import Form, Jet, Orders, times, times_gamma

DROP = 42.0
WIDEST = 1e4
STEP = 0.19
AT_ONCE = 2**17
AGREES = 3e-11  # with SciPy, after a recurrence


def second_confluent(a: Any, b: Any, x: Any, orders: Orders) -> Jet:
    """The jet of the derivative by x of the order given last, (−1)ᵐ (a)ₘ U(a + m, b + m, x)."""
    *others, m = orders
    made = np.full((*(order + 1 for order in others), a.size), np.nan)
    rows = np.flatnonzero((x > 0) | ((x == 0) & (b + m < 1)))
    p, q, y = a[rows] + m, b[rows] + m, x[rows]
    found, scale = _lowered(p, q, y, tuple(others))
    off = np.abs(special.hyperu(p, q, y) - found[0, 0])
    for row in np.flatnonzero(np.isfinite(off) & (p < 0) & (off > AGREES * scale)):
        point = ", ".join(f"{v[row]:g}" for v in (p, q, y))
        raise NotDifferentiableError(
            f"scipy.special.hyperu by its parameters at ({point}): its recurrence loses its digits",
            next="take the derivative by the argument alone, or move the parameters",
        )
    for k in range(m):
        found = -times(found, Form(a[rows] + k, (1, 0)))
    made[..., rows] = found
    return made


def _lowered(a: Any, b: Any, x: Any, orders: Orders) -> tuple[Jet, Any]:
    """U from those of a ≥ 1, and what it is the sum of."""
    steps = np.maximum(np.ceil(1.0 - a), 0.0)
    upper, here = (_integral(a + steps + k, b, x, orders) for k in (1.0, 0.0))
    for k in range(int(np.max(steps, initial=0.0))):
        moved, at = k < steps, a + steps - k
        first = times(here, Form(2 * at + x - b, (2, -1)))
        second = times(times(upper, Form(at, (1, 0))), Form(at - b + 1, (1, -1)))
        upper, here = np.where(moved, here, upper), np.where(moved, first - second, here)
    return here, np.abs(here[0, 0]) + np.abs((2 * a + 2 + x - b) * upper[0, 0])


def _integral(a: Any, b: Any, x: Any, orders: Orders) -> Jet:
    """Of a ≥ 1, by the trapezoidal rule over where the integrand counts."""
    power = b - a - 1
    lean = power + a - x  # x t² − lean t = a at the peak
    root = np.sqrt(lean * lean + 4 * a * x)
    with np.errstate(all="ignore"):
        peak = np.log(np.where(lean > 0, (lean + root) / (2 * x), 2 * a / (root - lean)))

    def g(v: Any) -> Any:
        return a * v - x * np.exp(v) + power * np.logaddexp(0.0, v)

    height = g(peak)
    left, right = (_fallen(lambda w, s=s: g(peak + s * w) - height, a) for s in (-1.0, 1.0))
    step = np.minimum(STEP, 0.5 / np.sqrt(1.0 + a + x * np.exp(peak) + np.abs(power)))
    nodes = 2 ** np.ceil(np.log2((left + right) / step)).astype(int)
    made = np.zeros((*(order + 1 for order in orders), a.size))
    for count in np.unique(nodes):
        here = np.flatnonzero(nodes == count)
        for rows in np.array_split(here, 1 + here.size * count // AT_ONCE):
            width = left[rows] + right[rows]
            v = (peak - left)[rows] + width * np.arange(count + 1)[:, None] / count
            log = np.logaddexp(0.0, v)
            weight = np.exp(a[rows] * v - x[rows] * np.exp(v) + power[rows] * log - height[rows])
            for i, j in np.ndindex(made.shape[:2]):
                terms = weight * (v - log) ** i * log**j
                made[i, j, rows] = (
                    np.sum(terms, axis=0) * width / count / (math.factorial(i) * math.factorial(j))
                )
    return times_gamma(made * np.exp(height), [], [Form(a, (1, 0))])


def _fallen(drop: Any, a: Any) -> Any:
    """How far to go until the drop is 42, or a little beyond."""
    width = 0.5 / np.sqrt(a + 1.0)
    while np.any(short := (drop(width) > -DROP) & (width < WIDEST)):
        width = np.where(short, 1.25 * width, width)
    return width

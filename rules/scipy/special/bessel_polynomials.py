"""`besselpoly`, ∫₀¹ tˡ Jᵥ(2 a t) dt, by its power and its order, as jets of both.

The series of Jᵥ (DLMF 10.2.2) integrated term by term is, with s = l + v + 1,
aᵛ/(Γ(v + 1) s) ₁F₂(s/2; v + 1, s/2 + 1; −a²). By a the integrand is that of the neighbours (10.6.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError
from .hypergeometric_series import series
from .linear_forms import Form, Jet, Orders, constant, everywhere, over, times_gamma, times_power

LOST = 1e-10


def bessel_polynomial(a: Any, power: Any, v: Any, orders: Orders) -> Jet:
    """The jet by a, the power and the order, of which the part by a is one derivative."""
    m, i, j = orders
    if m:
        below, above = (bessel_polynomial(a, power + 1, v + s, (m - 1, i, j)) for s in (-1.0, 1.0))
        return below - above
    both = Form(power + v + 1, (1, 1))
    first = times_power(constant(np.ones_like(a), (i, j)), np.log(a), Form(v, (0, 1)))
    first = over(times_gamma(first, [], [Form(v + 1, (0, 1))]), both)
    half = Form(both.value / 2, (0.5, 0.5))
    made, size = series([half], [Form(v + 1, (0, 1)), half.plus(1)], -a * a, first)
    for row in np.flatnonzero(
        ~everywhere(size * 1e-16 <= LOST * np.maximum(np.abs(made), np.abs(made[0, 0])))
    ):
        raise NotDifferentiableError(
            f"scipy.special.besselpoly by its power or order at ({a[row]:g}, {power[row]:g}, {v[row]:g})",
            next="take a smaller positive a, or the derivative by a alone",
        )
    return made

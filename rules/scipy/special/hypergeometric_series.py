"""Hypergeometric series Σ (a)ₙ… / ((b)ₙ… n!) zⁿ as jets of their parameters (DLMF 16.2.1).

Each term is the one before times linear forms of the parameters, so that the derivatives of all orders are
summed beside the value. With the sum comes its size, Σ |term|: where it is large beside the sum, digits have
cancelled, and another representation has to be taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .linear_forms import Form, Jet, everywhere, over, split, times

TINY = 1e-17
MOST = 20_000
TOGETHER = 8  # terms, after which the points that are done are put aside


def series(tops: list[Form], bottoms: list[Form], z: Any, first: Jet) -> tuple[Jet, Any]:
    """The sum and its size, with `first` in place of the term 1; a series that does not end has no size.

    Example: >>> from .linear_forms import constant, parameters
             >>> one = np.ones(1)
             >>> total, _ = series(parameters(one), [], 0.5 * one, constant(one, (1,)))
             >>> round(float(total[1, 0]), 12)      # ∂/∂a (1 − z)^(−a) = −log(1 − z) (1 − z)^(−a)
             1.38629436112
    """
    lowest = np.min([form.value for form in (*tops, *bottoms)], axis=0, initial=0.0)
    total, size = first * np.ones_like(z), np.abs(first) * np.ones_like(np.abs(z))
    rows, term = np.arange(len(z)), total.copy()
    forms = [*split(tops, first), *split(bottoms, first)]
    sums, sizes, most = total.copy(), size.copy(), MOST if len(z) else 0
    for n in range(most):
        fixed_tops, moving_tops, fixed_bottoms, moving_bottoms = forms
        factor = z / (n + 1)
        for form in fixed_tops:
            factor = factor * (form.value + n)
        for form in fixed_bottoms:
            factor = factor / (form.value + n)
        term = term * factor
        for form in moving_tops:
            term = times(term, form.plus(n))
        for form in moving_bottoms:
            term = over(term, form.plus(n))
        sums += term
        sizes += (part := np.abs(term))
        if n % TOGETHER == TOGETHER - 1:
            ended = everywhere(part <= TINY * sizes) & (n > -lowest + 1) | ~everywhere(np.isfinite(part))
            if np.any(ended):
                total[..., rows[ended]], size[..., rows[ended]] = sums[..., ended], sizes[..., ended]
                kept = ~ended
                rows, z, lowest, term, sums, sizes = (
                    v[..., kept] for v in (rows, z, lowest, term, sums, sizes)
                )
                forms = [[form.at(kept) for form in some] for some in forms]
                if not rows.size:
                    break
    size[..., rows] = np.inf
    size[~np.isfinite(total)] = np.inf
    return total, size

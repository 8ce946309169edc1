"""Hypergeometric functions: hyp0f1, hyp1f1, hyp2f1, hyperu.

By the argument the derivative is the function with its parameters moved by one (DLMF 13.3.15, 13.3.22,
15.5.1, 16.3.1), on the side of a cut that the function is on. Those by the parameters are sums of series and
solutions of the differential equations (`hypergeometric_jets`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from .derivatives import by_parameter, derivative


def _second_slope(a: Any, b: Any, x: Any) -> Any:
    """U′ = −a U(a + 1, b + 1, x), by the integral where SciPy has no value of that"""
    slope = -a * special.hyperu(a + 1.0, b + 1.0, x)
    missing = np.isnan(slope)
    return (
        np.where(missing, derivative(a, b, x, kind="hyperu", orders=(0, 0, 1)), slope)
        if np.any(missing)
        else slope
    )


scalar_rule(
    special.hyp0f1,
    by_parameter(special.hyp0f1, 0),
    lambda y, b, z: special.hyp0f1(b + 1.0, z) / b,
    strong_zero=True,
)
scalar_rule(
    special.hyp1f1,
    by_parameter(special.hyp1f1, 0),
    by_parameter(special.hyp1f1, 1),
    lambda y, a, b, z: a / b * special.hyp1f1(a + 1.0, b + 1.0, z),
    strong_zero=True,
)
scalar_rule(
    special.hyperu,
    by_parameter(special.hyperu, 0),
    by_parameter(special.hyperu, 1),
    lambda y, a, b, x: _second_slope(a, b, x),
    strong_zero=True,
)
scalar_rule(
    special.hyp2f1,
    *(by_parameter(special.hyp2f1, i) for i in range(3)),
    lambda y, a, b, c, z: a * b / c * special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z),
    strong_zero=True,
)

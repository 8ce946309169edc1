"""Hypergeometric functions: hyp0f1, hyp1f1, hyp2f1, hyperu.

By the argument the derivative is the function with its parameters moved by one (DLMF 13.3.15, 13.3.22,
15.5.1, 16.3.1), on the side of a cut that the function is on. Those by the parameters are not implemented.
"""

from __future__ import annotations

from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent


def absent(name: str) -> NotImplementedTangent:
    """The partial by a parameter."""
    return NotImplementedTangent(f"scipy.special.{name} by its parameters")


scalar_rule(
    special.hyp0f1, absent("hyp0f1"), lambda y, b, z: special.hyp0f1(b + 1.0, z) / b, strong_zero=True
)
scalar_rule(
    special.hyp1f1,
    absent("hyp1f1"),
    absent("hyp1f1"),
    lambda y, a, b, z: a / b * special.hyp1f1(a + 1.0, b + 1.0, z),
    strong_zero=True,
)
scalar_rule(
    special.hyperu,
    absent("hyperu"),
    absent("hyperu"),
    lambda y, a, b, x: -a * special.hyperu(a + 1.0, b + 1.0, x),
    strong_zero=True,
)
scalar_rule(
    special.hyp2f1,
    absent("hyp2f1"),
    absent("hyp2f1"),
    absent("hyp2f1"),
    lambda y, a, b, c, z: a * b / c * special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z),
    strong_zero=True,
)

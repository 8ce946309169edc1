"""What the hyperbolic distributions and the generalised inverse Gauss one are made of: Bessel's K.

[Barndorff-Nielsen 1978; Jørgensen 1982]. K by its order is a rule of `special`; their distribution functions
are integrals of the density.
"""

from __future__ import annotations

import numpy as np
from scipy.special import k1e, kve

from .family import FAMILIES, Family
from .integrated import from_infinity, from_zero
from .normals import HALF_LOG_TAU, LOG_2


def log_hyperbolic(x, p, a, b):
    """log of c r^{p−½} K_{p−½}(a r) e^{b x}, r² = 1 + x², c = δ^p/(√(2π) a^{p−½} K_p(δ)), δ² = a² − b²"""
    root, delta = np.hypot(1.0, x), np.sqrt((a - b) * (a + b))
    scale = p * np.log(delta) - HALF_LOG_TAU - (p - 0.5) * np.log(a) - np.log(kve(p, delta)) + delta
    return scale + (p - 0.5) * np.log(root) + np.log(kve(p - 0.5, a * root)) - a * root + b * x


FAMILIES["genhyperbolic"] = Family(
    log_hyperbolic, from_infinity(log_hyperbolic, lambda p, a, b: b / np.sqrt((a - b) * (a + b)))
)


def log_normal_inverse(x, a, b):
    """log of a/π K₁(a √(1 + x²)) e^{δ + b x}/√(1 + x²), δ² = a² − b²"""
    root = np.hypot(1.0, x)
    scale = np.log(a / np.pi) + np.sqrt((a - b) * (a + b))
    return scale + np.log(k1e(a * root)) - a * root + b * x - np.log(root)


FAMILIES["norminvgauss"] = Family(
    log_normal_inverse, from_infinity(log_normal_inverse, lambda a, b: b / np.sqrt((a - b) * (a + b)))
)


def log_general_inverse(x, p, b):
    """(p − 1) log x − b (x + 1/x)/2 − log 2 K_p(b)"""
    spread = 0.5 * b * np.square(np.sqrt(x) - 1.0 / np.sqrt(x))
    return (p - 1.0) * np.log(x) - spread - LOG_2 - np.log(kve(p, b))


FAMILIES["geninvgauss"] = Family(log_general_inverse, from_zero(log_general_inverse))

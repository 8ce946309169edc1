"""The normal distribution function and its inverse."""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import scalar_rule
from .inverse import inverse_rule

ROOT_2PI = float(np.sqrt(2 * np.pi))


def density(x):
    """φ(x) = e^(−x²/2)/√(2π)"""
    return np.exp(-0.5 * x * x) / ROOT_2PI


scalar_rule(special.ndtr, lambda y, x: density(x))
inverse_rule(special.ndtri, special.ndtr, 0)

"""Integrals of trigonometric functions: sine and cosine integrals, their hyperbolic twins, Fresnel's.

The derivative of each is its integrand (DLMF 6.2.9–16, 7.2.7–8), which is analytic at 0 for Si, Shi, S and C,
and has a pole there for Ci and Chi, where a zero cotangent stays zero.

The modified Fresnel integrals K± are ½ w(e^{iπ/4}x) and ½ w(e^{3iπ/4}x), w Faddeeva's. Left of 0 SciPy's
imaginary part of F± is not the integral's (1.57 off at −1.3): the derivative of F± is refused there, not that
of K±.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, non_differentiable
from ...quiet import divide
from .faddeeva import faddeeva
from .outputs import outputs_rule


def sinc(x):
    """sin x / x, and 1 at 0."""
    at_zero = x == 0
    safe = np.where(at_zero, 1.0, x)
    return np.where(at_zero, 1.0, np.sin(safe) / safe)


def sinhc(x):
    """sinh x / x, and 1 at 0."""
    at_zero = x == 0
    safe = np.where(at_zero, 1.0, x)
    return np.where(at_zero, 1.0, np.sinh(safe) / safe)


outputs_rule(special.sici, [lambda y, x: sinc(x)], [lambda y, x: divide(np.cos(x), x)])
outputs_rule(special.shichi, [lambda y, x: sinhc(x)], [lambda y, x: divide(np.cosh(x), x)])
outputs_rule(
    special.fresnel,
    [lambda y, x: np.sin(np.pi / 2 * x * x)],
    [lambda y, x: np.cos(np.pi / 2 * x * x)],
)

PLUS, MINUS = np.exp(0.25j * np.pi), np.exp(0.75j * np.pi)


def not_left(f, x):
    """Refuse where SciPy's value is not that of the integral."""
    if np.any(np.less(x, 0)):
        raise NotDifferentiableError(
            f"{f}'s first output at a negative number, where SciPy's value is not that of the integral",
            next="take √π e^{±iπ/4} less the integral from −x to ∞",
        )


non_differentiable(not_left, why="checks an argument")


def _plus(x):
    """∂F₊/∂x = −e^{ix²}"""
    not_left("scipy.special.modfresnelp", x)
    return -np.exp(1j * x * x)


def _minus(x):
    """∂F₋/∂x = −e^{−ix²}"""
    not_left("scipy.special.modfresnelm", x)
    return -np.exp(-1j * x * x)


# F± = ∫ e^{±it²} dt from x to ∞, K± = e^{∓i(x² + π/4)} F±/√π        [DLMF 7.7.1]
outputs_rule(
    special.modfresnelp,
    [lambda y, x: _plus(x)],
    [lambda y, x: 0.5 * PLUS * faddeeva(PLUS * x, 1)],
)
outputs_rule(
    special.modfresnelm,
    [lambda y, x: _minus(x)],
    [lambda y, x: 0.5 * MINUS * faddeeva(MINUS * x, 1)],
)

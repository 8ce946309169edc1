"""Student's distribution function, by t and by the degrees of freedom, with its inverses by each.

F(t) = ½ I_x(ν/2, ½) for t < 0, x = ν/(ν + t²), and 1 − F(−t) for t > 0 (DLMF 8.17.1). At t = 0 it is ½
whatever ν.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent
from .beta_by_parameters import beta_by
from .inverse import inverse_rule
from .log_concave import DROP, integral
from .polygammas import psi_difference
from .quietly import quietly

MANY = 100.0


def student_density(v, t):
    """(1 + t²/ν)^{−(ν+1)/2}/(√ν B(½, ν/2))"""
    return np.exp(-0.5 * (v + 1.0) * np.log1p(t * t / v) - 0.5 * np.log(v) - special.betaln(0.5, 0.5 * v))


def _moved(v, t):
    """½ f(x) ∂x/∂ν without the sign of t: t f(t)/(2ν)"""
    return 0.5 * t * student_density(v, t) / v


def student_by_freedom(v: Any, t: Any) -> Any:
    """∂F/∂ν = −sign(t) (¼ ∂I_x/∂a + ½ f ∂x/∂ν); of many degrees, where these cancel, ∫ ∂f/∂ν dt.

    Example: >>> float(student_by_freedom(3.0, 0.0))
             0.0
    """
    return _by_parts(v, t, _few_once, lambda d, _: d)


def twice_by_freedom(v: Any, t: Any) -> Any:
    """∂²F/∂ν²: every part differentiated once more.

    Example: >>> float(twice_by_freedom(3.0, 0.0))
             0.0
    """
    return _by_parts(v, t, _few_twice, lambda d, more: d * d + more)


def _by_parts(v: Any, t: Any, few: Any, factor: Any) -> Any:
    v, t = np.broadcast_arrays(np.asarray(v, dtype=float), np.asarray(t, dtype=float))
    shape, v, t = v.shape, v.ravel(), t.ravel()
    out, many = np.zeros(v.shape), v > MANY
    rest = ~many & (t != 0)
    with np.errstate(all="ignore"):
        out[rest] = few(v[rest], t[rest])
        out[many] = _many(v[many], t[many], factor)
    return np.where(np.isnan(v + t) | (v <= 0), np.nan, out).reshape(shape)[()]


def _few_once(v: Any, t: Any) -> Any:
    total = v + t * t
    by_a = beta_by(0.5 * v, 0.5, v / total, t * t / total, 1, 0)
    return -np.sign(t) * 0.25 * by_a - _moved(v, t)


def _few_twice(v: Any, t: Any) -> Any:
    """By a, and of what came through x; ∂I_a through x is t f/ν (log x + ψ(a+½) − ψ(a)), without the sign"""
    total, moved = v + t * t, _moved(v, t)
    x, a = v / total, 0.5 * v
    inner = -np.sign(t) * 0.125 * beta_by(a, 0.5, x, t * t / total, 2, 0)
    through_x = -0.5 * moved * (np.log(x) + psi_difference(a, 0.5))
    return inner + through_x - moved * (log_density_by_freedom(v, t) - 1.0 / v)


def _many(v: Any, t: Any, factor: Any) -> Any:
    """∫ of f times the factor, from 0 to |t| < 3/2, or from |t| until f has fallen by e⁻⁴²."""
    size = np.abs(t)
    inner = size < 1.5
    end = np.sqrt(v * np.expm1(np.log1p(size * size / v) + 2 * DROP / (v + 1.0)))
    start, width = np.where(inner, 0.0, size), np.where(inner, size, end - size)

    def integrand(r: Any, v: Any, start: Any, width: Any) -> Any:
        s = start + width * r
        d = log_density_by_freedom(v, s)
        return student_density(v, s) * factor(d, _again(v, s))

    total = width * integral(integrand, np.ones_like(v), v, start, width)
    return np.sign(t) * np.where(inner, total, -total)


def log_density_by_freedom(v: Any, t: Any) -> Any:
    """∂ log f(t)/∂ν = ½ (ψ(ν/2+½) − ψ(ν/2) − 1/ν + u/(1+u) − log(1+u) + u/(ν(1+u))), u = t²/ν

    Example: >>> round(float(log_density_by_freedom(1.0, 1.0)), 9)
             0.34657359
    """
    v, t = np.asarray(v, dtype=float), np.asarray(t, dtype=float)
    u, many = t * t / v, v > MANY
    r = 1.0 / np.where(many, v * v, MANY * MANY)
    series = r * np.polynomial.polynomial.polyval(r, (1 / 2, -1 / 4, 1 / 2, -17 / 8))
    constant = np.where(many, series, psi_difference(0.5 * np.where(many, 1.0, v), 0.5) - 1.0 / v)
    return 0.5 * (constant + _log_excess(u) + u / (v * (1.0 + u)))


def _log_excess(u: Any) -> Any:
    """u/(1+u) − log(1+u), by its series Σ (1/k − 1)(−u)ᵏ where u is small"""
    small = u < 0.2
    w = np.where(small, u, 0.0)
    k = np.arange(2, 28)
    series = w * w * np.polynomial.polynomial.polyval(-w, 1.0 / k - 1.0)
    return np.where(small, series, u / (1.0 + u) - np.log1p(u))


def _again(v: Any, t: Any) -> Any:
    """∂² log f/∂ν² of many degrees"""
    total = v + t * t
    constant = -1.0 / v**3 + 1.0 / v**5 - 3.0 / v**7
    through_u = (t * t / total) ** 2 / v - t * t * (2 * v + t * t) / (v * total) ** 2
    return 0.5 * (constant + through_u)


scalar_rule(
    log_density_by_freedom,
    NotImplementedTangent("the third derivative by the degrees of freedom"),
    lambda d, v, t: t * (1.0 - t * t) / (v + t * t) ** 2,
)
scalar_rule(
    student_by_freedom,
    lambda y, v, t: twice_by_freedom(v, t),
    lambda y, v, t: student_density(v, t) * log_density_by_freedom(v, t),
)
scalar_rule(
    twice_by_freedom,
    NotImplementedTangent("the third derivative by the degrees of freedom"),
    NotImplementedTangent("the third derivative by the degrees of freedom"),
)
scalar_rule(
    special.stdtr,
    lambda y, v, t: student_by_freedom(v, t),
    quietly(lambda y, v, t: student_density(v, t)),
    strong_zero=True,
)
inverse_rule(special.stdtridf, special.stdtr, 0)
inverse_rule(special.stdtrit, special.stdtr, 1)

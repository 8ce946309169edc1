"""Exponentials, logarithms and hyperbolic functions, real and complex, NumPy's and `math`'s.

At a zero argument a logarithm has an infinite derivative, which a zero cotangent does not meet. Outside the
domain, where the value is NaN, so is the derivative, though 1/x would go on. In
`logaddexp(a, b)` an argument equal to the value takes the cotangent whole; hence both do at −∞.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core import non_differentiable, scalar_rule
from ...core.templates import Template
from ...core.types import is_foreign
from ..quiet import divide

LN2 = math.log(2.0)
LN10 = math.log(10.0)


def lost(y: Any) -> Any:
    """Where a function has no value; None where it has one everywhere."""
    missing = y != y
    if is_foreign(y):
        return missing
    return missing if (missing.any() if isinstance(missing, np.ndarray) else missing) else None


non_differentiable(lost, why="returns truth values")


def inside(y: Any, partial: Any) -> Any:
    """The partial where a function y has a value, and NaN where it has none."""
    missing = lost(y)
    return partial if missing is None else partial * np.where(missing, y, 1)


def hypotenuse(m: Any, x: Any) -> Any:
    """√(1+x²), also where x² overflows; of a complex x on the side of a cut that arsinh is on."""
    return m.sqrt(x * x - -1.0) if np.iscomplexobj(x) else m.hypot(x, 1.0)


def _exponential(m: Any) -> None:
    """The rules of the functions that NumPy and `math` both have, written in functions of m."""
    scalar_rule(m.exp, lambda y, x: y)
    scalar_rule(m.exp2, lambda y, x: LN2 * y)
    scalar_rule(m.expm1, lambda y, x: m.exp(x))  # y + 1 would cancel where x is far below zero
    scalar_rule(
        m.log,
        lambda y, x: inside(y, divide(1.0, x)),
        strong_zero=True,
        templates=(Template("{y_bar} / {0}", "{0} > 0.0", numbers=True),),
    )
    scalar_rule(m.log2, lambda y, x: inside(y, divide(1 / LN2, x)), strong_zero=True)
    scalar_rule(m.log10, lambda y, x: inside(y, divide(1 / LN10, x)), strong_zero=True)
    scalar_rule(m.log1p, lambda y, x: inside(y, divide(1.0, 1.0 + x)), strong_zero=True)
    scalar_rule(m.sinh, lambda y, x: m.cosh(x))
    scalar_rule(m.cosh, lambda y, x: m.sinh(x))
    scalar_rule(m.tanh, lambda y, x: 1 - y * y)
    scalar_rule(m.asinh, lambda y, x: 1 / hypotenuse(m, x))
    scalar_rule(m.acosh, lambda y, x: divide(1.0, m.sqrt(x - 1.0) * m.sqrt(x - -1.0)), strong_zero=True)
    scalar_rule(m.atanh, lambda y, x: inside(y, divide(1.0, (1.0 - x) * (1.0 + x))), strong_zero=True)


_exponential(np)
_exponential(math)


def _log_share(y: Any, a: Any) -> Any:
    """log(e^a / e^y), and 0 where they are equal, infinite values included."""
    equal = a == y
    return np.where(equal, 0.0, a) - np.where(equal, 0.0, y)


def _share(y: Any, a: Any) -> Any:
    """e^a / e^y, and 1 where they are equal, infinite values included."""
    if type(y) is np.float64 and type(a) in (float, np.float64):
        return 1.0 if a == y else math.exp(a - y)
    return np.exp(_log_share(y, a))


scalar_rule(np.logaddexp, lambda y, a, b: _share(y, a), lambda y, a, b: _share(y, b))
scalar_rule(
    np.logaddexp2, lambda y, a, b: np.exp2(_log_share(y, a)), lambda y, a, b: np.exp2(_log_share(y, b))
)

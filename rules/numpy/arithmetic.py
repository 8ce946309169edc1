"""The arithmetic of numbers and arrays, for NumPy's functions and Python's operators alike.

`abs` and its kin have derivative zero at zero. `sqrt`, `cbrt` and powers between 0 and 1 have an
infinite derivative at zero, which a zero cotangent does not meet: 0 · ∞ is 0 here. Powers at a
zero base follow `power_by_base` and `power_by_exponent`. `hypot` is 0 at the origin.

The in-place operators stand here for immutable numbers; python/operators.py takes arrays away
from them. Rounding and remainders are in rounding.py, `where` and `maximum` in selecting.py.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ...core import scalar_rule
from ...core.templates import Template
from ...tangents.spans import in_seconds
from ..quiet import divide, power_by_base, power_by_exponent, power_text, ratio


def _direction(y: Any, x: Any) -> Any:
    """The partial of |x|: the sign of a real x, x̄/|x| of a complex one, 0 at zero."""
    return np.conj(np.sign(x)) if np.iscomplexobj(x) else np.sign(in_seconds(x))


f: Any  # ufuncs and builtins
for f in (np.add, operator.add, operator.iadd):
    scalar_rule(f, 1, 1)

for f in (np.subtract, operator.sub, operator.isub):
    scalar_rule(f, 1, -1)

for f in (np.multiply, operator.mul, operator.imul):
    scalar_rule(f, lambda y, a, b: b, lambda y, a, b: a)

for f in (np.divide, operator.truediv, operator.itruediv):
    scalar_rule(
        f,
        lambda y, a, b: divide(1, b),
        lambda y, a, b: divide(-y, b),
        strong_zero=True,
        templates=(
            Template("{y_bar} / {1}", "{1} * {1} > 0.0"),
            Template("-({y_bar} / {1} * {y})", "{1} * {1} > 0.0"),
        ),
    )


def _fixed_power(literals: list[Any], arrays: bool) -> str | None:
    """The template of a power of at least one that is written out."""
    p = literals[1]
    if type(p) not in (int, float) or p < 1:
        return None
    return (
        "{y_bar} * (2.0 * {0})"
        if p == 2
        else f"{{y_bar}} * ({float(p)!r} * {power_text('{0}', p - 1, arrays)})"
    )


for f in (np.power, operator.pow, operator.ipow, pow, math.pow):
    scalar_rule(
        f, power_by_base, power_by_exponent, strong_zero=True, templates=(Template(made=_fixed_power), None)
    )

scalar_rule(np.float_power, lambda y, x, p: power_by_base(y, x * 1.0, p), power_by_exponent, strong_zero=True)

for f in (np.negative, operator.neg):
    scalar_rule(f, -1)

for f in (np.positive, operator.pos):
    scalar_rule(f, 1)

for f in (np.absolute, operator.abs, abs, np.fabs, math.fabs):
    scalar_rule(f, _direction)

for f in (np.sqrt, math.sqrt):
    scalar_rule(
        f,
        lambda y, x: divide(0.5, y),
        strong_zero=True,
        templates=(Template("{y_bar} * 0.5 / {y}", "{y} > 0.0"),),
    )

for f in (np.cbrt, math.cbrt):
    scalar_rule(f, lambda y, x: divide(1.0, 3 * y * y), strong_zero=True)

for f in (np.copysign, math.copysign):
    scalar_rule(f, lambda y, a, b: np.sign(a) * np.copysign(1.0, b), 0)

scalar_rule(np.square, lambda y, x: 2.0 * x)
scalar_rule(np.reciprocal, lambda y, x: -1.0 * y * y, strong_zero=True)
scalar_rule(np.hypot, lambda y, a, b: ratio(a, y), lambda y, a, b: ratio(b, y))

"""Exponentials and logarithms near zero, and in other bases: expm1, exp2, exp10, log1p, cbrt.

`log1p` has an infinite derivative at −1, which a zero cotangent does not meet; so has `cbrt` at 0.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import scalar_rule
from ...numpy.exponential import LN2, LN10
from ...quiet import divide

scalar_rule(special.expm1, lambda y, x: np.exp(x))  # y + 1 would cancel
scalar_rule(special.exp2, lambda y, x: LN2 * y)
scalar_rule(special.exp10, lambda y, x: LN10 * y)
scalar_rule(special.log1p, lambda y, x: divide(1.0, 1.0 + x), strong_zero=True)
scalar_rule(special.cbrt, lambda y, x: divide(1.0, 3.0 * y * y), strong_zero=True)

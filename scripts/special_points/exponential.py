"""Where exponentials and logarithms near zero, and in other bases, are held to mpmath."""

from __future__ import annotations

import mpmath as mp

from . import Row, both_signs, in_plane, log_uniform, points

X = both_signs(log_uniform(1e-12, 200, 20))
Z = in_plane(log_uniform(1e-8, 20, 20))
ROWS = [
    Row("expm1", mp.expm1, points(X)),
    Row("expm1", mp.expm1, points(Z)),
    Row("exp2", lambda x: mp.power(2, x), points(X)),
    Row("exp10", lambda x: mp.power(10, x), points(X)),
    Row("log1p", mp.log1p, points([x for x in X if x > -1])),
    Row("log1p", mp.log1p, points(Z)),
    Row("cbrt", lambda x: mp.sign(x) * mp.cbrt(abs(x)), points(X)),
]

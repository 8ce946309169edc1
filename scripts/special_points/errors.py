"""Where error functions and exponential integrals are held to mpmath."""

from __future__ import annotations

from typing import Any

import mpmath as mp

from . import Row, both_signs, in_plane, log_uniform, points, uniform

X = both_signs(log_uniform(1e-8, 12, 40))
FAR = both_signs(log_uniform(1e-3, 1e7, 40))
Z = in_plane(log_uniform(1e-4, 12, 60))
WIDE = log_uniform(1e-2, 30, 80)
P = log_uniform(1e-60, 0.5, 40)
BEYOND = [1 + v for v in log_uniform(1e-12, 100, 40)]
PLUS = log_uniform(1e-8, 500, 60)


def faddeeva(z: Any) -> Any:
    """w(z)"""
    return mp.exp(-z * z) * mp.erfc(-1j * z)


def dawson(z: Any) -> Any:
    """D(z)"""
    return mp.sqrt(mp.pi) / 2 * mp.exp(-z * z) * mp.erfi(z)


def voigt(x: Any, s: Any, g: Any) -> Any:
    """V(x; σ, γ)"""
    return mp.re(faddeeva(mp.mpc(x, g) / (s * mp.sqrt(2)))) / (s * mp.sqrt(2 * mp.pi))


ROWS = [
    Row("erf", mp.erf, points(X)),
    Row("erf", mp.erf, points(Z)),
    Row("erfc", mp.erfc, points(X)),
    Row("erfi", mp.erfi, points(X)),
    Row("erfi", mp.erfi, points(Z)),
    Row("erfcx", lambda x: mp.exp(x * x) * mp.erfc(x), points([x for x in FAR if -25 < x < 1e3])),
    Row("erfcx", lambda x: mp.exp(x * x) * mp.erfc(x), points(Z)),
    Row("dawsn", dawson, points([x for x in FAR if abs(x) < 1e3])),
    Row("dawsn", dawson, points(Z)),
    Row("wofz", faddeeva, points(Z)),
    Row("erfinv", mp.erfinv, points(uniform(-1, 1, 40))),
    Row("ndtr", mp.ncdf, points(X)),
    Row("log_ndtr", lambda x: mp.log(mp.ncdf(x)), points([*X, -25.0, -38.0, -60.0])),
    Row("ndtri", lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), points(P)),
    Row("voigt_profile", voigt, points(X, WIDE, WIDE[::-1]), (0, 1, 2)),
    Row("exp1", mp.e1, points(PLUS)),
    Row("exp1", mp.e1, points(Z)),
    Row("expi", mp.ei, points([*PLUS, *(-v for v in PLUS)])),
    Row("spence", lambda z: mp.polylog(2, 1 - z), points(uniform(0.001, 0.999, 40))),
    Row("spence", lambda z: mp.re(mp.polylog(2, 1 - z)), points(BEYOND)),
    *(
        Row("expn", lambda n, x: mp.expint(n, x), points([n] * 20, log_uniform(1e-3, 100, 20, seed=n)), (1,))
        for n in (0, 1, 2, 7, 60)
    ),
]  # fmt: skip

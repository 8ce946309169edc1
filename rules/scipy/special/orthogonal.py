"""Orthogonal polynomials of Chebyshev, Legendre, Gegenbauer and Hermite, by all that they depend on.

By the argument each is the next polynomial of one degree less (DLMF 18.9.15–28), so that nothing is
divided by 1 − x². By the degree, which may be any real number: ∂T/∂n = −θ sin nθ, ∂U/∂n = θ cos (n+1)θ /
sin θ, θ = arccos x; the others by gegenbauer.py. Left of −1 functions of a real degree have no real
value, and NaN for a derivative by it. Hermite's take whole degrees only. Not here: those of Laguerre and
Jacobi (jacobi.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule, unbroadcast
from ....core.ufuncs import takes_keywords
from ....tangents import NO_TANGENT, ZERO, is_zero
from ...quiet import divide
from .gegenbauer import gegenbauer_by

MANY = 1e6


def as_whole(n: Any) -> Any:
    """The degree as integers where all are: SciPy's polynomials go by recurrences then, which do not fail."""
    found = np.asarray(n)
    if found.dtype.kind != "f" or not np.all((found == np.rint(found)) & (np.abs(found) < MANY)):
        return n
    return found.astype(np.int64)[()]


scalar_rule(as_whole, 1.0)


def chebyu_slope(n: Any, x: Any) -> Any:
    """U_n′ = 2 C_{n−1}^{(2)}, and U_n = −U_{−n−2}        [DLMF 18.9.19 with λ = 1]"""
    upper, sign = np.where(n < -1, -2 - n, n), np.where(n < -1, -2.0, 2.0)
    return sign * special.eval_gegenbauer(as_whole(upper - 1), 2.0, x)


def legendre_slope(n: Any, x: Any) -> Any:
    """P_n′ = C_{n−1}^{(3/2)}, and P_n = P_{−n−1}        [DLMF 18.9.19 with λ = ½]"""
    return special.eval_gegenbauer(as_whole(np.where(n < -0.5, -1 - n, n) - 1), 1.5, x)


def angle_over_sine(x: Any) -> Any:
    """θ / sin θ = R_C(c², 1) / c        c² = (1 + x)/2, c = cos θ/2        [DLMF 19.6.9]"""
    c2 = (1.0 + x) / 2
    c2 = np.where((np.real(c2) < 0) & (np.imag(c2) == 0) & np.isrealobj(c2), np.nan, c2)
    return divide(special.elliprc(c2, 1.0), np.sqrt(c2))


def chebyt_by_degree(n: Any, x: Any) -> Any:
    """∂T_n/∂n = −θ sin nθ"""
    if np.iscomplexobj(x):
        theta = np.arccos(x)
        return -theta * np.sin(n * theta)
    beyond = np.arccosh(np.where(x > 1, x, 1.0))
    theta = np.arccos(np.where(np.abs(x) <= 1, x, np.where(x > 1, 1.0, np.nan)))
    return np.where(x > 1, beyond * np.sinh(n * beyond), -theta * np.sin(n * theta))


scalar_rule(
    chebyt_by_degree,
    lambda y, n, x: -((1.0 - x) * (1.0 + x)) * angle_over_sine(x) ** 2 * special.eval_chebyt(n, x),
    lambda y, n, x: special.eval_chebyu(n - 1, x) + n * angle_over_sine(x) * special.eval_chebyt(n, x),
    strong_zero=True,
)


def chebyu_by_degree(n: Any, x: Any) -> Any:
    """∂U_n/∂n = θ cos((n+1)θ) / sin θ"""
    return angle_over_sine(x) * special.eval_chebyt(n + 1, x)


scalar_rule(
    special.eval_chebyt,
    lambda y, n, x: chebyt_by_degree(n, x),
    lambda y, n, x: n * special.eval_chebyu(n - 1, x),
    strong_zero=True,
)
scalar_rule(
    special.eval_chebyu,
    lambda y, n, x: chebyu_by_degree(n, x),
    lambda y, n, x: chebyu_slope(n, x),
    strong_zero=True,
)
scalar_rule(  # C_n(x) = 2 T_n(x/2)
    special.eval_chebyc,
    lambda y, n, x: 2 * chebyt_by_degree(n, x / 2),
    lambda y, n, x: n * special.eval_chebyu(n - 1, x / 2),
    strong_zero=True,
)
scalar_rule(  # S_n(x) = U_n(x/2)
    special.eval_chebys,
    lambda y, n, x: chebyu_by_degree(n, x / 2),
    lambda y, n, x: chebyu_slope(n, x / 2) / 2,
    strong_zero=True,
)
scalar_rule(  # T*_n(x) = T_n(2x − 1)
    special.eval_sh_chebyt,
    lambda y, n, x: chebyt_by_degree(n, 2 * x - 1),
    lambda y, n, x: 2 * n * special.eval_chebyu(n - 1, 2 * x - 1),
    strong_zero=True,
)
scalar_rule(  # U*_n(x) = U_n(2x − 1)
    special.eval_sh_chebyu,
    lambda y, n, x: chebyu_by_degree(n, 2 * x - 1),
    lambda y, n, x: 2 * chebyu_slope(n, 2 * x - 1),
    strong_zero=True,
)
scalar_rule(
    special.eval_legendre,
    lambda y, n, x: gegenbauer_by(n, 0.5, x, i=1),
    lambda y, n, x: legendre_slope(n, x),
    strong_zero=True,
)
scalar_rule(  # P*_n(x) = P_n(2x − 1)
    special.eval_sh_legendre,
    lambda y, n, x: gegenbauer_by(n, 0.5, 2 * x - 1, i=1),
    lambda y, n, x: 2 * legendre_slope(n, 2 * x - 1),
    strong_zero=True,
)
scalar_rule(  # DLMF 18.9.19
    special.eval_gegenbauer,
    lambda y, n, lam, x: gegenbauer_by(n, lam, x, i=1),
    lambda y, n, lam, x: gegenbauer_by(n, lam, x, j=1),
    lambda y, n, lam, x: 2 * lam * special.eval_gegenbauer(as_whole(n - 1), lam + 1, x),
    strong_zero=True,
)


def _of_whole_degree(f: np.ufunc, factor: Any) -> None:
    """f_n′ = factor n f_{n−1}, of Hermite's polynomials; the degree is an integer [DLMF 18.9.25–28]"""

    def slope(n: Any, x: Any) -> Any:
        return np.where(n == 0, 0.0, factor * n * f(np.where(n == 0, 1, n) - 1, x))

    def hermite_frule(tangents: Any, n: Any, x: Any) -> Any:
        y = f(n, x)
        if is_zero(tangents[1]):
            return y, ZERO
        return y, np.broadcast_to(slope(n, x) * tangents[1], np.shape(y))

    def hermite_rrule(n: Any, x: Any) -> Any:
        def hermite_pullback(y_bar: Any) -> Any:
            return NO_TANGENT, unbroadcast(slope(n, x) * y_bar, np.shape(x))

        return f(n, x), hermite_pullback

    takes_keywords(f, hermite_frule, hermite_rrule, _here)


def _here(rule: Any) -> None:
    rule.__module__ = __name__


_of_whole_degree(special.eval_hermite, 2.0)
_of_whole_degree(special.eval_hermitenorm, 1.0)

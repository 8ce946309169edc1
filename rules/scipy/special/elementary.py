"""Products with logarithms, entropies, losses; the transformations of Box and Cox, Tukey and Lambert.

Where x is 0, x log y does not depend on y, not even at y = 0. Where a relative entropy or an entropy is
infinite all around, it has no derivative, and NaN says so; at (0, 0) that of `rel_entr` by x is +∞. `huber`
by delta and by r joins its two branches smoothly. `lambertw` and `wrightomega` have infinite slopes at
their branch points.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import Array, frule, rrule, scalar_rule
from ....core.broadcasting import fit
from ....core.pushing import strong_multiply
from ...quiet import divide, log, power, power_by_base, power_by_exponent, ratio
from .exponential_moments import moment
from .inverse import inverse_rule
from .quietly import quietly

DEGREE = float(np.pi / 180)

scalar_rule(special.xlogy, quietly(lambda y, a, b: log(b)), lambda y, a, b: _share(a, b), strong_zero=True)
scalar_rule(
    special.xlog1py,
    quietly(lambda y, a, b: special.log1p(b)),
    lambda y, a, b: _share(a, 1.0 + b),
    strong_zero=True,
)


def _share(a, b):
    """a / b, and 0 where both are zero."""
    none = (a == 0) & (b == 0)
    return np.where(none, 0.0, divide(a, np.where(none, 1.0, b)))


def _log_ratio(x, y):
    """log(x / y), also where the two are nearly equal; +∞ where both are 0."""
    near = np.abs(x - y) < 0.5 * np.abs(y)
    far = np.where((x == 0) & (y == 0), np.inf, np.log(np.where(near, 1.0, divide(x, y))))
    return np.where(near, np.log1p(np.where(near, divide(x - y, y), 0.0)), far)


scalar_rule(special.entr, quietly(lambda y, x: -log(x) - 1.0), strong_zero=True)
scalar_rule(
    special.rel_entr,
    quietly(lambda y, a, b: _log_ratio(a, b) + 1.0 + 0.0 * y),
    quietly(lambda y, a, b: -_share(a, b) + 0.0 * y),
    strong_zero=True,
)
scalar_rule(
    special.kl_div,
    quietly(lambda y, a, b: _log_ratio(a, b) + 0.0 * y),
    quietly(lambda y, a, b: 1.0 - _share(a, b) + 0.0 * y),
    strong_zero=True,
)


def boxcox_by_lambda(t, y, p):
    """∂/∂λ of (e^{λt} − 1)/λ = t² ∫₀¹ s e^{sλt} ds, t = log x; at x = 0 it is 1/λ²."""
    end = np.isneginf(t) & (p > 0)
    finite = np.where(end, 0.0, t)
    return np.where(end, divide(1.0, np.where(end, p * p, 1.0)), finite * finite * moment(p * finite, 1))


def _log_from(end, x, logarithm):
    """The logarithm of x, or of 1 + x; at the end of its domain −∞, which does not vary."""
    return np.where(x == end, -np.inf, logarithm(np.where(x == end, 0.5, x)))


def _power_of_sum(x, p):
    """(1 + x)ᵖ"""
    end = x == -1
    return np.where(end, power(1.0 + x, p), np.exp(p * special.log1p(np.where(end, 0.0, x))))


scalar_rule(
    special.boxcox,
    quietly(lambda y, x, p: power(np.where(x < 0, np.nan, x), p - 1.0)),
    quietly(lambda y, x, p: boxcox_by_lambda(_log_from(0.0, x, log), y, p)),
    strong_zero=True,
)
scalar_rule(
    special.boxcox1p,
    quietly(lambda y, x, p: _power_of_sum(x, p - 1.0)),
    quietly(lambda y, x, p: boxcox_by_lambda(_log_from(-1.0, x, special.log1p), y, p)),
    strong_zero=True,
)
inverse_rule(special.inv_boxcox, special.boxcox, 0)
inverse_rule(special.inv_boxcox1p, special.boxcox1p, 0)

scalar_rule(
    special.huber,
    lambda y, d, r: np.where(d < 0, np.nan, np.maximum(np.abs(r) - d, 0.0)),
    lambda y, d, r: np.where(d < 0, np.nan, np.clip(r, -np.abs(d), np.abs(d))),
)


def _steepness(d, r):
    """√(1 + (r/δ)²)"""
    return np.hypot(1.0, ratio(r, d))


scalar_rule(
    special.pseudo_huber,
    lambda y, d, r: _pseudo_huber_by_delta(d, r),
    lambda y, d, r: np.where(d < 0, np.nan, np.where(d == 0, 0.0, r / _steepness(d, r))),
)


def _pseudo_huber_by_delta(d, r):
    """δ (s − 1)² / s with s − 1 = q² / (1 + s), q = r/δ; |r| at δ = 0, and 0 where r is, too."""
    s, q = _steepness(d, r), ratio(r, d)
    excess = q * (q / (1.0 + s))
    return np.where(d < 0, np.nan, np.where(d == 0, np.abs(r), d * excess * excess / s))


scalar_rule(special.exprel, lambda y, x: moment(x, 1))
scalar_rule(special.cosm1, lambda y, x: -np.sin(x))
scalar_rule(
    special.powm1,
    quietly(lambda y, x, p: power_by_base(y, x, p)),
    quietly(lambda y, x, p: power_by_exponent(y + 1.0, x, p)),
    strong_zero=True,
)
scalar_rule(special.sindg, lambda y, x: DEGREE * special.cosdg(x))
scalar_rule(special.cosdg, lambda y, x: -DEGREE * special.sindg(x))
scalar_rule(special.tandg, lambda y, x: DEGREE * (1.0 + y * y))
scalar_rule(special.cotdg, lambda y, x: -DEGREE * (1.0 + y * y))
scalar_rule(special.radian, DEGREE, DEGREE / 60, DEGREE / 3600)


def _agm_by_first(y, a, b):
    """∂M/∂a = (2/π)(|a|/3) M² R_D(0, b², a²), of M = π / (2 R_F(0, a², b²)) (DLMF 19.8.5, 19.18.1)"""
    none = (a == 0) | (b == 0) | np.isnan(y)
    x, z = np.where(none, 1.0, b), np.where(none, 1.0, a)
    slope = (2 / (3 * np.pi)) * np.abs(z) * y * y * special.elliprd(0.0, x * x, z * z)
    return np.where(none, np.where(a == 0, np.where(b == 0, np.nan, np.inf), 0.0 * y), slope)


scalar_rule(
    special.agm,
    lambda y, a, b: _agm_by_first(y, a, b),
    lambda y, a, b: _agm_by_first(y, b, a),
    strong_zero=True,
)


def _tukey_slope(y, p):
    """1 / Q'(F) = 1 / (F^{λ−1} + (1 − F)^{λ−1})"""
    return divide(1.0, power(y, p - 1.0) + power(1.0 - y, p - 1.0))


def _tukey_by_lambda(y, x, p):
    """−Q_λ(F) / Q'(F), Q(F) = (F^λ − (1 − F)^λ)/λ"""
    inside = (y > 0) & (y < 1)
    f = np.where(inside, y, 0.5)
    by_lambda = boxcox_by_lambda(np.log(f), f, p) - boxcox_by_lambda(np.log1p(-f), f, p)
    return np.where(inside, -by_lambda * _tukey_slope(f, p), 0.0 * y)


scalar_rule(
    special.tklmbda,
    quietly(lambda y, x, p: np.where((y > 0) & (y < 1), _tukey_slope(np.where(y < 1, y, 0.5), p), 0.0 * y)),
    quietly(_tukey_by_lambda),
)
scalar_rule(special.wrightomega, quietly(lambda y, z: divide(y, 1.0 + y)), strong_zero=True)


@frule(special.lambertw)
def lambertw_frule(tangents, z: Array, *, k=0, tol=1e-8):
    """w e^w = z        ẇ = e^{−w}/(1 + w) ż (DLMF 4.13.4)"""
    w = special.lambertw(z, k=k, tol=tol)
    return w, strong_multiply(tangents[0], divide(np.exp(-w), 1.0 + w))


@rrule(special.lambertw)
def lambertw_rrule(z: Array, *, k=0, tol=1e-8):
    """w e^w = z        z̄ = conj(e^{−w}/(1 + w)) w̄"""
    w = special.lambertw(z, k=k, tol=tol)

    def lambertw_pullback(w_bar):
        return fit(strong_multiply(w_bar, np.conj(divide(np.exp(-w), 1.0 + w))), z)

    return w, lambertw_pullback

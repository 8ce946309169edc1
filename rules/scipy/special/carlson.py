"""Carlson's symmetric elliptic integrals, elliprf, rd, rj, rg and rc, and all their derivatives.

Each is a multiple of I(k; b; z) = ∫₀^∞ tᵏ ∏ (t + zⱼ)^(−bⱼ) dt (DLMF 19.16), whose partial by zⱼ is −bⱼ I
with bⱼ + 1 in place of bⱼ. So no order cancels where arguments coincide. First derivatives are SciPy's
own integrals where there is one. The integral itself is the trapezoidal rule in log t, along the ray that
halves the angle between the arguments; it converges exponentially. The slopes of R_D at real arguments go
by doubling (`rd_slopes`), which is faster. Where two arguments stand on the two sides of the negative axis
no ray avoids both, and the point is refused. An argument zero has the one-sided slope, which is infinite.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....core import Array, NotDifferentiableError, frule, non_differentiable, rrule, scalar_rule, unbroadcast
from ....tangents import ZERO, is_zero
from ...quiet import divide
from .rd_slopes import rd_slope

Powers = tuple[float, float, float, float]
DIGITS = 40.0  # of e: what is left out is smaller than e^−40
STEP = 0.45  # in log t, for arguments on the ray: the error is e^(−2π²/step)
WIDEST = 0.9 * math.pi
_RD_SLOPES = {  # powers: the argument of R_D by which it is a slope, and the power that it had
    (1.5, 0.5, 1.5, 0.0): (0, 0.5),
    (0.5, 1.5, 1.5, 0.0): (1, 0.5),
    (0.5, 0.5, 2.5, 0.0): (2, 1.5),
}


def carlson_values(k: int, b: Powers, z: tuple[Any, ...]) -> Any:
    """I(k; b; z) by the trapezoidal rule in log t; infinite where an argument zero makes it diverge."""
    z = np.broadcast_arrays(*z)
    shape, kind = z[0].shape, np.result_type(*z, 1.0)
    rows = [np.ravel(v).astype(kind) for v in z]
    found = np.full(rows[0].size, np.nan, kind)
    sizes = np.abs(np.stack(rows))
    usual = np.all(np.isfinite(sizes), axis=0)
    empty = np.sum(np.where(sizes == 0, np.array(b)[:, None], 0.0), axis=0)  # the power of t at the origin
    found[usual & (empty >= k + 1)] = np.inf
    found[np.any(np.isinf(sizes), axis=0) & ~np.any(np.isnan(sizes), axis=0)] = 0.0
    finite = usual & (empty < k + 1)
    if not np.issubdtype(kind, np.complexfloating) and k == 0 and b in _RD_SLOPES:
        doubled = finite & np.all(np.stack(rows) >= 0, axis=0)
        found[doubled] = _by_doubling(b, [v[doubled] for v in rows])
        finite &= ~(doubled & np.isfinite(found))
    for i in np.flatnonzero(finite):
        found[i] = _one(k, b, [v[i] for v in rows], sizes[:, i], float(empty[i]))
    return found.reshape(shape)[()]


def _by_doubling(b: Powers, z: list[Any]) -> Any:
    """What is a slope of R_D, −(3/2) bᵢ I(0; b + eᵢ), from that slope."""
    i, power = _RD_SLOPES[b]
    with np.errstate(all="ignore"):
        return -rd_slope(i, *z[:3]) / (1.5 * power)


def _one(k: int, b: Powers, z: list[Any], sizes: Any, empty: float) -> Any:
    """The integral at one point."""
    angles = [float(np.angle(v)) for v, size in zip(z, sizes, strict=True) if size]
    turn, spread = (max(angles) + min(angles)) / 2, (max(angles) - min(angles)) / 2
    if spread > WIDEST:
        raise NotDifferentiableError(
            "Carlson's integral with arguments on both sides of the negative axis has no derivative here",
            next="move the arguments away from the axis, or to one side of it",
        )
    logs = np.log(sizes[sizes > 0])
    step = STEP * (1 - spread / math.pi)
    low = logs.min() - DIGITS / (k + 1 - empty)
    high = logs.max() + DIGITS / (sum(b) - k - 1)
    t = np.exp(np.arange(low, high + step, step))
    ray = complex(math.cos(turn), math.sin(turn)) if turn else 1.0
    total = step * (ray * t) * (ray * t) ** k
    for power, v in zip(b, z, strict=True):
        total = total * (t + v / ray) ** -power * ray**-power
    return np.sum(total)


non_differentiable(carlson_values, why="has no part in the derivative")


def carlson(x: Any, y: Any, z: Any, p: Any, *, k: int, b: Powers) -> Any:
    """I(k; b; x, y, z, p) = ∫₀^∞ tᵏ (t + x)^(−b₁) … (t + p)^(−b₄) dt, for k + 1 < Σ b."""
    return carlson_values(k, b, (x, y, z, p))


def _raised(b: Powers, i: int) -> Powers:
    """The powers with one more of the i-th."""
    return b[0] + (i == 0), b[1] + (i == 1), b[2] + (i == 2), b[3] + (i == 3)


non_differentiable(_raised, why="computes with exponents")


def _slope(i: int, x: Any, y: Any, z: Any, p: Any, k: int, b: Powers) -> Any:
    """−bᵢ I(k; b + eᵢ)"""
    return -b[i] * carlson(x, y, z, p, k=k, b=_raised(b, i))


@frule(carlson)
def carlson_frule(tangents, x: Array, y: Array, z: Array, p: Array, *, k, b):
    """İ = −Σ bᵢ I(k; b + eᵢ) żᵢ"""
    value = carlson(x, y, z, p, k=k, b=b)
    total = np.zeros(np.shape(value))
    for i in range(4):
        if not is_zero(tangents[i]):
            total = total + _slope(i, x, y, z, p, k, b) * tangents[i]
    return value, total


@rrule(carlson)
def carlson_rrule(x: Array, y: Array, z: Array, p: Array, *, k, b, needs):
    """z̄ᵢ = −bᵢ conj(I(k; b + eᵢ)) Ī"""

    def carlson_pullback(y_bar):
        found: tuple[Any, ...] = ()
        for i, v in enumerate((x, y, z, p)):
            if needs[i] and b[i]:
                found = (*found, unbroadcast(y_bar * np.conj(_slope(i, x, y, z, p, k, b)), np.shape(v)))
            else:
                found = (*found, ZERO)
        return found

    return carlson(x, y, z, p, k=k, b=b), carlson_pullback


def _rd_slope(i: int, x: Any, y: Any, z: Any) -> Any:
    """∂R_D = −(3/2) bᵢ I(0; b + eᵢ)        b = (½, ½, 3/2)        [DLMF 19.16.5]"""
    return 1.5 * _slope(i, x, y, z, 1.0, 0, (0.5, 0.5, 1.5, 0.0))


def _rg_slope(x: Any, y: Any, z: Any) -> Any:
    """∂R_G/∂x = ¼ R_F − (1/12) x R_D(y, z, x), which is ¼ R_F at x = 0        [DLMF 19.16.3]"""
    return 0.25 * special.elliprf(x, y, z) - np.where(x == 0, 0.0, x) * _finite_rd(y, z, x) / 12


def _finite_rd(y: Any, z: Any, x: Any) -> Any:
    """R_D(y, z, x), and 1 at x = 0, where it is multiplied by 0."""
    return special.elliprd(y, z, np.where(x == 0, 1.0, x))


def _rj_slope(x: Any, y: Any, z: Any, p: Any) -> Any:
    """∂R_J/∂x = −¾ I(0; 3/2, ½, ½, 1), and for a principal value, p < 0, (R_J − R_D(y, z, x)) / 2(p − x)"""
    principal = _principal(p)
    if not np.any(principal):
        return 1.5 * _slope(0, x, y, z, p, 0, (0.5, 0.5, 0.5, 1.0))
    through = (special.elliprj(x, y, z, p) - special.elliprd(y, z, x)) / (2 * np.where(principal, p - x, 1.0))
    regular = 1.5 * _slope(0, x, y, z, np.where(principal, 1.0, p), 0, (0.5, 0.5, 0.5, 1.0))
    return np.where(principal, through, regular)


def _rj_slope_by_p(v: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    """∂R_J/∂p = −(3/2) I(0; ½, ½, ½, 2); for p < 0 from x ∂_x + y ∂_y + z ∂_z + p ∂_p = −3/2 R_J (Euler)"""
    principal = _principal(p)
    if not np.any(principal):
        return 1.5 * _slope(3, x, y, z, p, 0, (0.5, 0.5, 0.5, 1.0))
    moved = x * _rj_slope(x, y, z, p) + y * _rj_slope(y, z, x, p) + z * _rj_slope(z, x, y, p)
    through = -(1.5 * v + moved) / np.where(principal, p, 1.0)
    regular = 1.5 * _slope(3, x, y, z, np.where(principal, 1.0, p), 0, (0.5, 0.5, 0.5, 1.0))
    return np.where(principal, through, regular)


def _principal(p: Any) -> Any:
    """Where the integral passes a pole, and its principal value is meant."""
    return (np.real(p) < 0) & (np.imag(p) == 0)


non_differentiable(_principal, why="returns truth values")


def _rc_slope(v: Any, x: Any, y: Any) -> Any:
    """∂R_C/∂x = −R_D(y, y, x)/6, and for y < 0 (x^(−½) − R_C) / 2(x − y)        [DLMF 19.18.1, 19.20.22]"""
    principal = _principal(y)
    if not np.any(principal):
        return -special.elliprd(y, y, x) / 6
    through = (np.sqrt(divide(1.0, x)) - v) / (2 * np.where(principal, x - y, 1.0))
    return np.where(principal, through, -special.elliprd(*(np.where(principal, 1.0, y),) * 2, x) / 6)


def _rc_slope_by_y(v: Any, x: Any, y: Any) -> Any:
    """∂R_C/∂y = −R_D(x, y, y)/3, and for y < 0 (√x/y − R_C) / 2(y − x)"""
    principal = _principal(y)
    if not np.any(principal):
        return -special.elliprd(x, y, y) / 3
    through = (np.sqrt(x) / y - v) / (2 * np.where(principal, y - x, 1.0))
    regular = np.where(principal, 1.0, y)
    return np.where(principal, through, -special.elliprd(x, regular, regular) / 3)


scalar_rule(
    special.elliprf,  # DLMF 19.18.1
    lambda v, x, y, z: -special.elliprd(y, z, x) / 6,
    lambda v, x, y, z: -special.elliprd(z, x, y) / 6,
    lambda v, x, y, z: -special.elliprd(x, y, z) / 6,
    strong_zero=True,
)
scalar_rule(
    special.elliprd,
    lambda v, x, y, z: _rd_slope(0, x, y, z),
    lambda v, x, y, z: _rd_slope(1, x, y, z),
    lambda v, x, y, z: _rd_slope(2, x, y, z),
    strong_zero=True,
)
scalar_rule(
    special.elliprg,
    lambda v, x, y, z: _rg_slope(x, y, z),
    lambda v, x, y, z: _rg_slope(y, z, x),
    lambda v, x, y, z: _rg_slope(z, x, y),
    strong_zero=True,
)
scalar_rule(
    special.elliprj,
    lambda v, x, y, z, p: _rj_slope(x, y, z, p),
    lambda v, x, y, z, p: _rj_slope(y, z, x, p),
    lambda v, x, y, z, p: _rj_slope(z, x, y, p),
    _rj_slope_by_p,
    strong_zero=True,
)
scalar_rule(special.elliprc, _rc_slope, _rc_slope_by_y, strong_zero=True)

"""Legendre's elliptic integrals, complete and incomplete, and the functions of Jacobi (ellipj).

Derivatives by the parameter m are Carlson's R_D (DLMF 19.25), which does not cancel near m = 0. It is
dear, so that the complete integrals use it only there; elsewhere they have the closed form. At m = 1, the
end of the domain, slopes are infinite where the integral has a logarithm there. Beyond |φ| = π/2 the
incomplete ones go on by whole periods: F(φ + nπ) = F(φ) + 2nK.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import non_differentiable, scalar_rule
from ...quiet import divide
from .outputs import outputs_rule

NEAR_ZERO = 0.1


def _symmetric(m: Any) -> Any:
    """Where the closed form would cancel, or has no limit: near m = 0, and at −∞."""
    return (np.abs(m) < NEAR_ZERO) | (m == -np.inf)


non_differentiable(_symmetric, why="returns truth values")


def slope_of_k(m: Any, p: Any) -> Any:
    """K′ = R_D(0, 1, 1−m)/6 = (E/(1−m) − K) / 2m, of m and p = 1 − m        [DLMF 19.4.1, 19.25.1]"""
    near = _symmetric(m)
    if np.all(near):
        return special.elliprd(0.0, 1.0, p) / 6
    apart = near | (p == 0)
    m, q = np.where(apart, 0.5, m), np.where(apart, 0.5, p)
    closed = np.where(p == 0, np.inf, (special.ellipe(m) / q - special.ellipkm1(q)) / (2 * m))
    if not np.any(near):
        return closed
    aside = np.where(near, 0.0, 1.0)  # R_D(1, 1, 1) costs little
    return np.where(near, special.elliprd(aside, 1.0, np.where(near, p, 1.0)) / 6, closed)


def slope_of_e(m: Any) -> Any:
    """E′ = −R_D(0, 1−m, 1)/6 = (E − K) / 2m        [DLMF 19.4.2, 19.25.1]"""
    near = np.abs(m) < NEAR_ZERO
    if np.all(near):
        return -special.elliprd(0.0, 1.0 - m, 1.0) / 6
    n = np.where(near | (m == -np.inf), 0.5, m)
    closed = np.where(m == -np.inf, 0.0, (special.ellipe(n) - special.ellipk(n)) / (2 * n))
    if not np.any(near):
        return closed
    aside = np.where(near, 0.0, 1.0)  # R_D(1, 1, 1) costs little
    return np.where(near, -special.elliprd(aside, 1.0 - np.where(near, m, 0.0), 1.0) / 6, closed)


def _delta(phi: Any, m: Any) -> Any:
    """Δ² = 1 − m sin²φ = cos²φ + (1 − m) sin²φ, the form that does not cancel near m = 1"""
    s, c = np.sin(phi), np.cos(phi)
    return c * c + (1.0 - m) * s * s


def _periods(phi: Any) -> Any:
    """How many half turns φ is away from (−π/2, π/2)."""
    return np.rint(phi / np.pi)


def _by_parameter(phi: Any, m: Any) -> Any:
    """F_m = s³ R_D(c², 1, Δ²)/6 + 2n K′        s, c = sin φ₀, cos φ₀, φ = φ₀ + nπ        [DLMF 19.25.5]"""
    turns = _periods(phi)
    s, c = np.sin(phi), np.cos(phi)
    sign = np.where(turns % 2 == 0, 1.0, -1.0)
    part = sign * s * s * s * special.elliprd(c * c, 1.0, _delta(phi, m)) / 6
    if not np.any(turns):
        return part
    return part + np.where(turns == 0, 0.0, 2 * turns * slope_of_k(m, 1.0 - m))


def _e_by_parameter(phi: Any, m: Any) -> Any:
    """E_m = −s³ R_D(c², Δ², 1)/6 + 2n E′        [DLMF 19.25.9]"""
    turns = _periods(phi)
    s, c = np.sin(phi), np.cos(phi)
    sign = np.where(turns % 2 == 0, 1.0, -1.0)
    part = -sign * s * s * s * special.elliprd(c * c, _delta(phi, m), 1.0) / 6
    if not np.any(turns):
        return part
    return part + np.where(turns == 0, 0.0, 2 * turns * slope_of_e(m))


non_differentiable(_periods, why="counts half turns")

scalar_rule(special.ellipk, lambda y, m: slope_of_k(m, 1.0 - m), strong_zero=True)
scalar_rule(special.ellipkm1, lambda y, p: -slope_of_k(1.0 - p, p), strong_zero=True)
scalar_rule(special.ellipe, lambda y, m: slope_of_e(m), strong_zero=True)
scalar_rule(
    special.ellipkinc,
    lambda y, phi, m: divide(1.0, np.sqrt(_delta(phi, m))),
    lambda y, phi, m: _by_parameter(phi, m),
    strong_zero=True,
)
scalar_rule(
    special.ellipeinc,
    lambda y, phi, m: np.sqrt(_delta(phi, m)),
    lambda y, phi, m: _e_by_parameter(phi, m),
    strong_zero=True,
)


def _phase(ys: Any, m: Any) -> Any:
    """∂φ/∂m = −dn F_m(φ, m), since u = F(φ, m)"""
    return -ys[2] * _by_parameter(ys[3], m)


outputs_rule(  # sn, cn, dn and the amplitude φ of (u, m): DLMF 22.13, 22.16
    special.ellipj,
    [lambda ys, u, m: ys[1] * ys[2], lambda ys, u, m: ys[1] * _phase(ys, m)],
    [lambda ys, u, m: -ys[0] * ys[2], lambda ys, u, m: -ys[0] * _phase(ys, m)],
    [
        lambda ys, u, m: -m * ys[0] * ys[1],
        lambda ys, u, m: -ys[0] * (ys[0] + 2 * m * ys[1] * _phase(ys, m)) / (2 * ys[2]),
    ],
    [lambda ys, u, m: ys[2], lambda ys, u, m: _phase(ys, m)],
)

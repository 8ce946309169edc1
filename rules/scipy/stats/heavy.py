"""What distributions with tails of powers are made of [Johnson, Kotz & Balakrishnan 1994, 16, 20].

Powers of x are written in log space: 1 + xᶜ is exp of the softplus of c log x.
"""

from __future__ import annotations

import numpy as np
from scipy.special import log_expit, tklmbda

from .family import FAMILIES, Family
from .logarithms import half, log1mexp, log1p_ratio
from .normals import LOG_2

LOG_PI = np.log(np.pi)

FAMILIES["cauchy"] = Family(
    lambda x: -LOG_PI - 2.0 * np.log(np.hypot(1.0, x)), lambda x: np.arctan(x) / np.pi
)
FAMILIES["halfcauchy"] = Family(
    lambda x: LOG_2 - LOG_PI - 2.0 * np.log(np.hypot(1.0, x)), lambda x: 2.0 / np.pi * np.arctan(x)
)
FAMILIES["foldcauchy"] = Family(
    lambda x, c: np.log(1.0 / (1.0 + np.square(x - c)) + 1.0 / (1.0 + np.square(x + c))) - LOG_PI,
    lambda x, c: (np.arctan(x - c) + np.arctan(x + c)) / np.pi,
)


def side(x, a):
    """1 − a left of 0, 1 + a right of it, 1 there"""
    return 1.0 + a * np.sign(x)


FAMILIES["skewcauchy"] = Family(
    lambda x, a: -LOG_PI - 2.0 * np.log(np.hypot(1.0, x / side(x, a))),
    lambda x, a: -0.5 * a + side(x, a) / np.pi * np.arctan(x / side(x, a)),
    corners=lambda a: (0.0,),
)
FAMILIES["pareto"] = Family(lambda x, b: np.log(b) - (b + 1.0) * np.log(x), lambda x, b: -(x**-b))
FAMILIES["lomax"] = Family(
    lambda x, c: np.log(c) - (c + 1.0) * np.log1p(x),
    lambda x, c: -np.exp(-c * np.log1p(x)),
    log_above=lambda x, c: -c * np.log1p(x),
)


def log_power_mass(b, c):
    """log ((1 − c^{−b})/b) = log of log(c) (eᵗ − 1)/t, t = −b log c"""
    return np.log((1.0 - c**-b) / b)


FAMILIES["truncpareto"] = Family(
    lambda x, b, c: -(b + 1.0) * np.log(x) - log_power_mass(b, c),
    lambda x, b, c: (1.0 - x**-b) / (1.0 - c**-b),
    ends=lambda b, c: (1.0, c),
)


def log_below_burr(x, c, d):
    """log F = −d log(1 + x^{−c})"""
    return d * log_expit(c * np.log(x))


FAMILIES["burr"] = Family(
    lambda x, c, d: np.log(c) + np.log(d) + (d + 1.0) * log_expit(c * np.log(x)) - (c + 1.0) * np.log(x),
    lambda x, c, d: np.exp(log_below_burr(x, c, d)),
    log_below_burr,
    lambda x, c, d: log1mexp(log_below_burr(x, c, d)),
)
FAMILIES["fisk"] = Family(
    lambda x, c: np.log(c) + 2.0 * log_expit(c * np.log(x)) - (c + 1.0) * np.log(x),
    lambda x, c: np.exp(log_expit(c * np.log(x))),
    lambda x, c: log_expit(c * np.log(x)),
    lambda x, c: log_expit(-c * np.log(x)),
)
FAMILIES["burr12"] = Family(
    lambda x, c, d: np.log(c) + np.log(d) + (c - 1.0) * np.log(x) + (d + 1.0) * log_expit(-c * np.log(x)),
    lambda x, c, d: -np.exp(d * log_expit(-c * np.log(x))),
    log_above=lambda x, c, d: d * log_expit(-c * np.log(x)),
)
FAMILIES["mielke"] = Family(
    lambda x, k, s: np.log(k) + (k - 1.0) * np.log(x) + (1.0 + k / s) * log_expit(-s * np.log(x)),
    lambda x, k, s: np.exp(k / s * log_expit(s * np.log(x))),
)
FAMILIES["kappa3"] = Family(
    lambda x, a: np.log(a) - (1.0 / a + 1.0) * np.logaddexp(np.log(a), a * np.log(x)),
    lambda x, a: np.exp(np.log(x) - np.logaddexp(np.log(a), a * np.log(x)) / a),
)
FAMILIES["loglaplace"] = Family(
    lambda x, c: np.log(0.5 * c) - np.log(x) - c * np.abs(np.log(x)),
    lambda x, c: -0.5 * half(np.log(x)) * np.exp(-c * np.abs(np.log(x))),
    corners=lambda c: (1.0,),
)
FAMILIES["bradford"] = Family(
    lambda x, c: -np.log1p(c * x) - np.log(log1p_ratio(c, 0)),
    lambda x, c: x * log1p_ratio(c * x, 0) / log1p_ratio(c, 0),
)
FAMILIES["tukeylambda"] = Family(
    lambda x, lam: -np.log(tklmbda(x, lam) ** (lam - 1.0) + (1.0 - tklmbda(x, lam)) ** (lam - 1.0)),
    lambda x, lam: tklmbda(x, lam),
    ends=lambda lam: (
        np.where(lam > 0, -1.0 / np.where(lam == 0, 1.0, lam), -np.inf),
        np.where(lam > 0, 1.0 / np.where(lam == 0, 1.0, lam), np.inf),
    ),
)


def log_breit_wigner(x, rho):
    """log C − log(1 + ((x² − ρ²)/ρ)²), C = 2/π √(2 s/(1 + √s)), s = 1 + 1/ρ²"""
    s = 1.0 + 1.0 / np.square(rho)
    scale = np.log(2.0 / np.pi) + 0.5 * (np.log(2.0 * s) - np.log1p(np.sqrt(s)))
    return scale - 2.0 * np.log(np.hypot(1.0, (x - rho) * (x + rho) / rho))


def below_breit_wigner(x, rho):
    """2/π √(2/(1 + √s)) Im √(−1 + i/ρ) arctan(x/√(−ρ (ρ + i))), s = 1 + 1/ρ²"""
    s = 1.0 + 1.0 / np.square(rho)
    scale = 2.0 / np.pi * np.sqrt(2.0 / (1.0 + np.sqrt(s)))
    return scale * np.imag(np.sqrt(-1.0 + 1j / rho) * np.arctan(x / np.sqrt(-rho * (rho + 1j))))


FAMILIES["rel_breitwigner"] = Family(log_breit_wigner, below_breit_wigner)

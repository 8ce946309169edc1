"""What the normal distribution is made of, and those made of it [Johnson, Kotz & Balakrishnan 1994]."""

from __future__ import annotations

import numpy as np
from scipy.special import erf, erfc, erfcx, log_ndtr, logit, ndtr, owens_t

from .family import FAMILIES, Family
from .logarithms import log1mexp

HALF_LOG_TAU = 0.5 * np.log(2 * np.pi)
LOG_2 = np.log(2.0)


def log_phi(z):
    """log φ(z) = −z²/2 − log √(2π)"""
    return -0.5 * np.square(z) - HALF_LOG_TAU


FAMILIES["norm"] = Family(log_phi, ndtr, log_ndtr, lambda z: log_ndtr(-z))
FAMILIES["halfnorm"] = Family(lambda x: LOG_2 + log_phi(x), lambda x: 2.0 * ndtr(x))
FAMILIES["foldnorm"] = Family(
    lambda x, c: np.logaddexp(log_phi(x - c), log_phi(x + c)),
    lambda x, c: ndtr(x - c) + ndtr(x + c),
)
FAMILIES["lognorm"] = Family(
    lambda x, s: log_phi(np.log(x) / s) - np.log(x) - np.log(s),
    lambda x, s: ndtr(np.log(x) / s),
    lambda x, s: log_ndtr(np.log(x) / s),
    lambda x, s: log_ndtr(-np.log(x) / s),
)
FAMILIES["gibrat"] = Family(lambda x: log_phi(np.log(x)) - np.log(x), lambda x: ndtr(np.log(x)))
FAMILIES["powernorm"] = Family(
    lambda x, c: np.log(c) + log_phi(x) + (c - 1.0) * log_ndtr(-x),
    lambda x, c: -np.exp(c * log_ndtr(-x)),
    log_above=lambda x, c: c * log_ndtr(-x),
)
FAMILIES["powerlognorm"] = Family(
    lambda x, c, s: (
        np.log(c) - np.log(x) - np.log(s) + log_phi(np.log(x) / s) + (c - 1.0) * log_ndtr(-np.log(x) / s)
    ),
    lambda x, c, s: -np.exp(c * log_ndtr(-np.log(x) / s)),
    log_above=lambda x, c, s: c * log_ndtr(-np.log(x) / s),
)
FAMILIES["skewnorm"] = Family(
    lambda x, a: LOG_2 + log_phi(x) + log_ndtr(a * x),
    lambda x, a: ndtr(x) - 2.0 * owens_t(x, a),
)
FAMILIES["exponnorm"] = Family(
    lambda x, K: (0.5 / K - x) / K + log_ndtr(x - 1.0 / K) - np.log(K),
    lambda x, K: ndtr(x) - np.exp((0.5 / K - x) / K + log_ndtr(x - 1.0 / K)),
)
FAMILIES["johnsonsu"] = Family(
    lambda x, a, b: np.log(b) - 0.5 * np.log1p(np.square(x)) + log_phi(a + b * np.arcsinh(x)),
    lambda x, a, b: ndtr(a + b * np.arcsinh(x)),
)
FAMILIES["johnsonsb"] = Family(
    lambda x, a, b: np.log(b) - np.log(x) - np.log1p(-x) + log_phi(a + b * logit(x)),
    lambda x, a, b: ndtr(a + b * logit(x)),
)


def spread(x):
    """√x − 1/√x"""
    return np.sqrt(x) - 1.0 / np.sqrt(x)


FAMILIES["fatiguelife"] = Family(
    lambda x, c: np.log1p(x) - 1.5 * np.log(x) - np.log(2.0 * c) + log_phi(spread(x) / c),
    lambda x, c: ndtr(spread(x) / c),
)


def log_wald(x, m):
    """log f of the inverse normal distribution of mean m [Tweedie 1957]"""
    return -HALF_LOG_TAU - 1.5 * np.log(x) - np.square(x / m - 1.0) / (2.0 * x)


def below_wald(x, m):
    """F = Φ(u (x/m − 1)) + e^{2/m} Φ(−u (x/m + 1)), u = 1/√x"""
    u = 1.0 / np.sqrt(x)
    return ndtr(u * (x / m - 1.0)) + np.exp(2.0 / m + log_ndtr(-u * (x / m + 1.0)))


def log_below_wald(x, m):
    """log F in log space [Giner & Smyth 2016]"""
    u = 1.0 / np.sqrt(x)
    return np.logaddexp(log_ndtr(u * (x / m - 1.0)), 2.0 / m + log_ndtr(-u * (x / m + 1.0)))


def log_above_wald(x, m):
    """log (1 − F) in log space [Giner & Smyth 2016]"""
    u = 1.0 / np.sqrt(x)
    first = log_ndtr(u * (1.0 - x / m))
    return first + log1mexp(2.0 / m + log_ndtr(-u * (x / m + 1.0)) - first)


FAMILIES["invgauss"] = Family(log_wald, below_wald, log_below_wald, log_above_wald)
FAMILIES["wald"] = Family(
    lambda x: log_wald(x, 1.0),
    lambda x: below_wald(x, 1.0),
    lambda x: log_below_wald(x, 1.0),
    lambda x: log_above_wald(x, 1.0),
)
FAMILIES["recipinvgauss"] = Family(
    lambda x, mu: -np.square(1.0 - mu * x) / (2.0 * x * np.square(mu)) - HALF_LOG_TAU - 0.5 * np.log(x),
    lambda x, mu: -below_wald(1.0 / x, mu),
)


def log_mass(a, b):
    """log (Φ(b) − Φ(a)), of the smaller tails; ends farther than 10⁹ are infinite"""
    a, b = np.clip(a, -1e9, 1e9), np.clip(b, -1e9, 1e9)
    right = a > 0
    upper = log_ndtr(np.where(right, -a, b))
    return upper + log1mexp(log_ndtr(np.where(right, -b, a)) - upper)


def below_cut(x, a, b):
    """(Φ(x) − Φ(a))/(Φ(b) − Φ(a))"""
    mass, right = log_mass(a, b), np.asarray(a) > 0
    cut, sign = np.clip(a, -1e9, 1e9), np.where(right, -1.0, 1.0)
    return sign * (np.exp(log_ndtr(sign * x) - mass) - np.exp(log_ndtr(sign * cut) - mass))


FAMILIES["truncnorm"] = Family(
    lambda x, a, b: log_phi(x) - log_mass(a, b),
    below_cut,
    lambda x, a, b: log_mass(a, x) - log_mass(a, b),
    lambda x, a, b: log_mass(x, b) - log_mass(a, b),
    lambda a, b: (a, b),
)
FAMILIES["levy"] = Family(
    lambda x: -HALF_LOG_TAU - 1.5 * np.log(x) - 0.5 / x,
    lambda x: erfc(np.sqrt(0.5 / x)),
)
FAMILIES["levy_l"] = Family(
    lambda x: -HALF_LOG_TAU - 1.5 * np.log(-x) + 0.5 / x,
    lambda x: erf(np.sqrt(-0.5 / x)),
)
FAMILIES["moyal"] = Family(
    lambda x: -0.5 * (x + np.exp(-x)) - HALF_LOG_TAU,
    lambda x: erfc(np.exp(-0.5 * x) / np.sqrt(2.0)),
)
FAMILIES["alpha"] = Family(
    lambda x, a: -2.0 * np.log(x) + log_phi(a - 1.0 / x) - log_ndtr(a),
    lambda x, a: np.exp(log_ndtr(a - 1.0 / x) - log_ndtr(a)),
)


def log_heavy(z):
    """log of Mills' ratio (1 − Φ(z))/φ(z)"""
    return np.log(erfcx(z / np.sqrt(2.0))) + 0.5 * np.log(0.5 * np.pi)


def log_double_pareto(x, u, s, a, b):
    """log of a b/(a + b) φ(z)/x (R(a s − z) + R(b s + z)), z = (log x − u)/s [Reed & Jorgensen 2004]"""
    z = (np.log(x) - u) / s
    mixed = np.logaddexp(log_heavy(a * s - z), log_heavy(b * s + z))
    return np.log(a) + np.log(b) - np.log(a + b) - np.log(x) + log_phi(z) + mixed


def below_double_pareto(x, u, s, a, b):
    """Φ(z) − φ(z) (b R(a s − z) − a R(b s + z))/(a + b)"""
    z = (np.log(x) - u) / s
    left = b * np.exp(log_phi(z) + log_heavy(a * s - z))
    right = a * np.exp(log_phi(z) + log_heavy(b * s + z))
    return ndtr(z) - (left - right) / (a + b)


FAMILIES["dpareto_lognorm"] = Family(log_double_pareto, below_double_pareto)


def log_crystal_mass(beta, m):
    """log of m/(β (m − 1)) e^{−β²/2} + √(2π) Φ(β)"""
    return np.log(m / (beta * (m - 1.0)) * np.exp(-0.5 * np.square(beta)) + np.exp(HALF_LOG_TAU) * ndtr(beta))


def log_crystal(x, beta, m):
    """−x²/2 right of −β, a power of x with the same value and slope there left of it [Gaiser 1982]"""
    right = x > -beta
    core, far = np.where(right, x, 0.0), np.where(right, -beta, x)
    tail = -0.5 * np.square(beta) - m * np.log1p(-beta * (beta + far) / m)
    return np.where(right, -0.5 * np.square(core), tail) - log_crystal_mass(beta, m)


def below_crystal(x, beta, m):
    """The integral of the power up to −β, of the normal density from there"""
    right, mass = x > -beta, np.exp(log_crystal_mass(beta, m))
    far = np.where(right, -beta, x)
    grown = np.exp(-0.5 * np.square(beta) - (m - 1.0) * np.log1p(-beta * (beta + far) / m))
    core = np.exp(HALF_LOG_TAU) * (ndtr(np.where(right, x, -beta)) - ndtr(-beta))
    return (m / (beta * (m - 1.0)) * grown + core) / mass


FAMILIES["crystalball"] = Family(log_crystal, below_crystal, corners=lambda beta, m: (-beta,))

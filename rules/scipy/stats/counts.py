"""What discrete distributions are made of [Johnson, Kemp & Kotz 2005]."""

from __future__ import annotations

import numpy as np
from scipy.special import (
    betainc,
    betaln,
    chndtr,
    expm1,
    gammaln,
    log_expit,
    pdtr,
    xlog1py,
    xlogy,
    zeta,
)

from ....core import non_differentiable
from ..special.noncentral import chi_density
from .family import DISCRETE, Discrete
from .integrated import stretch
from .logarithms import log1mexp


def one(k):
    """1 where k is not 0: the power that is taken out of a mass, so that its slope is right where p is 0"""
    return np.minimum(k, 1.0)


DISCRETE["poisson"] = Discrete(
    lambda k, mu: xlogy(k, mu) - gammaln(k + 1.0) - mu,
    pdtr,
    lambda k, mu: mu ** one(k) * np.exp(xlogy(k - one(k), mu) - gammaln(k + 1.0) - mu),
)


def log_binomial(k, n, p):
    """log (n over k) + k log p + (n − k) log(1 − p)"""
    ways = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
    return ways + xlogy(k, p) + xlog1py(n - k, -p)


def binomial_mass(k, n, p):
    """The same, a power of p and of 1 − p taken out"""
    ways = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
    rest = xlogy(k - one(k), p) + xlog1py(n - k - one(n - k), -p)
    return p ** one(k) * (1.0 - p) ** one(n - k) * np.exp(ways + rest)


def below_binomial(k, n, p):
    """−I_p(k + 1, n − k), which does not move where k is n"""
    certain = k >= n
    left = np.where(certain, 1.0, n - k)
    return np.where(certain, 0.0, -betainc(k + 1.0, left, p))


DISCRETE["binom"] = Discrete(log_binomial, below_binomial, binomial_mass, whole=("n",))
DISCRETE["bernoulli"] = Discrete(
    lambda k, p: xlogy(k, p) + xlog1py(1.0 - k, -p),
    lambda k, p: np.where(k == 0, -p, 0.0),
    lambda k, p: np.where(k == 0, 1.0 - p, p),
)
DISCRETE["nbinom"] = Discrete(
    lambda k, n, p: gammaln(n + k) - gammaln(k + 1.0) - gammaln(n) + xlogy(n, p) + xlog1py(k, -p),
    lambda k, n, p: betainc(n, k + 1.0, p),
)
DISCRETE["geom"] = Discrete(
    lambda k, p: xlog1py(k - 1.0, -p) + np.log(p),
    lambda k, p: -((1.0 - p) ** k),
    lambda k, p: p * (1.0 - p) ** (k - 1.0),
    log_above=lambda k, p: xlog1py(k, -p),
)
DISCRETE["planck"] = Discrete(
    lambda k, lambda_: np.log(-expm1(-lambda_)) - lambda_ * k,
    lambda k, lambda_: -np.exp(-lambda_ * (k + 1.0)),
    log_above=lambda k, lambda_: -lambda_ * (k + 1.0),
)
DISCRETE["boltzmann"] = Discrete(
    lambda k, lambda_, N: np.log(expm1(-lambda_) / expm1(-lambda_ * N)) - lambda_ * k,
    lambda k, lambda_, N: expm1(-lambda_ * (k + 1.0)) / expm1(-lambda_ * N),
    whole=("N",),
)
DISCRETE["betabinom"] = Discrete(
    lambda k, n, a, b: (
        -np.log(n + 1.0) - betaln(n - k + 1.0, k + 1.0) + betaln(k + a, n - k + b) - betaln(a, b)
    ),
    whole=("n",),
)
DISCRETE["betanbinom"] = Discrete(
    lambda k, n, a, b: -np.log(n + k) - betaln(n, k + 1.0) + betaln(a + n, b + k) - betaln(a, b),
    whole=("n",),
)
DISCRETE["logser"] = Discrete(lambda k, p: k * np.log(p) - np.log(k) - np.log(-np.log1p(-p)))
DISCRETE["zipf"] = Discrete(lambda k, a: -a * np.log(k) - np.log(zeta(a, 1.0)))
DISCRETE["yulesimon"] = Discrete(
    lambda k, alpha: np.log(alpha) + betaln(k, alpha + 1.0),
    lambda k, alpha: -k * np.exp(betaln(k, alpha + 1.0)),
    log_above=lambda k, alpha: np.log(k) + betaln(k, alpha + 1.0),
)
DISCRETE["dlaplace"] = Discrete(
    lambda k, a: log1mexp(-a) - np.log1p(np.exp(-a)) - a * np.abs(k),
    lambda k, a: np.where(
        k >= 0,
        -np.exp(log_expit(-a) - a * np.maximum(k, 0.0)),
        np.exp(log_expit(-a) + a * np.minimum(k + 1.0, 0.0)),
    ),
)


def log_skellam(k, mu1, mu2):
    """log of 2 f(2 μ₁; 2 (1 + k), 2 μ₂), a noncentral χ² density, for k ≥ 0; by symmetry else"""
    left = k < 0
    first, second = np.where(left, mu2, mu1), np.where(left, mu1, mu2)
    return np.log(2.0 * chi_density(2.0 * first, 2.0 * (1.0 + np.abs(k)), 2.0 * second))


def below_skellam(k, mu1, mu2):
    """F(2 μ₂; −2 k, 2 μ₁) of the noncentral χ² distribution for k < 0, else −F(2 μ₁; 2 (k + 1), 2 μ₂)"""
    left = k < 0
    first, second = np.where(left, mu2, mu1), np.where(left, mu1, mu2)
    degrees = np.where(left, -2.0 * k, 2.0 * (k + 1.0))
    return np.where(left, 1.0, -1.0) * chndtr(2.0 * first, degrees, 2.0 * second)


DISCRETE["skellam"] = Discrete(log_skellam, below_skellam)


def log_harmonic(a, n):
    """log Σ j^{−a} for j from 1 to n"""
    numbers = upto(n)
    terms = np.where(numbers <= stretch(n), np.exp(-stretch(np.asarray(a)) * np.log(numbers)), 0.0)
    return np.log(np.sum(terms, axis=-1))


def upto(n):
    """The whole numbers from 1 to the largest n."""
    return np.arange(1.0, np.max(n, initial=1.0) + 1.0)


non_differentiable(upto, why="counts")
DISCRETE["zipfian"] = Discrete(lambda k, a, n: -a * np.log(k) - log_harmonic(a, np.asarray(n)), whole=("n",))
DISCRETE["randint"] = Discrete(lambda k, low, high: -np.log(high - low) + 0.0 * k, whole=("low", "high"))
DISCRETE["hypergeom"] = Discrete(
    lambda k, M, n, N: (
        betaln(n + 1.0, 1.0)
        + betaln(M - n + 1.0, 1.0)
        + betaln(M - N + 1.0, N + 1.0)
        - betaln(k + 1.0, n - k + 1.0)
        - betaln(N - k + 1.0, M - n - N + k + 1.0)
        - betaln(M + 1.0, 1.0)
    ),
    whole=("M", "n", "N"),
)

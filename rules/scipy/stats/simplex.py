"""Distributions of probabilities and of counts of several kinds: Dirichlet, multinomial and their mixture.

Each probability is moved alone, though they sum to 1: a gradient is to be used along directions that keep the
sum. Counts are whole numbers and do not move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.special import gammaln, psi, xlogy
from scipy.stats._multivariate import (
    dirichlet_frozen,
    dirichlet_multinomial_frozen,
    multinomial_frozen,
    multivariate_hypergeom_gen,
    random_table_gen,
)

from ....core import non_differentiable
from .methods import density_of, programs_of


def log_dirichlet(x, alpha):
    """log Γ(Σ α) − Σ log Γ(α) + Σ (α − 1) log x; the last x is 1 less the others where it is not given"""
    if np.shape(x)[0] != np.size(alpha):
        x = np.concatenate((x, np.expand_dims(1.0 - np.sum(x, axis=0), 0)), axis=0)
    powers = np.reshape(alpha - 1.0, (-1,) + (1,) * (np.ndim(x) - 1))
    return gammaln(np.sum(alpha)) - np.sum(gammaln(alpha)) + np.sum(xlogy(powers, x), axis=0)


def dirichlet_mean(alpha):
    """α/Σ α"""
    return alpha / np.sum(alpha)


def dirichlet_variance(alpha):
    """m (1 − m)/(1 + Σ α), m = α/Σ α"""
    m = dirichlet_mean(alpha)
    return m * (1.0 - m) / (1.0 + np.sum(alpha))


def dirichlet_covariance(alpha):
    """(diag m − m mᵀ)/(1 + Σ α)"""
    m = dirichlet_mean(alpha)
    return (np.diag(m) - np.outer(m, m)) / (1.0 + np.sum(alpha))


def dirichlet_entropy(alpha):
    """log B(α) + (Σ α − K) ψ(Σ α) − Σ (α − 1) ψ(α)"""
    total = np.sum(alpha)
    front = np.sum(gammaln(alpha)) - gammaln(total) + (total - np.size(alpha)) * psi(total)
    return front - np.sum((alpha - 1.0) * psi(alpha))


def log_multinomial(x, n, p):
    """log n! + Σ (x log p − log x!)"""
    x, n = counts(x), counts(n)
    inside = (np.sum(x, axis=-1) == n) & np.all(x >= 0, axis=-1)
    found = gammaln(n + 1.0) + np.sum(xlogy(x, p) - gammaln(x + 1.0), axis=-1)
    return np.where(inside, found, -np.inf)


def multinomial_mean(n, p):
    """n p"""
    return np.expand_dims(counts(n), -1) * p


def multinomial_covariance(n, p):
    """n (diag p − p pᵀ)"""
    p = np.asarray(p)
    spread = np.expand_dims(p, -1) * np.eye(np.shape(p)[-1]) - np.expand_dims(p, -1) * np.expand_dims(p, -2)
    return np.expand_dims(counts(n), (-2, -1)) * spread


def multinomial_entropy(n, p):
    """−log n! − n Σ p log p + Σᵢ Σₓ b(x; n, pᵢ) log x!, b the binomial probabilities"""
    n, p = counts(n), np.asarray(p)
    k = np.reshape(np.arange(1.0, np.max(n) + 1.0), (-1,) + (1,) * (np.ndim(p) + np.ndim(n)))
    many = np.expand_dims(n, -1)
    rest = np.sum(stats.binom.pmf(k, many, p) * gammaln(k + 1.0), axis=(0, -1))
    return (
        -gammaln(n + 1.0)
        - n * np.sum(xlogy(p, p), axis=-1)
        + np.reshape(rest, np.shape(rest)[-np.ndim(rest) :])
    )


def log_dirichlet_multinomial(x, alpha, n):
    """log Γ(Σ α) n!/Γ(n + Σ α) + Σ log Γ(x + α)/(Γ(α) x!)"""
    x, n, total = counts(x), counts(n), np.sum(alpha, axis=-1)
    front = gammaln(total) + gammaln(n + 1.0) - gammaln(n + total)
    found = front + np.sum(gammaln(x + alpha) - gammaln(alpha) - gammaln(x + 1.0), axis=-1)
    return np.where(n == np.sum(x, axis=-1), found, -np.inf)


def dirichlet_multinomial_mean(alpha, n):
    """n m, m = α/Σ α"""
    return np.expand_dims(counts(n), -1) * alpha / np.sum(alpha, axis=-1, keepdims=True)


def dirichlet_multinomial_variance(alpha, n):
    """n m (1 − m) (n + Σ α)/(1 + Σ α)"""
    total, many = np.sum(alpha, axis=-1, keepdims=True), np.expand_dims(counts(n), -1)
    m = alpha / total
    return many * m * (1.0 - m) * (many + total) / (1.0 + total)


def dirichlet_multinomial_covariance(alpha, n):
    """n (diag m − m mᵀ) (n + Σ α)/(1 + Σ α)"""
    total, many = np.sum(alpha, axis=-1), counts(n)
    m = alpha / np.expand_dims(total, -1)
    spread = np.expand_dims(m, -1) * np.eye(np.shape(m)[-1]) - np.expand_dims(m, -1) * np.expand_dims(m, -2)
    return np.expand_dims(many * (many + total) / (1.0 + total), (-2, -1)) * spread


def counts(k: Any) -> Any:
    """Whole numbers, as floats, which do not move."""
    return np.asarray(k, dtype=float)


non_differentiable(counts, why="whole numbers")
programs_of(
    stats.dirichlet,
    dirichlet_frozen,
    logpdf=log_dirichlet,
    pdf=density_of(log_dirichlet),
    mean=dirichlet_mean,
    var=dirichlet_variance,
    cov=dirichlet_covariance,
    entropy=dirichlet_entropy,
)
programs_of(
    stats.multinomial,
    multinomial_frozen,
    logpmf=log_multinomial,
    pmf=density_of(log_multinomial),
    mean=multinomial_mean,
    cov=multinomial_covariance,
    entropy=multinomial_entropy,
)
programs_of(
    stats.dirichlet_multinomial,
    dirichlet_multinomial_frozen,
    logpmf=log_dirichlet_multinomial,
    pmf=density_of(log_dirichlet_multinomial),
    mean=dirichlet_multinomial_mean,
    var=dirichlet_multinomial_variance,
    cov=dirichlet_multinomial_covariance,
)
for _name in ("logpmf", "pmf", "mean", "var", "cov"):
    non_differentiable(
        getattr(multivariate_hypergeom_gen, _name), why="its numbers of draws and of each kind are whole"
    )
for _name in ("logpmf", "pmf", "mean"):
    non_differentiable(
        getattr(random_table_gen, _name), why="the sums of its rows and columns are whole numbers"
    )

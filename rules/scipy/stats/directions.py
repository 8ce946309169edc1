"""The von Mises–Fisher distribution on the sphere, and the normal-inverse-gamma distribution.

Directions are unit vectors, of which each entry is moved alone: a gradient is to be used along the sphere.
"""

from __future__ import annotations

import numpy as np
from scipy import stats
from scipy.special import gammaln, ive
from scipy.stats._multivariate import normal_inverse_gamma_frozen, vonmises_fisher_frozen

from ....tangents import ZERO, convert_fields
from .methods import density_of, programs_of
from .normals import HALF_LOG_TAU


def log_normaliser(size, kappa):
    """log κ^{d/2−1}/((2 π)^{d/2} I_{d/2−1}(κ)) [Mardia & Jupp 2000, 9.3.4]"""
    order = 0.5 * size - 1.0
    return order * np.log(kappa) - size * HALF_LOG_TAU - np.log(ive(order, kappa)) - kappa


def log_fisher(x, mu, kappa):
    """log c(κ) + κ μᵀ x"""
    return log_normaliser(np.size(mu), kappa) + kappa * np.sum(mu * x, axis=-1)


def fisher_entropy(mu, kappa):
    """−log c(κ) − κ I_{d/2}(κ)/I_{d/2−1}(κ)"""
    half = 0.5 * np.size(mu)
    return -log_normaliser(np.size(mu), kappa) - kappa * ive(half, kappa) / ive(half - 1.0, kappa)


def log_normal_inverse_gamma(x, s2, mu, lmbda, a, b):
    """½ log λ/(2 π σ²) + a log b − log Γ(a) − (a + 1) log σ² − (2 b + λ (x − μ)²)/(2 σ²)"""
    inside = s2 > 0
    s2 = np.where(inside, s2, 1.0)
    front = 0.5 * np.log(lmbda) - HALF_LOG_TAU - (a + 1.5) * np.log(s2) + a * np.log(b) - gammaln(1.0 * a)
    return np.where(inside, front - (b + 0.5 * lmbda * np.square(x - mu)) / s2, -np.inf)


def normal_inverse_gamma_mean(mu, lmbda, a, b):
    """μ, b/(a − 1)"""
    return mu + 0.0 * (lmbda + a + b), b / (a - 1.0) + 0.0 * (mu + lmbda)


def normal_inverse_gamma_variance(mu, lmbda, a, b):
    """b/((a − 1) λ), b²/((a − 1)² (a − 2))"""
    flat = 0.0 * (mu + lmbda)
    return b / ((a - 1.0) * lmbda) + flat, np.square(b / (a - 1.0)) / (a - 2.0) + flat


programs_of(
    stats.vonmises_fisher,
    vonmises_fisher_frozen,
    logpdf=log_fisher,
    pdf=density_of(log_fisher),
    entropy=fisher_entropy,
)
programs_of(
    stats.normal_inverse_gamma,
    normal_inverse_gamma_frozen,
    logpdf=log_normal_inverse_gamma,
    pdf=density_of(log_normal_inverse_gamma),
    mean=normal_inverse_gamma_mean,
    var=normal_inverse_gamma_variance,
)


@convert_fields(normal_inverse_gamma_frozen, "mu", "lmbda", "a", "b")
def frozen_normal_inverse_gamma_fields(x, mu_bar=ZERO, lmbda_bar=ZERO, a_bar=ZERO, b_bar=ZERO):
    """The parameters are kept in a tuple."""
    return {"_shapes": (mu_bar, lmbda_bar, a_bar, b_bar)}

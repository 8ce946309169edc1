"""Wishart and inverse Wishart distributions of positive definite matrices [Gupta & Nagar 2000].

SciPy has the matrices in the first two axes of x. As in `numpy.linalg.cholesky`, log det reads one triangle.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.special import multigammaln, psi
from scipy.stats._multivariate import invwishart_frozen, wishart_frozen

from .gaussian_vectors import factor, log_det, square
from .methods import density_of, programs_of

LOG_2 = np.log(2.0)


def dimension(scale: Any) -> int:
    """The number of rows of the matrices."""
    return 1 if np.ndim(scale) == 0 else np.shape(scale)[0]


def stacked(x: Any, size: int) -> Any:
    """The matrices in the last two axes, of SciPy's arrays that have them in the first two."""
    if np.ndim(x) == 3:
        return np.moveaxis(x, -1, 0)
    if size == 1:
        return np.reshape(x, (-1, 1, 1))
    return np.expand_dims(square(x, size), 0)


def volumes(low: Any) -> Any:
    """log det of each of several matrices, from their factors"""
    return 2.0 * np.sum(np.log(np.diagonal(low, axis1=-2, axis2=-1)), axis=-1)


def log_wishart(x, df, scale):
    """½ (ν − p − 1) log det X − ½ tr Σ⁻¹ X − ½ ν (p log 2 + log det Σ) − log Γ_p(ν/2)"""
    size = dimension(scale)
    spread, stack = square(scale, size), stacked(x, size)
    trace = np.trace(np.linalg.solve(spread, stack), axis1=-2, axis2=-1)
    front = 0.5 * (df - size - 1.0) * volumes(factor(stack)) - 0.5 * trace
    return front - 0.5 * df * (size * LOG_2 + log_det(factor(spread))) - multigammaln(0.5 * df, size)


def wishart_mean(df, scale):
    """ν Σ"""
    return df * square(scale, dimension(scale))


def wishart_mode(df, scale):
    """(ν − p − 1) Σ"""
    size = dimension(scale)
    return (df - size - 1.0) * square(scale, size)


def wishart_variance(df, scale):
    """ν (Σᵢⱼ² + Σᵢᵢ Σⱼⱼ)"""
    spread = square(scale, dimension(scale))
    across = np.diagonal(spread)
    return df * (np.square(spread) + np.outer(across, across))


def wishart_entropy(df, scale):
    """½ (p + 1) (log det Σ + p log 2) + log Γ_p(ν/2) − ½ (ν − p − 1) Σ ψ(½ (ν + 1 − i)) + ½ ν p"""
    size = dimension(scale)
    volume = log_det(factor(square(scale, size)))
    front = 0.5 * (size + 1.0) * (volume + size * LOG_2) + multigammaln(0.5 * df, size)
    return front - 0.5 * (df - size - 1.0) * digammas(df, size) + 0.5 * df * size


def digammas(df: Any, size: int) -> Any:
    """Σ ψ(½ (ν + 1 − i)), i = 1 … p"""
    return np.sum(psi(0.5 * (df - np.arange(size))))


def log_inverse_wishart(x, df, scale):
    """½ ν log det Ψ − ½ tr Ψ X⁻¹ − ½ ν p log 2 − ½ (ν + p + 1) log det X − log Γ_p(ν/2)"""
    size = dimension(scale)
    spread, stack = square(scale, size), stacked(x, size)
    low, across = factor(stack), factor(spread)
    trace = np.sum(np.square(np.linalg.solve(low, across)), axis=(-2, -1))
    front = 0.5 * df * (log_det(across) - size * LOG_2) - 0.5 * trace
    return front - 0.5 * (df + size + 1.0) * volumes(low) - multigammaln(0.5 * df, size)


def inverse_wishart_mean(df, scale):
    """Ψ/(ν − p − 1)"""
    size = dimension(scale)
    return square(scale, size) / (df - size - 1.0)


def inverse_wishart_mode(df, scale):
    """Ψ/(ν + p + 1)"""
    size = dimension(scale)
    return square(scale, size) / (df + size + 1.0)


def inverse_wishart_variance(df, scale):
    """((ν − p + 1) Ψᵢⱼ² + (ν − p − 1) Ψᵢᵢ Ψⱼⱼ)/((ν − p) (ν − p − 1)² (ν − p − 3))"""
    size = dimension(scale)
    spread, rest = square(scale, size), df - size
    across = np.diagonal(spread)
    top = (rest + 1.0) * np.square(spread) + (rest - 1.0) * np.outer(across, across)
    return top / (rest * np.square(rest - 1.0) * (rest - 3.0))


def inverse_wishart_entropy(df, scale):
    """log Γ_p(ν/2) + ½ ν p + ½ (p + 1) (log det Ψ − log 2) − ½ (ν + p + 1) Σ ψ(½ (ν + 1 − i))"""
    size = dimension(scale)
    volume = log_det(factor(square(scale, size)))
    front = multigammaln(0.5 * df, size) + 0.5 * df * size + 0.5 * (size + 1.0) * (volume - LOG_2)
    return front - 0.5 * (df + size + 1.0) * digammas(df, size)


programs_of(
    stats.wishart,
    wishart_frozen,
    logpdf=log_wishart,
    pdf=density_of(log_wishart),
    mean=wishart_mean,
    mode=wishart_mode,
    var=wishart_variance,
    entropy=wishart_entropy,
)
programs_of(
    stats.invwishart,
    invwishart_frozen,
    logpdf=log_inverse_wishart,
    pdf=density_of(log_inverse_wishart),
    mean=inverse_wishart_mean,
    mode=inverse_wishart_mode,
    var=inverse_wishart_variance,
    entropy=inverse_wishart_entropy,
)

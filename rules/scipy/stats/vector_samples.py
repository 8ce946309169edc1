"""Random vectors and matrices: how a sample moves with the parameters, so that means move as expectations do.

Normal noise is held, y = μ + L z with Σ = L Lᵀ, whatever factor SciPy drew with. Of the rest each independent
number moves as its quantile does [Figurnov, Mohamed & Mnih 2018]: the radius of Student's distribution, the
sticks of Dirichlet's, the diagonal of Bartlett's factor of a Wishart matrix [Bartlett 1933].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.linalg import solve_triangular
from scipy.stats._multivariate import (
    dirichlet_frozen,
    invwishart_frozen,
    matrix_normal_frozen,
    multivariate_normal_frozen,
    multivariate_t_frozen,
    normal_inverse_gamma_frozen,
    wishart_frozen,
)

from ....core import non_differentiable
from .family import FAMILIES
from .gaussian_vectors import deviations, factor, matrix_parts, size_of, square
from .methods import program_of
from .quantiles import solved
from .random_matrices import dimension


def quantile(name: str, z: Any, *shapes: Any) -> Any:
    """The number z that was drawn, as the quantile of its probability."""
    family = FAMILIES[name]
    return solved(family.log_density, family.below, z, np.zeros(np.shape(z)), *shapes)


def normal_sample(y, mean, cov):
    """y = μ + L z, z held"""
    size = size_of(mean, cov)
    low = factor(square(cov, size))
    return moved(low, held_noise(low, mean, y), mean)


def held_noise(low: Any, mean: Any, y: Any) -> Any:
    """L⁻¹ (y − μ), a column for each sample that was drawn."""
    return solve_triangular(low, deviations(y, mean, len(low)).T, lower=True)


def moved(low: Any, z: Any, mean: Any) -> Any:
    """μ + L z, a row for each sample."""
    return (low @ z).T + (0.0 if mean is None else np.reshape(mean, (1, -1)))


def student_sample(y, loc, shape, df):
    """y = μ + r L u, the direction u held; r² /d moves as the quantile of F(d, ν)"""
    size = size_of(loc, shape)
    low = factor(square(shape, size))
    z = held_noise(low, loc, y)
    if not np.isinf(df):
        ratio = held_ratio(z)
        z = z * np.sqrt(quantile("f", ratio, float(size), df) / ratio)
    return moved(low, z, loc)


def held_ratio(z: Any) -> Any:
    """|z|²/d, which is distributed by F(d, ν)"""
    return np.mean(np.square(z), axis=0)


def matrix_normal_sample(y, mean, rowcov, colcov):
    """Y = M + L Z Cᵀ, Z held"""
    z, low, across = matrix_parts(y, mean, rowcov, colcov)
    return (0.0 if mean is None else mean) + low @ held(z) @ across.T


def held(z: Any) -> Any:
    """What was drawn."""
    return np.array(z)


def dirichlet_sample(y, alpha):
    """yᵢ = vᵢ Π_{j<i} (1 − vⱼ), the sticks vᵢ of beta distributions of αᵢ and Σ_{j>i} αⱼ"""
    left, pieces, count = 1.0, [], np.size(alpha)
    for i in range(count - 1):
        stick = quantile("beta", held_stick(y, i), alpha[i], np.sum(alpha[i + 1 :]))
        pieces.append(left * stick)
        left = left * (1.0 - stick)
    return np.stack([*pieces, left * np.ones(np.shape(y)[:-1])], axis=-1)


def held_stick(y: Any, i: int) -> Any:
    """What part of the rest the i-th piece was."""
    return np.clip(y[..., i] / np.sum(y[..., i:], axis=-1), 1e-300, 1.0 - 1e-16)


def wishart_sample(y, df, scale):
    """Y = L A Aᵀ Lᵀ, the squares on the diagonal of A of χ² distributions of ν, ν − 1, …"""
    size = dimension(scale)
    low = factor(square(scale, size))
    bartlett = held_bartlett(low, y)
    spread = np.sqrt(quantile("chi2", held_squares(bartlett), df - np.arange(size)))
    moved_factor = low @ (np.tril(bartlett, -1) + np.expand_dims(spread, -2) * np.eye(size))
    return moved_factor @ np.swapaxes(moved_factor, -1, -2)


def inverse_wishart_sample(y, df, scale):
    """Y = (L A⁻¹) (L A⁻¹)ᵀ, the squares on the diagonal of A of χ² distributions of ν − p + 1, …, ν"""
    size = dimension(scale)
    low = factor(square(scale, size))
    drawn = np.linalg.inv(held_bartlett(low, y))
    spread = np.sqrt(quantile("chi2", held_squares(held(drawn)), df - size + 1.0 + np.arange(size)))
    grown = np.tril(held(drawn), -1) + np.expand_dims(spread, -2) * np.eye(size)
    moved_factor = low @ np.linalg.inv(grown)
    return moved_factor @ np.swapaxes(moved_factor, -1, -2)


def held_bartlett(low: Any, y: Any) -> Any:
    """L⁻¹ times the factor of each matrix that was drawn."""
    size = len(low)
    return np.linalg.solve(low, np.linalg.cholesky(np.reshape(y, (-1, size, size))))


def held_squares(a: Any) -> Any:
    """The squares on the diagonals."""
    return np.square(np.diagonal(a, axis1=-2, axis2=-1))


def normal_inverse_gamma_sample(y, mu, lmbda, a, b):
    """σ² = b g, g of an inverse gamma distribution, x = μ + √(σ²/λ) z, z held"""
    x, s2 = y
    variance = b * quantile("invgamma", held_ratio_to(s2, b), a)
    return mu + np.sqrt(variance / lmbda) * held_standard(x, mu, s2, lmbda), variance


def held_ratio_to(s2: Any, b: Any) -> Any:
    """σ²/b"""
    return np.asarray(s2) / b


def held_standard(x: Any, mu: Any, s2: Any, lmbda: Any) -> Any:
    """(x − μ)/√(σ²/λ)"""
    return (np.asarray(x) - mu) / np.sqrt(np.asarray(s2) / lmbda)


non_differentiable(
    *(held_noise, held_ratio, held, held_stick, held_bartlett, held_squares, held_ratio_to, held_standard),
    why="finds what was drawn, which is held",
)
program_of(stats.multivariate_normal, multivariate_normal_frozen, "rvs", normal_sample)
program_of(stats.multivariate_t, multivariate_t_frozen, "rvs", student_sample)
program_of(stats.matrix_normal, matrix_normal_frozen, "rvs", matrix_normal_sample)
program_of(stats.dirichlet, dirichlet_frozen, "rvs", dirichlet_sample)
program_of(stats.wishart, wishart_frozen, "rvs", wishart_sample)
program_of(stats.invwishart, invwishart_frozen, "rvs", inverse_wishart_sample)
program_of(stats.normal_inverse_gamma, normal_inverse_gamma_frozen, "rvs", normal_inverse_gamma_sample)

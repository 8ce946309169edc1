"""Normal and Student's t distributions of vectors and matrices [Gupta & Nagar 2000].

With Σ = L Lᵀ and w = L⁻¹ (x − μ), (x − μ)ᵀ Σ⁻¹ (x − μ) = |w|² and log det Σ = 2 Σ log Lᵢᵢ. One triangle of
Σ is read, as SciPy does. A singular Σ is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.linalg import solve_triangular
from scipy.special import gammaln, multigammaln, psi
from scipy.stats._multivariate import (
    matrix_normal_frozen,
    matrix_t_frozen,
    multivariate_normal_frozen,
    multivariate_t_frozen,
)

from ....core import NotDifferentiableError, non_differentiable
from ....tangents import convert_fields, from_fields
from .methods import density_of, given_matrix, programs_of
from .normals import HALF_LOG_TAU

LOG_PI = np.log(np.pi)


def hold_definite(cov: Any) -> None:
    """Refuse a covariance that has no Cholesky factor."""
    try:
        np.linalg.cholesky(np.asarray(cov))
    except np.linalg.LinAlgError:
        raise NotDifferentiableError(
            "a covariance that is singular: the density has no derivative by it",
            closest="a positive definite one",
            next="add a small multiple of the identity, or use the coordinates that vary",
        ) from None


non_differentiable(hold_definite, why="checks an argument")


def square(cov: Any, size: int) -> Any:
    """A covariance as a matrix: from a number, from its diagonal, or as it is."""
    cov = given_matrix(cov)
    if np.size(cov) == 1 and size == 1:
        return np.reshape(cov, (1, 1))
    if np.ndim(cov) == 0:
        return cov * np.eye(size)
    return np.diag(cov) if np.ndim(cov) == 1 else cov


def size_of(mean: Any, cov: Any) -> int:
    """The dimension of a vector, from its mean or its covariance."""
    if mean is not None and np.size(mean) > 1:
        return np.size(mean)
    found = given_matrix(cov)
    return np.shape(found)[0] if np.ndim(found) == 2 or (np.ndim(found) == 1 and mean is not None) else 1


def factor(cov: Any) -> Any:
    """L with L Lᵀ = Σ."""
    hold_definite(cov)
    return np.linalg.cholesky(cov)


def log_det(low: Any) -> Any:
    """log det L Lᵀ"""
    return 2.0 * np.sum(np.log(np.diagonal(low)))


def deviations(x: Any, mean: Any, size: int) -> Any:
    """x − μ, a row for each point."""
    rows = np.reshape(x, (-1, size))
    return rows if mean is None else rows - np.reshape(mean, (1, size))


def parts(x: Any, mean: Any, cov: Any) -> Any:
    """The dimension d, |L⁻¹ (x − μ)|² of each point, and log det Σ."""
    size = size_of(mean, cov)
    low = factor(square(cov, size))
    w = solve_triangular(low, deviations(x, mean, size).T, lower=True)
    return size, np.sum(np.square(w), axis=0), log_det(low)


def log_normal(x, mean, cov):
    """−½ (|w|² + log det Σ) − d log √(2π)"""
    size, distance, volume = parts(x, mean, cov)
    return -0.5 * (distance + volume) - size * HALF_LOG_TAU


def normal_entropy(mean, cov):
    """½ log det Σ + d (½ + log √(2π))"""
    size = size_of(mean, cov)
    return 0.5 * log_det(factor(square(cov, size))) + size * (0.5 + HALF_LOG_TAU)


def log_student(x, loc, shape, df):
    """log Γ((ν + d)/2) − log Γ(ν/2) − d/2 log(ν π) − ½ log det Σ − (ν + d)/2 log(1 + |w|²/ν)"""
    size, distance, volume = parts(x, loc, shape)
    if np.isinf(df):
        return -0.5 * (distance + volume) - size * HALF_LOG_TAU
    half = 0.5 * (df + size)
    front = gammaln(half) - gammaln(0.5 * df) - 0.5 * size * np.log(df * np.pi) - 0.5 * volume
    return front - half * np.log1p(distance / df)


def student_entropy(loc, shape, df):
    """½ log det Σ + log Γ(ν/2)/Γ((ν + d)/2) + d/2 log(ν π) + (ν + d)/2 (ψ((ν + d)/2) − ψ(ν/2))"""
    size = size_of(None, shape)
    volume = log_det(factor(square(shape, size)))
    if np.isinf(df):
        return 0.5 * volume + size * (0.5 + HALF_LOG_TAU)
    half = 0.5 * (df + size)
    front = 0.5 * volume + gammaln(0.5 * df) - gammaln(half) + 0.5 * size * np.log(df * np.pi)
    return front + half * (psi(half) - psi(0.5 * df))


def matrix_parts(x: Any, mean: Any, rows: Any, columns: Any) -> Any:
    """L⁻¹ (X − M) C⁻ᵀ of each matrix, and the factors L and C of both covariances."""
    height, width = matrix_size(mean, rows, columns)
    low, across = factor(square(rows, height)), factor(square(columns, width))
    stack = np.reshape(x, (-1, height, width))
    if mean is not None:
        stack = stack - mean
    left = np.linalg.solve(low, stack)
    return np.swapaxes(np.linalg.solve(across, np.swapaxes(left, -1, -2)), -1, -2), low, across


def matrix_size(mean: Any, rows: Any, columns: Any) -> tuple[int, int]:
    """The height and width of the matrices."""
    if mean is not None:
        return np.shape(mean)[0], np.shape(mean)[1]
    return (np.shape(rows) or (1,))[0], (np.shape(columns) or (1,))[0]


non_differentiable(matrix_size, size_of, why="counts")


def log_matrix_normal(X, mean, rowcov, colcov):
    """−½ (|L⁻¹ (X − M) C⁻ᵀ|² + p log det U + n log det V) − n p log √(2π)"""
    w, low, across = matrix_parts(X, mean, rowcov, colcov)
    volume = len(across) * log_det(low) + len(low) * log_det(across)
    return -0.5 * (np.sum(np.square(w), axis=(-2, -1)) + volume) - len(low) * len(across) * HALF_LOG_TAU


def matrix_normal_entropy(rowcov, colcov):
    """½ (p log det U + n log det V) + n p (½ + log √(2π))"""
    height, width = matrix_size(None, rowcov, colcov)
    low, across = factor(square(rowcov, height)), factor(square(colcov, width))
    volume = width * log_det(low) + height * log_det(across)
    return 0.5 * volume + height * width * (0.5 + HALF_LOG_TAU)


def log_matrix_student(X, mean, row_spread, col_spread, df):
    """log Γ_p((ν + n + p − 1)/2)/Γ_p((ν + p − 1)/2) − … − (ν + n + p − 1)/2 log det(1 + Wᵀ W)"""
    w, low, across = matrix_parts(X, mean, row_spread, col_spread)
    n, p = len(low), len(across)
    nu = 1.0 if df is None else df
    half = 0.5 * (nu + n + p - 1)
    grown = np.linalg.slogdet(np.eye(p) + np.swapaxes(w, -1, -2) @ w)[1]
    front = multigammaln(half, p) - multigammaln(0.5 * (nu + p - 1), p) - 0.5 * n * p * LOG_PI
    return front - 0.5 * (p * log_det(low) + n * log_det(across)) - half * grown


programs_of(
    stats.multivariate_normal,
    multivariate_normal_frozen,
    logpdf=log_normal,
    pdf=density_of(log_normal),
    entropy=normal_entropy,
)
programs_of(
    stats.multivariate_t,
    multivariate_t_frozen,
    logpdf=log_student,
    pdf=density_of(log_student),
    entropy=student_entropy,
)
programs_of(
    stats.matrix_normal,
    matrix_normal_frozen,
    logpdf=log_matrix_normal,
    pdf=density_of(log_matrix_normal),
    entropy=matrix_normal_entropy,
)
programs_of(stats.matrix_t, matrix_t_frozen, logpdf=log_matrix_student, pdf=density_of(log_matrix_student))


@convert_fields(multivariate_normal_frozen, "cov")
def frozen_covariance_fields(x, cov_bar):
    """The covariance is kept in an object of the class `Covariance`."""
    return {"cov_object": from_fields(type(x.cov_object), {"_covariance": cov_bar})}

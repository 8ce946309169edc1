"""Distribution functions of normal and Student's t vectors, by their limits, means and covariances.

By a limit the derivative is the density of that entry times the probability of the others given it, and by a
covariance, with Σᵢⱼ and Σⱼᵢ moved together, that of two entries [Plackett 1954]. These probabilities are
exact in one and two dimensions, above by SciPy's quasi-random rule with a seed of its own: a derivative has
about the error that SciPy's value has. One triangle of Σ is read. Finite lower limits are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.special import ndtr, owens_t
from scipy.stats._multivariate import (
    multivariate_normal_frozen,
    multivariate_normal_gen,
    multivariate_t_frozen,
    multivariate_t_gen,
)

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....core.types import Array
from ....tangents import ZERO, NotImplementedTangent, is_zero
from ...written import as_found, own, written_out
from .gaussian_vectors import deviations, size_of, square
from .methods import parameter

NO_SHAPE = NotImplementedTangent("the distribution function of a multivariate t by its shape or df")
FAR = 1e6


def no_lower_limit(lower_limit: Any) -> None:
    """Refuse finite lower limits."""
    if lower_limit is not None and np.any(np.isfinite(lower_limit)):
        raise UnsupportedArgument("multivariate cdf", "lower_limit", lower_limit, why="lower limits are held")


non_differentiable(no_lower_limit, why="checks an argument")


def integrated(cov: Any) -> Any:
    """The matrix by which SciPy integrates: of an object of the class `Covariance` the one that it shows."""
    return cov.covariance if isinstance(cov, stats.Covariance) else cov


@written_out(multivariate_normal_gen.cdf)
def normal_cdf_written_out(
    dist: multivariate_normal_gen,
    x: Array,
    mean: object = None,
    cov: object = 1,
    *,
    allow_singular=False,
    maxpts=None,
    abseps=1e-5,
    releps=1e-5,
    lower_limit=None,
    rng=None,
):
    """Φ(x − μ; Σ)"""
    no_lower_limit(lower_limit)
    y = own(dist.cdf, x, mean, cov, allow_singular, maxpts, abseps, releps, lower_limit=lower_limit, rng=rng)
    size = size_of(mean, cov)
    below = orthant(deviations(x, mean, size), square(integrated(cov), size))
    return as_found(y, np.reshape(below, np.shape(y)))


@written_out(multivariate_normal_gen.logcdf)
def normal_logcdf_written_out(
    dist: multivariate_normal_gen,
    x: Array,
    mean: object = None,
    cov: object = 1,
    *,
    allow_singular=False,
    maxpts=None,
    abseps=1e-5,
    releps=1e-5,
    lower_limit=None,
    rng=None,
):
    """log Φ(x − μ; Σ)"""
    no_lower_limit(lower_limit)
    y = own(
        dist.logcdf, x, mean, cov, allow_singular, maxpts, abseps, releps, lower_limit=lower_limit, rng=rng
    )
    size = size_of(mean, cov)
    below = orthant(deviations(x, mean, size), square(integrated(cov), size))
    return as_found(y, np.log(as_found(own(np.exp, y), np.reshape(below, np.shape(y)))))


@written_out(multivariate_normal_frozen.cdf)
def frozen_cdf_written_out(frozen: multivariate_normal_frozen, x: Array, *, lower_limit=None, rng=None):
    """Φ(x − μ; Σ)"""
    mean, cov = parameter(frozen, name="mean"), parameter(frozen, name="cov")
    return stats.multivariate_normal.cdf(x, mean, cov, lower_limit=lower_limit, rng=rng)


@written_out(multivariate_normal_frozen.logcdf)
def frozen_logcdf_written_out(frozen: multivariate_normal_frozen, x: Array, *, lower_limit=None, rng=None):
    """log Φ(x − μ; Σ)"""
    mean, cov = parameter(frozen, name="mean"), parameter(frozen, name="cov")
    return stats.multivariate_normal.logcdf(x, mean, cov, lower_limit=lower_limit, rng=rng)


@written_out(multivariate_t_gen.cdf)
def student_cdf_written_out(
    dist: multivariate_t_gen,
    x: Array,
    loc: object = None,
    shape: object = 1,
    df: object = 1,
    *,
    allow_singular=False,
    maxpts=None,
    lower_limit=None,
    random_state=None,
):
    """T(x − μ; Σ, ν)"""
    no_lower_limit(lower_limit)
    options = {"maxpts": maxpts, "lower_limit": lower_limit, "random_state": random_state}
    y = own(dist.cdf, x, loc, shape, df, allow_singular, **options)
    size = size_of(loc, shape)
    return as_found(
        y, np.reshape(student_orthant(deviations(x, loc, size), square(shape, size), df), np.shape(y))
    )


@written_out(multivariate_t_frozen.cdf)
def frozen_student_cdf_written_out(
    frozen: multivariate_t_frozen, x: Array, *, maxpts=None, lower_limit=None, random_state=None
):
    """T(x − μ; Σ, ν)"""
    loc, shape, df = (parameter(frozen, name=name) for name in ("loc", "shape", "df"))
    return stats.multivariate_t.cdf(
        x, loc, shape, df, maxpts=maxpts, lower_limit=lower_limit, random_state=random_state
    )


def orthant(b: Any, cov: Any) -> Any:
    """Φ(b; Σ) for each row of b"""
    cov, b = np.asarray(cov), np.clip(np.asarray(b), -FAR, FAR)
    size = b.shape[-1]
    if size == 0:
        return np.ones(len(b))
    if size == 1:
        return ndtr(b[:, 0] / np.sqrt(cov[0, 0]))
    low = np.tril(cov) + np.tril(cov, -1).T
    if size == 2:
        s = np.sqrt(np.diagonal(low))
        return quadrant(b[:, 0] / s[0], b[:, 1] / s[1], low[1, 0] / (s[0] * s[1]))
    rng = np.random.default_rng(0)
    return np.reshape(stats.multivariate_normal.cdf(b, None, low, abseps=1e-6, rng=rng), len(b))


def quadrant(h: Any, k: Any, r: Any) -> Any:
    """P(X ≤ h, Y ≤ k) of standard normal numbers of correlation r [Owen 1956]"""
    root = np.sqrt((1.0 - r) * (1.0 + r))
    with np.errstate(all="ignore"):
        first = np.where(h == 0, np.copysign(np.inf, k), (k - r * h) / (h * root))
        second = np.where(k == 0, np.copysign(np.inf, h), (h - r * k) / (k * root))
    apart = np.where((h * k > 0) | ((h * k == 0) & (h + k >= 0)), 0.0, 0.5)
    found = 0.5 * (ndtr(h) + ndtr(k)) - apart - owens_t(h, first) - owens_t(k, second)
    return np.where((h == 0) & (k == 0), 0.25 + np.arcsin(r) / (2.0 * np.pi), found)


@frule(orthant)
def orthant_frule(tangents, b: np.ndarray, cov: np.ndarray):
    """Φ̇ = Σ ∂Φ/∂bᵢ ḃᵢ + Σ_{i>j} ∂²Φ/∂bᵢ∂bⱼ Σ̇ᵢⱼ + ½ Σ ∂²Φ/∂bᵢ² Σ̇ᵢᵢ"""
    db, dcov = tangents
    moved = 0.0 if is_zero(db) else np.sum(by_limits(b, cov) * db, axis=-1)
    if not is_zero(dcov):
        moved = moved + np.sum(by_covariance(b, cov) * dcov, axis=(-2, -1))
    return orthant(b, cov), moved


@rrule(orthant)
def orthant_rrule(b: np.ndarray, cov: np.ndarray, *, needs):
    """b̄ᵢ = ∂Φ/∂bᵢ ȳ, Σ̄ᵢⱼ = ∂²Φ/∂bᵢ∂bⱼ ȳ for i > j and ½ ∂²Φ/∂bᵢ² ȳ for i = j"""

    def orthant_pullback(y_bar):
        b_bar = by_limits(b, cov) * np.expand_dims(y_bar, -1) if needs[0] else ZERO
        each = by_covariance(b, cov) * np.expand_dims(y_bar, (-2, -1)) if needs[1] else ZERO
        return b_bar, np.sum(each, axis=0) if needs[1] else ZERO

    return orthant(b, cov), orthant_pullback


def symmetric(cov: Any) -> Any:
    """The matrix whose lower triangle this is."""
    return np.tril(cov) + np.tril(cov, -1).T


def given(b: Any, cov: Any, known: Any, rest: Any) -> Any:
    """The limits and the covariance of the others, given what these entries are."""
    inner = cov[np.ix_(known, known)]
    slope = np.linalg.solve(inner, cov[np.ix_(known, rest)]).T
    return b[:, rest] - b[:, known] @ slope.T, cov[np.ix_(rest, rest)] - slope @ cov[np.ix_(known, rest)]


def others(size: int, known: Any) -> Any:
    """The other places."""
    return np.array([i for i in range(size) if i not in known], dtype=int)


non_differentiable(others, why="counts places")


def dense(b: Any, cov: Any, known: Any) -> Any:
    """The density of these entries at their limits times the probability of the others given them."""
    inner, at = cov[np.ix_(known, known)], b[:, known]
    distance = np.sum(at * np.linalg.solve(inner, at.T).T, axis=-1)
    front = np.exp(-0.5 * distance) / np.sqrt((2.0 * np.pi) ** len(known) * np.linalg.det(inner))
    return front * orthant(*given(b, cov, known, others(np.shape(b)[1], known)))


def by_limits(b: Any, cov: Any) -> Any:
    """∂Φ/∂bᵢ"""
    if np.shape(b)[1] == 0:
        return np.zeros(np.shape(b))
    b, cov = np.clip(b, -FAR, FAR), symmetric(cov)
    return np.stack([dense(b, cov, [i]) for i in range(np.shape(b)[1])], axis=-1)


def by_covariance(b: Any, cov: Any) -> Any:
    """∂²Φ/∂bᵢ∂bⱼ below the diagonal, ½ ∂²Φ/∂bᵢ² = −½ (bᵢ ∂Φ/∂bᵢ + Σ_{j≠i} Σᵢⱼ ∂²Φ/∂bᵢ∂bⱼ)/Σᵢᵢ on it"""
    if np.shape(b)[1] == 0:
        return np.zeros((np.shape(b)[0], 0, 0))
    b, cov = np.clip(b, -FAR, FAR), symmetric(cov)
    size = np.shape(b)[1]
    zero = np.zeros(len(b))
    both = {(i, j): dense(b, cov, [i, j]) for i in range(size) for j in range(i)}
    rows = []
    for i in range(size):
        alone = b[:, i] * dense(b, cov, [i])
        for j in range(size):
            if j != i:
                alone = alone + cov[i, j] * both[max(i, j), min(i, j)]
        row = [both[i, j] if j < i else zero for j in range(size)]
        row[i] = -0.5 * alone / cov[i, i]
        rows.append(np.stack(row, axis=-1))
    return np.stack(rows, axis=-2)


def student_orthant(b: Any, shape: Any, df: Any) -> Any:
    """T(b; Σ, ν) for each row of b"""
    b, shape = np.clip(np.asarray(b), -FAR, FAR), np.asarray(shape)
    if np.isinf(df) or b.shape[-1] == 0:
        return orthant(b, shape)
    if b.shape[-1] == 1:
        return stats.t.cdf(b[:, 0] / np.sqrt(shape[0, 0]), df)
    found = stats.multivariate_t.cdf(b, None, symmetric(shape), df, maxpts=200_000, random_state=0)
    return np.reshape(found, len(b))


@frule(student_orthant)
def student_orthant_frule(tangents, b: np.ndarray, shape: np.ndarray, df: object):
    """Ṫ = Σ ∂T/∂bᵢ ḃᵢ"""
    y = student_orthant(b, shape, df)
    if not (is_zero(tangents[1]) and is_zero(tangents[2])):
        return y, NO_SHAPE
    return y, np.sum(student_by_limits(b, shape, df) * tangents[0], axis=-1)


@rrule(student_orthant)
def student_orthant_rrule(b: np.ndarray, shape: np.ndarray, df: object, *, needs):
    """b̄ᵢ = ∂T/∂bᵢ ȳ"""

    def student_orthant_pullback(y_bar):
        b_bar = student_by_limits(b, shape, df) * np.expand_dims(y_bar, -1) if needs[0] else ZERO
        return b_bar, NO_SHAPE, NO_SHAPE

    return student_orthant(b, shape, df), student_orthant_pullback


def student_by_limits(b: Any, shape: Any, df: Any) -> Any:
    """t(bᵢ) T(bⱼ − Σⱼᵢ bᵢ/Σᵢᵢ; (ν + bᵢ²/Σᵢᵢ)/(ν + 1) Σ given i, ν + 1) [Kotz & Nadarajah 2004, 1.11]"""
    if np.isinf(df):
        return by_limits(b, shape)
    b, shape = np.clip(b, -FAR, FAR), symmetric(shape)
    columns = []
    for i in range(np.shape(b)[1]):
        limits, spread = given(b, shape, [i], others(np.shape(b)[1], [i]))
        width = np.sqrt(shape[i, i])
        grown = np.sqrt((df + np.square(b[:, i : i + 1] / width)) / (df + 1.0))
        columns.append(
            stats.t.pdf(b[:, i] / width, df) / width * student_orthant(limits / grown, spread, df + 1.0)
        )
    return np.stack(columns, axis=-1)

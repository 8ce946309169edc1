"""`gaussian_kde`: an object; its tangent has the dataset, the weights, the bandwidth and all made of them.

What a method reads of the object it differentiates by: `evaluate` and `logpdf` the dataset, the weights and
the Cholesky factor of the kernels' covariance; the integrals that covariance itself. All of these move with
what the object was made from. A bandwidth that is set later is refused.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from scipy import stats
from scipy._lib._util import check_random_state
from scipy.linalg import solve_triangular
from scipy.special import logsumexp, ndtr
from scipy.stats import gaussian_kde

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from ..results import undifferentiated
from .agreement import agreed, as_result
from .samples_of import Samples

HELD = (
    "dataset",
    "_weights",
    "_neff",
    "factor",
    "covariance",
    "cho_cov",
    "log_det",
    "_data_covariance",
    "_data_cho_cov",
)


def held_by(kde: Any, name: str) -> Any:
    """What an object holds; the effective number of data it computes where it is first asked for."""
    return kde.neff if name == "_neff" else getattr(kde, name)


def dimension(kde: Any) -> int:
    """How many coordinates there are."""
    return int(kde.d)


def counts(*kdes: Any) -> tuple[int, ...]:
    """How many data there are in each."""
    return tuple(int(kde.n) for kde in kdes)


non_differentiable(dimension, counts, why="return whole numbers")


def factor_of(bw_method: Any, made: Any, d: int, effective: Any) -> Any:
    """The factor of the bandwidth, by Scott's rule, Silverman's, as a number or by the user's function."""
    if bw_method is None or isinstance(bw_method, str):
        size = effective * (d + 2.0) / 4.0 if bw_method == "silverman" else effective
        return size ** (-1.0 / (d + 4.0))
    return bw_method(made) if callable(bw_method) else bw_method


@written_out(gaussian_kde)
def kde(dataset: Samples, bw_method: Any = None, weights: Any = None):
    """The weighted covariance of the data times the square of Scott's factor, n^(−1/(d + 4)) [Scott 1992]"""
    y = own(gaussian_kde, dataset, bw_method, weights)
    data = np.reshape(np.asarray(dataset) * 1.0, (y.d, y.n))
    if weights is None:
        shares = np.full(y.n, 1.0 / y.n)
    else:
        shares = np.reshape(np.asarray(weights) * 1.0, -1) / np.sum(weights)
    effective = 1.0 / np.sum(np.square(shares))
    off = data - (data @ shares)[:, None]
    spread = (off * shares) @ off.T / (1.0 - 1.0 / effective)
    made = as_result(y, ("dataset", "_weights"), data, shares)
    factor = factor_of(bw_method, made, y.d, effective)
    root = np.linalg.cholesky(spread)
    size = 2.0 * np.sum(np.log(np.diag(root) * factor)) + y.d * np.log(2.0 * np.pi)
    parts = (data, shares, effective, factor, spread * factor**2, root * factor, size, spread, root)
    found = [
        agreed(own(held_by, y, n), p, "scipy.stats.gaussian_kde") for n, p in zip(HELD, parts, strict=True)
    ]
    return as_result(y, HELD, *found)


@written_out(gaussian_kde.weights.fget)
def weights_of(kde: gaussian_kde):
    """What the object holds"""
    return kde._weights


@written_out(gaussian_kde.neff.fget)
def neff(kde: gaussian_kde):
    """1/Σ w²"""
    return 1.0 / np.sum(np.square(kde._weights))


@written_out(gaussian_kde.inv_cov.fget)
def inv_cov(kde: gaussian_kde):
    """Σ⁻¹"""
    return np.linalg.inv(kde.covariance)


@written_out(gaussian_kde.scotts_factor)
def scotts_factor(kde: gaussian_kde):
    """n^(−1/(d + 4)) [Scott 1992]"""
    return kde.neff ** (-1.0 / (dimension(kde) + 4.0))


@written_out(gaussian_kde.silverman_factor)
def silverman_factor(kde: gaussian_kde):
    """(n (d + 2)/4)^(−1/(d + 4)) [Silverman 1986]"""
    d = dimension(kde)
    return (kde.neff * (d + 2.0) / 4.0) ** (-1.0 / (d + 4.0))


def as_points(points: Any, d: int) -> Any:
    """Points in columns; numbers are points of a line, or one point."""
    x = np.asarray(points) * 1.0
    x = np.reshape(x, (1, -1)) if np.ndim(x) < 2 else x
    return np.reshape(x, (d, 1)) if np.shape(x)[0] == 1 and np.shape(x)[1] == d and d != 1 else x


def log_kernels(kde: Any, points: Any) -> Any:
    """The logarithms of the kernels about all data, at each point: an array (points, data)."""
    d = dimension(kde)
    data = solve_triangular(kde.cho_cov, kde.dataset, lower=True)
    at = solve_triangular(kde.cho_cov, as_points(points, d), lower=True)
    energy = sum([np.square(at[k][:, None] - data[k]) for k in range(d)])
    size = np.sum(np.log(np.diag(kde.cho_cov))) + 0.5 * d * np.log(2.0 * np.pi)
    return -0.5 * energy - size


@written_out(gaussian_kde.evaluate)
def evaluate(kde: gaussian_kde, points: Any):
    """Σ w φ(x − xᵢ)"""
    found = np.exp(log_kernels(kde, points)) @ kde._weights
    return agreed(own(gaussian_kde.evaluate, kde, points), found, "gaussian_kde")


@written_out(gaussian_kde.pdf)
def pdf(kde: gaussian_kde, x: Any):
    """Σ w φ(x − xᵢ)"""
    return kde.evaluate(x)


@written_out(gaussian_kde.logpdf)
def logpdf(kde: gaussian_kde, x: Any):
    """The logarithm of that sum, without underflow"""
    found = logsumexp(log_kernels(kde, x), axis=1, b=kde._weights)
    return agreed(own(gaussian_kde.logpdf, kde, x), found, "gaussian_kde.logpdf")


def gaussians(apart: Any, covariance: Any) -> Any:
    """The densities of normal vectors at columns. One triangle is read, as SciPy does."""
    root = np.linalg.cholesky(np.transpose(covariance))
    white = solve_triangular(root, apart, lower=True)
    size = np.sum(np.log(np.diag(root))) + 0.5 * len(root) * np.log(2.0 * np.pi)
    return np.exp(-0.5 * np.sum(np.square(white), axis=0) - size)


@written_out(gaussian_kde.integrate_gaussian)
def integrate_gaussian(kde: gaussian_kde, mean: Any, cov: Any):
    """Σ w φ(xᵢ − μ) with the sum of both covariances"""
    y = own(gaussian_kde.integrate_gaussian, kde, mean, cov)
    d = dimension(kde)
    middle, spread = np.reshape(mean, (d, 1)), np.reshape(cov, (d, d))
    found = np.sum(kde._weights * gaussians(kde.dataset - middle, kde.covariance + spread))
    return agreed(y, found, "gaussian_kde.integrate_gaussian")


@written_out(gaussian_kde.integrate_kde)
def integrate_kde(kde: gaussian_kde, other: gaussian_kde):
    """ΣΣ w v φ(xᵢ − yⱼ) with the sum of both covariances"""
    y = own(gaussian_kde.integrate_kde, kde, other)
    apart = np.reshape(kde.dataset[:, :, None] - other.dataset[:, None, :], (dimension(kde), -1))
    each = np.reshape(gaussians(apart, kde.covariance + other.covariance), counts(kde, other))
    return agreed(y, kde._weights @ each @ other._weights, "gaussian_kde.integrate_kde")


@written_out(gaussian_kde.integrate_box_1d)
def integrate_box_1d(kde: gaussian_kde, low: Any, high: Any):
    """Σ w (Φ((b − xᵢ)/σ) − Φ((a − xᵢ)/σ))"""
    y = own(gaussian_kde.integrate_box_1d, kde, low, high)
    spread, data = np.sqrt(kde.covariance[0, 0]), kde.dataset[0]
    found = np.sum(kde._weights * (ndtr((high - data) / spread) - ndtr((low - data) / spread)))
    return agreed(y, found, "gaussian_kde.integrate_box_1d")


def corners(d: int) -> Any:
    """The corners of a box, each with its sign in the sum over them, and which of the bounds are upper."""
    every = [np.asarray(c, bool) for c in np.ndindex((2,) * d)]
    return tuple([((-1.0) ** (d - np.sum(c)), c) for c in every])


def refuse_dimensions(d: int) -> None:
    """Refuse boxes in more than three dimensions, of which SciPy's value is rough."""
    if d > 3:
        raise UnsupportedArgument(
            gaussian_kde.integrate_box, "self", d, why="boxes have derivatives in at most 3 dimensions",
            next="integrate kde.evaluate with scipy.integrate.cubature",
        )  # fmt: skip


non_differentiable(corners, refuse_dimensions, why="are constants; checks")


@written_out(gaussian_kde.integrate_box)
def integrate_box(kde: gaussian_kde, low_bounds: Any, high_bounds: Any, *, maxpts=None, rng=None):
    """The masses of the kernels below each corner, with alternating signs"""
    y = own(gaussian_kde.integrate_box, kde, low_bounds, high_bounds, maxpts, rng=rng)
    d = dimension(kde)
    refuse_dimensions(d)
    low, high, found = np.reshape(low_bounds, -1), np.reshape(high_bounds, -1), 0.0
    for sign, upper in corners(d):
        at = np.where(upper, high, low) - kde.dataset.T
        found = found + sign * np.sum(kde._weights * stats.multivariate_normal.cdf(at, cov=kde.covariance))
    return agreed(y, found, "gaussian_kde.integrate_box", rtol=1e-3)


@written_out(gaussian_kde.marginal)
def marginal(kde: gaussian_kde, *, dimensions):
    """The same of some of the coordinates, with the same factor"""
    return gaussian_kde(kde.dataset[np.atleast_1d(dimensions)], bw_method=kde.factor, weights=kde._weights)


def drawn(kde: Any, size: Any, rng: Any) -> Any:
    """What SciPy draws: standard normal columns, by the Cholesky factor, and the places of kernels."""
    size = int(kde.neff) if size is None else size
    noise = rng.multivariate_normal(np.zeros(kde.d), kde.covariance, size=size).T
    return solve_triangular(kde.cho_cov, noise, lower=True), rng.choice(kde.n, size=size, p=kde.weights)


def generators(seed: Any) -> Any:
    """SciPy's generator for a seed, and one that draws the same."""
    first = check_random_state(seed)
    return first, copy.deepcopy(first)


non_differentiable(drawn, generators, why="draws random numbers, which are held")


@written_out(gaussian_kde.resample)
def resample(kde: gaussian_kde, *, size=None, seed=None):
    """xᵢ + L z with the normal numbers z and the places i held; by weights, which change these, none"""
    first, second = generators(seed)
    y = own(gaussian_kde.resample, kde, size, first)
    noise, places = drawn(kde, size, second)
    found = kde.dataset[:, places] + kde.cho_cov @ noise
    return agreed(y, found, "gaussian_kde.resample") + undifferentiated(
        0.0, kde._weights, name="the places drawn"
    )

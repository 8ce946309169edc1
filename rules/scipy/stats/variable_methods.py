"""Methods of random variables of SciPy's new infrastructure: by x and by what the variable is made of.

The value is always SciPy's own; where the program of the variable's law computes another one the derivative
is refused. Outside the support the derivative is 0. Quantiles and samples are implicit in the distribution
function, as those of frozen distributions; a probability of 0 or 1 is refused where no distribution of
SciPy's stands behind the variable.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import Mixture
from scipy.stats._distribution_infrastructure import DiscreteDistribution, UnivariateDistribution

from ....core import NotDifferentiableError, non_differentiable
from ...written import as_found, own, written_out
from .agreement import agreed
from .calls import everywhere
from .laws import above, below, log_above, log_below, log_density
from .quantiles import solved
from .standing import Program, behind, standing

OWNERS: tuple[type, ...] = (UnivariateDistribution, Mixture)


def at(X: Any, x: Any, y: Any, program: Program, name: str) -> Any:
    """SciPy's value with the derivative of a program, which is asked for inside the support alone."""
    moves, inner = inside(X, x, y)
    if everywhere(moves):
        return agreed(y, program(X, x), name)
    return agreed(y, np.where(moves, program(X, np.where(moves, x, inner)), y), name)


def inside(X: Any, x: Any, y: Any) -> Any:
    """Where a value moves, and a point at which it does."""
    a, b = X.support()
    x, y = np.asarray(x), np.asarray(y)
    moves = ((x >= a) & (x <= b) & np.isfinite(x) & np.isfinite(y)) | np.isnan(y)
    return moves, None if np.all(moves) else X.icdf(0.5)


non_differentiable(inside, why="says where a point lies")


def density(X, x):
    """f(x)"""
    return np.exp(log_density(X, x))


def between(X, x, y):
    """F(y) − F(x)"""
    return below(X, y) - below(X, x)


def declare(owner: Any) -> None:
    """Register the methods of x of a class of variables."""
    for name, program in {
        "pdf": density,
        "logpdf": log_density,
        "pmf": density,
        "logpmf": log_density,
    }.items():
        _declare_density(owner, getattr(owner, name), program)
    for name, program, pair in (
        ("cdf", below, lambda p: p),
        ("ccdf", above, lambda p: 1.0 - p),
        ("logcdf", log_below, np.log),
        ("logccdf", log_above, lambda p: np.log1p(-p)),
    ):
        _declare_distribution(owner, getattr(owner, name), program, pair)
    for name, as_probability, sign in (
        ("icdf", lambda p: p, 1.0),
        ("iccdf", lambda p: p, -1.0),
        ("ilogcdf", np.exp, 1.0),
        ("ilogccdf", np.exp, -1.0),
    ):
        _declare_quantile(owner, getattr(owner, name), as_probability, sign)
    _declare_sample(owner)


def _declare_density(owner: Any, method: Any, program: Program) -> None:
    def density_written_out(X, x, *, method=None):
        return at(X, x, own(f, X, x, method=method), program, name)

    f, name = method, method.__name__
    _announce(density_written_out, owner, method, program.__doc__)


def _declare_distribution(owner: Any, method: Any, program: Program, pair: Any) -> None:
    def distribution_written_out(X, x, y=None, *, method=None):
        value = own(f, X, x, y, method=method)
        if y is None:
            return at(X, x, value, program, name)
        return agreed(value, pair(between(X, x, y)), name)

    f, name = method, method.__name__
    _announce(distribution_written_out, owner, method, program.__doc__)


def _declare_quantile(owner: Any, method: Any, as_probability: Any, sign: float) -> None:
    def quantile_written_out(X, p, *, method=None):
        return as_found(own(f, X, p, method=method), quantile(X, as_probability(p), sign))

    f = method
    _announce(quantile_written_out, owner, method, "F(y) = p, or 1 − F(y) = p")


def quantile(X: Any, p: Any, sign: float) -> Any:
    """The quantile of the lower tail (sign 1) or the upper one (−1)."""
    known = None if isinstance(X, Mixture) else behind(X)
    if known is not None:
        dist, parameters = standing(X)
        return dist.ppf(p, *parameters) if sign > 0 else dist.isf(p, *parameters)
    z = found_quantile(X, p, sign)
    return solved(density_at, below_at, z, sign * p + np.zeros(np.shape(z)), X)


def density_at(x: Any, X: Any) -> Any:
    """log f, the variable last"""
    return log_density(X, x)


def below_at(x: Any, X: Any) -> Any:
    """F, the variable last"""
    return below(X, x)


def found_quantile(X: Any, p: Any, sign: float) -> Any:
    """SciPy's quantile, of a probability between 0 and 1."""
    if not np.all((np.asarray(p) > 0) & (np.asarray(p) < 1)):
        raise NotDifferentiableError(
            f"a quantile of {type(X).__name__} at a probability of 0 or 1, or outside of these",
            closest="probabilities between 0 and 1",
            next="use its support",
        )
    return X.icdf(p) if sign > 0 else X.iccdf(p)


non_differentiable(found_quantile, why="finds the quantile, which is held")


def _declare_sample(owner: Any) -> None:
    method = owner.sample

    def sample_written_out(X, *, shape=(), method=None, rng=None):
        y = own(f, X, shape, method=method, rng=rng)
        refuse_whole(X)
        return as_found(y, solved(density_at, below_at, own(np.array, y), np.zeros(np.shape(y)), X))

    f = method
    _announce(sample_written_out, owner, method, "F(y) is held [Figurnov, Mohamed & Mnih 2018]")


def refuse_whole(X: Any) -> None:
    """Refuse samples of whole numbers."""
    if isinstance(X, DiscreteDistribution):
        raise NotDifferentiableError(
            f"samples of {type(X).__name__} are whole numbers, steps of its parameters",
            next="sum over its masses instead",
        )


non_differentiable(refuse_whole, why="checks an argument")


def _announce(written: Any, owner: Any, method: Any, text: Any) -> None:
    written.__annotations__, written.__doc__ = {"X": owner}, text
    written.__name__ = written.__qualname__ = f"{method.__qualname__.replace('.', '_')}_written_out"
    written_out(method)(written)


for _owner in OWNERS:
    declare(_owner)

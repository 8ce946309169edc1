"""The empirical distribution function, whose steps lie at the sample; tests of fit, parameters fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples


def first_places(x: Any) -> Any:
    """Where the first of each group of equal numbers stands in a sorted array."""
    return np.flatnonzero(np.concatenate([[True], np.diff(x) > 0]))


def refuse_censored(sample: Any) -> None:
    """Refuse a sample of which some entries are known to be greater only."""
    if isinstance(sample, stats.CensoredData):
        raise UnsupportedArgument(stats.ecdf, "sample", sample, next="give the sample as an array")


non_differentiable(first_places, refuse_censored, why="says where entries stand; checks")


@written_out(stats.ecdf)
def ecdf(sample: Samples | stats.CensoredData):
    """The steps lie at the sorted sample; their heights do not move"""
    refuse_censored(sample)
    y = own(stats.ecdf, sample)
    x = np.sort(np.asarray(sample) * 1.0)
    places = x[first_places(x)]
    return as_result(
        y, ("cdf", "sf"), *[as_result(part, ("quantiles", "probabilities"), places, part.probabilities)
                            for part in (y.cdf, y.sf)]
    )  # fmt: skip


def anderson_darling(law: Any, x: Any) -> Any:
    """−n − Σ (2 i − 1)/n (log F(xᵢ) + log (1 − F(xₙ₊₁₋ᵢ)))"""
    n = len(x)
    weights = (2.0 * np.arange(1, n + 1) - 1.0) / n
    return -n - np.sum(weights * (law.logcdf(x) + law.logsf(x)[::-1]))


def kolmogorov_smirnov(law: Any, x: Any) -> Any:
    """The greatest distance of F and the steps"""
    n, F = len(x), law.cdf(x)
    return np.maximum(np.max(np.arange(1.0, n + 1.0) / n - F), np.max(F - np.arange(0.0, n) / n))


def cramer_von_mises(law: Any, x: Any) -> Any:
    """1/(12 n) + Σ ((2 i − 1)/(2 n) − F(xᵢ))²"""
    n = len(x)
    return 1.0 / (12.0 * n) + np.sum(np.square((2.0 * np.arange(1, n + 1) - 1.0) / (2.0 * n) - law.cdf(x)))


def filliben(law: Any, x: Any) -> Any:
    """The correlation with the quantiles at the medians of sorted uniform numbers [Filliben 1975]"""
    n = len(x)
    quantiles = law.ppf(beta_medians(n))
    off = quantiles - np.mean(quantiles)
    spread = np.sum(np.square(off)) * np.sum(np.square(x - np.mean(x)))
    return np.sum(off * (x - np.mean(x))) / np.sqrt(spread)


def beta_medians(n: int) -> Any:
    """The medians of n sorted uniform numbers."""
    k = np.arange(1, n + 1)
    return stats.beta(k, n + 1 - k).median()


def names_of(dist: Any) -> tuple[str, ...]:
    """The names of the parameters of a distribution."""
    shapes = () if dist.shapes is None else tuple(dist.shapes.replace(",", " ").split())
    return (*shapes, "loc", "scale")


def is_normal(dist: Any) -> bool:
    """Whether this is the normal distribution."""
    return dist is stats.norm


non_differentiable(beta_medians, names_of, is_normal, why="are constants")

STATISTICS = {
    "ad": anderson_darling,
    "ks": kolmogorov_smirnov,
    "cvm": cramer_von_mises,
    "filliben": filliben,
}


def fitted(dist: Any, x: Any, known: Any) -> Any:
    """The parameters, those that are known and those fitted, as SciPy fits them."""
    names = names_of(dist)
    if all(name in known for name in names):
        return [known[name] for name in names]
    if not is_normal(dist):
        return dist.fit(x, **{f"f{name}": value for name, value in known.items()})
    loc = known["loc"] if "loc" in known else np.mean(x)
    if "scale" in known:
        return loc, known["scale"]
    return loc, np.sqrt(np.mean(np.square(x - loc))) if "loc" in known else np.std(x, ddof=1)


@written_out(stats.goodness_of_fit)
def goodness_of_fit(
    dist: Any, data: Samples, known_params: Any = None, *, fit_params=None, guessed_params=None,
    statistic="ad", n_mc_samples=9999, rng=None,
):  # fmt: skip
    """The statistic, with the parameters as they are fitted; the p-value is a share of samples, a step"""
    y = own(
        stats.goodness_of_fit, dist, data, known_params=known_params, fit_params=fit_params,
        guessed_params=guessed_params, statistic=statistic, n_mc_samples=n_mc_samples, rng=rng,
    )  # fmt: skip
    x = np.sort(np.asarray(data) * 1.0)
    known = {} if known_params is None else known_params
    law = dist(*fitted(dist, x, known))
    found = statistic(law, x, axis=-1) if callable(statistic) else STATISTICS[statistic.lower()](law, x)
    return as_result(y, ("statistic",), agreed(y.statistic, found, "scipy.stats.goodness_of_fit"))

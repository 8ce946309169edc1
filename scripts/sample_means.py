"""Hold the derivatives of random samples to those of expectations, for every continuous distribution.

    python -m scripts.sample_means                   every distribution, by every parameter, some minutes
    python -m scripts.sample_means gamma t           these alone

Samples move with a parameter as their quantiles do, so that the mean of g'(x) ẋ over samples estimates the
derivative of E g(x). That is found on its own, by differences of the integral of g times SciPy's density.
Both have to agree within a few standard errors of the mean [Figurnov, Mohamed & Mnih 2018].
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import integrate, stats

import chainrules as cr

from .distribution_points import SHAPES
from .distributions import LOC, SCALE, names_of, ridders

COUNT = 4000
DEVIATIONS = 4.5  # once in 150,000 by chance
ENDS = (1e-13, 1e-6, 0.003, 0.1, 0.3, 0.5, 0.7, 0.9, 0.997, 1 - 1e-6, 1 - 1e-13)


class Comparison(NamedTuple):
    """A distribution by a parameter: the mean over samples and its standard error, and the integral's."""

    name: str
    parameter: str
    mean: float
    standard_error: float
    exact: float
    error: float

    @property
    def deviations(self) -> float:
        """How many standard errors the two are apart, over what the integral does not know."""
        apart = max(abs(self.mean - self.exact) - 10 * self.error, 0.0)
        return apart / self.standard_error if self.standard_error else float(apart > 1e-12)


def bounded(x: Any) -> Any:
    """The function whose mean is taken: smooth and bounded, so that every mean has a variance"""
    return np.arctan(x - 1.0)


def periodic(x: Any) -> Any:
    """The function for angles."""
    return np.cos(x - 1.0)


ANGLES = ("vonmises", "vonmises_line", "wrapcauchy")


def function_of(dist: Any) -> Any:
    """The function whose mean is taken."""
    return periodic if dist.name in ANGLES else bounded


def drawn(dist: Any, values: tuple[float, ...], i: int, count: int = COUNT) -> Any:
    """How the function of each sample moves with the parameter i."""

    def at(value: float) -> Any:
        given = (*values[:i], value, *values[i + 1 :])
        return function_of(dist)(dist.rvs(*given, size=count, random_state=3))

    return cr.jacobian(at)(values[i])


def quantile(dist: Any, q: float, values: tuple[float, ...]) -> float:
    """A quantile, where SciPy finds it."""
    try:
        return float(dist.ppf(q, *values))
    except ValueError:
        return float("nan")


def expected(dist: Any, values: tuple[float, ...], i: int) -> tuple[float, float]:
    """The derivative of the expectation by the parameter i, and its error."""
    cuts = np.unique([x for x in (quantile(dist, q, values) for q in ENDS) if np.isfinite(x)])

    def expectation(t: float) -> float:
        given = (*values[:i], values[i] + t, *values[i + 1 :])
        a, b = dist.support(*given)
        if dist.name == "vonmises":  # whose density goes on for ever
            a, b = given[-2] - np.pi * given[-1], given[-2] + np.pi * given[-1]
        edge = 1e-8 * (b - a) if np.isfinite(b - a) else 0.0  # in less the ends cannot be told apart
        ends = np.array([a, *cuts[(a + edge < cuts) & (cuts < b - edge)], b])
        parts = integrate.tanhsinh(
            lambda x: function_of(dist)(x) * dist.pdf(x, *given), ends[:-1], ends[1:], atol=1e-13, rtol=1e-12
        )
        return float(np.sum(parts.integral))

    return ridders(expectation, 0.02 * max(abs(values[i]), 0.05))


def comparisons(name: str, count: int = COUNT) -> Iterator[Comparison]:
    """A distribution by each of its parameters, at its first shapes."""
    dist = getattr(stats, name)
    values = (*SHAPES[name][0], LOC, SCALE)
    for i, parameter in enumerate(names_of(dist)):
        each = drawn(dist, tuple(map(float, values)), i, count)
        exact, error = expected(dist, values, i)
        yield Comparison(
            name, parameter, float(np.mean(each)), float(np.std(each) / count**0.5), exact, error
        )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    continuous = [n for n in sorted(SHAPES) if isinstance(getattr(stats, n), stats.rv_continuous)]
    seen, apart = 0, 0
    for chosen in sys.argv[1:] or continuous:
        try:
            every = list(comparisons(chosen))
        except cr.NoRuleError:
            print(f"{chosen}: refused", flush=True)
            continue
        for found in every:
            seen += 1
            apart += not found.deviations <= DEVIATIONS
            print(
                f"{found.name} by {found.parameter}: {found.mean:.6g} ± {found.standard_error:.2g}, "
                f"exact {found.exact:.6g} ± {found.error:.1g}, {found.deviations:.1f} standard errors",
                flush=True,
            )
    print(f"{seen} derivatives of means of samples, {apart} apart by more than {DEVIATIONS} standard errors")
    sys.exit(apart > 0)

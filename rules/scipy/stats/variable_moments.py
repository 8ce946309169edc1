"""Moments, entropy, median and mode of random variables of SciPy's new infrastructure.

Those of a variable that a distribution of SciPy's stands behind are that distribution's; shifts, multiples
and mixtures follow from those of their parts. Of the others they are expectations under the variable's law,
whose parameters are numbers then; arrays of them are refused. The mode is where the density is stationary, or
an end of the support or a corner of the density where it is there.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from scipy.stats import Mixture
from scipy.stats._distribution_infrastructure import ShiftedScaledDistribution, UnivariateDistribution

from ....core import NotDifferentiableError, implicit, non_differentiable
from ...written import own, written_out
from .agreement import agreed
from .expectations import STRIDES, gathered, pieces, unlike
from .laws import cuts, log_density
from .standing import behind, standing
from .variable_methods import OWNERS
from .variables import placed


def expectation(X: Any, g: Any) -> Any:
    """E g(x, log f(x)), of a variable whose parameters are numbers."""
    plan = planned(X, g)
    z, logs, masses = gathered(Density(X), nodes_between(X, plan.middle), plan, 1)
    return np.sum(masses * g(z, logs))


class Density:
    """The logarithm of a variable's density, as a function of x."""

    def __init__(self, X: Any) -> None:
        self.X = X

    def __call__(self, x: Any) -> Any:
        return log_density(self.X, x)


def nodes_between(X: Any, middle: Any) -> Any:
    """The ends and corners, and the median where there is no corner."""
    every = cuts(X)
    return every if len(every) > 2 else [every[0], middle, every[1]]


def planned(X: Any, g: Any) -> Any:
    """Where the nodes are, so that half of them give the same."""
    if np.shape(X.support()[0]) != ():
        raise NotDifferentiableError(
            f"a moment of a {type(X).__name__} whose parameters are arrays",
            closest="parameters that are numbers, and shifts and multiples of SciPy's distributions",
            next="make one variable for each",
        )
    with np.errstate(all="ignore"):
        quartiles = [np.asarray(X.icdf(q), float) for q in (0.25, 0.5, 0.75)]
        for stride in STRIDES:
            between = nodes_between(X, quartiles[1])
            plan = pieces(Density(X), between, quartiles, stride)
            z, logs, masses = gathered(Density(X), between, plan, 1)
            other = gathered(Density(X), between, plan, 2)
            fault = unlike([masses * g(z, logs)], [np.sum(other[2] * g(*other[:2]))])
            if not fault:
                return plan
    raise NotDifferentiableError(
        f"a moment of {type(X).__name__}: {fault}", next="use parameters farther from where it does not exist"
    )


non_differentiable(planned, why="chooses nodes, which do not move")


def raw(X: Any, order: int) -> Any:
    """E xⁿ"""
    if order == 0:
        return 1.0
    if isinstance(X, Mixture):
        return sum([X._weights[i] * raw(X._components[i], order) for i in range(len(X._components))])
    if isinstance(X, ShiftedScaledDistribution):
        base, loc, scale = placed(X)
        return sum([comb(order, k) * loc ** (order - k) * scale**k * raw(base, k) for k in range(order + 1)])
    if behind(X) is not None:
        dist, parameters = standing(X)
        return dist.mean(*parameters) if order == 1 else dist.moment(order, *parameters)
    return expectation(X, lambda x, logs: x**order)


def central(X: Any, order: int) -> Any:
    """E (x − E x)ⁿ"""
    if order < 2:
        return 1.0 - order + 0.0 * raw(X, 1)
    if isinstance(X, Mixture):
        middle, total = raw(X, 1), 0.0
        for i in range(len(X._components)):
            part = X._components[i]
            off = raw(part, 1) - middle
            terms = [comb(order, k) * off ** (order - k) * central(part, k) for k in range(order + 1)]
            total = total + X._weights[i] * sum(terms)
        return total
    if isinstance(X, ShiftedScaledDistribution):
        base, _, scale = placed(X)
        return scale**order * central(base, order)
    if behind(X) is None:
        middle = raw(X, 1)
        return expectation(X, lambda x, logs: (x - middle) ** order)
    dist, parameters = standing(X)
    if order == 2:
        return dist.var(*parameters)
    if order == 3:
        return dist.stats(*parameters, moments="s") * dist.var(*parameters) ** 1.5
    if order == 4:
        return (dist.stats(*parameters, moments="k") + 3.0) * np.square(dist.var(*parameters))
    middle = raw(X, 1)
    return sum([comb(order, k) * (-middle) ** (order - k) * raw(X, k) for k in range(order + 1)])


def standardised(X: Any, order: int) -> Any:
    """E (x − E x)ⁿ/σⁿ"""
    return central(X, order) / central(X, 2) ** (0.5 * order)


def uncertainty(X: Any) -> Any:
    """−E log f"""
    if isinstance(X, ShiftedScaledDistribution):
        base, _, scale = placed(X)
        return uncertainty(base) + np.log(np.abs(scale))
    if not isinstance(X, Mixture) and behind(X) is not None:
        dist, parameters = standing(X)
        return dist.entropy(*parameters)
    return expectation(X, lambda x, logs: -logs)


def most_likely(X: Any) -> Any:
    """Where the density is largest."""
    at = own(mode_of, X)
    for c in cuts(X):
        if own(near, c, at):
            return c
    return implicit.minimum(Surprise(), at, X)


class Surprise:
    """−Σ log f(x), of as many variables as there are numbers."""

    def __call__(self, x: Any, X: Any) -> Any:
        return -np.sum(log_density(X, x))


def mode_of(X: Any) -> Any:
    """The mode that SciPy finds."""
    found = X.mode()
    return float(found) if np.ndim(found) == 0 else np.asarray(found, float)


def near(c: Any, at: Any) -> bool:
    """Whether the mode is at an end or a corner."""
    return bool(np.all(np.abs(c - at) <= 1e-9 * (1.0 + np.abs(at))))


def declare(owner: Any) -> None:
    """Register the methods without an argument of a class of variables."""
    for name, program in {
        "mean": lambda X: raw(X, 1),
        "variance": lambda X: central(X, 2),
        "standard_deviation": lambda X: np.sqrt(central(X, 2)),
        "skewness": lambda X: standardised(X, 3),
        "entropy": uncertainty,
        "logentropy": lambda X: np.log(uncertainty(X)),
        "median": lambda X: X.icdf(0.5),
        "mode": most_likely,
    }.items():
        _declare_number(owner, getattr(owner, name), program)
    _declare_moment(owner, owner.moment)
    _declare_support(owner, owner.support)


def _declare_number(owner: Any, method: Any, program: Any) -> None:
    def number_written_out(X, *, method=None):
        return agreed(own(f, X, method=method), program(X), f"the {name}")

    f, name = method, method.__name__
    _announce(number_written_out, owner, method)


def _declare_moment(owner: Any, method: Any) -> None:
    def moment_written_out(X, *, order=1, kind="raw", method=None):
        program = {"raw": raw, "central": central, "standardized": standardised}[kind]
        return agreed(own(f, X, order, kind, method=method), program(X, own(int, order)), f"a {kind} moment")

    f = method
    _announce(moment_written_out, owner, method)


def _declare_support(owner: Any, method: Any) -> None:
    def support_written_out(X):
        lower, upper = own(f, X)
        every = cuts(X)
        return agreed(lower, every[0], "the support"), agreed(upper, every[-1], "the support")

    f = method
    _announce(support_written_out, owner, method)


def _announce(written: Any, owner: Any, method: Any) -> None:
    written.__annotations__, written.__doc__ = (
        {"X": owner},
        f"The {method.__name__} by what the variable is of",
    )
    written.__name__ = written.__qualname__ = f"{method.__qualname__.replace('.', '_')}_written_out"
    written_out(method)(written)


for _owner in OWNERS:
    declare(_owner)


@written_out(UnivariateDistribution.kurtosis)
def kurtosis_written_out(X: UnivariateDistribution, *, method=None, convention="non-excess"):
    """E (x − E x)⁴/σ⁴, less 3 by the other convention"""
    y = own(UnivariateDistribution.kurtosis, X, method=method, convention=convention)
    return agreed(y, standardised(X, 4) - (3.0 if convention.lower() == "excess" else 0.0), "the kurtosis")


@written_out(Mixture.kurtosis)
def mixture_kurtosis_written_out(X: Mixture, *, method=None):
    """E (x − E x)⁴/σ⁴"""
    return agreed(own(Mixture.kurtosis, X, method=method), standardised(X, 4), "the kurtosis")

"""What random variables of SciPy's new infrastructure are distributed as, from what they are made of.

A `Law` holds programs of (X, x). Those of a variable that SciPy's distributions stand behind are the methods
of these, which have rules; those of a variable made of another are written with that one's law.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.stats import Mixture
from scipy.stats._distribution_infrastructure import (
    TransformedDistribution,
    UnivariateDistribution,
)

from ....core import NotDifferentiableError, non_differentiable
from ...written import own
from .calls import standard
from .family import Discrete, family_of
from .standing import Program, behind, standing


class Law(NamedTuple):
    """Programs of (X, x), and of X the ends of its support and, between them, corners of its density."""

    log_density: Program
    below: Program
    above: Program
    log_below: Program
    log_above: Program
    cuts: Program


def law_of(X: Any) -> Law:
    """The law of a variable; one that is not known is refused by name."""
    if isinstance(X, UnivariateDistribution | Mixture):
        if not isinstance(X, TransformedDistribution | Mixture) and behind(X) is not None:
            return STANDING
        for P in type(X).__mro__:
            if P in LAWS:
                return LAWS[P]
        if isinstance(X, UnivariateDistribution) and (has(X, "_logpdf_formula") or has(X, "_pdf_formula")):
            return OWN
    raise NotDifferentiableError(
        f"the random variable {type(X).__name__} has no derivatives here",
        closest="those of SciPy, of make_distribution, and what is made of them",
        next="write its density with functions that have rules",
    )


def log_density(X: Any, x: Any) -> Any:
    """log f(x)"""
    return law_of(X).log_density(X, x)


def below(X: Any, x: Any) -> Any:
    """F(x)"""
    return law_of(X).below(X, x)


def above(X: Any, x: Any) -> Any:
    """1 − F(x)"""
    return law_of(X).above(X, x)


def log_below(X: Any, x: Any) -> Any:
    """log F(x)"""
    return law_of(X).log_below(X, x)


def log_above(X: Any, x: Any) -> Any:
    """log (1 − F(x))"""
    return law_of(X).log_above(X, x)


def cuts(X: Any) -> Any:
    """The ends of the support, and between them the corners of the density, in order."""
    return law_of(X).cuts(X)


def method_of(name: str, discrete: str = "") -> Program:
    """The program that is a method of the distribution behind a variable."""

    def by_method(X, x):
        dist, parameters = standing(X)
        f = getattr(dist, discrete if discrete and is_discrete(dist) else name)
        return f(x, *parameters)

    return by_method


def is_discrete(dist: Any) -> bool:
    """Whether a distribution is of whole numbers."""
    return isinstance(family_of(dist), Discrete)


def standing_cuts(X: Any) -> Any:
    """loc + scale c for the corners c of the standard form"""
    dist, parameters = standing(X)
    lower, upper = dist.support(*parameters)
    corners = family_of(dist).corners
    if corners is None:
        return [lower, upper]
    shapes, loc, scale = standard(dist.numargs, parameters)
    return [lower, *[loc + scale * c for c in corners(*shapes)], upper]


STANDING = Law(
    method_of("logpdf", "logpmf"),
    method_of("cdf"),
    method_of("sf"),
    method_of("logcdf"),
    method_of("logsf"),
    standing_cuts,
)


def chosen_formula(X: Any, names: tuple[str, ...]) -> Any:
    """The first of these methods that there is."""
    for name in names:
        if has(X, name):
            return getattr(X, name)
    raise NotDifferentiableError(
        f"{type(X).__name__} has none of {', '.join(name[1:].replace('_formula', '') for name in names)}",
        next="give the distribution one, written with functions that have rules",
    )


def own_log_density(X, x):
    """log f(x) by the user's logpdf or pdf"""
    if has(X, "_logpdf_formula"):
        return X._logpdf_formula(x, **X._original_parameters)
    return np.log(X._pdf_formula(x, **X._original_parameters))


def own_below(X, x):
    """F(x) by the user's cdf, logcdf or ccdf"""
    if has(X, "_cdf_formula"):
        return X._cdf_formula(x, **X._original_parameters)
    if has(X, "_logcdf_formula"):
        return np.exp(X._logcdf_formula(x, **X._original_parameters))
    return 1.0 - chosen_formula(X, ("_ccdf_formula",))(x, **X._original_parameters)


def own_above(X, x):
    """1 − F(x) by the user's ccdf, or of F"""
    if has(X, "_ccdf_formula"):
        return X._ccdf_formula(x, **X._original_parameters)
    return 1.0 - own_below(X, x)


def has(X: Any, name: str) -> bool:
    """Whether there is such a method."""
    return bool(X._overrides(name))


OWN = Law(
    own_log_density,
    own_below,
    own_above,
    lambda X, x: np.log(own_below(X, x)),
    lambda X, x: np.log(own_above(X, x)),
    lambda X: list(own(ends, X)),
)


def ends(X: Any) -> Any:
    """The ends of the support, which do not move."""
    return X.support()


LAWS: dict[type, Law] = {}
for _look in (law_of, is_discrete, chosen_formula, has):
    non_differentiable(_look, why="looks up what a variable is made of")

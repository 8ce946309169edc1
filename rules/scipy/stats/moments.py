"""Mean, variance, standard deviation and entropy of continuous distributions, by every parameter.

μ = ∫ z f, the variance ∫ (z − μ)² f and the entropy −∫ f log f are integrals over the quantiles, by the
double exponential rule [Takahasi & Mori 1974] with nodes that do not move, so that their derivatives are the
integrals of the density's. Where such an integral does not give SciPy's own value, where that is not finite,
where half of the nodes give another derivative, or where a shape moves the support, derivatives by the shapes
are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rv_continuous
from scipy.stats._distn_infrastructure import rv_frozen, rv_generic

from ....core import NotDifferentiableError, non_differentiable
from ....core.types import Array
from ...written import own, written_out
from .calls import anchored, signature_with, standard
from .family import family_of
from .integrated import stretch

STEPS = np.arange(-96, 97) * 0.05
ODDS = np.exp(0.5 * np.pi * np.sinh(STEPS))
LOWER, UPPER = ODDS / (1.0 + ODDS), 1.0 / (1.0 + ODDS)
WEIGHTS = 0.05 * 0.5 * np.pi * np.cosh(STEPS) * LOWER * UPPER
NEAR = 1e-7
ROUGH = 1e-6


@written_out(rv_generic.mean, signature=signature_with())
def mean_written_out(dist: rv_continuous, *parameters: Array):
    """loc + scale ∫ z f"""
    shapes, loc, scale = standard(dist.numargs, parameters)
    return anchored(own(dist.mean, *parameters), loc + scale * average(dist, shapes))


@written_out(rv_generic.var, signature=signature_with())
def var_written_out(dist: rv_continuous, *parameters: Array):
    """scale² ∫ (z − μ)² f"""
    shapes, loc, scale = standard(dist.numargs, parameters)
    return anchored(own(dist.var, *parameters), np.square(scale) * variance(dist, shapes) + 0.0 * loc)


@written_out(rv_generic.std, signature=signature_with())
def std_written_out(dist: rv_continuous, *parameters: Array):
    """√var"""
    return anchored(own(dist.std, *parameters), np.sqrt(dist.var(*parameters)))


@written_out(rv_generic.entropy, signature=signature_with())
def entropy_written_out(dist: rv_continuous, *parameters: Array):
    """log scale − ∫ f log f"""
    shapes, loc, scale = standard(dist.numargs, parameters)
    return anchored(own(dist.entropy, *parameters), uncertainty(dist, shapes) + np.log(scale) + 0.0 * loc)


def average(dist: Any, shapes: Any) -> Any:
    """∫ z f"""
    found = own(dist.mean, *shapes)
    if not len(shapes):
        return found
    nodes, weights = rule_for(dist, shapes, found, "mean")
    spread = tuple([stretch(np.asarray(s)) for s in shapes])
    return np.sum(weights * nodes * np.exp(family_of(dist).log_density(nodes, *spread)), axis=-1)


def variance(dist: Any, shapes: Any) -> Any:
    """∫ (z − μ)² f, in which μ may be held: the integral is least there"""
    found = own(dist.var, *shapes)
    if not len(shapes):
        return found
    nodes, weights = rule_for(dist, shapes, found, "variance")
    spread = tuple([stretch(np.asarray(s)) for s in shapes])
    off = np.square(nodes - stretch(average(dist, shapes)))
    return np.sum(weights * off * np.exp(family_of(dist).log_density(nodes, *spread)), axis=-1)


def uncertainty(dist: Any, shapes: Any) -> Any:
    """−∫ f log f"""
    found = own(dist.entropy, *shapes)
    if not len(shapes):
        return found
    nodes, weights = rule_for(dist, shapes, found, "entropy")
    spread = tuple([stretch(np.asarray(s)) for s in shapes])
    logs = family_of(dist).log_density(nodes, *spread)
    return -np.sum(weights * logs * np.exp(logs), axis=-1)


def rule_for(dist: Any, shapes: Any, found: Any, name: str) -> Any:
    """Nodes and weights of a quadrature in z, which gives SciPy's value, or refused."""
    family = family_of(dist)
    if family.ends is not None:
        raise NotDifferentiableError(
            f"the {name} of {dist.name}, whose shapes move its support, by these shapes",
            closest="quantiles, densities and distribution functions, which have derivatives by them",
            next="integrate x times the density with scipy.integrate.quad, which has rules",
        )
    spread = tuple([np.expand_dims(np.asarray(s, dtype=float), -1) for s in shapes])
    low = STEPS <= 0
    with np.errstate(all="ignore"):
        nodes = np.where(low, dist.ppf(LOWER, *spread), dist.isf(UPPER, *spread))
        logs = family.log_density(nodes, *spread)
        reached = np.isfinite(nodes) & np.isfinite(logs) & (logs > -690)
        nodes = np.where(reached, nodes, np.asarray(dist.ppf(0.5, *spread)))
        weights = np.where(reached, WEIGHTS * np.exp(-np.where(reached, logs, 0.0)), 0.0)
        density = np.exp(np.where(reached, logs, -np.inf))
        mean = np.sum(weights * nodes * density, axis=-1)
        again = {
            "mean": mean,
            "variance": np.sum(weights * np.square(nodes - mean[..., None]) * density, axis=-1),
            "entropy": -np.sum(weights * np.where(reached, logs, 0.0) * density, axis=-1),
        }[name]
    if not np.all(np.isfinite(found) & (np.abs(again - found) <= NEAR * (np.abs(found) + 1e-3))):
        raise NotDifferentiableError(
            f"the {name} of {dist.name}: SciPy's value is {found}, an integral over its quantiles {again}",
            next="use parameters farther from where the moment does not exist, or its closed form",
        )
    of = {
        "mean": nodes,
        "variance": np.square(nodes - mean[..., None]),
        "entropy": np.where(reached, logs, 0.0),
    }
    refuse_rough(dist, name, nodes, weights * density, spread, (1.0, of[name]))
    return nodes, weights


def refuse_rough(dist: Any, name: str, nodes: Any, masses: Any, shapes: Any, factors: Any) -> None:
    """Refuse where every other node gives another derivative: the density or its derivative has a kink."""
    log_density = family_of(dist).log_density
    for i, s in enumerate(shapes):
        step = 1e-5 * (np.abs(s) + 1e-2)
        with np.errstate(all="ignore"):
            ends = [log_density(nodes, *shapes[:i], s + t, *shapes[i + 1 :]) for t in (step, -step)]
            score = np.where(masses > 0, (ends[0] - ends[1]) / (2.0 * step), 0.0)
            for factor in factors:
                terms = masses * score * factor
                apart = np.abs(np.sum(terms, axis=-1) - 2.0 * np.sum(terms[..., ::2], axis=-1))
                if not np.all(apart <= ROUGH * np.sum(np.abs(terms), axis=-1)):
                    raise NotDifferentiableError(
                        f"the {name} of {dist.name} by its shapes: the density is not smooth enough",
                        next="use its closed form",
                    )


non_differentiable(rule_for, why="chooses nodes, which do not move")


@written_out(rv_frozen.mean)
def frozen_mean_written_out(frozen: rv_frozen):
    """The mean"""
    return frozen.dist.mean(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.var)
def frozen_var_written_out(frozen: rv_frozen):
    """The variance"""
    return frozen.dist.var(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.std)
def frozen_std_written_out(frozen: rv_frozen):
    """The standard deviation"""
    return frozen.dist.std(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.entropy)
def frozen_entropy_written_out(frozen: rv_frozen):
    """The entropy"""
    return frozen.dist.entropy(*frozen.args, **frozen.kwds)

"""Masses and distribution functions of discrete distributions, by their parameters.

They are steps in k and loc, so the derivative by these is 0, and by the parameters that of the mass at the
whole number; by a parameter that is a whole number itself there is none. Quantiles are whole numbers, steps
of q and of the parameters; by loc they move as it does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rv_discrete

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....core.calls import forward_of, reverse_of
from ....core.types import Array
from ....tangents import ZERO, NotImplementedTangent
from ...written import as_found, own, written_out
from .calls import signature_with, standard, still_all, within
from .continuous import logarithm
from .densities import DENSITIES
from .family import family_of
from .smooth import known, masses_at_once, pulled, pushed

AT_K = signature_with("k")
NOT_KNOWN = NotImplementedTangent("the parameter is a whole number: there is no derivative by it")


def whole(n: Any) -> Any:
    """A parameter that is a whole number."""
    return n


@frule(whole)
def whole_frule(tangents, n: object):
    """ṅ is not known"""
    return whole(n), NOT_KNOWN


@rrule(whole)
def whole_rrule(n: object):
    """n̄ is not known"""

    def whole_pullback(y_bar):
        return NOT_KNOWN

    return whole(n), whole_pullback


def moving(dist: Any, shapes: Any) -> Any:
    """The shapes, those of whole numbers marked as such."""
    names, fixed = names_of(dist), family_of(dist).whole
    return tuple([whole(s) if name in fixed else s for name, s in zip(names, shapes, strict=True)])


def fixed(dist: Any, bars: Any) -> Any:
    """Tangents or cotangents of the shapes, those of whole numbers not known."""
    names, whole_ones = names_of(dist), family_of(dist).whole
    return tuple([NOT_KNOWN if name in whole_ones else t for name, t in zip(names, bars, strict=True)])


def by_whole(dist: Any, shapes: Any) -> Any:
    """0, which carries that there is no derivative by a whole number, whatever the program does with it."""
    names, fixed, out = names_of(dist), family_of(dist).whole, 0.0
    for name, s in zip(names, shapes, strict=True):
        out = out + 0.0 * s if name in fixed else out
    return out


def names_of(dist: Any) -> Any:
    """The names of the shapes."""
    return () if dist.shapes is None else tuple(dist.shapes.replace(",", " ").split())


def at_whole(dist: Any, k: Any, loc: Any, shapes: Any, y: Any, masses: bool) -> Any:
    """The whole number asked for, where its mass or their sum moves, and where SciPy answers NaN."""
    shapes, k = tuple(map(np.asarray, shapes)), np.asarray(k) - loc
    with np.errstate(all="ignore"):
        valid = np.asarray(dist._argcheck(*shapes), bool)
        a, b = dist._get_support(*shapes)
        floor = np.floor(k)
        inside = (floor >= a) & (floor <= b) & np.isfinite(k) & np.isfinite(y) & valid
        if masses:
            inside = inside & dist._nonzero(k, *shapes)
        bad = np.broadcast_to(~valid, np.shape(inside)) | np.isnan(k)
    return np.asarray(floor, float)[()], np.asarray(inside, bool)[()], np.asarray(bad, bool)[()]


for _check in (names_of, at_whole):
    non_differentiable(_check, why="looks up names, or says where a point lies")


def log_mass(dist: rv_discrete, k: Array, *parameters: Array):
    """y = log p(k − loc)"""
    shapes, loc, _ = standard(dist.numargs, parameters)
    y = own(dist.logpmf, k, *parameters)
    shapes = moving(dist, shapes)
    n, inside, bad = at_whole(dist, k, loc, shapes, y, True)
    return as_found(y, within(family_of(dist).log_mass, inside, bad, n, shapes) + by_whole(dist, shapes))


@frule(rv_discrete.logpmf, signature=AT_K)
def logpmf_frule(tangents, dist: rv_discrete, k: Array, *parameters: Array, engine):
    """ẏ = ℓ_θ θ̇"""
    shapes, loc, _ = standard(dist.numargs, parameters)
    found = masses_at_once(dist, k, shapes, loc)
    if found is None:
        return forward_of(log_mass, (dist, k, *parameters), tangents, {}, engine)
    given = tangents[2 : 2 + dist.numargs]
    along = [t if still_all((t,)) else each for t, each in zip(given, fixed(dist, given), strict=True)]
    y = known(found.y, family_of(dist).log_mass, found.z, *moving(dist, shapes))
    return y, pushed(found, DENSITIES[dist.name], found.z, 0.0, 1.0, shapes, (ZERO, ZERO, ZERO, *along))


@rrule(rv_discrete.logpmf, signature=AT_K)
def logpmf_rrule(dist: rv_discrete, k: Array, *parameters: Array, needs, engine):
    """θ̄ = Σ ȳ ℓ_θ"""
    shapes, loc, _ = standard(dist.numargs, parameters)
    found = masses_at_once(dist, k, shapes, loc)
    if found is None:
        return reverse_of(log_mass, (dist, k, *parameters), {}, needs, engine)
    wanted = False, False, False, *needs[2 : 2 + dist.numargs]

    def logpmf_pullback(y_bar):
        bars = pulled(found, DENSITIES[dist.name], found.z, 0.0, 1.0, shapes, wanted, y_bar)[3]
        return (ZERO, ZERO, *fixed(dist, bars), ZERO)[: len(needs)]

    return known(found.y, family_of(dist).log_mass, found.z, *moving(dist, shapes)), logpmf_pullback


@written_out(rv_discrete.pmf, signature=AT_K)
def pmf_written_out(dist: rv_discrete, k: Array, *parameters: Array):
    """y = p(k − loc), with ẏ = y (log p)˙"""
    y = own(dist.pmf, k, *parameters)
    shapes, loc, _ = standard(dist.numargs, parameters)
    shapes = moving(dist, shapes)
    n, inside, bad = at_whole(dist, k, loc, shapes, y, True)
    return as_found(y, within(mass(family_of(dist)), inside, bad, n, shapes) + by_whole(dist, shapes))


@written_out(rv_discrete.cdf, signature=AT_K)
def cdf_written_out(dist: rv_discrete, k: Array, *parameters: Array):
    """y = F(⌊k − loc⌋)"""
    return _distribution(dist, dist.cdf, k, 1.0, parameters)


@written_out(rv_discrete.sf, signature=AT_K)
def sf_written_out(dist: rv_discrete, k: Array, *parameters: Array):
    """y = 1 − F(⌊k − loc⌋)"""
    return _distribution(dist, dist.sf, k, -1.0, parameters)


def _distribution(dist: Any, method: Any, k: Any, sign: Any, parameters: Any) -> Any:
    """The program for one of the tails."""
    y = own(method, k, *parameters)
    shapes, loc, _ = standard(dist.numargs, parameters)
    shapes = moving(dist, shapes)
    n, inside, bad = at_whole(dist, k, loc, shapes, y, False)
    return as_found(y, sign * within(below_of(dist), inside, bad, n, shapes) + by_whole(dist, shapes))


@written_out(rv_discrete.logcdf, signature=AT_K)
def logcdf_written_out(dist: rv_discrete, k: Array, *parameters: Array):
    """y = log F(⌊k − loc⌋)"""
    return as_found(own(dist.logcdf, k, *parameters), logarithm(dist.cdf(k, *parameters)))


@written_out(rv_discrete.logsf, signature=AT_K)
def logsf_written_out(dist: rv_discrete, k: Array, *parameters: Array):
    """y = log (1 − F(⌊k − loc⌋))"""
    y = own(dist.logsf, k, *parameters)
    family = family_of(dist)
    if family.log_above is None:
        return as_found(y, logarithm(dist.sf(k, *parameters)))
    shapes, loc, _ = standard(dist.numargs, parameters)
    shapes = moving(dist, shapes)
    n, inside, bad = at_whole(dist, k, loc, shapes, y, False)
    return as_found(y, within(family.log_above, inside, bad, n, shapes) + by_whole(dist, shapes))


@written_out(rv_discrete.ppf, signature=signature_with("q"))
def ppf_written_out(dist: rv_discrete, q: Array, *parameters: Array):
    """y = loc + a whole number"""
    _, loc, _ = standard(dist.numargs, parameters)
    y = own(dist.ppf, q, *parameters)
    return as_found(y, loc + np.zeros(np.shape(y))[()])


@written_out(rv_discrete.isf, signature=signature_with("q"))
def isf_written_out(dist: rv_discrete, q: Array, *parameters: Array):
    """y = loc + a whole number"""
    _, loc, _ = standard(dist.numargs, parameters)
    y = own(dist.isf, q, *parameters)
    return as_found(y, loc + np.zeros(np.shape(y))[()])


def mass(family: Any) -> Any:
    """The program for p."""
    if family.mass is not None:
        return family.mass
    log_mass = family.log_mass

    def exponential_mass(k, *shapes):
        return np.exp(log_mass(k, *shapes))

    return exponential_mass


def below_of(dist: Any) -> Any:
    """The program for F: the family's own, or the sum of the masses from the least number on."""
    family = family_of(dist)
    if family.below is not None:
        return family.below
    first, terms = dist._get_support, mass(family)

    def summed(k, *shapes):
        start = least(first, shapes)
        numbers = start[..., None] + count(k, start)
        under = numbers <= np.asarray(k)[..., None]
        spread = tuple([np.expand_dims(np.asarray(s), -1) for s in shapes])
        return np.sum(
            np.where(under, terms(np.where(under, numbers, start[..., None]), *spread), 0.0), axis=-1
        )

    return summed


def least(support: Any, shapes: Any) -> Any:
    """The least number of the support."""
    return np.asarray(support(*map(np.asarray, shapes))[0], float)


def count(k: Any, start: Any) -> Any:
    """As many numbers as the longest sum has terms."""
    most = int(np.max(np.asarray(k) - start, initial=0.0)) + 1
    if most > MOST:
        raise NotDifferentiableError(
            f"a sum of {most} masses for the distribution function",
            closest=f"sums of at most {MOST}",
            next="ask nearer to the lower end of the support",
        )
    return np.arange(most, dtype=float)


MOST = 100_000
for _look in (mass, below_of, least, count):
    non_differentiable(_look, why="looks up a program, or counts")

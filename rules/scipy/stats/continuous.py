"""Densities and distribution functions of continuous distributions, by x and by every parameter.

With z = (x − loc)/scale, the density is f(z)/scale and the distribution function F(z), whose derivative by z
is f. The value is always that of SciPy's own method. Outside the support, and where the value is infinite,
the derivative is 0; where SciPy answers NaN it is NaN. An end of the support that SciPy counts as inside has
the derivative from inside; where that end is 0, it is the derivative at 10⁻³⁰⁰.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.stats import rv_continuous

from ....core import NotDifferentiableError, frule, non_differentiable, rrule, unbroadcast
from ....core.calls import forward_of, reverse_of
from ....core.types import Array
from ....tangents import ZERO
from ...written import as_found, own, written_out
from .calls import checked, off_zero, signature_with, standard, still_all, within
from .densities import DENSITIES, Density
from .family import family_of
from .smooth import Found, at_once, known, logarithm_at, pulled, pushed

AT_X = signature_with("x")


def distribution_function(dist: Any, family: Any) -> Any:
    """The program for F, refused by name where there is none."""
    if family.below is None:
        raise NotDifferentiableError(
            f"the distribution function of {dist.name} has no derivatives here",
            closest=f"{dist.name}.pdf and {dist.name}.logpdf, which have them",
            next="integrate the density with scipy.integrate.quad, which has rules",
        )
    return family.below


non_differentiable(distribution_function, why="looks up a program")


def log_density(dist: rv_continuous, x: Array, *parameters: Array):
    """y = log f(z) − log scale"""
    shapes, loc, scale = standard(dist.numargs, parameters)
    y = own(dist.logpdf, x, *parameters)
    z, inside, bad = placed(dist, y, x, shapes, loc, scale)
    return as_found(y, within(scaled(family_of(dist).log_density), inside, bad, z, (*shapes, scale)))


class Inside(NamedTuple):
    """The logarithm of a density where every point lies well inside the support."""

    found: Found
    density: Density
    x: Any
    loc: Any
    scale: Any
    shapes: Any

    def logarithm(self) -> Any:
        """log f(z) − log scale"""
        return known(self.found.y, logarithm_at, self.density, self.x, self.loc, self.scale, *self.shapes)

    def moved(self, tangents: Any) -> Any:
        """Its tangent, for those of the call: the distribution, x, and the parameters given."""
        n, moving = len(self.shapes), (*tangents[2:], ZERO, ZERO)
        along = tangents[1], moving[n], moving[n + 1], *moving[:n]
        return pushed(*self, along)

    def turned(self, needs: Any, y_bar: Any) -> Any:
        """The cotangents of the call's arguments, of which some are needed."""
        n, moving = len(self.shapes), (*needs[2:], False, False)
        x_bar, loc_bar, scale_bar, shape_bars = pulled(
            *self, (needs[1], moving[n], moving[n + 1], *moving[:n]), y_bar
        )
        return (ZERO, x_bar, *shape_bars, loc_bar, scale_bar)[: len(needs)]


def inside_of(dist: Any, x: Any, parameters: Any) -> Inside | None:
    """The logarithm of the density at x; None where a point is not well inside the support."""
    shapes, loc, scale = standard(dist.numargs, parameters)
    found = at_once(dist, x, shapes, loc, scale)
    return None if found is None else Inside(found, DENSITIES[dist.name], x, loc, scale, shapes)


@frule(rv_continuous.logpdf, signature=AT_X)
def logpdf_frule(tangents, dist: rv_continuous, x: Array, *parameters: Array, engine):
    """ẏ = ℓ_z (ẋ − ˙loc − z ˙scale)/scale − ˙scale/scale + ℓ_θ θ̇"""
    inside = inside_of(dist, x, parameters)
    if inside is None:
        return forward_of(log_density, (dist, x, *parameters), tangents, {}, engine)
    return inside.logarithm(), inside.moved(tangents)


@rrule(rv_continuous.logpdf, signature=AT_X)
def logpdf_rrule(dist: rv_continuous, x: Array, *parameters: Array, needs, engine):
    """x̄ = ȳ ℓ_z/scale, loc̄ = −Σ x̄, scalē = −Σ x̄ z − Σ ȳ/scale, θ̄ = Σ ȳ ℓ_θ"""
    inside = inside_of(dist, x, parameters)
    if inside is None:
        return reverse_of(log_density, (dist, x, *parameters), {}, needs, engine)

    def logpdf_pullback(y_bar):
        return inside.turned(needs, y_bar)

    return inside.logarithm(), logpdf_pullback


def pdf_program(dist: rv_continuous, x: Array, *parameters: Array):
    """y = f(z) / scale"""
    y = own(dist.pdf, x, *parameters)
    shapes, loc, scale = standard(dist.numargs, parameters)
    z, inside, bad = placed(dist, y, x, shapes, loc, scale)
    log_density = scaled(family_of(dist).log_density)
    return as_found(y, within(exponential(log_density), inside, bad, z, (*shapes, scale)))


def cdf_program(dist: rv_continuous, x: Array, *parameters: Array):
    """y = F(z)"""
    y = own(dist.cdf, x, *parameters)
    shapes, loc, scale = standard(dist.numargs, parameters)
    z, inside, bad = placed(dist, y, x, shapes, loc, scale)
    return as_found(y, within(distributed_by(dist), inside, bad, z, shapes))


def sf_program(dist: rv_continuous, x: Array, *parameters: Array):
    """y = 1 − F(z)"""
    y = own(dist.sf, x, *parameters)
    shapes, loc, scale = standard(dist.numargs, parameters)
    z, inside, bad = placed(dist, y, x, shapes, loc, scale)
    return as_found(y, -within(distributed_by(dist), inside, bad, z, shapes))


@written_out(rv_continuous.logcdf, signature=AT_X)
def logcdf_written_out(dist: rv_continuous, x: Array, *parameters: Array):
    """y = log F(z)"""
    y = own(dist.logcdf, x, *parameters)
    family = family_of(dist)
    if family.log_below is None:
        return as_found(y, logarithm(dist.cdf(x, *parameters)))
    shapes, loc, scale = standard(dist.numargs, parameters)
    z, inside, bad = placed(dist, y, x, shapes, loc, scale)
    return as_found(y, within(family.log_below, inside, bad, z, shapes))


@written_out(rv_continuous.logsf, signature=AT_X)
def logsf_written_out(dist: rv_continuous, x: Array, *parameters: Array):
    """y = log (1 − F(z))"""
    y = own(dist.logsf, x, *parameters)
    family = family_of(dist)
    if family.log_above is None:
        return as_found(y, logarithm(dist.sf(x, *parameters)))
    shapes, loc, scale = standard(dist.numargs, parameters)
    z, inside, bad = placed(dist, y, x, shapes, loc, scale)
    return as_found(y, within(family.log_above, inside, bad, z, shapes))


def placed(dist: Any, y: Any, x: Any, shapes: Any, loc: Any, scale: Any) -> Any:
    """z = (x − loc)/scale, a little off an end of the support at 0, and where it is inside and where NaN."""
    z = (x - loc) / scale
    inside, bad = checked(dist, y, z, shapes, scale)
    return (z + off_zero(z, inside) if dist.a == 0 else z), inside, bad


def scaled(log_density: Any) -> Any:
    """The program for the logarithm of the density, the scale its last argument."""

    def scaled_log_density(z, *parameters):
        return log_density(z, *parameters[:-1]) - np.log(parameters[-1])

    return scaled_log_density


def distributed_by(dist: Any) -> Any:
    """The program for the distribution function, by z with the derivative f."""
    family = family_of(dist)
    log_density, below = family.log_density, distribution_function(dist, family)

    def distribution(z, *shapes):
        return distributed(log_density, below, z, *shapes)

    return distribution


def distributed(log_density: Any, below: Any, z: Any, *shapes: Any) -> Any:
    """F(z, *shapes), up to what does not move."""
    return below(z, *shapes)


@frule(distributed)
def distributed_frule(tangents, log_density: Any, below: Any, z: Any, *shapes: Any, engine):
    """Ḟ = f ż + F_θ θ̇"""
    moved = np.exp(log_density(z, *shapes)) * tangents[2]
    if still_all(tangents[3:]):
        return distributed(log_density, below, z, *shapes), moved
    p, dp = forward_of(below, (z, *shapes), (ZERO, *tangents[3:]), {}, engine)
    return p, moved + dp


@rrule(distributed)
def distributed_rrule(log_density: Any, below: Any, z: Any, *shapes: Any, needs, engine):
    """z̄ = f ȳ, θ̄ = F_θᴴ ȳ"""
    p = distributed(log_density, below, z, *shapes)
    back, still = None, (ZERO,) * len(shapes)
    if any(needs[3:]):
        _, back = reverse_of(below, (z, *shapes), {}, (False, *needs[3:]), engine)

    def distributed_pullback(y_bar):
        moved = still if back is None else back(y_bar)[1:]
        z_bar = unbroadcast(y_bar * np.exp(log_density(z, *shapes)), np.shape(z)) if needs[2] else ZERO
        return ZERO, ZERO, z_bar, *moved

    return p, distributed_pullback


def exponential(log_density: Any) -> Any:
    """The program for a density."""

    def density(z, *parameters):
        return np.exp(log_density(z, *parameters))

    return density


def logarithm(p: Any) -> Any:
    """log p, and −∞, which does not move, where p is 0."""
    return np.log(np.where(p == 0, 1.0, p))

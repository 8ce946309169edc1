"""Quantiles of continuous distributions: implicit in the distribution function.

Where F(z, θ) = q, implicit differentiation gives ż = (q̇ − F_θ θ̇)/f(z), and the quantile is loc + scale z.
At q = 0 and 1 the quantile is an end of the support: it moves with the shapes as that end does, and with q
by 1/f, which is infinite where the density vanishes. Outside [0, 1] SciPy's value is NaN, and the
derivative.

See [Figurnov, Mohamed & Mnih 2018].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rv_continuous

from ....core import frule, non_differentiable, rrule, scalar_rule, unbroadcast
from ....core.calls import forward_of, reverse_of
from ....core.types import Array
from ....tangents import ZERO
from ...quiet import divide
from ...written import as_found, own, written_out
from .calls import anywhere, signature_with, standard, still_all, within
from .continuous import distribution_function
from .family import family_of

AT_Q = signature_with("q")


@written_out(rv_continuous.ppf, signature=AT_Q)
def ppf_written_out(dist: rv_continuous, q: Array, *parameters: Array):
    """F(z) = q, y = loc + scale z"""
    return as_found(own(dist.ppf, q, *parameters), _placed(dist, dist.ppf, q, 1.0, parameters))


@written_out(rv_continuous.isf, signature=AT_Q)
def isf_written_out(dist: rv_continuous, q: Array, *parameters: Array):
    """F(z) = 1 − q, y = loc + scale z"""
    return as_found(own(dist.isf, q, *parameters), _placed(dist, dist.isf, q, -1.0, parameters))


def _placed(dist: Any, method: Any, q: Any, sign: Any, parameters: Any) -> Any:
    """The program for a quantile of the lower tail (sign 1) or the upper one (−1)."""
    shapes, loc, scale = standard(dist.numargs, parameters)
    found = own(method, q, *shapes)
    between, at_ends, bad = _divided(dist, q, found, shapes, scale)
    program = _solving(family_of(dist), distribution_function(dist, family_of(dist)), found, between)
    z = within(program, between, bad, sign * q, shapes)
    if anywhere(at_ends):
        z = z + np.where(at_ends, _end(dist, found, q, sign, shapes), 0.0)
    return loc + scale * as_found(found, z)


def _divided(dist: Any, q: Any, z: Any, shapes: Any, scale: Any) -> Any:
    """Where a quantile is inside the support, where at its ends, and where NaN."""
    with np.errstate(all="ignore"):
        valid = np.asarray(dist._argcheck(*map(np.asarray, shapes)), bool) & (np.asarray(scale) > 0)
        inside = valid & (np.asarray(q) > 0) & (np.asarray(q) < 1) & np.isfinite(z)
        ends = valid & ((np.asarray(q) == 0) | (np.asarray(q) == 1))
        bad = ~(valid & (np.asarray(q) >= 0) & (np.asarray(q) <= 1))
    return inside[()], ends[()], np.broadcast_to(bad, np.shape(inside))[()]


non_differentiable(_divided, why="says where a point lies")


def _solving(family: Any, below: Any, found: Any, between: Any) -> Any:
    """The program of q and the shapes for the z that was found."""

    def solving(q, *shapes):
        return solved(family.log_density, below, chosen(found, between, q), q, *shapes)

    return solving


def chosen(found: Any, between: Any, q: Any) -> Any:
    """The quantiles found, where `within` chose some of the points, those of these points."""
    if np.shape(between) == () or np.all(between):
        return found
    return np.broadcast_to(found, np.shape(between))[between]


non_differentiable(chosen, why="chooses what was found")


def solved(log_density: Any, below: Any, z: Any, q: Any, *shapes: Any) -> Any:
    """The z with F(z, *shapes) = q that was found, with its derivative; of q only how it moves counts."""
    return z


@frule(solved)
def solved_frule(tangents, log_density: Any, below: Any, z: Any, q: Any, *shapes: Any, engine):
    """ż = (q̇ − F_θ θ̇)/f(z)"""
    z = solved(log_density, below, z, q, *shapes)
    slope = divide(1.0, np.exp(log_density(z, *shapes)))
    moved = tangents[3] * slope
    if not still_all(tangents[4:]):
        _, dp = forward_of(below, (z, *shapes), (ZERO, *tangents[4:]), {}, engine)
        moved = moved - dp * steady(slope)
    return z, moved


@rrule(solved)
def solved_rrule(log_density: Any, below: Any, z: Any, q: Any, *shapes: Any, needs, engine):
    """q̄ = z̄/f(z), θ̄ = −F_θᴴ q̄"""
    z = solved(log_density, below, z, q, *shapes)
    slope = divide(1.0, np.exp(log_density(z, *shapes)))
    back, still = None, (ZERO,) * len(shapes)
    if any(needs[4:]):
        _, back = reverse_of(below, (z, *shapes), {}, (False, *needs[4:]), engine)

    def solved_pullback(z_bar):
        q_bar = unbroadcast(z_bar * slope, np.shape(q)) if needs[3] else ZERO
        moved = still if back is None else back(-z_bar * steady(slope))[1:]
        return ZERO, ZERO, ZERO, q_bar, *moved

    return z, solved_pullback


def steady(slope: Any) -> Any:
    """1/f, and 0 where f is 0: there the quantile of a symmetric distribution moves with q alone."""
    return np.where(np.isfinite(slope), slope, 0.0)


def _end(dist: Any, found: Any, q: Any, sign: Any, shapes: Any) -> Any:
    """An end of the support, as it moves with the shapes and with q."""
    family = family_of(dist)
    at = own(np.array, q)
    moved = drift(q, own(_slope, family, found, shapes) * sign)
    if family.ends is None:
        return moved
    lower, upper = family.ends(*shapes)
    return np.where(sign * (at - 0.5) < 0, lower, upper) + moved


def drift(q: Any, slope: Any) -> Any:
    """0, which moves with q by a slope that may be infinite."""
    return np.zeros(np.shape(slope))[()]


scalar_rule(drift, lambda y, q, slope: slope, 0.0, strong_zero=True)


def _slope(family: Any, z: Any, shapes: Any) -> Any:
    """1/f at an end of the support."""
    with np.errstate(all="ignore"):
        return 1.0 / np.where(np.isfinite(z), np.exp(family.log_density(z, *shapes)), 0.0)

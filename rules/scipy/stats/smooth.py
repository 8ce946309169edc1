"""Logarithms of densities by partials in closed form, where every point lies well inside the support.

Of the distributions that are used most. The value is the one that SciPy's method computes, by the same
steps without its masks; nothing is checked twice, and only the partials that are needed are computed. Where a
point is at an end or outside, where the value is not finite, or where a number is no float64, there is no
such value, and `continuous` and `discrete` have the derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import poch, psi

from ....core import frule, non_differentiable, rrule
from ....core.broadcasting import fit
from ....tangents import ZERO
from ...written import written_out
from ..special.polygammas import psi_difference
from .calls import anchored, still_all
from .family import family_of
from .normals import LOG_2

MOST = 1e6
FARTHEST = 1e100


class Partials(NamedTuple):
    """Of the logarithm of a density, programs of (z, *shapes): by z, and by each shape."""

    by_z: Callable[..., Any]
    by_shapes: tuple[Callable[..., Any], ...] = ()
    below: tuple[float, ...] = (MOST, MOST)
    """What each shape is less than, where these are used."""


PARTIALS = {
    "norm": Partials(lambda z: -z),
    "expon": Partials(lambda z: -1.0),
    "uniform": Partials(lambda z: 0.0),
    "gamma": Partials(lambda z, a: (a - 1.0) / z - 1.0, (lambda z, a: np.log(z) - psi(a),)),
    "chi2": Partials(
        lambda z, df: (0.5 * df - 1.0) / z - 0.5,
        (lambda z, df: 0.5 * np.log(z) - 0.5 * (psi(0.5 * df) + LOG_2),),
    ),
    "beta": Partials(
        lambda z, a, b: (a - 1.0) / z - (b - 1.0) / (1.0 - z),
        (
            lambda z, a, b: np.log(z) + psi_difference(a, b),
            lambda z, a, b: np.log1p(-z) + psi_difference(b, a),
        ),
    ),
    "t": Partials(
        lambda z, df: z * (-(df + 1.0)) / (df + z * z),
        (lambda z, df: student_by_degrees(z * z / df, df),),
    ),
    "lognorm": Partials(
        lambda z, s: (np.log(z) / (-s * s) - 1.0) / z,
        (lambda z, s: (np.square(np.log(z) / s) - 1.0) / s,),
    ),
    "weibull_min": Partials(
        lambda z, c: ((c - 1.0) - c * z**c) / z,
        (lambda z, c: np.log(z) * (1.0 - z**c) + 1.0 / c,),
    ),
    "laplace": Partials(lambda z: -np.sign(z)),
    "logistic": Partials(lambda z: -np.tanh(0.5 * z)),
    "poisson": Partials(lambda k, mu: 0.0, (lambda k, mu: k / mu - 1.0,)),
    "binom": Partials(
        lambda k, n, p: 0.0,
        (lambda k, n, p: 0.0, lambda k, n, p: k / p - (n - k) / (1.0 - p)),
        below=(MOST, 1.0),
    ),
}


def student_by_degrees(u: Any, df: Any) -> Any:
    """½ (ψ(ν/2 + ½) − ψ(ν/2) − 1/ν − log(1 + u) + (1 + 1/ν) u/(1 + u)), u = z²/ν"""
    fixed = psi_difference(0.5 * df, 0.5) - 1.0 / df
    return 0.5 * (u / (1.0 + u) * (1.0 + 1.0 / df) - np.log1p(u) + fixed)


def student(z: Any, df: Any) -> Any:
    """SciPy's steps, of which those of ν alone are taken once for all z of a number ν."""
    fixed = np.log(poch(0.5 * df, 0.5)) - 0.5 * (np.log(df) + np.log(np.pi))
    return fixed - (df + 1) / 2 * np.log1p(z * z / df)


def at_once(dist: Any, x: Any, shapes: Any, loc: Any, scale: Any) -> Any:
    """The logarithm of the density and z = (x − loc)/scale, if every point is well inside the support."""
    if dist.name not in PARTIALS or not all(map(_plain, (x, loc, scale, *shapes))):
        return None
    family_of(dist)
    given = tuple(map(np.asarray, shapes))
    if not all(np.all(dist._argcheck(s) & (s < MOST)) for s in given) or not np.all(np.asarray(scale) > 0):
        return None
    with np.errstate(all="ignore"):
        z = (np.asarray(x) - loc) / scale
        if not z.size or not (dist.a < np.min(z) > -FARTHEST and dist.b > np.max(z) < FARTHEST):
            return None
        y = (student if dist.name == "t" else dist._logpdf)(z, *given) - np.log(scale)
        return (y[()], z[()]) if np.isfinite(np.sum(y)) else None


def masses_at_once(dist: Any, k: Any, shapes: Any, loc: Any) -> Any:
    """The logarithm of the mass and k − loc, if every point is a whole number well inside the support."""
    if dist.name not in PARTIALS or not all(map(_plain, shapes)) or np.asarray(k).dtype.kind not in "iuf":
        return None
    family_of(dist)
    given, n = tuple(map(np.asarray, shapes)), np.asarray(np.asarray(k) - loc, float)
    below = PARTIALS[dist.name].below
    if not n.size or not all(np.all((s > 0) & (s < m)) for s, m in zip(given, below, strict=False)):
        return None
    with np.errstate(all="ignore"):
        if not (np.min(n) >= dist.a and np.max(n) < MOST and np.array_equal(np.floor(n), n)):
            return None
        y = np.asarray(dist._logpmf(n, *given))
        return (y[()], n[()]) if np.isfinite(np.sum(y)) else None


def _plain(p: Any) -> bool:
    """Whether this is a number or an array of float64, or Python's whole number."""
    return type(p) in (float, int, np.float64) or (type(p) is np.ndarray and p.dtype == np.float64)


for _check in (at_once, masses_at_once):
    non_differentiable(_check, why="says where the points lie, and the value there")


def known(z: Any, x: Any, loc: Any, scale: Any) -> Any:
    """z = (x − loc)/scale, computed before."""
    return z


@written_out(known)
def known_written_out(z: object, x: object, loc: object, scale: object):
    """(x − loc)/scale"""
    return anchored(z, (x - loc) / scale)  # type: ignore[operator]


def smooth(found: Any, dist: Any, x: Any, loc: Any, scale: Any, *shapes: Any) -> Any:
    """log f(z) − log scale, as found."""
    return found[0]


@frule(smooth)
def smooth_frule(tangents, found: Any, dist: Any, x: Any, loc: Any, scale: Any, *shapes: Any):
    """ẏ = ℓ_z (ẋ − ˙loc − z ˙scale)/scale − ˙scale/scale + ℓ_θ θ̇"""
    partials, z = PARTIALS[dist.name], known(found[1], x, loc, scale)
    y, dy = smooth(found, dist, x, loc, scale, *shapes), np.zeros(np.shape(found[0]))[()]
    dx, dloc, dscale = tangents[2:5]
    slope = None if still_all((dx, dloc, dscale)) else partials.by_z(z, *shapes) / scale
    if not still_all((dx,)):
        dy = dy + slope * dx
    if not still_all((dloc,)):
        dy = dy - slope * dloc
    if not still_all((dscale,)):
        dy = dy - (slope * z + 1.0 / scale) * dscale
    for part, ds in zip(partials.by_shapes, tangents[5:], strict=True):
        if not still_all((ds,)):
            dy = dy + part(z, *shapes) * ds
    return y, dy


@rrule(smooth)
def smooth_rrule(found: Any, dist: Any, x: Any, loc: Any, scale: Any, *shapes: Any, needs):
    """x̄ = ȳ ℓ_z/scale, loc̄ = −Σ x̄, scalē = −Σ x̄ z − Σ ȳ/scale, θ̄ = Σ ȳ ℓ_θ"""
    partials, z = PARTIALS[dist.name], known(found[1], x, loc, scale)

    def smooth_pullback(y_bar):
        x_bar = loc_bar = scale_bar = ZERO
        if any(needs[2:5]):
            moved = y_bar * partials.by_z(z, *shapes) / scale
            if needs[2]:
                x_bar = fit(moved, x)
            if needs[3]:
                loc_bar = -fit(moved, loc)
            if needs[4]:
                scale_bar = -(fit(moved * z, scale) + fit(y_bar, scale) / scale)
        shape_bars = tuple([
            fit(y_bar * part(z, *shapes), s) if need else ZERO
            for part, s, need in zip(partials.by_shapes, shapes, needs[5:], strict=True)
        ])  # fmt: skip
        return ZERO, ZERO, x_bar, loc_bar, scale_bar, *shape_bars

    return smooth(found, dist, x, loc, scale, *shapes), smooth_pullback

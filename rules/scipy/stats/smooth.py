"""Logarithms of densities by partials in closed form, where every point lies well inside the support.

The value is computed by the steps of SciPy's method without its masks, and is the same but for rounding.
Nothing is checked twice, and only the partials that are needed are computed. Where a point is at an end or
outside, where the value is not finite, or where a number is no float64, nothing is found, and `continuous`
and `discrete` have another program.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....core import non_differentiable
from ....core.broadcasting import fit
from ....tangents import ZERO
from ...written import as_found, written_out
from .calls import still_all
from .densities import DENSITIES, MOST, Density
from .family import family_of


class Found(NamedTuple):
    """What was computed: log f(z) − log scale, z = (x − loc)/scale, and what partials have in common."""

    y: Any
    z: Any
    parts: tuple[Any, ...]


def at_once(dist: Any, x: Any, shapes: Any, loc: Any, scale: Any) -> Found | None:
    """The logarithm of the density, if every point is well inside the support."""
    density = DENSITIES.get(dist.name)
    if density is None or not all(map(_plain, (x, loc, scale, *shapes))):
        return None
    family_of(dist)
    given = tuple(map(np.asarray, shapes))
    if not all(np.all(dist._argcheck(s) & (s < MOST)) for s in given) or not np.all(np.asarray(scale) > 0):
        return None
    with np.errstate(all="ignore"):
        z = (np.asarray(x) - loc) / scale
        if not z.size or not (dist.a < z.min() > -density.farthest and dist.b > z.max() < density.farthest):
            return None
        parts = tuple([part(z, *given) for part in density.parts])
        assert density.value is not None
        y = density.value(z, *parts, *given) - np.log(scale)
        return Found(y[()], z[()], parts) if np.isfinite(np.sum(y)) else None


def masses_at_once(dist: Any, k: Any, shapes: Any, loc: Any) -> Found | None:
    """The logarithm of the mass, if every point is a whole number well inside the support."""
    density = DENSITIES.get(dist.name)
    if density is None or not all(map(_plain, shapes)) or np.asarray(k).dtype.kind not in "iuf":
        return None
    family_of(dist)
    given, n = tuple(map(np.asarray, shapes)), np.asarray(np.asarray(k) - loc, float)
    if not n.size or not all(np.all((s > 0) & (s < m)) for s, m in zip(given, density.below, strict=False)):
        return None
    with np.errstate(all="ignore"):
        if not (np.min(n) >= dist.a and np.max(n) < MOST and np.array_equal(np.floor(n), n)):
            return None
        y = np.asarray(dist._logpmf(n, *given))
        return Found(y[()], n[()], ()) if np.isfinite(np.sum(y)) else None


def _plain(p: Any) -> bool:
    """Whether this is a number or an array of float64, or Python's whole number."""
    return type(p) in (float, int, np.float64) or (type(p) is np.ndarray and p.dtype == np.float64)


for _check in (at_once, masses_at_once):
    non_differentiable(_check, why="says where the points lie, and the value there")


def known(value: Any, program: Any, *data: Any) -> Any:
    """What a program of the data computes, known before."""
    return value


@written_out(known)
def known_written_out(value: object, program: object, *data: object):
    """The program"""
    return as_found(value, program(*data))  # type: ignore[operator]


def standardised(x: Any, loc: Any, scale: Any) -> Any:
    """z"""
    return (x - loc) / scale


def logarithm_at(density: Density, x: Any, loc: Any, scale: Any, *shapes: Any) -> Any:
    """log f(z) − log scale"""
    z = standardised(x, loc, scale)
    assert density.value is not None
    return density.value(z, *[part(z, *shapes) for part in density.parts], *shapes) - np.log(scale)


def at(found: Found, density: Density, x: Any, loc: Any, scale: Any, shapes: Any) -> Any:
    """(z, *parts, *shapes), as functions of x, loc, scale and the shapes."""
    z = known(found.z, standardised, x, loc, scale)
    parts = [known(v, f, z, *shapes) for v, f in zip(found.parts, density.parts, strict=True)]
    return (z, *parts, *shapes)


def pushed(found: Found, density: Density, x: Any, loc: Any, scale: Any, shapes: Any, tangents: Any) -> Any:
    """ẏ = ℓ_z (ẋ − ˙loc − z ˙scale)/scale − ˙scale/scale + ℓ_θ θ̇"""
    place = at(found, density, x, loc, scale, shapes)
    dy, (dx, dloc, dscale, *dshapes) = np.zeros(np.shape(found.y))[()], tangents
    slope = None if still_all((dx, dloc, dscale)) else density.by_z(*place) / scale
    if not still_all((dx,)):
        dy = dy + slope * dx
    if not still_all((dloc,)):
        dy = dy - slope * dloc
    if not still_all((dscale,)):
        dy = dy - (slope * place[0] + 1.0 / scale) * dscale
    for part, ds in zip(density.by_shapes, dshapes, strict=True):
        if not still_all((ds,)):
            dy = dy + part(*place) * ds
    return dy


def pulled(
    found: Found, density: Density, x: Any, loc: Any, scale: Any, shapes: Any, needs: Any, y_bar: Any
) -> Any:
    """x̄ = ȳ ℓ_z/scale, loc̄ = −Σ x̄, scalē = −Σ x̄ z − Σ ȳ/scale, θ̄ = Σ ȳ ℓ_θ"""
    place = at(found, density, x, loc, scale, shapes)
    x_bar = loc_bar = scale_bar = ZERO
    if any(needs[:3]):
        moved = y_bar * density.by_z(*place) / scale
        if needs[0]:
            x_bar = fit(moved, x)
        if needs[1]:
            loc_bar = -fit(moved, loc)
        if needs[2]:
            scale_bar = -(fit(moved * place[0], scale) + fit(y_bar, scale) / scale)
    shape_bars = [
        fit(y_bar * part(*place), s) if need else ZERO
        for part, s, need in zip(density.by_shapes, shapes, needs[3:], strict=True)
    ]
    return x_bar, loc_bar, scale_bar, shape_bars

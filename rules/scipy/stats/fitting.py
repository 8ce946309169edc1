"""Fits of continuous distributions to data: implicit in what the estimate satisfies.

A maximum of the likelihood is stationary in the parameters that were free, H θ̇ = −∂²ℓ ẋ, and where an end of
the support is at the least or the greatest datum, that end moves as the datum does. By the method of moments
the distribution's moments are those of the data. The derivative is that of the exact solution, near which
SciPy's optimiser has to have stopped; the values are its own. Fixed parameters are data too: the others move
with them.

See [Griewank & Walther 2008].
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from scipy import optimize, stats
from scipy.stats import rv_continuous

from ....core import NotDifferentiableError, implicit, non_differentiable
from ....core.types import Array
from ...written import as_found, own, written_out
from .discrete import names_of
from .family import family_of

_NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD
AT_END, NEAR = 1e-9, 2e-3


def fit_signature(dist: Any) -> inspect.Signature:
    """How a fit is called: starts of the shapes, of loc and scale, and what may be fixed, by three names."""
    return inspect.Signature([
        *(inspect.Parameter(name, _NAMED) for name in ("self", "data")),
        *(inspect.Parameter(name, _NAMED, default=None) for name in options_of(dist)),
    ])  # fmt: skip


def options_of(dist: Any) -> list[str]:
    """What a fit may be told, in the order of the signature."""
    shapes = names_of(dist)
    starts = [f"start_{name}" for name in shapes]
    fixed = [key for i, name in enumerate(shapes) for key in (f"f{i}", f"f{name}", f"fix_{name}")]
    return [*starts, "loc", "scale", *dict.fromkeys(fixed), "floc", "fscale", "method", "optimizer"]


def fit_written_out(dist: rv_continuous, data: Array, *told: object, method=None, optimizer=None):
    """∂ℓ/∂θ = 0, or the moments' equations"""
    names = options_of(dist)
    told = (*told, *[None] * (len(names) - 2 - len(told)))
    fixed = fixed_of(dist, names, told)
    y = own(_fitted, dist, data, names, told, method, optimizer)
    x = np.ravel(np.asarray(data)) * 1.0
    by_moments = method is not None and method.lower() == "mm"
    tied = () if by_moments else own(ties, dist, x, y, fixed)
    free = [i for i in range(len(y)) if fixed[i] is None and i not in tied]
    places = Places(dist, free, tied)
    held = [0.0 if each is None else each for each in fixed]
    if free:
        start = own(np.array, [y[i] for i in free], dtype=float)
        if by_moments:
            found = own(_solved, Moments(places), start, x, held)
            z = implicit.root(Moments(places), found, x, held)
        else:
            found = own(least, Surprise(places), start, x, held)
            z = implicit.minimum(Surprise(places), found, x, held)
    else:
        z = np.zeros(0)
    moved = places(z, x, held)
    return tuple([as_found(y[i], moved[i]) for i in range(len(y))])


def fixed_of(dist: Any, names: Any, told: Any) -> Any:
    """The value of each parameter that is fixed, None for the others."""
    given = dict(zip(names, told, strict=False))
    shapes = names_of(dist)
    out: list[Any] = []
    for i in range(len(shapes)):
        keys = (f"f{i}", f"f{shapes[i]}", f"fix_{shapes[i]}")
        values = [given[key] for key in keys if given[key] is not None]
        out = [*out, values[0] if values else None]
    return [*out, given["floc"], given["fscale"]]


def _fitted(dist: Any, data: Any, names: Any, told: Any, method: Any, optimizer: Any) -> Any:
    """SciPy's own fit."""
    if isinstance(data, stats.CensoredData):
        raise NotDifferentiableError(
            "a fit to censored data",
            closest="a fit to data as they are",
            next="maximise the sum of logpdf and logsf with scipy.optimize.minimize, which has rules",
        )
    given = {n: v for n, v in zip(names, told, strict=False) if v is not None}
    starts = [given.pop(n) for n in list(given) if n.startswith("start_")]
    given |= {} if method is None else {"method": method}
    given |= {} if optimizer is None else {"optimizer": optimizer}
    return tuple(float(each) for each in dist.fit(data, *starts, **given))


class Places:
    """All parameters, from those that are free, the data and those that are fixed."""

    def __init__(self, dist: Any, free: Any, tied: Any) -> None:
        self.dist, self.free, self.tied = dist, free, tied

    def __call__(self, z: Any, x: Any, held: Any) -> Any:
        free = self.free
        values = [z[free.index(i)] if i in free else held[i] for i in range(len(held))]
        shapes, loc, scale = values[:-2], values[-2], values[-1]
        if self.tied:
            count = len(shapes)
            family = family_of(self.dist)
            a, b = own(self.dist.support, *shapes) if family.ends is None else family.ends(*shapes)
            lowest = own(_is_at, self.tied, "lower")
            if count in self.tied and count + 1 in self.tied:
                scale = (np.max(x) - np.min(x)) / (b - a)
                loc = np.min(x) - scale * a
            elif count in self.tied:
                loc = np.min(x) - scale * a if lowest else np.max(x) - scale * b
            else:
                scale = (np.min(x) - loc) / a if lowest else (np.max(x) - loc) / b
        return [*shapes, loc, scale]


def _is_at(tied: Any, which: str) -> bool:
    """Whether that end of the support is at a datum."""
    return which in tied


class Surprise:
    """−Σ log f(x), of a discrete distribution −Σ log p(x)"""

    def __init__(self, places: Places) -> None:
        self.places = places

    def __call__(self, z: Any, x: Any, held: Any) -> Any:
        dist, given = self.places.dist, self.places(z, x, held)
        if isinstance(dist, rv_continuous):
            return -np.sum(dist.logpdf(x, *given))
        return -np.sum(dist.logpmf(x, *given))


class Moments:
    """By how much the distribution's moments are not those of the data."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def __call__(self, z: Any, x: Any, held: Any) -> Any:
        every = self.places(z, x, held)
        orders = range(1, len(self.places.free) + 1)
        return np.stack([self.places.dist.moment(k, *every) - np.mean(x**k) for k in orders])


def ties(dist: Any, x: Any, y: Any, fixed: Any) -> Any:
    """Which of loc and scale an end of the support at a datum says, and which ends those are."""
    shapes, loc, scale, count = y[:-2], y[-2], y[-1], len(y) - 2
    a, b = (float(end) for end in dist.support(*shapes))
    lower = np.isfinite(a) and abs(loc + scale * a - np.min(x)) <= AT_END * scale
    upper = np.isfinite(b) and abs(loc + scale * b - np.max(x)) <= AT_END * scale
    free = [i for i in (count, count + 1) if fixed[i] is None]
    if (lower and upper and len(free) == 2) or not free:
        return (*free, "lower", "upper") if free else ()
    if not (lower or upper):
        return ()
    end = a if lower else b
    return (free[0] if free[0] == count or end != 0 else None, "lower" if lower else "upper")


def least(objective: Any, start: Any, x: Any, held: Any, bounds: Any = None) -> Any:
    """The minimum near which the optimiser stopped."""
    with np.errstate(all="ignore"):
        options = {"xatol": 1e-10 * (1.0 + np.max(np.abs(start))), "fatol": 1e-13, "maxiter": 4000}
        simplex = start + np.vstack([np.zeros(len(start)), 1e-4 * np.diag(np.abs(start) + 1e-3)])
        found = optimize.minimize(
            objective,
            start,
            (x, held),
            method="Nelder-Mead",
            bounds=bounds,
            options={**options, "initial_simplex": simplex},
        ).x
    return _hold_near(found, start)


def _solved(residual: Any, start: Any, x: Any, held: Any) -> Any:
    """The root near which the optimiser stopped."""
    with np.errstate(all="ignore"):
        return _hold_near(optimize.root(residual, start, (x, held)).x, start)


def _hold_near(found: Any, start: Any) -> Any:
    if not np.all(np.abs(found - start) <= NEAR * (1.0 + np.abs(start))):
        raise NotDifferentiableError(
            f"a fit that stopped at {start}, while the solution is at {found}",
            next="give it a better start, or an optimiser with smaller tolerances",
        )
    return found


for _look in (options_of, fit_signature):
    non_differentiable(_look, why="looks up names")

FITS = {rv_continuous.fit: None}
for _name in dir(stats):
    _dist = getattr(stats, _name)
    if isinstance(_dist, rv_continuous):
        FITS[type(_dist).fit] = None
for _fit in FITS:
    written_out(_fit, signature=fit_signature)(fit_written_out)


@written_out(rv_continuous.nnlf, signature="self, theta, x")
def nnlf_written_out(dist: rv_continuous, theta: object, x: Array):
    """−Σ log f(x), which does not move where it is infinite"""
    every: Any = theta
    y = own(dist.nnlf, theta, x)
    return as_found(y, -np.sum(dist.logpdf(x, *every))) if own(np.isfinite, y) else y


@written_out(rv_continuous.fit_loc_scale, signature="self, data, *args")
def fit_loc_scale_written_out(dist: rv_continuous, data: Array, *shapes: Array):
    """scale = √(v/v₀), loc = m − scale m₀, of the data's mean and variance and the standard form's"""
    loc, scale = own(dist.fit_loc_scale, data, *shapes)
    x = np.asarray(data)
    b = np.sqrt(np.var(x) / dist.var(*shapes))
    return as_found(loc, np.mean(x) - b * dist.mean(*shapes)), as_found(scale, b)

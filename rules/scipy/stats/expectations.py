"""Expectations under a distribution, in its standard form: sums over nodes that move as its support does.

E g = ∫ g(z) f(z) dz over pieces, between the ends of the support, the corners of the density and its median,
by the double exponential rule [Takahasi & Mori 1974]. A node of a finite piece keeps its place between the
piece's ends as these move, so that the derivative of the sum is that of the integral whatever moves. Of a
discrete distribution it is the sum over whole numbers. Where a sum does not give SciPy's own value, where
that is not finite, or where every other node gives another derivative, the derivative is refused.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ....core import NotDifferentiableError, non_differentiable
from ...written import own
from .discrete import mass
from .family import Discrete, family_of
from .integrated import stretch

STEP = 1 / 128
TIMES = np.arange(-768, 869) * STEP
GROWN = np.exp(0.5 * np.pi * np.sinh(TIMES))
SPEED = STEP * 0.5 * np.pi * np.cosh(TIMES)
LEFT = TIMES < 0
SHARE = np.where(LEFT, GROWN, 1.0) / (1.0 + GROWN)  # of the distance from the nearer end
FINITE, INFINITE = SPEED * SHARE * (1.0 - SHARE), SPEED * GROWN
STRIDES = (4, 1)  # of the nodes, one in four; all where these are not enough
AGREE, ROUGH = 1e-5, 1e-6
MOST = 4096


class Plan(NamedTuple):
    """What does not move: where nodes that do not count stand, how wide each piece is where it is infinite,
    which of its nodes count, and which nodes are taken. Of a discrete distribution: the numbers, and which of
    them count."""

    standing: Any
    widths: tuple[Any, ...]
    counted: tuple[Any, ...]
    stride: int = 1
    middle: Any = None


def expected(dist: Any, shapes: Any, functions: Any, found: Any, name: str) -> Any:
    """E g(z, log f(z)) for each g of some functions; `found` is what SciPy says that these are.

    Raises:  NotDifferentiableError where that is something else, or its derivatives are not to be had so.
    """
    if not len(shapes):
        return found
    plan = planned(dist, shapes, functions, found, name)
    return sums(dist, plan, shapes, functions, 1)


def sums(dist: Any, plan: Any, shapes: Any, functions: Any, every: int) -> Any:
    """Sums of functions over every node of a plan, or over one of `every`."""
    z, logs, masses = nodes(dist, plan, shapes, every)
    return [np.sum(masses * g(z, logs), axis=-1) for g in functions]


def nodes(dist: Any, plan: Any, shapes: Any, every: int) -> Any:
    """The nodes, the logarithms of their densities, and the masses that they stand for."""
    family = family_of(dist)
    spread = tuple([stretch(np.asarray(s)) for s in shapes])
    if isinstance(family, Discrete):
        z = plan.standing
        return z, family.log_mass(z, *spread), plan.counted[0] * mass(family)(z, *spread)

    def log_density(z):
        return family.log_density(z, *spread)

    return gathered(log_density, cuts_of(dist, family, plan.middle, shapes), plan, every)


def gathered(log_density: Any, cuts: Any, plan: Any, every: int) -> Any:
    """The nodes of all pieces between cuts, the logarithms of their densities, and their masses."""
    count, stride = len(plan.widths), plan.stride * every
    parts = [carried(cuts[i], cuts[i + 1], plan.widths[i], stride) for i in range(count)]
    counted = np.concatenate([each[..., ::every] for each in plan.counted], axis=-1)
    z = np.where(counted, np.concatenate([z for z, _ in parts], axis=-1), stretch(plan.standing))
    measure = np.where(counted, np.concatenate([m for _, m in parts], axis=-1), 0.0)
    logs = log_density(z)
    return z, logs, measure * np.exp(logs)


def cuts_of(dist: Any, family: Any, middle: Any, shapes: Any) -> Any:
    """The ends of the support, and between them the corners of the density or the median, in order."""
    lower, upper = own(dist.support, *shapes) if family.ends is None else family.ends(*shapes)
    inner = [middle] if family.corners is None else family.corners(*shapes)
    return [lower, *inner, upper]


def carried(lower: Any, upper: Any, width: Any, stride: int) -> Any:
    """The nodes of a piece and their measures."""
    low, high = finite(lower), finite(upper)
    a, b = stretch(np.where(low, lower, 0.0)), stretch(np.where(high, upper, 0.0))
    share, grown, wide = SHARE[::stride], GROWN[::stride], stretch(width)
    near = np.where(LEFT[::stride], a + (b - a) * share, b - (b - a) * share)
    far = np.where(stretch(low), a + wide * grown, b - wide * grown)
    both = stretch(low & high)
    measure = np.where(both, (b - a) * FINITE[::stride], wide * INFINITE[::stride])
    return np.where(both, near, far), stride * measure


def finite(end: Any) -> Any:
    """Whether an end is finite."""
    return np.isfinite(end)


def planned(dist: Any, shapes: Any, functions: Any, found: Any, name: str) -> Any:
    """The plan for a distribution at these shapes, which gives what SciPy finds."""
    shapes = tuple(np.asarray(s, dtype=float) for s in shapes)
    with np.errstate(all="ignore"):
        if isinstance(family_of(dist), Discrete):
            plan = _numbers(dist, shapes)
            fault = _fault(dist, plan, shapes, functions, found)
        else:
            for stride in STRIDES:
                plan = _pieces(dist, shapes, stride)
                fault = _fault(dist, plan, shapes, functions, found) or _roughness(
                    dist, plan, shapes, functions
                )
                if not fault:
                    break
    if fault:
        raise NotDifferentiableError(
            f"the {name} of {dist.name}: {fault}",
            next="use parameters farther from where it does not exist, or its closed form",
        )
    return plan


def _pieces(dist: Any, shapes: Any, stride: int) -> Plan:
    family = family_of(dist)
    quartiles = [np.asarray(dist.ppf(q, *shapes), float) for q in (0.25, 0.5, 0.75)]

    def log_density(z: Any) -> Any:
        return family.log_density(z, *[stretch(s) for s in shapes])

    return pieces(log_density, cuts_of(dist, family, quartiles[1], shapes), quartiles, stride)


def pieces(log_density: Any, cuts: Any, quartiles: Any, stride: int) -> Plan:
    """The plan for a density between these cuts."""
    first, middle, third = quartiles
    cuts = [np.broadcast_to(np.asarray(c, float), middle.shape) for c in cuts]
    widths, counted = [], []
    for lower, upper in pairwise(cuts):
        width = np.where(np.isfinite(lower), third - middle, middle - first)
        z, measure = carried(lower, upper, width, stride)
        logs = log_density(z)
        inside = (z > stretch(lower)) & (z < stretch(upper)) & np.isfinite(measure)
        widths.append(width)
        counted.append(inside & np.isfinite(logs) & (logs > -690))
    return Plan(first, tuple(widths), tuple(counted), stride, middle)


def _numbers(dist: Any, shapes: Any) -> Plan:
    log_mass = family_of(dist).log_mass
    shape = np.broadcast_shapes(*map(np.shape, shapes))
    a, b = (np.broadcast_to(np.asarray(end, float), shape) for end in dist.support(*shapes))
    start, stop = (_vanishing(log_mass, shapes, end, way) for end, way in ((a, -1.0), (b, 1.0)))
    numbers = np.arange(start, min(stop, MOST))
    low = np.where(np.isfinite(a), a, np.where(np.isfinite(b), b, 0.0))
    counted = (numbers >= stretch(a)) & (numbers <= stretch(b))
    standing, weights = np.where(counted, numbers, stretch(low)), 1.0 * counted
    if stop > MOST:
        standing, weights = _with_tail(standing, weights)
        weights = np.where(log_mass(standing, *[stretch(s) for s in shapes]) > -690, weights, 0.0)
        standing = np.where(weights == 0, MOST, standing)
    return Plan(standing, (), (weights,))


def _with_tail(numbers: Any, weights: Any) -> Any:
    """The sum from m on is ∫ f from m − ½ on, and (f(m) − f(m − 1))/24: a tail of powers [DLMF 2.10.1]"""
    at = MOST - 0.5 + MOST * GROWN[:: STRIDES[0]]
    measure = STRIDES[0] * MOST * INFINITE[:: STRIDES[0]]
    tail, measure = at[at < 1e250], measure[at < 1e250]
    more = np.broadcast_to(np.append(tail, MOST), (*numbers.shape[:-1], len(tail) + 1))
    weights[..., -1] -= 1 / 24
    return (
        np.concatenate([numbers, more], axis=-1),
        np.concatenate([weights, np.broadcast_to(np.append(measure, 1 / 24), more.shape)], axis=-1),
    )


def _vanishing(log_mass: Any, shapes: Any, end: Any, way: float) -> float:
    """Past the end of the support, or, where it is infinite, past what there is to add; `MOST`, if not."""
    if np.all(np.isfinite(end)):
        return float(way * np.max(way * end, initial=-np.inf)) + (way > 0)
    k = 16.0
    while k <= MOST and not np.all(log_mass(way * k, *shapes) + 6.0 * np.log(k) < -60.0):
        k *= 2.0
    return way * k


def _fault(dist: Any, plan: Any, shapes: Any, functions: Any, found: Any) -> str:
    """Where the sums are not what SciPy says, that."""
    z, logs, masses = nodes(dist, plan, shapes, 1)
    return unlike([masses * g(z, logs) for g in functions], found)


def unlike(terms: Any, found: Any) -> str:
    """Where the sums of terms are not what was found, that."""
    for each, y in zip(terms, found, strict=True):
        size, total = np.sum(np.abs(each), axis=-1), np.sum(each, axis=-1)
        if not np.all(np.isfinite(y) & (np.abs(total - y) <= AGREE * size)):
            return f"SciPy's value is {y}, that of the sum to be differentiated {total}"
    return ""


def _roughness(dist: Any, plan: Any, shapes: Any, functions: Any) -> str:
    """Where every other node gives another derivative, that."""
    values, coarse = (np.stack(sums(dist, plan, shapes, functions, n)) for n in (1, 2))
    if not np.all(np.abs(values - coarse) <= ROUGH * (np.abs(values) + 1e-3)):
        return "it is an integral that is not to be had by this rule"
    for i, s in enumerate(shapes):
        step = 1e-5 * (np.abs(s) + 1e-2)
        moved = [(*shapes[:i], s + t, *shapes[i + 1 :]) for t in (step, -step)]
        every, other = (
            [
                (y - x) / (2.0 * step)
                for y, x in zip(*[sums(dist, plan, m, functions, n) for m in moved], strict=True)
            ]
            for n in (1, 2)
        )
        for a, b, y in zip(every, other, values, strict=True):
            if not np.all(np.abs(a - b) <= ROUGH * (np.abs(a) + 1e-4 * np.abs(y)) + 1e-9):
                return f"its derivative by shape {i + 1} is an integral that is not to be had by this rule"
    return ""


for _look in (planned, finite):
    non_differentiable(_look, why="chooses nodes, or checks")

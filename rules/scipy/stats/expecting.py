"""`expect`: the expectation of a function of the user's, by what it captured and by every parameter.

Of a continuous distribution it is an integral by `quad`, whose rule integrates the derivative. Its ends are
those of the support where none are given. Of a discrete one it is a sum over the numbers that have any mass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import integrate
from scipy.stats import rv_continuous, rv_discrete
from scipy.stats._distn_infrastructure import rv_frozen

from ....core import non_differentiable
from ...written import own, written_out
from .agreement import agreed


class Weighted:
    """A function times a density."""

    def __init__(self, func: Any, density: Any, parameters: Any) -> None:
        self.func, self.density, self.parameters = func, density, parameters

    def __call__(self, x: Any) -> Any:
        y = self.density(x, *self.parameters)
        return x * y if self.func is None else self.func(x) * y


@written_out(rv_continuous.expect)
def expect_written_out(
    dist: rv_continuous, func: object = None, args: object = (), loc: object = 0, scale: object = 1,
    lb: object = None, ub: object = None, *, conditional=False, **settings,
):  # fmt: skip
    """∫ g f from lb to ub, over the mass between them where that is conditional"""
    y = own(dist.expect, func, args, loc, scale, lb, ub, conditional, **settings)
    given: Any = args
    every = (*given, loc, scale)
    a, b = dist.support(*every)
    low, high = a if lb is None else lb, b if ub is None else ub
    total = integrate.quad(Weighted(func, dist.pdf, every), low, high, **settings)[0]
    if conditional:
        total = total / (dist.sf(low, *every) - dist.sf(high, *every))
    return agreed(y, total, f"{dist.name}.expect")


@written_out(rv_discrete.expect)
def discrete_expect_written_out(
    dist: rv_discrete, func: object = None, args: object = (), loc: object = 0, lb: object = None,
    ub: object = None, *, conditional=False, maxcount=1000, tolerance=1e-10, chunksize=32,
):  # fmt: skip
    """Σ g p from lb to ub, over the mass between them where that is conditional"""
    y = own(dist.expect, func, args, loc, lb, ub, conditional, maxcount, tolerance, chunksize)
    given: Any = args
    every = (*given, loc)
    k = numbers(dist, given, loc, lb, ub)
    at = k + loc
    total = np.sum(Weighted(func, dist.pmf, every)(at))
    if conditional:
        total = total / (dist.sf(k[0] - 1 + loc, *every) - dist.sf(k[-1] + loc, *every))
    return agreed(y, total, f"{dist.name}.expect")


def numbers(dist: Any, shapes: Any, loc: Any, lb: Any, ub: Any) -> Any:
    """The numbers between the bounds that have any mass."""
    a, b = dist.support(*shapes)
    low = max(a, dist.ppf(1e-18, *shapes) - 1) if lb is None else max(a, np.ceil(lb - loc))
    high = min(b, dist.isf(1e-18, *shapes) + 1 if np.isinf(b) else b)
    if np.isinf(high):
        high = low + 1024.0
        while dist.sf(high, *shapes) > 1e-18 and high < 1e6:
            high = 2.0 * high
    return np.arange(low, (high if ub is None else min(high, np.floor(ub - loc))) + 1.0)


non_differentiable(numbers, why="counts")


@written_out(rv_frozen.expect)
def frozen_expect_written_out(
    frozen: rv_frozen, func: object = None, lb: object = None, ub: object = None, *, conditional=False, **kwds
):
    """The expectation"""
    shapes, rest = divided(frozen)
    return frozen.dist.expect(func, shapes, *rest, lb=lb, ub=ub, conditional=conditional, **kwds)


def divided(frozen: Any) -> Any:
    """The shapes that a frozen distribution holds; loc and, of a continuous one, the scale."""
    args, kwds, dist = frozen.args, frozen.kwds, frozen.dist
    names = own(parameter_names, dist)
    every = [
        args[i] if i < len(args) else kwds.get(names[i], default_of(names[i])) for i in range(len(names))
    ]
    return tuple(every[: dist.numargs]), every[dist.numargs :]


def parameter_names(dist: Any) -> tuple[str, ...]:
    """The names of all parameters, in order."""
    shapes = () if dist.shapes is None else tuple(dist.shapes.replace(",", " ").split())
    return (*shapes, "loc", *(("scale",) if isinstance(dist, rv_continuous) else ()))


def default_of(name: str) -> float:
    """What a parameter is that is not given."""
    return 1.0 if name == "scale" else 0.0


non_differentiable(default_of, why="looks up a default")

"""tplquad: a triple integral as one over a box of u that stands still.

    y = ∫ f(z, y, x, θ) z′ y′ x′ du        x = a + (b − a) u₁, y = g + (h − g) u₂, z = q + (r − q) u₃

So a derivative takes one integral over a box instead of integrals of integrals of integrals, with the limits
moving the integrand. A limit that is infinite is so everywhere and does not move; the other one of its pair
shifts the variable. Functions that take arrays are asked for all points of a panel at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....core import non_differentiable
from ...written import own, written_out
from ..results import undifferentiated
from .boxes import kind_of, over_box, stretched

RULE, MOST = "gk15", 1000
"""The rule of the integrals for derivatives, and how many panels are halved at most."""

FEW = 50
"""At so many points of a panel functions are asked whether they take arrays."""


class Flattened:
    """The sum of an integrand between limits that depend on the outer variables."""

    def __init__(self, f: Any, spans: Any, kinds: Any) -> None:
        self.f, self.spans, self.kinds = f, spans, kinds

    def __call__(self, rule: Any, *args: Any) -> Any:
        points, weights = rule
        if takes_arrays(self, points, args):
            return np.sum(self.at(np.transpose(points), weights, args))
        total = 0.0
        for i in range(len(weights)):
            total = total + self.at(points[i], weights[i], args)
        return total

    def at(self, u: Any, share: Any, args: Any) -> Any:
        """The weighted value at a point."""
        (a, b), (g, h), (q, r) = self.spans
        x, share = stretched(u[0], share, a, b, self.kinds[0])
        y, share = stretched(u[1], share, limit(g, x), limit(h, x), self.kinds[1])
        z, share = stretched(u[2], share, limit(q, x, y), limit(r, x, y), self.kinds[2])
        return self.f(z, y, x, *args) * share


def takes_arrays(integrand: Flattened, points: Any, args: Any) -> bool:
    """Whether the integrand and the limits say of many points at once what they say of each."""
    points = points[:: max(1, len(points) // FEW)]
    try:
        with np.errstate(all="ignore"):
            together = integrand.at(np.transpose(points), np.ones(len(points)), args)
    except Exception:  # whatever a function of numbers raises for an array
        return False
    alone = [integrand.at(u, 1.0, args) for u in points]
    return np.shape(together) == (len(points),) and np.allclose(together, alone, rtol=1e-12, atol=0.0)


def limit(given: Any, *outer: Any) -> Any:
    """A limit, given the outer variables."""
    return given(*outer) if callable(given) else given


def kinds_of(spans: Any) -> Any:
    """Which limits are infinite, by those at a point inside."""
    kinds: tuple[str, ...] = ()
    outer: tuple[float, ...] = ()
    for span in spans:
        low, high = float(limit(span[0], *outer)), float(limit(span[1], *outer))
        kinds = (*kinds, kind_of(low, high, integrate.tplquad))
        outer = (*outer, float(stretched(0.37, 1.0, low, high, kinds[-1])[0]))
    return kinds


non_differentiable(kinds_of, takes_arrays, why="kinds of limits and of functions")


@written_out(integrate.tplquad)
def tplquad(
    func: Callable, a: object, b: object, gfun: object, hfun: object, qfun: object, rfun: object,
    args: object = (), *, epsabs=1.49e-8, epsrel=1.49e-8,
):  # fmt: skip
    """y = ∫ₐᵇ ∫ ∫ f(z, y, x, θ) dz dy dx, y from g(x) to h(x), z from q(x, y) to r(x, y)"""
    given: Any = args if isinstance(args, tuple) else (args,)
    value, error = own(integrate.tplquad, func, a, b, gfun, hfun, qfun, rfun, given, epsabs, epsrel)
    spans = ((a, b), (gfun, hfun), (qfun, rfun))
    tolerances = {"rtol": own(float, epsrel), "atol": max(own(float, epsabs), 1e-13)}
    settings = {"rule": RULE, "max_subdivisions": MOST, "d": 3} | tolerances
    y = over_box(Flattened(func, spans, kinds_of(spans)), *given, found=value, settings=settings)
    return y, undifferentiated(error, y, name="of the error")

"""Integrals over boxes: cubature, and qmc_quad at the points that it drew.

    y = ∫ f(s + c u, θ) Π c du over a box of u that stands still        s, c: from the limits

So the limits move the integrand, not the box, and a derivative is an integral over the same box, by SciPy's
adaptive cubature with the same tolerances: forward of f_θ θ̇, in reverse of f_θᴴ ȳ, all parameters in one
vector. A limit that is infinite does not move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate
from scipy.integrate._quadrature import QMCQuadResult

from ....core import NotDifferentiableError, UnsupportedArgument, frule, non_differentiable, rrule
from ....core.apply import as_tangent
from ....core.callables import name_of
from ....tangents import ZERO, ravel
from ...written import own, written_out
from ..results import undifferentiated, with_attributes
from .integral import Across, Along, cotangents_at


def over_box(f: Any, low: Any, high: Any, *parameters: Any, found: Any = None, settings: Any) -> Any:
    """∫ f(u, *parameters) du over a box, of numbers or arrays; `found` is its value, where that is known."""
    if found is not None:
        return found

    def at_points(points: Any) -> Any:
        return np.stack([np.asarray(f(u, *parameters)) for u in points])

    result = integrate.cubature(at_points, low, high, **settings)
    if result.status != "converged":
        raise NotDifferentiableError(
            f"the integral of the derivative of {name_of(f)} did not converge in {result.subdivisions} "
            "subdivisions",
            next="give wider tolerances, more subdivisions, or points= where the integrand is rough",
        )
    return result.estimate


@frule(over_box)
def over_box_frule(
    tangents, f: Callable, low: object, high: object, *parameters: object, found=None, settings
):
    """ẏ = ∫ f_θ θ̇ du"""
    y = over_box(f, low, high, *parameters, found=found, settings=settings)
    return y, over_box(Along(), low, high, f, tangents[0], parameters, tangents[3:], settings=settings)


@rrule(over_box)
def over_box_rrule(f: Callable, low: object, high: object, *parameters: object, found=None, settings):
    """θ̄ = ∫ f_θᴴ ȳ du"""
    y = over_box(f, low, high, *parameters, found=found, settings=settings)

    def over_box_pullback(y_bar):
        pattern, unravel = ravel(cotangents_at(own(middle, low, high), y_bar, f, parameters))
        if not len(pattern):
            return (ZERO, ZERO, ZERO, *(ZERO for _ in parameters))
        made = unravel(over_box(Across(), low, high, y_bar, f, parameters, settings=settings))
        return (made[0], ZERO, ZERO, *(as_tangent(t) for t in made[1:]))

    return y, over_box_pullback


def middle(low: Any, high: Any) -> Any:
    """A point of a box, which may be infinite."""
    a, b = np.maximum(low, -1e3), np.minimum(high, 1e3)
    return a + 0.37 * (b - a)


class Moved:
    """An integrand of many points, as one of a point of a box that stands still."""

    def __init__(self, f: Any, low: Any, high: Any, kinds: Any) -> None:
        self.f, self.low, self.high, self.kinds = f, low, high, kinds

    def __call__(self, u: Any, *args: Any) -> Any:
        x: tuple[Any, ...] = ()
        share = 1.0
        for j in range(len(self.kinds)):
            a, b, kind = self.low[j], self.high[j], self.kinds[j]
            if kind == "finite":
                x, share = (*x, a + (b - a) * u[j]), share * (b - a)
            else:
                x = (*x, u[j] + (a if kind == "up" else b if kind == "down" else 0.0))
        return self.f(np.stack(x)[None, :], *args)[0] * share


def kinds_of(low: Any, high: Any) -> Any:
    """Of each pair of limits, which of them are finite; and the box that stands still."""
    kinds, ends = [], {"finite": (0.0, 1.0), "up": (0.0, np.inf), "down": (-np.inf, 0.0)}
    for a, b in zip(low, high, strict=True):
        finite = np.isfinite(a), np.isfinite(b)
        kinds.append("finite" if all(finite) else "up" if finite[0] else "down" if finite[1] else "both")
        if (finite[0] and b == -np.inf) or (finite[1] and a == np.inf):
            raise UnsupportedArgument(
                integrate.cubature, "b", high, next="exchange the limits and change the sign of the integral"
            )
    box = np.array([ends.get(kind, (-np.inf, np.inf)) for kind in kinds])
    return tuple(kinds), box[:, 0], box[:, 1]


@written_out(integrate.cubature)
def cubature(
    f: Callable, a: object, b: object, args: object = (), *, rule="gk21", rtol=1e-8, atol=0,
    max_subdivisions=10000, workers=1, points=None,
):  # fmt: skip
    """y = ∫ f(x, θ) dx over a box, of arrays"""
    given: Any = args if isinstance(args, tuple) else (args,)
    result = own(integrate.cubature, f, a, b, rule=rule, rtol=rtol, atol=atol, args=given,
                 max_subdivisions=max_subdivisions, workers=workers, points=points)  # fmt: skip
    low, high = np.atleast_1d(np.asarray(a) * 1.0), np.atleast_1d(np.asarray(b) * 1.0)
    kinds, start, end = own(kinds_of, low, high)
    settings = own(settings_of, rule, rtol, atol, max_subdivisions, points)
    y = over_box(Moved(f, low, high, kinds), start, end, *given, found=result.estimate, settings=settings)
    return with_attributes(result, ("estimate",), y)


def settings_of(rule: Any, rtol: Any, atol: Any, max_subdivisions: Any, points: Any) -> dict[str, Any]:
    """The settings of the integrals for derivatives."""
    if points is not None:
        raise UnsupportedArgument(
            integrate.cubature, "points", points, next="integrate the parts between them, and add"
        )
    return {"rule": rule, "rtol": rtol, "atol": max(atol, 1e-13), "max_subdivisions": max_subdivisions}


class Noted:
    """A function that notes where it is evaluated."""

    def __init__(self, func: Any) -> None:
        self.func, self.points = func, []  # type: ignore[var-annotated]  # arrays

    def __call__(self, x: Any) -> Any:
        self.points.append(np.array(x))
        return self.func(x)


def drawn(func: Any, a: Any, b: Any, options: Any) -> Any:
    """What qmc_quad finds, and where it evaluated the integrand, in the measure of the box."""
    noted = Noted(func)
    result = integrate.qmc_quad(noted, a, b, **options)
    count = options["n_points"]
    samples = [x for x in noted.points if np.ndim(x) == 2 and np.shape(x)[1] == count]
    samples = samples[-options["n_estimates"] :]
    if len(samples) < options["n_estimates"]:
        raise UnsupportedArgument(
            integrate.qmc_quad, "func", func, why="it takes one point at a time",
            next="let it take an array of points, (dimensions, points)",
        )  # fmt: skip
    low, high = np.atleast_1d(a).astype(float), np.atleast_1d(b).astype(float)
    return result, tuple([(x - low[:, None]) / (high - low)[:, None] for x in samples])


@written_out(integrate.qmc_quad)
def qmc_quad(func: Callable, a: object, b: object, *, n_estimates=8, n_points=1024, qrng=None, log=False):
    """y = Π (b − a) Σ f(a + (b − a) uᵢ) / n at the points u that were drawn, which stay"""
    if log:
        raise UnsupportedArgument(integrate.qmc_quad, "log", log, next="take the logarithm of the integral")
    options = {"n_estimates": n_estimates, "n_points": n_points, "qrng": qrng}
    result, samples = own(drawn, func, a, b, options)
    low, high = np.atleast_1d(np.asarray(a) * 1.0), np.atleast_1d(np.asarray(b) * 1.0)
    total = 0.0
    for u in samples:
        total = total + np.mean(func(low[:, None] + (high - low)[:, None] * u), axis=-1)
    y = np.prod(high - low) * total / len(samples)
    error = undifferentiated(result.standard_error, y, name="standard_error")
    return QMCQuadResult(y, error)


non_differentiable(middle, kinds_of, settings_of, drawn, why="settings, checks and points")

"""Integrals over boxes: cubature, and qmc_quad at the points that it drew.

    y = ∫ f(s + c u, θ) Π c du over the unit cube        s, c: from the limits

So the limits move the integrand, not the cube, and a derivative is an integral over the same cube with the
same rule and tolerances: forward of f_θ θ̇, in reverse of f_θᴴ ȳ, all parameters in one vector, all points
of a panel in one pullback (`panels`). A limit that is infinite does not move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate
from scipy.integrate._quadrature import QMCQuadResult

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....core.apply import as_tangent
from ....tangents import ZERO, ravel
from ...written import own, written_out
from ..results import undifferentiated, with_attributes
from .across import Across, cotangents_at
from .along import Along
from .panels import adaptive


def over_box(f: Any, *parameters: Any, found: Any = None, settings: Any) -> Any:
    """∫ F(u, *parameters) du over the unit cube, of numbers or arrays; `found` is it, where that is known.

    f((points, weights), *parameters) is the sum of F at the points, weighted.
    """
    return adaptive(f, settings["d"], parameters, settings) if found is None else found


@frule(over_box)
def over_box_frule(tangents, f: Callable, *parameters: object, found=None, settings):
    """ẏ = ∫ F_θ θ̇ du"""
    y = over_box(f, *parameters, found=found, settings=settings)
    return y, over_box(Along(), f, tangents[0], parameters, tangents[1:], settings=settings)


@rrule(over_box)
def over_box_rrule(f: Callable, *parameters: object, found=None, settings):
    """θ̄ = ∫ F_θᴴ ȳ du"""
    y = over_box(f, *parameters, found=found, settings=settings)

    def over_box_pullback(y_bar):
        pattern, unravel = ravel(cotangents_at(own(somewhere, settings), y_bar, f, parameters))
        if not len(pattern):
            return (ZERO, *(ZERO for _ in parameters))
        made = unravel(over_box(Across(), y_bar, f, parameters, settings=settings))
        return (made[0], *(as_tangent(t) for t in made[1:]))

    return y, over_box_pullback


def somewhere(settings: Any) -> Any:
    """A point of the cube, with its weight."""
    return np.full((1, settings["d"]), 0.37), np.ones(1)


def stretched(t: Any, share: Any, low: Any, high: Any, kind: Any) -> Any:
    """A variable between its limits at the t of the unit interval, and the measure that goes with it."""
    if kind == "finite":
        return low + (high - low) * t, share * (high - low)
    if kind == "both":
        s = 2.0 * t - 1.0
        return s / (1.0 - s * s), share * (2.0 * (1.0 + s * s) / (1.0 - s * s) ** 2)
    far = t / (1.0 - t)
    return (low + far if kind == "up" else high - far), share / (1.0 - t) ** 2


class Moved:
    """The sum of an integrand of many points, between limits that move."""

    def __init__(self, f: Any, low: Any, high: Any, kinds: Any) -> None:
        self.f, self.low, self.high, self.kinds = f, low, high, kinds

    def __call__(self, rule: Any, *args: Any) -> Any:
        points, share = rule
        x = []
        for j in range(len(self.kinds)):
            along, share = stretched(points[:, j], share, self.low[j], self.high[j], self.kinds[j])
            x.append(along)
        return np.tensordot(share, self.f(np.stack(x, axis=-1), *args), axes=1)


def kind_of(low: Any, high: Any, solver: Any) -> str:
    """Which limits of a pair are finite."""
    below, above = np.isfinite(low), np.isfinite(high)
    if low == np.inf or high == -np.inf:
        raise UnsupportedArgument(
            solver, "b", high, next="exchange the limits and change the sign of the integral"
        )
    return "finite" if below and above else "up" if below else "down" if above else "both"


def kinds_of(low: Any, high: Any) -> Any:
    """Of each pair of limits, which of them are finite."""
    return tuple([kind_of(a, b, integrate.cubature) for a, b in zip(low, high, strict=True)])


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
    settings = own(settings_of, rule, rtol, atol, max_subdivisions, points, len(low))
    integrand = Moved(f, low, high, own(kinds_of, low, high))
    y = over_box(integrand, *given, found=result.estimate, settings=settings)
    return with_attributes(result, ("estimate",), y)


def settings_of(
    rule: Any, rtol: Any, atol: Any, max_subdivisions: Any, points: Any, d: int
) -> dict[str, Any]:
    """The settings of the integrals for derivatives."""
    if points is not None:
        raise UnsupportedArgument(
            integrate.cubature, "points", points, next="integrate the parts between them, and add"
        )
    return {
        "rule": rule,
        "rtol": rtol,
        "atol": max(atol, 1e-13),
        "max_subdivisions": 10000 if max_subdivisions is None else max_subdivisions,
        "d": d,
    }


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


non_differentiable(somewhere, kind_of, kinds_of, settings_of, drawn, why="settings, checks and points")

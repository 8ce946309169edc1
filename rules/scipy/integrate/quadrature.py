"""Adaptive quadrature: quad, quad_vec, dblquad; and Gauss's rule of fixed order.

Each is the integral of `integral`, by the integrand's parameters, by what it captured and by the limits.
The estimate of the error has no derivative. Weight functions and complex integrands are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from ..given import as_tuple, with_given
from ..results import undifferentiated
from .integral import integral


def refuse_weights(weight: Any, complex_func: Any) -> None:
    """Refuse what the integral for the derivative cannot have."""
    if weight is not None:
        raise UnsupportedArgument(
            integrate.quad, "weight", weight, next="write the weight into the integrand"
        )
    if complex_func:
        raise UnsupportedArgument(
            integrate.quad, "complex_func", complex_func, next="integrate the real and the imaginary part"
        )


def settings_of(epsabs: Any, epsrel: Any, limit: Any, points: Any) -> dict[str, Any]:
    """What the integrals for derivatives take over."""
    return {"epsabs": epsabs, "epsrel": epsrel, "limit": max(limit, 200), "points": points}


non_differentiable(refuse_weights, settings_of, why="checks arguments")


@written_out(integrate.quad)
def quad(
    func: Callable, a: object, b: object, args: object = (), *, full_output=0, epsabs=1.49e-8, epsrel=1.49e-8,
    limit=50, points=None, weight=None, wvar=None, wopts=None, maxp1=50, limlst=50, complex_func=False,
):  # fmt: skip
    """y = ∫ₐᵇ f(x, θ) dx"""
    refuse_weights(weight, complex_func)
    given = as_tuple(args)
    result = own(
        integrate.quad,
        func,
        a,
        b,
        given,
        full_output,
        epsabs,
        epsrel,
        limit,
        points,
        weight,
        wvar,
        wopts,
        maxp1,
        limlst,
    )
    settings = settings_of(epsabs, epsrel, limit, points)
    f, further = with_given(func, given)
    y = integral(f, a, b, *further, found=result[0], settings=settings)
    answer = y, undifferentiated(result[1], y, name="of the error")
    return (*answer, *result[2:]) if full_output else answer


@written_out(integrate.quad_vec)
def quad_vec(
    f: Callable, a: object, b: object, args: object = (), *, epsabs=1e-200, epsrel=1e-8, norm="2",
    cache_size=100e6, limit=10000, workers=1, points=None, quadrature=None, full_output=False,
):  # fmt: skip
    """y = ∫ₐᵇ f(x, θ) dx, of arrays"""
    given = as_tuple(args)
    result = own(integrate.quad_vec, f, a, b, epsabs, epsrel, norm, cache_size, limit, workers, points,
                 quadrature,
                 full_output, args=given)  # fmt: skip
    settings = {
        "epsabs": epsabs,
        "epsrel": epsrel,
        "limit": limit,
        "points": points,
        "quadrature": quadrature,
    }
    integrand, further = with_given(f, given)
    y = integral(integrand, a, b, *further, found=result[0], settings=settings)
    answer = y, undifferentiated(result[1], y, name="of the error")
    return (*answer, *result[2:]) if full_output else answer


def inner_of(func: Any, low: Any, high: Any, options: Any) -> Any:
    """A double integral's inner one, as a function of the outer variable."""

    def inner(x: Any, *args: Any) -> Any:
        below = low(x) if callable(low) else low
        above = high(x) if callable(high) else high
        return integrate.quad(func, below, above, (x, *args), **options)[0]

    return inner


def tolerances(epsabs: Any, epsrel: Any) -> dict[str, Any]:
    """The options of an inner integral: none where they are the usual ones."""
    usual = epsabs == epsrel == USUAL
    return {} if usual else {"epsabs": float(epsabs), "epsrel": float(epsrel)}


USUAL = 1.49e-8
non_differentiable(tolerances, why="settings")


@written_out(integrate.dblquad)
def dblquad(
    func: Callable, a: object, b: object, gfun: object, hfun: object, args: object = (), *, epsabs=1.49e-8,
    epsrel=1.49e-8,
):  # fmt: skip
    """y = ∫ₐᵇ ∫ f(y, x, θ) dy dx from g(x) to h(x)"""
    given = as_tuple(args)
    value, error = own(integrate.dblquad, func, a, b, gfun, hfun, given, epsabs, epsrel)
    f, further = with_given(func, given)
    inner = inner_of(f, gfun, hfun, tolerances(epsabs, epsrel))
    y = integral(inner, a, b, *further, found=value, settings=settings_of(epsabs, epsrel, 50, None))
    return y, undifferentiated(error, y, name="of the error")


def gauss(n: int) -> Any:
    """Gauss's nodes and weights on (−1, 1)."""
    return np.polynomial.legendre.leggauss(n)


non_differentiable(gauss, why="constants")


@written_out(integrate.fixed_quad)
def fixed_quad(func: Callable, a: object, b: object, args: object = (), *, n=5):
    """y = ½ (b − a) Σ wᵢ f(½ (b − a) (tᵢ + 1) + a, θ)        Gauss's nodes t and weights w"""
    nodes, weights = gauss(n)
    given = as_tuple(args)
    x = (b - a) * (nodes + 1) / 2.0 + a  # type: ignore[operator]  # numbers
    return (b - a) / 2.0 * np.sum(weights * func(x, *given), axis=-1), None  # type: ignore[operator]  # numbers

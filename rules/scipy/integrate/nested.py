"""Integrals of several variables: nquad, as integrals of integrals.

The limits of an inner integral may be functions of the outer variables and of the parameters; what they
captured moves them, too. A function of the variables in place of options is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy import integrate

from ....core import UnsupportedArgument, non_differentiable
from ...written import own, written_out
from ..given import as_tuple, with_given
from ..results import undifferentiated
from .integral import integral
from .quadrature import settings_of


def layer(func: Any, span: Any, options: Any) -> Any:
    """A function with its first variable integrated out."""

    def inner(*outer: Any) -> Any:
        low, high = limits(span, outer)
        return integrate.quad(func, low, high, outer, **options)[0]

    return inner


def limits(span: Any, outer: Any) -> Any:
    """The limits of an integral, which may depend on the outer variables."""
    return span(*outer) if callable(span) else span


def options_of(opts: Any, count: int) -> Any:
    """The options of each integral."""
    listed = [opts or {}] * count if opts is None or isinstance(opts, dict) else list(opts)
    for each in [opts, *listed]:
        if callable(each):
            raise UnsupportedArgument(
                integrate.nquad, "opts", each, why="it is a function", next="give the options as a dict"
            )
    return tuple(listed)


def outermost(options: Any) -> Any:
    """The settings of the integral over the last variable."""
    given = {"epsabs": 1.49e-8, "epsrel": 1.49e-8, "limit": 50, "points": None} | options
    return settings_of(given["epsabs"], given["epsrel"], given["limit"], given["points"])


non_differentiable(options_of, outermost, why="settings")


@written_out(integrate.nquad)
def nquad(func: Callable, ranges: object, args: object = None, *, opts=None, full_output=False):
    """y = ∫ … ∫ f(x₁, …, xₙ, θ) dx₁ … dxₙ"""
    spans: Any = ranges
    given: Any = () if args is None else as_tuple(args)
    options = options_of(opts, len(spans))
    value, *rest = own(integrate.nquad, func, spans, given, opts, full_output)
    low, high = limits(spans[-1], given)
    inner, further = with_given(func, given)
    for i in range(len(spans) - 1):
        inner = layer(inner, spans[i], options[i])
    y = integral(inner, low, high, *further, found=value, settings=outermost(options[-1]))
    return (y, undifferentiated(rest[0], y, name="of the error"), *rest[1:])

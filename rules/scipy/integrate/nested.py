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
from ..results import undifferentiated
from .integral import integral
from .quadrature import settings_of


class Layer:
    """A function with its first variables integrated out, so many of them as there are ranges."""

    def __init__(self, func: Any, ranges: Any, options: Any) -> None:
        self.func, self.ranges, self.options = func, ranges, options

    def __call__(self, *outer: Any) -> Any:
        if not len(self.ranges):
            return self.func(*outer)
        low, high = limits(self.ranges[-1], outer)
        inner = Layer(self.func, self.ranges[:-1], self.options[:-1])
        options = own(dict, self.options[-1])
        return integrate.quad(inner, low, high, outer, **options)[0]


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
    given: Any = () if args is None else args if isinstance(args, tuple) else (args,)
    options = options_of(opts, len(spans))
    value, *rest = own(integrate.nquad, func, spans, given, opts, full_output)
    low, high = limits(spans[-1], given)
    inner = Layer(func, spans[:-1], options[:-1])
    y = integral(inner, low, high, *given, found=value, settings=outermost(options[-1]))
    return (y, undifferentiated(rest[0], y, name="of the error"), *rest[1:])

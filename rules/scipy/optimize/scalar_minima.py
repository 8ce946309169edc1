"""Minima of a function of one number.

The minimum moves so that it stays stationary, ẋ = −f_xθ θ̇ / f_xx; a minimum at a bound stays there.
Brackets and bounds that do not act get `Zero()`.

See [Griewank & Walther 2008].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ....core import implicit, non_differentiable
from ....core.bounds import is_at
from ...written import written_out
from ..results import with_entries
from .minima import minimum_of
from .solving import as_tuple, own, refuse_unconverged, with_given


def of_vector(function: Any) -> Any:
    """A function of one number as one of a vector with one entry."""

    def first(v: Any, *parameters: Any) -> Any:
        return function(v[0], *parameters)

    return first


@written_out(optimize.minimize_scalar)
def minimize_scalar(
    fun: Callable, bracket: object = None, bounds: object = None, args: object = (), *, method=None, tol=None,
    options=None,
):  # fmt: skip
    """f_x(x, θ) = 0        ẋ = −f_xθ θ̇ / f_xx, f at x by the envelope"""
    given = as_tuple(args)
    result = own(optimize.minimize_scalar, fun, bracket, bounds, given, method, tol, options)
    refuse_unconverged(optimize.minimize_scalar, result.success, result.message)
    function, further = with_given(fun, given)
    x = within(function, result.x, bounds, further)
    return with_entries(result, ("x", "fun"), x, function(x, *further))


def is_held(x: Any, bounds: Any) -> bool:
    """Whether a minimum is at one of its bounds."""
    return bounds is not None and any(np.any(is_at(x, bound)) for bound in bounds)


non_differentiable(is_held, why="returns a truth value")


def within(function: Any, found: Any, bounds: Any, parameters: Any) -> Any:
    """The minimum that was found, as it moves; at a bound, as a vector with one entry."""
    if not is_held(found, bounds):
        return implicit.minimum(function, found, *parameters)
    low, high = bounds
    return minimum_of(of_vector(function), np.array([found]), parameters, [(low, high)])[0]


@written_out(optimize.fminbound)
def fminbound(
    func: Callable, x1: object, x2: object, args: object = (), *, xtol=1e-5, maxfun=500, full_output=0, disp=1
):
    """f_x(x, θ) = 0        ẋ = −f_xθ θ̇ / f_xx"""
    given = as_tuple(args)
    found, _, flag, count = own(optimize.fminbound, func, x1, x2, given, xtol, maxfun, 1, disp)
    refuse_unconverged(optimize.fminbound, flag == 0, "the maximum number of evaluations was reached")
    x = within(func, found, (x1, x2), given)
    return (x, func(x, *given), flag, count) if full_output else x


def _bracketed(solver: Any) -> None:
    """The derivatives of a search from a bracket."""

    @written_out(solver)
    def bracketed(
        func: Callable, args: object = (), brack: object = None, *, tol=None, full_output=0, maxiter=None
    ):
        """f_x(x, θ) = 0        ẋ = −f_xθ θ̇ / f_xx"""
        given = as_tuple(args)
        options = {k: v for k, v in (("tol", tol), ("maxiter", maxiter)) if v is not None}
        found, _, *counts = own(solver, func, given, brack, full_output=1, **options)
        x = implicit.minimum(func, found, *given)
        return (x, func(x, *given), *counts) if full_output else x


for _solver in (optimize.brent, optimize.golden):
    _bracketed(_solver)

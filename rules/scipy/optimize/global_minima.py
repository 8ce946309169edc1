"""Global searches: differential evolution, basin hopping, dual annealing, SHGO, DIRECT, brute force.

They are differentiated where they end at a stationary point, within the bounds: the minimum then moves
as that of `minimize` does, until another one becomes lower. One that ends elsewhere, without a final
local search, is refused.

See [Milgrom & Segal 2002].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy import optimize

from ....core import NotDifferentiableError, UnsupportedArgument, non_differentiable
from ...written import written_out
from ..results import with_entries
from .minima import minimum_of
from .solving import as_tuple, own, refuse_unconverged


def _within_bounds(solver: Any) -> None:
    @written_out(solver)
    def search(func: Callable, bounds: object, args: object = (), **options):
        """∇f(x, θ) = 0 in the variables that are free        H ẋ = −∇f_θ θ̇"""
        given = as_tuple(args)
        refuse_constraints(solver, options.get("constraints"))
        result = own(solver, func, bounds, args=given, **options)
        refuse_unconverged(solver, result.success, result.message)
        x = minimum_of(func, result.x, given, bounds)
        return with_entries(result, ("x", "fun"), x, func(x, *given))


for _solver in (
    optimize.differential_evolution,
    optimize.dual_annealing,
    optimize.shgo,
    optimize.direct,
):
    _within_bounds(_solver)


@written_out(optimize.basinhopping)
def basinhopping(
    func: Callable, x0: object, minimizer_kwargs: object = None, *, niter=100, T=1.0, stepsize=0.5, **options
):
    """∇f(x, θ) = 0        H ẋ = −∇f_θ θ̇"""
    result = own(optimize.basinhopping, func, x0, niter, T, stepsize, minimizer_kwargs, **options)
    refuse_unconverged(optimize.basinhopping, result.success, result.message)
    settings = minimizer_kwargs or {}
    given = as_tuple(settings.get("args", ()))  # type: ignore[attr-defined]  # a dict
    bounds, constraints = settings.get("bounds"), settings.get("constraints", ())  # type: ignore[attr-defined]  # a dict
    x = minimum_of(func, result.x, given, bounds, constraints)
    return with_entries(result, ("x", "fun"), x, func(x, *given))


@written_out(optimize.brute)
def brute(
    func: Callable, ranges: object, args: object = (), *, full_output=0, finish=optimize.fmin, **options
):
    """∇f(x, θ) = 0, where the search ends with a local one"""
    given = as_tuple(args)
    refuse_grid(finish)
    found = own(optimize.brute, func, ranges, given, full_output=1, finish=finish, **options)
    x = minimum_of(func, found[0], given, None)
    return (x, func(x, *given), *found[2:]) if full_output else x


def refuse_grid(finish: Any) -> None:
    """Raise where the best point of a grid is the answer."""
    if finish is None:
        raise NotDifferentiableError(
            "scipy.optimize.brute without finish= returns a point of its grid, which does not move",
            next="leave finish= at its default, a local search",
        )


def refuse_constraints(solver: Any, constraints: Any) -> None:
    """Raise where a global search has constraints."""
    if constraints is not None and constraints != ():
        raise UnsupportedArgument(
            solver, "constraints", constraints, next="differentiate minimize, started at the result"
        )


non_differentiable(refuse_grid, refuse_constraints, why="check an argument")

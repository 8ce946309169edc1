"""Minima: of a function of one number, of many, within bounds, under constraints.

The minimum moves so that it stays stationary: H ẋ = −∇f_θ θ̇, with the objective's own Hessian, by the
engine that called. Bounds that act are held; constraints that act enter with their multipliers
(`constraints`). The value is the objective at the minimum, so that its derivative is that of the
envelope. Entries of a result that describe the search, such as `hess_inv`, have no derivative.

See [Fiacco 1976] and [Griewank & Walther 2008].
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
from .active import bounds_of, filled, places
from .constraints import active_constraints, multipliers, values_of, with_multipliers
from .solving import as_tuple, first_of, own, refuse_unconverged, with_given
from .within import minimum_within, within


def minimum_of(
    objective: Any, found: Any, parameters: Any, bounds: Any, constraints: Any = (), hess: Any = None
) -> Any:
    """The minimum that was found, as it moves with the parameters, the bounds and the constraints."""
    if bounds is None and not has_any(constraints):
        return implicit.minimum(objective, found, *parameters, hessian=hess)
    lower, upper = bounds_of(bounds, len(found))
    acting = active_constraints(constraints, found)
    if not acting:
        return minimum_within(objective, found, lower, upper, *parameters, hessian=hess)
    free = inside(found, lower, upper)
    held = np.where(free, 0.0, np.where(is_at(found, lower), lower, upper))
    of_free = within(objective, places(free), held)
    values, z = within(values_of(acting), places(free), held), found[free]
    weights = own(multipliers, of_free, values, acting, z, parameters)
    of_both = with_multipliers(of_free, values, len(z))
    both = implicit.minimum(of_both, np.concatenate([z, weights]), *parameters)
    return filled(free, both[: len(z)], held)


def has_any(constraints: Any) -> bool:
    """Whether there are constraints."""
    return not isinstance(constraints, list | tuple) or len(constraints) > 0


def inside(x: Any, lower: Any, upper: Any) -> Any:
    """Whether a variable is at neither bound."""
    return ~(is_at(x, lower) | is_at(x, upper))


non_differentiable(has_any, inside, why="returns truth values")


@written_out(optimize.minimize)
def minimize(
    fun: Callable, x0: object, args: object = (), jac: object = None, hess: object = None,
    hessp: object = None,
    bounds: object = None, constraints: object = (), callback: object = None,
    *, method=None, tol=None, options=None,
):  # fmt: skip
    """∇f(x, θ) = 0        H ẋ = −∇f_θ θ̇, f at x by the envelope"""
    given = as_tuple(args)
    result = own(
        optimize.minimize,
        fun,
        x0,
        given,
        method,
        jac,
        hess,
        hessp,
        bounds,
        constraints,
        tol,
        callback,
        options,
    )
    refuse_unconverged(optimize.minimize, result.success, result.message)
    objective, further = with_given(first_of(fun) if jac is True else fun, given)
    curvature = with_given(hess, given)[0] if callable(hess) else None
    x = minimum_of(objective, result.x, further, bounds, constraints, curvature)
    return with_entries(result, ("x", "fun"), x, objective(x, *further))

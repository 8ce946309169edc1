"""Constraints that act at a minimum, their multipliers, and the Lagrangian that is stationary there.

Equalities act; an inequality acts where it holds with equality. The minimum with its multipliers is the
stationary point of f − Σ λᵢ cᵢ in both, which moves by the implicit function theorem [Fiacco 1976;
Blondel et al. 2022]. Refused: an inequality that holds with equality and has the multiplier zero, and
constraints that depend on one another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from ....core import NotDifferentiableError, non_differentiable
from ....core.bounds import AT_BOUND, SLOPE, is_at
from ....core.calls import reverse_of
from ....tangents import materialize


class Acting:
    """The entries of a constraint that act, as a function that is zero, and which of them are equalities."""

    def __init__(self, value: Any, equality: Any) -> None:
        self.value, self.equality = value, equality


def above(function: Any, entries: Any, level: Any) -> Any:
    """By how much these entries of a constraint's function are above what they are equal to."""

    def value(x: Any) -> Any:
        return np.ravel(function(x))[entries] - level

    return value


def given(function: Any, args: Any) -> Any:
    """A function with its further arguments."""

    def of_x(x: Any) -> Any:
        return function(x, *args)

    return of_x if len(args) else function


def product(matrix: Any) -> Any:
    """The function of a linear constraint."""

    def of_x(x: Any) -> Any:
        return np.atleast_2d(matrix) @ x

    return of_x


def active_constraints(constraints: Any, x: Any) -> Any:
    """The constraints that act at x."""
    listed = constraints if isinstance(constraints, list | tuple) else [constraints]
    acting: tuple[Any, ...] = ()
    for constraint in listed:
        if isinstance(constraint, dict):
            function = given(constraint["fun"], constraint.get("args", ()))
            equality = constraint["type"].lower() == "eq"
            entries = at_zero(function, x, equality)
            if len(entries):
                signs = np.full(len(entries), equality)
                acting = (*acting, Acting(above(function, entries, 0.0), signs))
            continue
        linear = isinstance(constraint, optimize.LinearConstraint)
        function = product(constraint.A) if linear else constraint.fun
        entries, low, same = at_bounds(function, x, constraint.lb, constraint.ub)
        if len(entries):
            count = len(entries)
            level = np.where(low, spread(constraint.lb, entries), spread(constraint.ub, entries))
            acting = (*acting, Acting(above(function, entries, np.reshape(level, count)), same))
    return acting


def spread(bound: Any, entries: Any) -> Any:
    """The bound of each of these entries."""
    return bound if np.ndim(bound) == 0 else bound[entries]


def at_zero(function: Any, x: Any, equality: bool) -> Any:
    """The entries of a constraint's function that act."""
    values = np.atleast_1d(function(x))
    return np.arange(len(values)) if equality else np.flatnonzero(np.abs(values) <= AT_BOUND)


def at_bounds(function: Any, x: Any, lower: Any, upper: Any) -> tuple[Any, Any, Any]:
    """The entries that act, whether at the lower bound, and whether both bounds are one."""
    values = np.atleast_1d(function(x))
    low, high = np.broadcast_to(lower, values.shape), np.broadcast_to(upper, values.shape)
    at_low = is_at(values, low)
    entries = np.flatnonzero(at_low | is_at(values, high))
    return entries, at_low[entries], (low == high)[entries]


def with_multipliers(of_free: Any, values: Any, count: int) -> Any:
    """f − Σ λᵢ cᵢ as a function of the free variables, of which there are so many, and the multipliers after
    them."""

    def of_both(v: Any, *parameters: Any) -> Any:
        return of_free(v[:count], *parameters) - np.sum(v[count:] * values(v[:count]))

    return of_both


def values_of(acting: Any) -> Any:
    """The values of the constraints that act, one after the other."""
    return acting[0].value if len(acting) == 1 else followed(acting[0].value, values_of(acting[1:]))


def followed(first: Any, second: Any) -> Any:
    """A function whose values are those of two, one after the other."""

    def both(x: Any) -> Any:
        return np.concatenate((first(x), second(x)))

    return both


def multipliers(of_free: Any, values: Any, acting: Any, z: Any, parameters: Any) -> Any:
    """The λ with ∇f = Σ λᵢ ∇cᵢ, by least squares.

    Raises:  NotDifferentiableError where an inequality acts with the multiplier zero, or constraints
             depend on one another.
    """
    needs = (True,) + (False,) * len(parameters)
    slopes = materialize(reverse_of(of_free, (z, *parameters), {}, needs, None)[1](1.0)[0], like=z)
    y, back = reverse_of(values, (z,), {}, (True,), None)
    rows = [materialize(back(unit)[0], like=z) for unit in np.eye(len(y))]
    weights, _, rank, _ = np.linalg.lstsq(np.stack(rows, axis=1), slopes, rcond=1e-10)
    if rank < len(y):
        raise NotDifferentiableError(
            f"the {len(y)} constraints that act at the minimum depend on one another",
            next="leave out those that follow from the others",
        )
    equality = np.concatenate([constraint.equality for constraint in acting])
    weak = ~equality & (np.abs(weights) <= SLOPE * max(1.0, float(np.max(np.abs(slopes)))))
    if np.any(weak):
        raise NotDifferentiableError(
            f"constraint {int(np.argmax(weak))} acts at the minimum with a multiplier of zero, so the "
            "derivative is "
            "one-sided",
            next="leave it out where it does not act, or move it a little",
        )
    return weights


non_differentiable(at_zero, at_bounds, multipliers, why="returns places; a start for the multipliers")

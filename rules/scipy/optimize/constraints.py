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
from ....core.calls import reverse_of
from ....tangents import materialize
from .active import AT_BOUND, SLOPE, filled, is_at


class Acting:
    """A constraint with the entries of its function that act, and what they are equal to."""

    def __init__(self, function: Any, entries: Any, level: Any, args: Any, equality: Any) -> None:
        self.function, self.entries, self.level = function, entries, level
        self.args, self.equality = args, equality

    def __call__(self, x: Any) -> Any:
        return np.atleast_1d(self.function(x, *self.args))[self.entries] - self.level


class Product:
    """The function of a linear constraint."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def __call__(self, x: Any) -> Any:
        return np.atleast_2d(self.matrix) @ x


def active_constraints(constraints: Any, x: Any) -> Any:
    """The constraints that act at x."""
    listed = constraints if isinstance(constraints, list | tuple) else [constraints]
    acting: tuple[Any, ...] = ()
    for constraint in listed:
        if isinstance(constraint, dict):
            args = constraint.get("args", ())
            equality = constraint["type"].lower() == "eq"
            entries = at_zero(constraint["fun"], x, args, equality)
            if len(entries):
                signs = np.full(len(entries), equality)
                acting = (*acting, Acting(constraint["fun"], entries, np.zeros(len(entries)), args, signs))
            continue
        linear = isinstance(constraint, optimize.LinearConstraint)
        function = Product(constraint.A) if linear else constraint.fun
        entries, low, same = at_bounds(function, x, constraint.lb, constraint.ub)
        if len(entries):
            count = len(entries)
            level = np.where(low, spread(constraint.lb, entries), spread(constraint.ub, entries))
            acting = (*acting, Acting(function, entries, np.reshape(level, count), (), same))
    return acting


def spread(bound: Any, entries: Any) -> Any:
    """The bound of each of these entries."""
    return bound if np.ndim(bound) == 0 else bound[entries]


def at_zero(function: Any, x: Any, args: Any, equality: bool) -> Any:
    """The entries of a constraint's function that act."""
    values = np.atleast_1d(function(x, *args))
    return np.arange(len(values)) if equality else np.flatnonzero(np.abs(values) <= AT_BOUND)


def at_bounds(function: Any, x: Any, lower: Any, upper: Any) -> tuple[Any, Any, Any]:
    """The entries that act, whether at the lower bound, and whether both bounds are one."""
    values = np.atleast_1d(function(x))
    low, high = np.broadcast_to(lower, values.shape), np.broadcast_to(upper, values.shape)
    at_low = is_at(values, low)
    entries = np.flatnonzero(at_low | is_at(values, high))
    return entries, at_low[entries], (low == high)[entries]


class Lagrangian:
    """f − Σ λᵢ cᵢ as a function of the free variables and the multipliers."""

    def __init__(self, objective: Any, acting: Any, free: Any, held: Any) -> None:
        self.objective, self.acting, self.free, self.held = objective, acting, free, held

    def __call__(self, variables: Any, *parameters: Any) -> Any:
        z, weights = variables
        return self.objective(z, *parameters) - np.sum(weights * self.values(z))

    def values(self, z: Any) -> Any:
        """The values of the constraints that act."""
        x = filled(self.free, z, self.held)
        parts = tuple([constraint(x) for constraint in self.acting])
        return np.concatenate(parts)


def multipliers(lagrangian: Any, z: Any, parameters: Any) -> Any:
    """The λ with ∇f = Σ λᵢ ∇cᵢ, by least squares.

    Raises:  NotDifferentiableError where an inequality acts with the multiplier zero, or constraints
             depend on one another.
    """
    needs = (True,) + (False,) * len(parameters)
    slopes = materialize(
        reverse_of(lagrangian.objective, (z, *parameters), {}, needs, None)[1](1.0)[0], like=z
    )
    values, back = reverse_of(lagrangian.values, (z,), {}, (True,), None)
    rows = [materialize(back(unit)[0], like=z) for unit in np.eye(len(values))]
    weights, _, rank, _ = np.linalg.lstsq(np.stack(rows, axis=1), slopes, rcond=1e-10)
    if rank < len(values):
        raise NotDifferentiableError(
            f"the {len(values)} constraints that act at the minimum depend on one another",
            next="leave out those that follow from the others",
        )
    equality = np.concatenate([constraint.equality for constraint in lagrangian.acting])
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

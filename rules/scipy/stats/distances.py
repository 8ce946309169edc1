"""Distances between samples, and between their distributions.

Between two distributions on the line the distance is an integral between sorted values, which move; where two
values are tied it has a corner, and the value on the left is taken to be first. In more dimensions the plan
that was found is held, so that the distance moves as the distances along it do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, stats

from ....core import non_differentiable
from ...written import own, written_out
from ..results import undifferentiated
from .agreement import agreed
from .samples_of import Samples


def order_of(u: Any, v: Any) -> Any:
    """Where the sorted values of both come from, and which of them are counted at each."""
    both = np.concatenate([u, v])
    order = np.argsort(both, kind="stable")
    ranked = both[order][:-1, None]
    return order, (u <= ranked) * 1.0, (v <= ranked) * 1.0


non_differentiable(order_of, why="says how values are ordered")


def share(weights: Any, count: int) -> Any:
    """Weights over their sum, equal ones if none are given."""
    return np.full(count, 1.0 / count) if weights is None else weights / np.sum(weights)


def between(u: Any, v: Any, u_weights: Any, v_weights: Any) -> Any:
    """The difference of two distribution functions, and the intervals on which it is constant."""
    u, v = np.asarray(u) * 1.0, np.asarray(v) * 1.0
    order, from_u, from_v = order_of(u, v)
    widths = np.diff(np.concatenate([u, v])[order])
    p, q = share(weighted(u_weights), len(u)), share(weighted(v_weights), len(v))
    return from_u @ p - from_v @ q, widths


def weighted(weights: Any) -> Any:
    """Weights as an array."""
    return None if weights is None else np.asarray(weights) * 1.0


@written_out(stats.wasserstein_distance)
def wasserstein_distance(u_values: Samples, v_values: Any, u_weights: Any = None, v_weights: Any = None):
    """∫ |U − V| [Ramdas, Garcia & Cuturi 2015]"""
    y = own(stats.wasserstein_distance, u_values, v_values, u_weights, v_weights)
    apart, widths = between(u_values, v_values, u_weights, v_weights)
    return agreed(y, np.sum(np.abs(apart) * widths), "scipy.stats.wasserstein_distance")


@written_out(stats.energy_distance)
def energy_distance(u_values: Samples, v_values: Any, u_weights: Any = None, v_weights: Any = None):
    """√(2 ∫ (U − V)²) [Székely & Rizzo 2013]"""
    y = own(stats.energy_distance, u_values, v_values, u_weights, v_weights)
    apart, widths = between(u_values, v_values, u_weights, v_weights)
    return agreed(y, np.sqrt(2.0 * np.sum(np.square(apart) * widths)), "scipy.stats.energy_distance")


def plan_between(cost: Any, p: Any, q: Any) -> Any:
    """The plan of least cost and the places where it has weight, if these are as many as make it unique."""
    m, n = cost.shape
    found = optimize.linprog(cost.ravel(), A_eq=sums_of(m, n), b_eq=np.concatenate([p, q]))
    places = np.nonzero(found.x > 1e-12)[0]
    return found.x, places, len(places) == m + n - 1


def sums_of(m: int, n: int) -> Any:
    """Rows of ones that add up each row of a plan, then each column."""
    rows, columns = np.kron(np.eye(m), np.ones((1, n))), np.kron(np.ones((1, m)), np.eye(n))
    return np.concatenate([rows, columns])


non_differentiable(plan_between, sums_of, why="finds which weights are moved where, which is held")


def moved(costs: Any, p: Any, q: Any) -> Any:
    """What a plan costs: with its places held, its weights solve linear equations."""
    plan, places, unique = plan_between(costs, p, q)
    flat = np.reshape(costs, -1)
    if not unique:
        return np.sum(undifferentiated(plan, p, "plan") * flat)
    equations = sums_of(len(p), len(q))[:-1, places]
    return np.sum(np.linalg.solve(equations, np.concatenate([p, q[:-1]])) * flat[places])


@written_out(stats.wasserstein_distance_nd)
def wasserstein_distance_nd(u_values: Samples, v_values: Any, u_weights: Any = None, v_weights: Any = None):
    """Σ Pᵢⱼ |uᵢ − vⱼ| with the least plan P; by weights, as their sums say [Peyré & Cuturi 2019]"""
    y = own(stats.wasserstein_distance_nd, u_values, v_values, u_weights, v_weights)
    u, v = np.asarray(u_values) * 1.0, np.asarray(v_values) * 1.0
    if np.ndim(u) == 1:
        apart, widths = between(u, v, u_weights, v_weights)
        return agreed(y, np.sum(np.abs(apart) * widths), "scipy.stats.wasserstein_distance_nd")
    cost = np.linalg.norm(u[:, None] - v, axis=-1)
    p, q = share(weighted(u_weights), len(u)), share(weighted(v_weights), len(v))
    return agreed(y, moved(cost, p, q), "scipy.stats.wasserstein_distance_nd")

"""Rosenbrock's function with its derivatives, and differences of a function: written out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ....core import Array, non_differentiable
from ...written import written_out


@written_out(optimize.rosen)
def rosen(x: Array):
    """Σ 100 (xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²"""
    x = np.asarray(x)
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2, axis=0)


@written_out(optimize.rosen_der)
def rosen_der(x: Array):
    """The gradient of Rosenbrock's function"""
    x = np.asarray(x) * 1.0
    rise = x[1:] - x[:-1] ** 2
    none = np.zeros_like(x[:1])
    return np.concatenate([-400 * x[:-1] * rise - 2 * (1 - x[:-1]), none]) + np.concatenate(
        [none, 200 * rise]
    )


@written_out(optimize.rosen_hess)
def rosen_hess(x: Array):
    """The Hessian of Rosenbrock's function"""
    x = np.asarray(x) * 1.0
    beside = np.diag(-400 * x[:-1], 1)
    none = np.zeros_like(x[:1])
    straight = np.concatenate([1200 * x[:-1] ** 2 - 400 * x[1:] + 2, none])
    return (
        beside + np.transpose(beside) + np.diag(straight + np.concatenate([none, np.full_like(x[1:], 200.0)]))
    )


@written_out(optimize.rosen_hess_prod)
def rosen_hess_prod(x: Array, p: Array):
    """The Hessian of Rosenbrock's function times p"""
    hessian = rosen_hess(x)
    return hessian @ np.asarray(p, hessian.dtype)


def of_nothing(x: Any, f: Any, epsilon: Any, args: Any) -> Any:
    """What SciPy says of no numbers."""
    return optimize.approx_fprime(x, f, epsilon, *args)


non_differentiable(of_nothing, why="has no numbers to move with")


@written_out(optimize.approx_fprime)
def approx_fprime(xk: Array, f: Callable, epsilon: Array = 1.4901161193847656e-8, *args: object):
    """(f(x + ε eᵢ) − f(x)) / ε"""
    x = np.atleast_1d(np.asarray(xk, float))
    if not len(x):
        return of_nothing(x, f, epsilon, args)
    steps = np.broadcast_to(epsilon, x.shape)
    start = f(x, *args)
    columns = []
    for i in range(len(x)):
        moved = x + np.eye(len(x))[i] * steps[i]
        columns.append((f(moved, *args) - start) / (moved[i] - x[i]))
    return np.stack(columns, axis=-1)

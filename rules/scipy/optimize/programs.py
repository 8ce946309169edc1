"""Linear and quadratic programs: linprog, milp without integers, nnls, lsq_linear, isotonic regression.

At a vertex of a linear program as many constraints act as there are variables; they stay the same for
small changes, so x is the solution of their equations. Non-negative and bounded least squares are least
squares in the variables that are free; isotonic regression takes the mean of each block that it found.
Refused: a vertex where more constraints act than there are variables, an optimum that is no vertex, and
a multiplier that is zero.

See [Fiacco 1976].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from ....core import Array, NotDifferentiableError, non_differentiable
from ....core.bounds import free_by, is_at
from ...written import written_out
from ..results import with_entries
from .active import filled
from .solving import own, refuse_unconverged


def refuse_degenerate(active: Any, matrix: Any, costs: Any, equalities: int, integrality: Any) -> None:
    """Raise unless the constraints that act determine the solution, and are no more than needed."""
    if integrality is not None and np.any(integrality):
        raise NotDifferentiableError(
            "scipy.optimize.linprog with integer variables has a solution that moves by jumps",
            next="relax the integers for the derivative, or keep it out",
        )
    n = matrix.shape[1]
    if np.count_nonzero(active) != n or np.linalg.matrix_rank(matrix[active]) < n:
        raise NotDifferentiableError(
            f"{np.count_nonzero(active)} constraints act at the optimum of a linear program in {n} "
            "variables: it is " + ("degenerate" if np.count_nonzero(active) > n else "not a single vertex"),
            next="change the costs or the constraints a little, so that one vertex is the best",
        )
    weights = np.linalg.solve(matrix[active].T, costs)[: n - equalities]
    if np.any(np.abs(weights) <= 1e-9 * max(1.0, float(np.max(np.abs(costs))))):
        raise NotDifferentiableError(
            "a constraint acts at the optimum of a linear program with a multiplier of zero, so another "
            "vertex is "
            "as good",
            next="change the costs a little, so that one vertex is the best",
        )


non_differentiable(refuse_degenerate, why="checks a solution")


@written_out(optimize.linprog)
def linprog(
    c: Array, A_ub: object = None, b_ub: object = None, A_eq: object = None, b_eq: object = None,
    bounds: object = (0, None), *, method="highs", callback=None, options=None, x0=None, integrality=None,
):  # fmt: skip
    """A x = b for the constraints that act        A ẋ = ḃ − Ȧ x"""
    result = own(
        optimize.linprog, c, A_ub, b_ub, A_eq, b_eq, bounds, method, callback, options, x0, integrality
    )
    refuse_unconverged(optimize.linprog, result.success, result.message)
    n = len(result.x)
    low, high = sides(bounds, n)
    rows: tuple[Any, ...] = (np.eye(n), np.eye(n))
    levels: tuple[Any, ...] = (low, high)
    acting: tuple[Any, ...] = (own(is_at, result.x, low), own(is_at, result.x, high) & ~own(is_at, low, high))
    if A_ub is not None:
        slack = own(np.subtract, b_ub, np.asarray(A_ub) @ result.x)
        rows, levels = (*rows, np.asarray(A_ub)), (*levels, np.asarray(b_ub))
        acting = (*acting, np.abs(slack) <= 1e-9 * (1 + np.abs(np.asarray(b_ub))))
    if A_eq is not None:
        rows, levels = (*rows, np.asarray(A_eq)), (*levels, np.asarray(b_eq))
        acting = (*acting, np.ones(len(np.asarray(b_eq)), bool))
    matrix, active = np.concatenate(rows), np.concatenate(acting)
    refuse_degenerate(active, matrix, c, 0 if A_eq is None else len(np.asarray(A_eq)), integrality)
    x = np.linalg.solve(matrix[active], np.concatenate(levels)[active])
    return with_entries(result, ("x", "fun"), x, np.sum(np.asarray(c) * x))


def sides(bounds: Any, n: int) -> tuple[Any, Any]:
    """Lower and upper bounds of the variables, infinite where there is none."""
    one = len(bounds) == 2 and all(b is None or np.ndim(b) == 0 for b in bounds)
    given = bounds[0] if len(bounds) == 1 else bounds
    pairs = [given for _ in range(n)] if one or len(bounds) == 1 else given
    lower = [-np.inf if low is None else low for low, _ in pairs]
    upper = [np.inf if high is None else high for _, high in pairs]
    return np.stack(lower) * 1.0, np.stack(upper) * 1.0


def free_among(A: Any, b: Any, x: Any, low: Any, high: Any) -> Any:
    """Which variables of a least-squares solution are at no bound.

    Raises:  NotDifferentiableError where a multiplier is zero, or where these do not determine themselves.
    """
    at = is_at(x, low) | is_at(x, high)
    free = free_by(A.T @ (A @ x - b), at) if np.any(at) else ~at
    if np.linalg.matrix_rank(A[:, free]) < np.count_nonzero(free):
        raise NotDifferentiableError(
            "the columns of the variables at no bound depend on one another, so a least-squares solution is "
            "one of many",
            next="leave out variables that the others stand for, or add a term that tells them apart",
        )
    return free


def least_within(A: Any, b: Any, found: Any, low: Any, high: Any) -> Any:
    """The least-squares solution that was found within bounds, as it moves with all of these."""
    free = free_among(A, b, found, low, high)
    held = np.where(free, 0.0, np.where(is_at(found, low), low, high))
    if not own(np.any, free):
        return held
    z = np.linalg.lstsq(A[:, free], b - A @ held, rcond=None)[0]
    return filled(free, z, held)


non_differentiable(free_among, why="returns truth values")


@written_out(optimize.nnls)
def nnls(A: Array, b: Array, *, maxiter=None, **options):
    """‖Ax − b‖ least for x ≥ 0: least squares in the entries that are positive"""
    found, _ = own(optimize.nnls, A, b, maxiter=maxiter, **options)
    matrix, right = np.asarray(A), np.asarray(b)
    x = least_within(matrix, right, found, np.zeros(len(found)), np.full(len(found), np.inf))
    return x, np.linalg.norm(matrix @ x - right)


@written_out(optimize.lsq_linear)
def lsq_linear(A: Array, b: Array, bounds: object = (-np.inf, np.inf), *, method="trf", tol=1e-10, **options):
    """‖Ax − b‖ least within bounds: least squares in the variables that are free"""
    result = own(optimize.lsq_linear, A, b, bounds, method=method, tol=tol, **options)
    refuse_unconverged(optimize.lsq_linear, result.success, result.message)
    given: Any = (bounds.lb, bounds.ub) if isinstance(bounds, optimize.Bounds) else bounds
    n, matrix, right = len(result.x), np.asarray(A), np.asarray(b)
    low, high = np.broadcast_to(given[0], (n,)) * 1.0, np.broadcast_to(given[1], (n,)) * 1.0
    x = least_within(matrix, right, result.x, low, high)
    rest = matrix @ x - right
    return with_entries(result, ("x", "fun", "cost"), x, rest, 0.5 * np.sum(rest**2))


@written_out(optimize.isotonic_regression)
def isotonic_regression(y: Array, weights: object = None, *, increasing=True):
    """x is the weighted mean of y in each block that was found"""
    result = own(optimize.isotonic_regression, y, weights=weights, increasing=increasing)
    w = np.ones(np.shape(y)) if weights is None else np.asarray(weights) * 1.0
    starts, sizes = result.blocks[:-1], np.diff(result.blocks)
    sums = np.add.reduceat(w, starts)
    x = np.repeat(np.add.reduceat(w * np.asarray(y), starts) / sums, sizes)
    return with_entries(result, ("x", "weights"), x, sums)

"""Boundary value problems: solve_bvp.

What the solver found satisfies the equations of collocation on its mesh, and these say how it moves:

    yⱼ₊₁ − yⱼ = h/6 (fⱼ + 4 f_mid + fⱼ₊₁), b(y₀, y_m, p) = 0        [Kierzenka & Shampine 2001]

with the functions' parameters, through what they captured, and with the mesh: nodes that the solver put in
between move with their neighbours of the mesh that was given. Where the search began does not matter. The
Jacobian is sparse; its blocks are the derivative of f at all the nodes at once.

The derivative is as good as the mesh, which follows the solution, not its derivative: a tolerance that
is ten times narrower shows what it is worth. Refused: a problem whose solution is not isolated as far as
the tolerance tells, the singular term S, and complex states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate
from scipy.interpolate import PPoly

from ....core import NotDifferentiableError, UnsupportedArgument, implicit, non_differentiable
from ....core.callables import name_of
from ....core.calls import applied, forward_of
from ....tangents import ZERO, materialize
from ...written import own, written_out
from ..optimize.solving import refuse_unconverged
from ..results import with_entries

SETTLED = 1.5
"""On a mesh twice as fine a solution moves by no more than so many times as far, and no less."""


def slopes(fun: Any, x: Any, y: Any, p: Any) -> Any:
    """f at nodes, an array."""
    return np.asarray(fun(x, y) if p is None else fun(x, y, p))


def ends(bc: Any, y: Any, p: Any) -> Any:
    """The residual at the boundary."""
    return np.asarray(bc(y[:, 0], y[:, -1]) if p is None else bc(y[:, 0], y[:, -1], p))


class Collocation:
    """The residual of collocation, as a vector: n numbers for each interval, then the boundary's."""

    def __call__(self, found: Any, fun: Any, bc: Any, x: Any) -> Any:
        y, p = found
        h = x[1:] - x[:-1]
        f = slopes(fun, x, y, p)
        middle = 0.5 * (y[:, 1:] + y[:, :-1]) - 0.125 * h * (f[:, 1:] - f[:, :-1])
        f_middle = slopes(fun, x[:-1] + 0.5 * h, middle, p)
        inside = y[:, 1:] - y[:, :-1] - h / 6.0 * (f[:, :-1] + f[:, 1:] + 4.0 * f_middle)
        return np.concatenate([np.ravel(inside), ends(bc, y, p)])


def along(f: Any, x: tuple[Any, ...], k: int, direction: Any) -> Any:
    """The derivative of f by its k-th argument, along a direction."""
    tangents = (ZERO,) * (k + 1) + (direction,) + (ZERO,) * (len(x) - k - 1)
    y, dy = forward_of(applied, (f, *x), tangents, {}, None)
    return materialize(dy, like=y)


def blocks(fun: Any, x: Any, y: Any, p: Any) -> tuple[Any, Any]:
    """The derivatives of f at nodes by y, (m, n, n), and by p, (m, n, k)."""
    units = np.eye(len(y))
    columns = [along(slopes, (fun, x, y, p), 2, np.outer(e, np.ones(len(x)))) for e in units]
    by_y = np.stack(columns, axis=-1).transpose(1, 0, 2)
    by_p = np.zeros((len(x), len(y), 0))
    if p is not None:
        columns = [along(slopes, (fun, x, y, p), 3, e) for e in np.eye(len(p))]
        by_p = np.stack(columns, axis=-1).transpose(1, 0, 2)
    return by_y, by_p


def jacobian(fun: Any, bc: Any, x: Any, y: Any, p: Any) -> Any:
    """The Jacobian of the residual, sparse, by y (its rows one after the other) and p."""
    from scipy.sparse import coo_array

    n, m = y.shape
    h = np.diff(x)[:, None, None]
    f = slopes(fun, x, y, p)
    by_y, by_p = blocks(fun, x, y, p)
    middle = 0.5 * (y[:, 1:] + y[:, :-1]) - 0.125 * np.diff(x) * (f[:, 1:] - f[:, :-1])
    mid_y, mid_p = blocks(fun, x[:-1] + 0.5 * np.diff(x), middle, p)
    one = np.eye(n)
    left = -one - h / 6 * (by_y[:-1] + 4 * mid_y @ (0.5 * one + h / 8 * by_y[:-1]))
    right = one - h / 6 * (by_y[1:] + 4 * mid_y @ (0.5 * one - h / 8 * by_y[1:]))
    across = -h / 6 * (by_p[:-1] + by_p[1:] + 4 * (mid_p + mid_y @ (h / 8 * (by_p[:-1] - by_p[1:]))))
    k = by_p.shape[2]
    j, r, c = np.ix_(np.arange(m - 1), np.arange(n), np.arange(n))
    jp, rp, cp = np.ix_(np.arange(m - 1), np.arange(n), np.arange(k))
    rows = [r * (m - 1) + j + 0 * c, r * (m - 1) + j + 0 * c, rp * (m - 1) + jp + 0 * cp]
    places = [c * m + j + 0 * r, c * m + j + 1 + 0 * r, n * m + cp + 0 * (jp + rp)]
    entries = [left, right, across]
    e = np.eye(n)
    for node in (0, m - 1):
        moved = np.zeros((n, n, m))
        moved[:, :, node] = e
        entries.append(np.stack([along(ends, (bc, y, p), 1, move) for move in moved], axis=-1))
        r0, c0 = np.ix_(np.arange(n + k), np.arange(n))
        rows.append(n * (m - 1) + r0 + 0 * c0)
        places.append(c0 * m + node + 0 * r0)
    if p is not None:
        entries.append(np.stack([along(ends, (bc, y, p), 2, unit) for unit in np.eye(k)], axis=-1))
        r0, c0 = np.ix_(np.arange(n + k), np.arange(k))
        rows.append(n * (m - 1) + r0 + 0 * c0)
        places.append(n * m + c0 + 0 * r0)
    flat = [np.concatenate([np.ravel(part) for part in parts]) for parts in (entries, rows, places)]
    return coo_array((flat[0], (flat[1], flat[2])), shape=(n * m + k, n * m + k)).tocsc()


class Factored:
    """A solver for systems with a sparse matrix, and `adjoint` for those with its adjoint."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def __call__(self, product: Any, b: Any) -> Any:
        from scipy.sparse.linalg import splu

        factors = splu(self.matrix)
        w = factors.solve(b)
        return w + factors.solve(b - product(w))

    @property
    def adjoint(self) -> Factored:
        """The solver for the adjoint's systems."""
        return Factored(self.matrix.conj().T.tocsc())


def reach(fun: Any, bc: Any, x: Any, y: Any, p: Any) -> tuple[Any, float]:
    """The Jacobian, and how far slopes and boundary values that change move a solution: the norm of J⁻¹ in
    the measure of the mesh, by the power method."""
    from scipy.sparse.linalg import splu

    matrix = jacobian(fun, bc, x, y, p)
    n, m = y.shape
    shares = np.concatenate([np.tile(np.diff(x), n), np.full(matrix.shape[0] - n * (m - 1), m**-0.5)])
    v, size = np.random.default_rng(0).normal(size=len(shares)), 0.0
    try:
        factors = splu(matrix)
    except RuntimeError:  # exactly singular
        return matrix, np.inf
    for _ in range(8):
        v = shares * factors.solve(factors.solve(shares * v / np.linalg.norm(v)), "T")
        size = float(np.sqrt(np.linalg.norm(v)))
    return matrix, size


def solver_of(fun: Any, bc: Any, result: Any, tol: Any) -> Factored:
    """The solver for a collocation's Jacobian; refused where it does not tell the solution."""
    if np.iscomplexobj(result.y):
        raise UnsupportedArgument(
            integrate.solve_bvp, "y", result.y, next="solve for the real and the imaginary parts"
        )
    matrix, size = reach(fun, bc, result.x, result.y, result.p)
    halved = np.sort(np.concatenate([result.x, (result.x[1:] + result.x[:-1]) / 2]))
    _, finer = reach(fun, bc, halved, result.sol(halved), result.p)
    if not (size * tol < 1.0 and size / SETTLED < finer < size * SETTLED):
        raise NotDifferentiableError(
            f"the solution of the boundary value problem of {name_of(fun)} is not isolated, as far as "
            f"tol={tol} tells: a change of the slopes moves it {size:.3g} times as far, and "
            f"{finer:.3g} times on a mesh twice as fine",
            next="give a narrower tol or a finer mesh, or state the problem so that its solution is isolated",
        )
    return Factored(matrix)


def refuse_term(S: Any) -> None:
    """Refuse the singular term."""
    if S is not None:
        raise UnsupportedArgument(
            integrate.solve_bvp, "S", S, next="start a little off the singular point, with a boundary "
            "condition from the series there"
        )  # fmt: skip


def shares_of(mesh: Any, x: Any) -> Any:
    """Of each node the interval of the given mesh that it is in, and how far along it is."""
    i = np.clip(np.searchsorted(x, mesh, side="right") - 1, 0, len(x) - 2)
    return i, (mesh - x[i]) / (x[i + 1] - x[i])


non_differentiable(solver_of, refuse_term, shares_of, why="a solver, checks and places")


@written_out(integrate.solve_bvp)
def solve_bvp(
    fun: Callable, bc: Callable, x: object, y: object, p: object = None, S: object = None,
    fun_jac: object = None, bc_jac: object = None, *, tol=1e-3, max_nodes=1000, verbose=0, bc_tol=None,
):  # fmt: skip
    """y′ = f(x, y, p), b(y(a), y(b), p) = 0        ẏ′ = f_y ẏ + f_p ṗ + f_θ θ̇, b_a ẏ(a) + b_b ẏ(b) + … = 0"""
    refuse_term(S)
    result = own(integrate.solve_bvp, fun, bc, x, y, p, S, fun_jac, bc_jac, tol, max_nodes, verbose, bc_tol)
    refuse_unconverged(integrate.solve_bvp, result.success, result.message)
    solver = solver_of(fun, bc, result, tol)
    given = np.asarray(x) * 1.0
    i, share = shares_of(result.x, given)
    mesh = given[i] + share * (given[i + 1] - given[i])
    found = implicit.root(Collocation(), (result.y, result.p), fun, bc, mesh, solver=solver)
    y_found, p_found = found[0], found[1]
    f = slopes(fun, mesh, y_found, p_found)
    h = mesh[1:] - mesh[:-1]
    chord = (y_found[:, 1:] - y_found[:, :-1]) / h
    bend = (f[:, :-1] + f[:, 1:] - 2.0 * chord) / h
    c = np.stack([bend / h, (chord - f[:, :-1]) / h - bend, f[:, :-1], y_found[:, :-1]])
    sol = PPoly(np.transpose(c, (1, 0, 2)), mesh, extrapolate=True, axis=1)
    return with_entries(result, ("sol", "p", "x", "y", "yp"), sol, p_found, mesh, y_found, f)

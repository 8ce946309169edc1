"""Linear matrix equations: solve_sylvester, solve_continuous_lyapunov, solve_discrete_lyapunov.

The adjoint of each is an equation of the same kind with the adjoint matrices [Kao & Hennequin 2020]. An
equation that has no unique solution, because eigenvalues meet, is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import NotDifferentiableError, frule, non_differentiable, rrule, unbroadcast
from ....core.callables import name_of
from ....tangents import ZERO
from ...numpy.adjoints import adjoint
from ...written import written_out
from .systems import check_matrix


def refuse_meeting(f: Any, a: Any, b: Any, product: bool = False) -> None:
    """Refuse a and b with eigenvalues whose sum, or product less one, is zero."""
    one, two = np.linalg.eigvals(a), np.linalg.eigvals(b)
    if not one.size or not two.size:
        return
    pairs = one[..., :, None] * two[..., None, :] - 1 if product else one[..., :, None] + two[..., None, :]
    scale = 1.0 if product else np.max(np.abs(one)) + np.max(np.abs(two))
    if np.any(np.abs(pairs) <= 100 * np.finfo(float).eps * scale * one.shape[-1]):
        raise NotDifferentiableError(
            f"{name_of(f)} has no derivative where the equation has no unique solution",
            next="move the eigenvalues of its matrices apart",
        )


non_differentiable(refuse_meeting, why="checks a matrix")


@frule(linalg.solve_sylvester)
def solve_sylvester_frule(tangents, a: np.ndarray, b: np.ndarray, q: np.ndarray):
    """a x + x b = q        a ẋ + ẋ b = q̇ − ȧ x − x ḃ"""
    da, db, dq = tangents
    x = linalg.solve_sylvester(a, b, q)
    right = dq
    if da is not ZERO:
        right = right - np.matmul(da, x)
    if db is not ZERO:
        right = right - np.matmul(x, db)
    refuse_meeting(linalg.solve_sylvester, a, b)
    return x, linalg.solve_sylvester(a, b, right)


@rrule(linalg.solve_sylvester)
def solve_sylvester_rrule(a: np.ndarray, b: np.ndarray, q: np.ndarray):
    """a x + x b = q        aᴴ q̄ + q̄ bᴴ = x̄        ā = −q̄ xᴴ        b̄ = −xᴴ q̄"""
    x = linalg.solve_sylvester(a, b, q)
    shapes = np.shape(a), np.shape(b), np.shape(q)

    def solve_sylvester_pullback(x_bar):
        refuse_meeting(linalg.solve_sylvester, a, b)
        q_bar = linalg.solve_sylvester(adjoint(a), adjoint(b), x_bar)
        a_bar, b_bar = -np.matmul(q_bar, adjoint(x)), -np.matmul(adjoint(x), q_bar)
        return unbroadcast(a_bar, shapes[0]), unbroadcast(b_bar, shapes[1]), unbroadcast(q_bar, shapes[2])

    return x, solve_sylvester_pullback


@written_out(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(a: np.ndarray, q: np.ndarray):
    """a x + x aᴴ = q"""
    check_matrix(linalg.solve_continuous_lyapunov, "a", a)
    return linalg.solve_sylvester(a, adjoint(a), q)


@frule(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov_frule(tangents, a: np.ndarray, q: np.ndarray, *, method=None):
    """a x aᴴ − x + q = 0        a ẋ aᴴ − ẋ + q̇ + ȧ x aᴴ + a x ȧᴴ = 0"""
    da, dq = tangents
    x = linalg.solve_discrete_lyapunov(a, q, method)
    moved = dq
    if da is not ZERO:
        moved = moved + np.matmul(da, np.matmul(x, adjoint(a))) + np.matmul(np.matmul(a, x), adjoint(da))
    refuse_meeting(linalg.solve_discrete_lyapunov, a, adjoint(a), True)
    return x, linalg.solve_discrete_lyapunov(a, moved, method)


@rrule(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov_rrule(a: np.ndarray, q: np.ndarray, *, method=None):
    """a x aᴴ − x + q = 0        aᴴ q̄ a − q̄ + x̄ = 0        ā = q̄ a xᴴ + q̄ᴴ a x"""
    x = linalg.solve_discrete_lyapunov(a, q, method)
    shapes = np.shape(a), np.shape(q)

    def solve_discrete_lyapunov_pullback(x_bar):
        refuse_meeting(linalg.solve_discrete_lyapunov, a, adjoint(a), True)
        q_bar = linalg.solve_discrete_lyapunov(adjoint(a), x_bar, method)
        left = np.matmul(q_bar, np.matmul(a, adjoint(x)))
        a_bar = left + np.matmul(adjoint(q_bar), np.matmul(a, x))
        return unbroadcast(a_bar, shapes[0]), unbroadcast(q_bar, shapes[1])

    return x, solve_discrete_lyapunov_pullback

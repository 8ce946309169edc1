"""Algebraic Riccati equations: solve_continuous_are, solve_discrete_are, also with e and s.

The solution x makes a residual zero. Its derivative solves the Lyapunov equation of the closed loop, whose
right-hand side is the residual's own derivative by the matrices given [Kao & Hennequin 2020]. x, q and r are
Hermitian. A closed loop on the border of stability is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import frule, non_differentiable, rrule
from ....core.calls import forward_of
from ....tangents import NO_TANGENT, ZERO
from ...numpy.adjoints import adjoint
from ...written import own, written_out
from .equations import refuse_meeting


def continuous_residual(x: Any, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> Any:
    """aᴴ x e + eᴴ x a + q − (eᴴ x b + s) r⁻¹ (bᴴ x e + sᴴ)"""
    right = np.matmul(adjoint(b), np.matmul(x, e)) + adjoint(s)
    open_loop = np.matmul(np.matmul(adjoint(a), x), e) + np.matmul(np.matmul(adjoint(e), x), a)
    return open_loop + q - np.matmul(adjoint(right), np.linalg.solve(r, right))


def discrete_residual(x: Any, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> Any:
    """aᴴ x a − eᴴ x e + q − (aᴴ x b + s) (r + bᴴ x b)⁻¹ (bᴴ x a + sᴴ)"""
    right = np.matmul(adjoint(b), np.matmul(x, a)) + adjoint(s)
    inner = r + np.matmul(adjoint(b), np.matmul(x, b))
    open_loop = np.matmul(np.matmul(adjoint(a), x), a) - np.matmul(np.matmul(adjoint(e), x), e)
    return open_loop + q - np.matmul(adjoint(right), np.linalg.solve(inner, right))


def closed_loop(x: Any, a: Any, b: Any, r: Any, e: Any, s: Any, discrete: bool) -> Any:
    """(a − b k) e⁻¹ with the gain k of the solution."""
    if discrete:
        right = np.matmul(adjoint(b), np.matmul(x, a)) + adjoint(s)
        gain = np.linalg.solve(r + np.matmul(adjoint(b), np.matmul(x, b)), right)
    else:
        gain = np.linalg.solve(r, np.matmul(adjoint(b), np.matmul(x, e)) + adjoint(s))
    loop = a - np.matmul(b, gain)
    return adjoint(np.linalg.solve(adjoint(e), adjoint(loop)))


def solved_for(x: Any, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, discrete: bool) -> Any:
    """x, the solution that SciPy found."""
    return x


def refuse_border(loop: Any, discrete: bool) -> None:
    """Refuse a closed loop whose Lyapunov equation has no unique solution."""
    f = linalg.solve_discrete_are if discrete else linalg.solve_continuous_are
    refuse_meeting(f, loop, adjoint(loop), discrete)


non_differentiable(refuse_border, why="checks a matrix")


def lyapunov(loop: Any, right: Any, discrete: bool) -> Any:
    """y with loopᴴ y + y loop + right = 0, or loopᴴ y loop − y + right = 0"""
    if discrete:
        return linalg.solve_discrete_lyapunov(adjoint(loop), right)
    return linalg.solve_continuous_lyapunov(adjoint(loop), -right)


def over(e: Any, right: Any) -> Any:
    """e⁻ᴴ right e⁻¹"""
    half = np.linalg.solve(adjoint(e), right)
    return adjoint(np.linalg.solve(adjoint(e), adjoint(half)))


@frule(solved_for)
def solved_for_frule(
    tangents, x: np.ndarray, a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray, e: np.ndarray,
    s: np.ndarray, *, discrete, engine,
):  # fmt: skip
    """lᴴ ẋ + ẋ l + e⁻ᴴ Ḟ e⁻¹ = 0, or lᴴ ẋ l − ẋ + e⁻ᴴ Ḟ e⁻¹ = 0        l the closed loop, Ḟ at this x"""
    x = solved_for(x, a, b, q, r, e, s, discrete)
    residual = discrete_residual if discrete else continuous_residual
    _, df = forward_of(residual, (x, a, b, q, r, e, s), (ZERO, *tangents[1:]), {}, engine)
    loop = closed_loop(x, a, b, r, e, s, discrete)
    refuse_border(loop, discrete)
    return x, lyapunov(loop, over(e, df), discrete)


@rrule(solved_for)
def solved_for_rrule(
    x: np.ndarray, a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray, e: np.ndarray,
    s: np.ndarray, *, discrete, engine,
):  # fmt: skip
    """l y + y lᴴ + x̄ = 0, or l y lᴴ − y + x̄ = 0        the others by the residual's pullback at e⁻¹ y e⁻ᴴ"""
    x = solved_for(x, a, b, q, r, e, s, discrete)

    def solved_for_pullback(x_bar):
        residual = discrete_residual if discrete else continuous_residual
        loop = closed_loop(x, a, b, r, e, s, discrete)
        refuse_border(loop, discrete)
        y = lyapunov(adjoint(loop), x_bar, discrete)
        _, back = engine.value_and_pullback(residual, x, a, b, q, r, e, s)
        return (NO_TANGENT, *back(over(adjoint(e), y))[1:])

    return x, solved_for_pullback


def hermitian(x: Any) -> Any:
    """The Hermitian part."""
    return (x + adjoint(x)) / 2


@written_out(linalg.solve_continuous_are)
def solve_continuous_are(
    a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray, e: np.ndarray | None = None,
    s: np.ndarray | None = None, *, balanced=True,
):  # fmt: skip
    """aᴴ x e + eᴴ x a − (eᴴ x b + s) r⁻¹ (bᴴ x e + sᴴ) + q = 0"""
    x = own(linalg.solve_continuous_are, a, b, q, r, e, s, balanced)
    whole = np.eye(np.shape(a)[-1]) if e is None else e
    cross = np.zeros_like(b) if s is None else s
    return solved_for(x, a, b, hermitian(q), hermitian(r), whole, cross, discrete=False)


@written_out(linalg.solve_discrete_are)
def solve_discrete_are(
    a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray, e: np.ndarray | None = None,
    s: np.ndarray | None = None, *, balanced=True,
):  # fmt: skip
    """aᴴ x a − eᴴ x e − (aᴴ x b + s) (r + bᴴ x b)⁻¹ (bᴴ x a + sᴴ) + q = 0"""
    x = own(linalg.solve_discrete_are, a, b, q, r, e, s, balanced)
    whole = np.eye(np.shape(a)[-1]) if e is None else e
    cross = np.zeros_like(b) if s is None else s
    return solved_for(x, a, b, hermitian(q), hermitian(r), whole, cross, discrete=True)

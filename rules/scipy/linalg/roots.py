"""Logarithms, roots and powers of matrices, and their signs: logm, sqrtm, fractional_matrix_power, signm.

Logarithms and powers take the block of `blocks`, roots and signs a Sylvester equation. All are functions of
the eigenvalues that jump somewhere: a matrix with an eigenvalue there, on the negative axis or at zero, for
signs on the imaginary axis, is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import NotDifferentiableError, UnsupportedArgument, frule, non_differentiable, rrule
from ....core.callables import name_of
from ....tangents import ZERO
from ...numpy.adjoints import adjoint, conj
from .blocks import corner, triangle
from .systems import check_matrix, in_double


def refuse_cut(f: Any, a: Any) -> None:
    """Refuse eigenvalues on the negative axis or at zero, where principal values jump."""
    w = np.linalg.eigvals(a)
    eps = np.finfo(w.dtype).eps * max(a.shape[-1], 1)
    size = np.max(np.abs(w), axis=-1, keepdims=True, initial=0.0)
    if np.any((np.real(w) <= eps * size) & (np.abs(np.imag(w)) <= 10 * eps * size)):
        raise NotDifferentiableError(
            f"{name_of(f)} has no derivative where an eigenvalue is zero or on the negative axis",
            next="shift the matrix, or use a function that is smooth there, as linalg.expm",
        )


def refuse_imaginary(a: Any) -> None:
    """Refuse eigenvalues on the imaginary axis, where the sign jumps."""
    w = np.linalg.eigvals(a)
    eps = np.finfo(w.dtype).eps * max(a.shape[-1], 1)
    if np.any(np.abs(np.real(w)) <= 10 * eps * np.max(np.abs(w), axis=-1, keepdims=True, initial=0.0)):
        raise NotDifferentiableError(
            "scipy.linalg.signm has no derivative where an eigenvalue is on the imaginary axis",
            next="shift the matrix",
        )


def check_options(f: Any, options: Any) -> None:
    """Refuse what SciPy is about to remove, or has removed: only what changes nothing is let through."""
    if options.get("disp") not in (None, True):
        raise UnsupportedArgument(f, "disp", options["disp"], supported=[True])
    if options.get("blocksize") is not None:
        raise UnsupportedArgument(f, "blocksize", options["blocksize"], next="leave it out")


non_differentiable(refuse_cut, refuse_imaginary, check_options, why="checks a matrix")


@frule(linalg.logm)
def logm_frule(tangents, A: np.ndarray, **options):
    """y = log a        ẏ = the corner of log [a ȧ; 0 a]"""
    check_options(linalg.logm, options)
    refuse_cut(linalg.logm, A)
    return linalg.logm(A), corner(linalg.logm(triangle(A, tangents[0])))


@rrule(linalg.logm)
def logm_rrule(A: np.ndarray, **options):
    """y = log a        ā = the corner of log [aᴴ ȳ; 0 aᴴ]        [Al-Mohy, Higham & Relton 2013]"""
    check_options(linalg.logm, options)

    def logm_pullback(y_bar):
        refuse_cut(linalg.logm, A)
        return corner(linalg.logm(triangle(adjoint(A), y_bar)))

    return linalg.logm(A), logm_pullback


@frule(linalg.sqrtm)
def sqrtm_frule(tangents, A: np.ndarray, **options):
    """y y = a        y ẏ + ẏ y = ȧ"""
    check_options(linalg.sqrtm, options)
    check_matrix(linalg.sqrtm, "A", A)
    refuse_cut(linalg.sqrtm, A)
    y = linalg.sqrtm(A)
    return y, linalg.solve_sylvester(y, y, tangents[0])


@rrule(linalg.sqrtm)
def sqrtm_rrule(A: np.ndarray, **options):
    """y y = a        yᴴ ā + ā yᴴ = ȳ"""
    check_options(linalg.sqrtm, options)
    check_matrix(linalg.sqrtm, "A", A)
    y = linalg.sqrtm(A)

    def sqrtm_pullback(y_bar):
        refuse_cut(linalg.sqrtm, A)
        return linalg.solve_sylvester(adjoint(y), adjoint(y), y_bar)

    return y, sqrtm_pullback


@frule(linalg.signm)
def signm_frule(tangents, A: np.ndarray, **options):
    """s² = 1, s a = a s = n        n ṡ + ṡ n = ȧ − s ȧ s        [Kenney & Laub 1991]"""
    check_options(linalg.signm, options)
    refuse_imaginary(A)
    s, (da,) = linalg.signm(A), tangents
    n = np.matmul(s, A)
    return s, linalg.solve_sylvester(n, n, da - np.matmul(np.matmul(s, da), s))


@rrule(linalg.signm)
def signm_rrule(A: np.ndarray, **options):
    """nᴴ q + q nᴴ = s̄        ā = q − sᴴ q sᴴ"""
    check_options(linalg.signm, options)
    s = linalg.signm(A)

    def signm_pullback(s_bar):
        refuse_imaginary(A)
        n = adjoint(np.matmul(s, A))
        q = linalg.solve_sylvester(n, n, s_bar)
        return q - np.matmul(np.matmul(adjoint(s), q), adjoint(s))

    return s, signm_pullback


def is_whole(t: Any) -> bool:
    """Whether a power is an integer, of which no logarithm is needed."""
    return bool(t == int(t))


def power_of(a: Any, t: Any) -> Any:
    """aᵗ, of an integer by products, which have a derivative wherever they exist."""
    return np.linalg.matrix_power(a, int(t)) if is_whole(t) else linalg.fractional_matrix_power(a, t)


def check_power(a: Any, t: Any) -> None:
    """Refuse eigenvalues at a cut, unless the power is an integer."""
    if not is_whole(t):
        refuse_cut(linalg.fractional_matrix_power, a)


non_differentiable(is_whole, check_power, why="checks arguments")


@frule(linalg.fractional_matrix_power)
def fractional_matrix_power_frule(tangents, A: np.ndarray, t: float | int | np.floating | np.integer):
    """y = aᵗ        ẏ = the corner of [a ȧ; 0 a]ᵗ, and ṫ y log a"""
    check_power(A, t)
    da, dt = tangents
    y = linalg.fractional_matrix_power(A, t)
    dy: Any = ZERO
    if da is not ZERO:
        dy = corner(power_of(triangle(A, da), t))
    if dt is not ZERO:
        refuse_cut(linalg.fractional_matrix_power, A)
        dy = dy + dt * np.matmul(linalg.logm(in_double(A)), y)
    return y, dy


@rrule(linalg.fractional_matrix_power)
def fractional_matrix_power_rrule(A: np.ndarray, t: float | int | np.floating | np.integer, *, needs):
    """y = aᵗ        ā = the corner of [aᴴ ȳ; 0 aᴴ]ᵗ        t̄ = Re Σ conj(y log a) ȳ"""
    y = linalg.fractional_matrix_power(A, t)

    def fractional_matrix_power_pullback(y_bar):
        a_bar = t_bar = ZERO
        if needs[0]:
            check_power(A, t)
            a_bar = corner(power_of(triangle(adjoint(A), y_bar), t))
        if needs[1] and not isinstance(t, int | np.integer):  # which does not move
            refuse_cut(linalg.fractional_matrix_power, A)
            t_bar = np.sum(np.real(conj(np.matmul(linalg.logm(in_double(A)), y)) * y_bar))
        return a_bar, t_bar

    return y, fractional_matrix_power_pullback

"""The cosine-sine decomposition of a unitary matrix: cossin, its angles.

    x = u m vᴴ, m made of cosines and sines        θ̇ = cos θ ṡ − sin θ ċ of the entries ċ, ṡ of uᴴ ẋ v

The matrix stays unitary as it moves. Absent: derivatives of u and v, and second derivatives of the angles.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import HigherOrderError, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import NO_TANGENT, ZERO, NotImplementedTangent, from_fields, is_zero
from ...numpy.adjoints import adjoint
from ...numpy.nesting import nest
from ...written import own, written_out

VECTORS = NotImplementedTangent("the vectors of a cosine-sine decomposition are not differentiated")
TWICE = "a second derivative of the angles of a cosine-sine decomposition is not computed"


def frozen(x: Any, part: Any) -> Any:
    """A part of the decomposition of x inside a first derivative."""
    return part


@frule(frozen)
def frozen_frule(tangents, x: np.ndarray, part: np.ndarray):
    """no tangent: the part moves in a way that is not computed"""
    return part, NotImplementedTangent(TWICE)


@rrule(frozen)
def frozen_rrule(x: np.ndarray, part: np.ndarray):
    """refused: the part moves in a way that is not computed"""

    def frozen_pullback(y_bar):
        refuse_twice()
        return ZERO, ZERO

    return part, frozen_pullback


def refuse_twice() -> None:
    """Refuse a second derivative."""
    raise HigherOrderError(TWICE, next="use the singular values of a block, linalg.svdvals(x[:p, :q])")


def places_of(theta: Any, m: int, p: int, q: int) -> tuple[Any, Any, Any]:
    """The column and both rows in which the cosine and the sine of each angle stand."""
    count = np.arange(len(theta))
    before, below = min(p, q) - len(theta), min(m - p, m - q) - len(theta)
    return before + count, before + count, p + below + count


non_differentiable(refuse_twice, places_of, why="computes places")


def angles(x: Any, u: Any, theta: Any, vh: Any, p: int, q: int) -> Any:
    """(u, θ, vᴴ), the decomposition of x that SciPy found."""
    return u, theta, vh


@frule(angles)
def angles_frule(tangents, x: np.ndarray, u: np.ndarray, theta: np.ndarray, vh: np.ndarray, *, p, q):
    """θ̇ = cos θ ṡ − sin θ ċ"""
    at, cosine, sine = places_of(theta, len(x), p, q)
    left, right, angle = frozen(x, u), frozen(x, vh), frozen(x, theta)
    moved = np.real(np.matmul(np.matmul(adjoint(left), tangents[0]), adjoint(right)))
    dtheta = np.cos(angle) * moved[sine, at] - np.sin(angle) * moved[cosine, at]
    return (u, theta, vh), from_fields(tuple, (VECTORS, dtheta, VECTORS))


@rrule(angles)
def angles_rrule(x: np.ndarray, u: np.ndarray, theta: np.ndarray, vh: np.ndarray, *, p, q):
    """x̄ = u (cos θ θ̄ at the sines, −sin θ θ̄ at the cosines) vᴴ"""

    def angles_pullback(y_bar):
        if not (is_zero(y_bar[0]) and is_zero(y_bar[2])):
            return VECTORS, NO_TANGENT, NO_TANGENT, NO_TANGENT
        at, cosine, sine = places_of(theta, len(x), p, q)
        left, right, angle = frozen(x, u), frozen(x, vh), frozen(x, theta)
        theta_bar = nest(y_bar[1], np.shape(theta))
        columns = adjoint(right)[:, at]
        inside = np.matmul(left[:, sine] * (np.cos(angle) * theta_bar), adjoint(columns))
        inside = inside - np.matmul(left[:, cosine] * (np.sin(angle) * theta_bar), adjoint(columns))
        return inside, NO_TANGENT, NO_TANGENT, NO_TANGENT

    return (u, theta, vh), angles_pullback


def check_form(p: Any, q: Any, swap_sign: Any) -> None:
    """Refuse blocks given apart, and signs swapped."""
    if p is None or q is None:
        raise UnsupportedArgument(linalg.cossin, "p", p, supported=["the sizes p and q of the first block"])
    if swap_sign:
        raise UnsupportedArgument(linalg.cossin, "swap_sign", swap_sign, supported=[False])


def bordered(first: Any, second: Any) -> Any:
    """Two blocks on a diagonal."""
    return linalg.block_diag(first, second)


non_differentiable(check_form, bordered, why="computes with what was found")


@written_out(linalg.cossin)
def cossin(
    X: np.ndarray, *, p=None, q=None, separate=False, swap_sign=False, compute_u=True, compute_vh=True
):
    """x = u m vᴴ"""
    check_form(p, q, swap_sign)
    (u1, u2), found, (v1, v2) = own(linalg.cossin, X, p, q, True)
    u, theta, vh = angles(X, bordered(u1, u2), found, bordered(v1, v2), p=p, q=q)
    if separate:
        return (u[:p, :p], u[p:, p:]), theta, (vh[:q, :q], vh[q:, q:])
    frame = frame_of(found, np.shape(X)[0], p, q)
    rest = own(remaining, own(linalg.cossin, X, p, q)[1], found, frame)
    return u, rotations(theta, frame) + rest, vh


def frame_of(theta: Any, m: int, p: int, q: int) -> tuple[Any, Any, Any, Any]:
    """The unit vectors of both rows and both columns of each angle."""
    at, cosine, sine = places_of(theta, m, p, q)
    other = q + min(m - p, m - q) - len(theta) + np.arange(len(theta))
    eye = np.eye(m)
    return eye[:, cosine], eye[:, sine], eye[:, at], eye[:, other]


def rotations(theta: Any, frame: Any) -> Any:
    """The cosines and sines in their places."""
    c, s = np.cos(theta), np.sin(theta)
    upper, lower, left, right = frame
    first = np.matmul(upper * c + lower * s, left.T)
    return first + np.matmul(lower * c - upper * s, right.T)


def remaining(middle: Any, theta: Any, frame: Any) -> Any:
    """The ones that belong to no angle."""
    return np.round(middle - rotations(theta, frame))


non_differentiable(frame_of, remaining, why="is constant")

"""The system of a spline through values: B-splines at sites, stored by diagonals, and its solution.

Row i has the B-splines at site i; before and behind stand rows with derivatives at the first and the last
site. SciPy has solved the system already, so that `through` takes its solution and has only derivatives:
the same system for a tangent, its transpose for a cotangent, each in time proportional to the sites. Where
sites and knots stay, the matrix is SciPy's own and nothing else is computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from scipy.interpolate import BSpline

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, is_zero, materialize
from ...linear import transpose_of
from ...linearity import linear_in
from ...written import own, written_out
from .bsplines import bases, interval, spline_values


def placed(values: Any, *, at: Any, shape: tuple[int, int]) -> Any:
    """A matrix of zeros, to which these values are added at these places of it laid flat."""
    size = shape[0] * shape[1]
    if values.dtype.kind == "c":
        flat = np.bincount(at, values.real, size) + 1j * np.bincount(at, values.imag, size)
        return np.reshape(flat, shape)
    return np.reshape(np.bincount(at, values, size), shape)


@transpose_of(placed)
def placed_transposed(y_bar, values: np.ndarray, *, at, shape):
    """A = Σ v_i E_i        v̄_i = what Ā has there"""
    return np.reshape(y_bar, -1)[at]


def columns(at: Any, k: int, n: int) -> Any:
    """Where B-splines stand in a matrix, laid flat."""
    return np.ravel(n * np.arange(len(at))[:, None] + at[:, None] + np.arange(-k, 1))


def collocation(t: Any, x: Any, *, k: int, left: Any, right: Any, turned: bool = False) -> Any:
    """The 2 k + 1 diagonals of the matrix, or of its transpose, in LAPACK's form."""
    sites = BSpline.design_matrix(x, t, k, extrapolate=True)
    ends = ends_of(t, x, k, left, right)
    return band(np.concatenate((*ends, sites.data)), t, x, k, left, right, turned)


@written_out(collocation)
def collocation_program(t: np.ndarray, x: np.ndarray, *, k, left, right, turned=False):
    """a_ij = B_j(x_i)        Cox and de Boor's recursion"""
    ends = ends_of(t, x, k, left, right)
    inner = np.ravel(np.transpose(np.stack(bases(t, k, x, interval(t, k, x), 0))))
    return band(np.concatenate((*ends, inner)), t, x, k, left, right, turned)


def ends_of(t: Any, x: Any, k: int, left: Any, right: Any) -> Any:
    """The rows of both ends."""
    before = [end_row(t, x[:1], k, order) for order in left]
    return before + [end_row(t, x[-1:], k, order) for order in right]


def end_row(t: Any, at: Any, k: int, order: int) -> Any:
    """The B-splines, or derivatives of them, that are not zero at an end."""
    return np.concatenate(bases(t, k, at, interval(t, k, at), order))


def band(values: Any, t: Any, x: Any, k: int, left: Any, right: Any, turned: bool) -> Any:
    """The values in LAPACK's form: those of both ends first, then those of each site."""
    n = np.size(t) - k - 1
    return placed(values, at=own(places, t, x, k, left, right, turned), shape=(2 * k + 1, n))


def places(t: Any, x: Any, k: int, left: Any, right: Any, turned: bool) -> Any:
    """Where values stand in LAPACK's form, laid flat."""
    n, before = len(t) - k - 1, len(left)
    first, last = interval(t, k, x[[0, -1]])
    rows = np.concatenate(
        (np.arange(before), np.arange(n - len(right), n), np.arange(before, before + len(x)))
    )
    at = np.concatenate((np.full(before, first), np.full(len(right), last), interval(t, k, x)))
    i, j = rows[:, None], at[:, None] + np.arange(-k, 1)
    # behind the diagonals there are only B-splines that end at their site
    i, j = (j, i) if turned else (i, j)
    return np.ravel(np.clip(k + i - j, 0, 2 * k) * n + j)


def conditions(c: Any, t: Any, x: Any, k: int, left: Any, right: Any) -> Any:
    """The values and derivatives of the spline that are prescribed"""
    start = [spline_values(t, c, k, x[:1], order) for order in left]
    end = [spline_values(t, c, k, x[-1:], order) for order in right]
    return np.concatenate((*start, spline_values(t, c, k, x), *end))


def solution(bands: Any, right: Any, k: int) -> Any:
    """The solution of a banded system for right-hand sides of any shape."""
    columns = np.reshape(right, (np.shape(right)[0], -1))
    return np.reshape(linalg.solve_banded((k, k), bands, columns), np.shape(right))


def through(c: Any, t: Any, x: Any, wanted: Any, *, k: int, left: Any, right: Any) -> Any:
    """The coefficients that SciPy found."""
    return c


@frule(through)
def through_frule(tangents, c: object, t: object, x: object, wanted: object, *, k, left, right, engine):
    """A ċ = ẇ − Ȧ c"""
    _, dt, dx, dw = tangents
    y = through(c, t, x, wanted, k=k, left=left, right=right)
    moved = materialize(dw, like=wanted)
    if not (is_zero(dt) and is_zero(dx)):
        push = engine.value_and_pushforward(conditions, y, t, x, k, left, right)[1]
        moved = moved - push(ZERO, dt, dx, ZERO, ZERO, ZERO)
    return y, solution(collocation(t, x, k=k, left=left, right=right), moved, k)


@linear_in(3)
@rrule(through)
def through_rrule(c: object, t: object, x: object, wanted: object, *, k, left, right, needs, engine):
    """Aᵀ λ = c̄        w̄ = λ, and t̄, x̄ are those of A c for the seed −λ"""
    y = through(c, t, x, wanted, k=k, left=left, right=right)

    def through_pullback(y_bar):
        weights = solution(collocation(t, x, k=k, left=left, right=right, turned=True), y_bar, k)
        t_bar, x_bar = ZERO, ZERO
        if needs[1] or needs[2]:
            back = engine.value_and_pullback(conditions, y, t, x, k, left, right)[1]
            _, t_bar, x_bar, *_ = back(-weights)
        return ZERO, t_bar, x_bar, weights

    return y, through_pullback


non_differentiable(places, why="computes places")

"""Surfaces: `RectBivariateSpline`, `LSQBivariateSpline`, the methods of all of them, and `bisplev`.

A surface holds knots and coefficients, `tck`, and the sum of squares `fp` that it leaves. One through values
on a grid is a spline in x and then in y; one nearest to scattered values is the least squares problem for
the knots that are given. A point on a knot belongs to the piece that begins there; outside, FITPACK takes
the nearest point of the border, so that there is no slope across it, and integrates nothing there. Refused
by name: fits that the data do not determine, and SmoothBivariateSpline and bisplrep, which place knots at
centres of gravity of what is left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BivariateSpline, LSQBivariateSpline, RectBivariateSpline, bisplev
from scipy.interpolate._fitpack2 import _BivariateSplineBase as Surface

from ....core import Array, NotDifferentiableError, non_differentiable
from ...written import as_found, own, written_out
from ..versions import SCIPY
from .bsplines import bases, interval, slope, spline_values
from .collocation import collocation, columns, placed, solution
from .fitpack import area
from .fitting import chosen_knots
from .objects import holding, unshared
from .piecewise import floats
from .places import real_numbers
from .smooth_surfaces import inner_jumps, smoothed
from .smoothing import ends_repeated, sites_of
from .tensor_splines import tensor_values

_VALUES = Array | list
_PERHAPS = Array | list | None
_ANYWHERE = (None, None, None, None)


def sizes(surface: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """The degrees of a surface, and the numbers of its coefficients."""
    (tx, ty, _), (kx, ky) = surface.tck, surface.degrees
    return (int(kx), int(ky)), (len(tx) - int(kx) - 1, len(ty) - int(ky) - 1)


def at_the_same(surface: Any, knots: Any) -> None:
    """Refuse knots that are not SciPy's."""
    if not all(np.allclose(t, own_t) for t, own_t in zip(knots, surface.tck, strict=False)):
        raise NotDifferentiableError(
            f"the border of {type(surface).__name__} is not where it is expected", next="give bbox"
        )


def determined(matrix: Any) -> None:
    """Refuse a fit that the data do not determine."""
    if np.linalg.matrix_rank(matrix) < np.shape(matrix)[1]:
        raise NotDifferentiableError(
            "the data do not determine all coefficients of the surface",
            next="take fewer knots, or more data",
        )


def found(surface: Any) -> tuple[Any, Any, Any, float]:
    """Knots, coefficients, and the sum of squares."""
    return (*surface.tck, surface.fp)


def counted(x: int, y: int) -> tuple[int, int]:
    """How many places SciPy holds for knots along x and y: since 1.18 as many for one as for the other."""
    return (x, y) if SCIPY < (1, 18) else (max(x, y), max(x, y))


non_differentiable(sizes, counted, at_the_same, determined, why="checks, or counts")


def table(surface: Any) -> Any:
    """Knots and coefficients, these as a matrix"""
    tx, ty, c = surface.tck
    _, shape = sizes(surface)
    return tx, ty, np.reshape(c, shape)


def fitted(made: Any, tx: Any, ty: Any, c: Any, fp: Any) -> Any:
    """The object with the derivatives of knots, coefficients, and the sum of squares"""
    at_x, at_y, values, left = own(found, made)
    knots = as_found(at_x, tx), as_found(at_y, ty)
    held = (*knots, as_found(values, np.reshape(c, -1)))
    return holding(made, ("tck", "fp"), held, as_found(left, fp))


@written_out(RectBivariateSpline)
def through_grid(x: _VALUES, y: _VALUES, z: _VALUES, s: Array = 0, *, bbox=_ANYWHERE, kx=3, ky=3, maxit=20):
    """Σ_jk c_jk B_j(x_i) B_k(y_l) = z_il, or the smoothing surface"""
    made = own(made_rect, x, y, z, bbox, kx, ky, s, maxit)
    sites = np.reshape(floats(x), -1), np.reshape(floats(y), -1)
    if own(np.any, s):
        return smooth_grid(made, sites, floats(z), s, bbox, (kx, ky))
    c, knots = floats(z), []
    for at, k, ends in ((sites[0], kx, bbox[:2]), (sites[1], ky, bbox[2:])):
        first, last = ends_repeated(at, ends[0], ends[1], k)
        t = np.concatenate((first, chosen_knots(at, k, False)[k + 1 : -k - 1], last))
        knots.append(t)
        c = np.transpose(solution(collocation(t, at, k=k, left=(), right=()), c, k))
    return fitted(made, knots[0], knots[1], c, 0.0 * c[0, 0])


def smooth_grid(made: Any, sites: Any, z: Any, s: Any, bbox: Any, degrees: Any) -> Any:
    """The smoothing surface, whose inner knots are sites"""
    found = own(table, made)
    knots, matrices, jumps = [], [], []
    for t, at, k, ends in zip(found[:2], sites, degrees, (bbox[:2], bbox[2:]), strict=True):
        first, last = ends_repeated(at, ends[0], ends[1], k)
        i, j = own(sites_of, t[k + 1 : -k - 1], at)
        whole = np.concatenate((first, (at[i] + at[j]) / 2.0, last))
        knots.append(whole)
        matrices.append(design(whole, k, at))
        jumps.append(inner_jumps(whole, k))
    c = smoothed(found[2], matrices[0], matrices[1], jumps[0], jumps[1], z, s)
    left = z - matrices[0] @ c @ np.transpose(matrices[1])
    return fitted(made, knots[0], knots[1], c, np.sum(left * left))


def made_rect(x: Any, y: Any, z: Any, bbox: Any, kx: int, ky: int, s: Any, maxit: int) -> Any:
    """The surface that SciPy makes."""
    return RectBivariateSpline(x, y, z, bbox=bbox, kx=kx, ky=ky, s=s, maxit=maxit)


def design(t: Any, k: int, x: Any) -> Any:
    """B_j(x_i)"""
    at = interval(t, k, x)
    n, values = np.size(t) - k - 1, np.stack(bases(t, k, x, at, 0), axis=-1)
    return placed(np.reshape(values, -1), at=own(columns, at, k, n), shape=(np.size(x), n))


def border(x: Any, t: Any, size: int, ends: Any) -> tuple[Any, Any]:
    """Where a surface begins and ends: if that is not said, where the data do, if all knots are within

    Among the knots SciPy counts zeros, which hold the places of those at the ends: `size` in all.
    """
    among = np.concatenate((np.zeros(size - np.size(t)), t))
    first, last, low, high = np.min(among), np.max(among), np.min(x), np.max(x)
    step = (last - first) / np.size(among)
    low = low if first > low else first - step
    high = high if last < high else last + step
    return low if ends[0] is None else ends[0], high if ends[1] is None else ends[1]


@written_out(LSQBivariateSpline)
def nearest(
    x: _VALUES,
    y: _VALUES,
    z: _VALUES,
    tx: _VALUES,
    ty: _VALUES,
    w: _PERHAPS = None,
    *,
    bbox=_ANYWHERE,
    kx=3,
    ky=3,
    eps=None,
):
    """min Σ w² (z − s(x, y))²"""
    made = own(made_lsq, x, y, z, tx, ty, w, bbox, kx, ky, eps)
    sites, values = (floats(x), floats(y)), floats(z)
    size_x, size_y = counted(np.size(tx) + 2 * kx + 2, np.size(ty) + 2 * ky + 2)
    knots = []
    for at, t, k, size, ends in ((sites[0], tx, kx, size_x, bbox[:2]), (sites[1], ty, ky, size_y, bbox[2:])):
        inner, none = floats(t), np.zeros(k + 1)
        low, high = border(at, inner, size, ends)
        knots.append(np.concatenate((none + low, inner, none + high)))
    at_the_same(made, knots)
    by_x, by_y = design(knots[0], kx, sites[0]), design(knots[1], ky, sites[1])
    weights = np.ones(np.size(values)) if w is None else floats(w)
    matrix = np.reshape(by_x[:, :, None] * by_y[:, None, :], (np.size(values), -1)) * weights[:, None]
    determined(matrix)
    c = np.linalg.lstsq(matrix, weights * values, rcond=None)[0]
    return fitted(made, knots[0], knots[1], c, np.sum((weights * values - matrix @ c) ** 2))


def made_lsq(x: Any, y: Any, z: Any, tx: Any, ty: Any, w: Any, bbox: Any, kx: int, ky: int, eps: Any) -> Any:
    """The surface that SciPy fits."""
    return LSQBivariateSpline(x, y, z, tx, ty, w=w, bbox=bbox, kx=kx, ky=ky, eps=eps)


def within(t: Any, k: int, at: Any) -> Any:
    """The nearest points between the first and the last knot"""
    return np.clip(at, t[k], t[np.size(t) - k - 1])


def on_grid(tx: Any, ty: Any, c: Any, kx: int, ky: int, x: Any, y: Any, dx: int, dy: int) -> Any:
    """The values at each x and each y"""
    along = spline_values(tx, c, kx, within(tx, kx, x), dx)
    return np.transpose(spline_values(ty, np.transpose(along), ky, within(ty, ky, y), dy))


@written_out(bisplev)
def surface_tuple(x: _VALUES, y: _VALUES, tck: tuple | list, *, dx=0, dy=0):
    """z = Σ_jk c_jk B_j(x) B_k(y)"""
    own(bisplev, x, y, tck, dx, dy)
    tx, ty, c, kx, ky = tck
    table_of_c = np.reshape(floats(c), (np.size(tx) - kx - 1, np.size(ty) - ky - 1))
    at, to = np.reshape(floats(x), -1), np.reshape(floats(y), -1)
    z = on_grid(floats(tx), floats(ty), table_of_c, kx, ky, at, to, dx, dy)
    if np.shape(z)[0] > 1:
        return z
    return z[0] if np.shape(z)[1] > 1 else z[0, 0]


@written_out(Surface.__call__)
def surface_call(self: Surface, x: _VALUES, y: _VALUES, *, dx=0, dy=0, grid=True):
    """z = Σ_jk c_jk B_j(x) B_k(y)"""
    own(Surface.__call__, self, x, y, dx, dy, grid)
    return at_points(self, x, y, dx, dy, grid)


def at_points(self: Any, x: Any, y: Any, dx: int, dy: int, grid: bool) -> Any:
    """The values of a surface on a grid, or at points"""
    tx, ty, c = table(self)
    (kx, ky), _ = sizes(self)
    at, to = floats(x), floats(y)
    if grid:
        return on_grid(tx, ty, c, kx, ky, np.reshape(at, -1), np.reshape(to, -1), dx, dy)
    shape = np.broadcast_shapes(np.shape(at), np.shape(to))
    by_x = within(tx, kx, np.reshape(np.broadcast_to(at, shape), -1))
    by_y = within(ty, ky, np.reshape(np.broadcast_to(to, shape), -1))
    z = tensor_values([tx, ty], c, [kx, ky], np.stack((by_x, by_y), axis=-1), [dx, dy])
    return np.reshape(z, shape)


@written_out(BivariateSpline.ev)
def surface_ev(self: BivariateSpline, xi: _VALUES, yi: _VALUES, *, dx=0, dy=0):
    """z = Σ_jk c_jk B_j(x) B_k(y)"""
    return self(xi, yi, dx=dx, dy=dy, grid=False)


@written_out(BivariateSpline.integral)
def surface_integral(self: BivariateSpline, xa: Array, xb: Array, ya: Array, yb: Array):
    """∬ s dx dy over the part of the rectangle within the border"""
    real_numbers(BivariateSpline.integral, xa, xb, ya, yb)
    own(BivariateSpline.integral, self, xa, xb, ya, yb)
    tx, ty, c = table(self)
    (kx, ky), _ = sizes(self)
    return area(ty, area(tx, c, kx, xa, xb), ky, ya, yb)


@written_out(Surface.partial_derivative)
def surface_derivative(self: Surface, *, dx, dy):
    """k (c_{j+1} − c_j)/(t_{j+k+1} − t_{j+1}), by either variable        de Boor, ch. X (15)"""
    made = unshared(Surface.partial_derivative, self, dx, dy)
    tx, ty, c = table(self)
    (kx, ky), _ = sizes(self)
    for p in range(dx):
        tx, c = slope(tx, c, kx - p)
    c = np.transpose(c[: np.size(tx) - (kx - dx) - 1])
    for p in range(dy):
        ty, c = slope(ty, c, ky - p)
    c = np.transpose(c[: np.size(ty) - (ky - dy) - 1])
    return holding(made, ("tck",), (tx, ty, np.reshape(c, -1)))


@written_out(Surface.get_knots)
def surface_knots(self: Surface):
    """The knots in both variables"""
    return self.tck[:2]


@written_out(Surface.get_coeffs)
def surface_coefficients(self: Surface):
    """c"""
    return self.tck[2]


@written_out(Surface.get_residual)
def surface_residual(self: Surface):
    """Σ w² (z − s)²"""
    return self.fp

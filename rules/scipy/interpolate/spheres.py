"""Surfaces on a sphere: `LSQSphereBivariateSpline`, `RectSphereBivariateSpline` with values at the poles.

θ is the angle from the north pole, φ that around it. Such a surface is a tensor spline, periodic in φ, that
has one value at each pole, and through it a plane: beside the pole its coefficients are those of the value
and of two splines in φ, those through cos and sin at the knots. So its coefficients are a matrix times fewer
free ones, and these a least squares problem, or a spline through a grid. Refused by name: what FITPACK
estimates at a pole from knots that it does not show (the value that is not given, the slope of a pole that is
smooth and not flat), a smoothing factor, and SmoothSphereBivariateSpline, which places knots at centres of
gravity.

See [Dierckx 1993, ch. 11].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import (
    LSQSphereBivariateSpline,
    RectSphereBivariateSpline,
    SmoothSphereBivariateSpline,
)
from scipy.interpolate._fitpack2 import SphereBivariateSpline

from ....core import NotDifferentiableError, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .piecewise import floats
from .surfaces import at_points, at_the_same, design, determined, fitted, found

_VALUES = np.ndarray | list
_K = 3  # the degree in both angles


def around(places: Any) -> Any:
    """The knots of a periodic spline whose first and last knot are these: those before and behind them too"""
    n = np.size(places) - 1
    turns, which = own(np.divmod, np.arange(-_K, n + _K + 1), n)
    return places[which] + turns * (places[-1] - places[0])


def folded(n: int) -> Any:
    """The matrix that makes all n coefficients of a periodic spline of those that are free."""
    return np.eye(n - _K)[np.arange(n) % (n - _K)]


def from_north(t: Any) -> Any:
    """The knots in θ, with those at the poles"""
    return np.concatenate((np.zeros(_K + 1), t, np.full(_K + 1, np.pi)))


def options_of(s: Any, values: Any, continuity: Any, flat: Any) -> tuple[Any, str]:
    """At which poles the surface is smooth, and what FITPACK would estimate, if anything."""
    smooth, level = (x if isinstance(x, tuple | list) else (x, x) for x in (continuity, flat))
    values = values if isinstance(values, tuple | list) else (values, values)
    if s != 0:
        return smooth, "its smoothing factor decides which knots there are"
    if any(v is None for v in values):
        return smooth, "FITPACK estimates the value at a pole with knots that it does not show"
    if any(a and not b for a, b in zip(smooth, level, strict=True)):
        return smooth, "FITPACK estimates the slope at a smooth pole with knots that it does not show"
    return smooth, ""


def near(c: Any, own_c: Any) -> None:
    """Refuse coefficients that are not SciPy's."""
    if np.max(np.abs(c - own_c)) > 1e-6 * np.max(np.abs(own_c)):
        raise NotDifferentiableError(
            "FITPACK found another surface on the sphere than the nearest one",
            next="take fewer knots, or more data, so that they determine the surface",
        )


non_differentiable(folded, options_of, near, why="checks, or computes with sizes alone")


@written_out(LSQSphereBivariateSpline)
def nearest(
    theta: _VALUES, phi: _VALUES, r: _VALUES, tt: _VALUES, tp: _VALUES, w: np.ndarray | list | None = None,
    *, eps=1e-16,
):  # fmt: skip
    """min Σ w² (r − s(θ, φ))², of all surfaces with these knots that have a plane at each pole"""
    made = own(made_lsq, theta, phi, r, tt, tp, w, eps)
    corners = np.concatenate((np.zeros(1), floats(tp), np.full(1, 2 * np.pi)))
    knots = from_north(floats(tt)), around(corners)
    at_the_same(made, knots)
    n, m = np.size(knots[0]) - _K - 1, np.size(knots[1]) - _K - 1
    fold = folded(m)
    waves = np.stack((np.cos(corners[:-1]), np.sin(corners[:-1])), axis=-1)
    plane = np.linalg.solve(design(knots[1], _K, corners[:-1]) @ fold, waves)
    by_theta, by_phi = design(knots[0], _K, floats(theta)), design(knots[1], _K, floats(phi)) @ fold
    by_plane = by_phi @ plane
    inner = by_theta[:, 2:-2, None] * by_phi[:, None, :]
    weights = np.ones(np.size(r)) if w is None else floats(w)
    matrix = np.concatenate(
        (
            (by_theta[:, 0] + by_theta[:, 1])[:, None],
            by_theta[:, 1, None] * by_plane,
            np.reshape(inner, (np.size(r), -1)),
            by_theta[:, -2, None] * by_plane,
            (by_theta[:, -2] + by_theta[:, -1])[:, None],
        ),
        axis=1,
    )
    whole, values = matrix * weights[:, None], weights * floats(r)
    determined(whole)
    free = np.linalg.lstsq(whole, values, rcond=None)[0]
    north, south = plane @ free[1:3] + free[0], plane @ free[-3:-1] + free[-1]
    rows = np.reshape(free[3:-3], (n - 4, -1))
    flat = np.zeros((1, m - _K))
    c = np.concatenate((flat + free[0], north[None], rows, south[None], flat + free[-1])) @ np.transpose(fold)
    near(np.reshape(c, -1), own(found, made)[2])
    return fitted(made, knots[0], knots[1], c, np.sum(np.square(values - whole @ free)))


def made_lsq(theta: Any, phi: Any, r: Any, tt: Any, tp: Any, w: Any, eps: float) -> Any:
    """The surface that SciPy fits."""
    return LSQSphereBivariateSpline(theta, phi, r, tt, tp, w, eps)


@written_out(RectSphereBivariateSpline)
def through_grid(
    u: _VALUES, v: _VALUES, r: _VALUES, s: object = 0.0, pole_values: object = None,
    *, pole_continuity=False, pole_exact=False, pole_flat=False,
):  # fmt: skip
    """s(u_i, v_j) = r_ij, with the value that is given at each pole, and no slope there where it is smooth"""
    smooth, why = own(options_of, s, pole_values, pole_continuity, pole_flat)
    if why:
        raise UnsupportedArgument(
            "scipy.interpolate.RectSphereBivariateSpline",
            "pole_values and pole_flat",
            (pole_values, pole_flat),
            why=why,
            next="give pole_values, and pole_flat=True where pole_continuity is True, with s=0",
        )
    made = own(made_rect, u, v, r, s, pole_continuity, pole_values, pole_exact, pole_flat)
    values = pole_values if isinstance(pole_values, tuple | list) else (pole_values, pole_values)
    at, to, z = np.reshape(floats(u), -1), np.reshape(floats(v), -1), floats(r)
    inner = at[0 if smooth[0] else 1 : np.size(at) if smooth[1] else np.size(at) - 1]
    knots = from_north(inner), around(np.concatenate((to, to[:1] + 2 * np.pi)))
    at_the_same(made, knots)
    fold = folded(np.size(knots[1]) - _K - 1)
    along = np.transpose(np.linalg.solve(design(knots[1], _K, to) @ fold, np.transpose(z)))
    sites = np.concatenate((np.zeros(1), at, np.full(1, np.pi)))
    system, n = design(knots[0], _K, sites), np.size(knots[0]) - _K - 1
    level = np.zeros((1, np.size(to)))
    data = [level + values[0], along, level + values[1]]
    rows = [system]
    for pole, pair in ((0, (0, 1)), (1, (n - 1, n - 2))):
        if smooth[pole]:
            unit = np.eye(n)
            rows.append((unit[pair[0]] - unit[pair[1]])[None])
            data.append(level)
    c = np.linalg.solve(np.concatenate(rows), np.concatenate(data)) @ np.transpose(fold)
    near(np.reshape(c, -1), own(found, made)[2])
    return fitted(made, knots[0], knots[1], c, 0.0 * c[0, 0])


def made_rect(u: Any, v: Any, r: Any, s: Any, continuity: Any, values: Any, exact: Any, flat: Any) -> Any:
    """The surface that SciPy makes."""
    return RectSphereBivariateSpline(u, v, r, s, continuity, values, exact, flat)


def _evaluated(method: Any) -> None:
    """The derivatives of a class's own call, which checks the angles first."""

    @written_out(method)
    def sphere_call(self: SphereBivariateSpline, theta: Any, phi: Any, *, dtheta=0, dphi=0, grid=True):
        """r = Σ_jk c_jk B_j(θ) B_k(φ)"""
        own(method, self, theta, phi, dtheta, dphi, grid)
        return at_points(self, theta, phi, dtheta, dphi, grid)


for _class in (
    SphereBivariateSpline,
    LSQSphereBivariateSpline,
    RectSphereBivariateSpline,
    SmoothSphereBivariateSpline,
):
    _evaluated(_class.__call__)


@written_out(SphereBivariateSpline.ev)
def sphere_ev(self: SphereBivariateSpline, theta: Any, phi: Any, *, dtheta=0, dphi=0):
    """r = Σ_jk c_jk B_j(θ) B_k(φ)"""
    return self(theta, phi, dtheta=dtheta, dphi=dphi, grid=False)

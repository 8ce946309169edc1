"""`UnivariateSpline`, `InterpolatedUnivariateSpline` and `LSQUnivariateSpline`, and their methods.

An object holds the tuple (t, c, k) that it evaluates, by the rules of `splev` and its kin, and gets it by
those of `splrep`: of a smoothing spline, which sites are knots is frozen. Refused by name:
`set_smoothing_factor` and `get_residual`. `roots` are those of cubic splines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import (
    InterpolatedUnivariateSpline,
    LSQUnivariateSpline,
    UnivariateSpline,
    spalde,
    splantider,
    splder,
    splev,
    splint,
    sproot,
)

from ....core import Array
from ....tangents import construct
from ...written import as_found, own, written_out
from .fitting import least_squares
from .objects import holding, unshared
from .piecewise import floats
from .smoothing import ends_repeated, fitpack

_VALUES = Array | list
_PERHAPS = Array | list | None
_ANYWHERE = (None, None)


@construct.register(UnivariateSpline)
def make_univariate(P: Any, values: Any, like: Any) -> Any:
    """An object of these knots and coefficients, as `move` makes it."""
    return P._from_tck(tuple(values["_eval_args"]), like.ext)


def held(made: Any) -> Any:
    """Knots and coefficients of an object, FITPACK's word on them, and where they end in its store."""
    t, c, k = made._eval_args
    return t, c, len(t) - k - 1, made._data[-1]


def with_fit(made: Any, t: Any, fit: Any, k: int) -> Any:
    """The object with the derivatives of knots and coefficients, of which some beyond the last are unused"""
    _, c, n, _ = own(held, made)
    return holding(made, ("_eval_args",), (t, np.concatenate((fit, c[n:])), k))


def squares(w: Any, x: Any) -> Any:
    """The weights of the squares."""
    return np.ones(np.size(x)) if w is None else np.square(floats(w))


@written_out(UnivariateSpline)
def univariate(
    x: _VALUES,
    y: _VALUES,
    w: _PERHAPS = None,
    s: Array | None = None,
    *,
    bbox=_ANYWHERE,
    k=3,
    ext=0,
    check_finite=False,
):
    """BᵀW² (B c − y) + μ DᵀD c = 0, with Σ w² (y − s)² = s where there is a μ"""
    made = own(UnivariateSpline, x, y, w, bbox, k, s, ext, check_finite)
    t, c, n, ier = own(held, made)
    sites = floats(x)
    values = floats(y)
    goal = np.size(sites) if s is None else s
    knots, fit = fitpack((t, c[:n]), sites, values, squares(w, sites), goal, k, ier, bbox[0], bbox[1])
    return with_fit(made, knots, fit, k)


@written_out(InterpolatedUnivariateSpline)
def interpolated(
    x: _VALUES, y: _VALUES, w: _PERHAPS = None, *, bbox=_ANYWHERE, k=3, ext=0, check_finite=False
):
    """Σ_j c_j B_j(x_i) = y_i"""
    made = own(InterpolatedUnivariateSpline, x, y, w, bbox, k, ext, check_finite)
    t, c, n, _ = own(held, made)
    sites = floats(x)
    values = floats(y)
    knots, fit = fitpack((t, c[:n]), sites, values, squares(w, sites), 0.0, k, -1, bbox[0], bbox[1])
    return with_fit(made, knots, fit, k)


@written_out(LSQUnivariateSpline)
def least_squares_object(
    x: _VALUES, y: _VALUES, t: _VALUES, w: _PERHAPS = None, *, bbox=_ANYWHERE, k=3, ext=0, check_finite=False
):
    """BᵀW² (B c − y) = 0"""
    made = own(LSQUnivariateSpline, x, y, t, w, bbox, k, ext, check_finite)
    at, c, n, _ = own(held, made)
    sites = floats(x)
    values = floats(y)
    first, last = ends_repeated(sites, bbox[0], bbox[1], k)
    knots = np.concatenate((first, floats(t), last))
    fit = as_found(c[:n], least_squares(sites, values, squares(w, sites), knots, k))
    return with_fit(made, as_found(at, knots), fit, k)


@written_out(UnivariateSpline.__call__)
def univariate_call(self: UnivariateSpline, x: _VALUES, *, nu=0, ext=None):
    """y = Σ_j c_j B_j⁽ᵈ⁾(x)"""
    y = own(UnivariateSpline.__call__, self, x, nu, ext)
    if np.size(x) == 0:
        return y
    return splev(x, self._eval_args, nu, own(outside, self, ext))


def outside(spline: Any, ext: Any) -> int:
    """What stands for points outside, as a number."""
    chosen = spline.ext if ext is None else ext
    return int({"extrapolate": 0, "zeros": 1, "raise": 2, "const": 3}.get(chosen, chosen))


@written_out(UnivariateSpline.integral)
def univariate_integral(self: UnivariateSpline, a: Array, b: Array):
    """y = S(b) − S(a), with S′ = s within the spline and 0 outside"""
    return splint(a, b, self._eval_args)


@written_out(UnivariateSpline.derivatives)
def univariate_derivatives(self: UnivariateSpline, x: Array):
    """y_m = s⁽ᵐ⁾(x)"""
    return spalde(x, self._eval_args)


@written_out(UnivariateSpline.roots)
def univariate_roots(self: UnivariateSpline):
    """s(r) = 0        s′(r) ṙ = −ṡ(r)"""
    return sproot(self._eval_args, own(room, self))


def room(spline: Any) -> int:
    """For how many roots SciPy makes room."""
    return 3 * (len(spline._eval_args[0]) - 7)


@written_out(UnivariateSpline.derivative)
def univariate_derivative(self: UnivariateSpline, *, n=1):
    """s⁽ⁿ⁾"""
    return holding(
        unshared(UnivariateSpline.derivative, self, n), ("_eval_args",), splder(self._eval_args, n)
    )


@written_out(UnivariateSpline.antiderivative)
def univariate_antiderivative(self: UnivariateSpline, *, n=1):
    """The integral from the first knot on, n times"""
    made = unshared(UnivariateSpline.antiderivative, self, n)
    return holding(made, ("_eval_args",), splantider(self._eval_args, n))


@written_out(UnivariateSpline.get_knots)
def univariate_knots(self: UnivariateSpline):
    """t without the repeated ends"""
    t, _, k = self._eval_args
    return np.copy(t[k : np.size(t) - k])


@written_out(UnivariateSpline.get_coeffs)
def univariate_coefficients(self: UnivariateSpline):
    """c"""
    t, c, k = self._eval_args
    return np.copy(c[: np.size(t) - k - 1])

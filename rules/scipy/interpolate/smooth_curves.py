"""Smoothing splines: `splrep`, `make_splrep`, `make_smoothing_spline`, by sites, values, weights and s.

Interpolants (s = 0) have derivatives by sites through their knots, too, and so have fits with given knots, by
these. Of a smoothing spline (s > 0) which sites are knots is frozen; see `smoothing`. The value is
what SciPy finds. Refused by name: periodic splines, `task=1`, `full_output`, and the `lam` that
`make_smoothing_spline` chooses by cross-validation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline, make_smoothing_spline, make_splrep, splrep

from ....core import Array, NotDifferentiableError, UnsupportedArgument, non_differentiable
from ...written import as_found, own, written_out
from .cubic import in_front
from .fitting import least_squares
from .objects import holding
from .piecewise import floats
from .smoothing import bending, ends_repeated, fitpack, penalised

_VALUES = Array | list
_PERHAPS = Array | list | None


def only(f: Any, **given: Any) -> None:
    """Refuse options that are set."""
    for name, value in given.items():
        if value:
            raise UnsupportedArgument(f, name, value, supported=["0"])


def one_factor(lam: Any) -> None:
    """Refuse a factor that SciPy chooses, none, and one for each curve."""
    if lam is None or np.ndim(lam) or lam <= 0:
        raise UnsupportedArgument(make_smoothing_spline, "lam", lam, supported=["a number above 0"])


def agreeing(c: Any, found: Any) -> None:
    """Refuse a system that is too near to a singular one."""
    if np.max(np.abs(c - found), initial=0.0) > 1e-6 * np.max(np.abs(found), initial=0.0):
        raise NotDifferentiableError(
            "the system of make_smoothing_spline is singular to working precision",
            next="choose a larger lam, or interpolate with CubicSpline(x, y, bc_type='natural')",
        )


non_differentiable(only, one_factor, agreeing, why="checks an argument")


def found_by_splrep(*arguments: Any) -> tuple[Any, int]:
    """What SciPy finds, and FITPACK's word on it."""
    tck, _, ier, _ = splrep(*arguments[:-3], 1, *arguments[-2:])
    splrep(*arguments)  # warns, as it does without a derivative
    return tck, ier


def asked(s: Any, w: Any, m: int) -> Any:
    """The s that stands for none."""
    if s is not None:
        return s
    return 0.0 if w is None else m - np.sqrt(2 * m)


@written_out(splrep)
def splrep_written_out(
    x: _VALUES,
    y: _VALUES,
    w: _PERHAPS = None,
    s: Array | None = None,
    t: _PERHAPS = None,
    *,
    xb=None,
    xe=None,
    k=3,
    task=0,
    full_output=0,
    per=0,
    quiet=1,
):
    """BᵀW² (B c − y) + μ DᵀD c = 0, with Σ w² (y − s)² = s where there is a μ"""
    only(splrep, full_output=full_output, per=per, task=task > 0)
    (knots, c, _), ier = own(found_by_splrep, x, y, w, xb, xe, k, task, s, t, 0, per, quiet)
    sites = floats(x)
    values = floats(y)
    weights = np.ones(np.size(sites)) if w is None else np.square(floats(w))
    n = np.size(knots) - k - 1
    if t is not None:
        first, last = ends_repeated(sites, xb, xe, k)
        whole = np.concatenate((first, floats(t), last))
        fit = as_found(c[:n], least_squares(sites, values, weights, whole, k))
        return as_found(knots, whole), np.concatenate((fit, c[n:])), k
    goal = asked(s, w, np.size(sites))
    places, fit = fitpack((knots, c[:n]), sites, values, weights, goal, k, ier, xb, xe)
    return places, np.concatenate((fit, c[n:])), k


@written_out(make_splrep)
def make_splrep_written_out(
    x: _VALUES,
    y: _VALUES,
    w: _PERHAPS = None,
    s: Array = 0,
    *,
    xb=None,
    xe=None,
    k=3,
    t=None,
    nest=None,
    bc_type=None,
):
    """As splrep; of given knots, too, those stay where they are"""
    if not own(bool, s):
        own(made_splrep, x, y, w, xb, xe, k, s, t, nest, bc_type)
        return make_interp_spline(x, y, k, bc_type=bc_type)
    only(make_splrep, bc_type=bc_type == "periodic")
    spline = own(made_splrep, x, y, w, xb, xe, k, s, t, nest, bc_type)
    sites = floats(x)
    values = floats(y)
    weights = np.ones(np.size(sites)) if w is None else np.square(floats(w))
    alone = np.size(spline.t) == 2 * k + 2
    found = own(held_by, spline)
    places, c = fitpack(found, sites, values, weights, s, k, -2 if alone else 0, xb, xe)
    return holding(spline, ("t", "c"), places, c)


def made_splrep(x: Any, y: Any, w: Any, xb: Any, xe: Any, k: Any, s: Any, t: Any, nest: Any, bc: Any) -> Any:
    """The spline that SciPy makes."""
    return make_splrep(x, y, w=w, xb=xb, xe=xe, k=k, s=s, t=t, nest=nest, bc_type=bc)


def held_by(spline: Any) -> tuple[Any, Any]:
    """Knots and coefficients."""
    return spline.t, spline.c


@written_out(make_smoothing_spline)
def smoothing_spline(x: _VALUES, y: _VALUES, w: _PERHAPS = None, lam: Array | None = None, *, axis=0):
    """(BᵀW B + λ Ω) c = BᵀW y        Ω_ij = ∫ B_i″ B_j″"""
    one_factor(lam)
    spline = own(made_smoothing, x, y, w, lam, axis)
    sites = floats(x)
    values = in_front(y, axis)
    weights = np.ones(np.size(sites)) if w is None else floats(w)
    knots = np.concatenate((sites[np.zeros(3, int)], sites, sites[np.full(3, -1)]))
    c = penalised(sites, values, weights, knots, 3, lam * bending(knots, np.size(sites) + 2))
    agreeing(c, spline.c)
    return holding(spline, ("t", "c"), knots, c)


def made_smoothing(x: Any, y: Any, w: Any, lam: Any, axis: Any) -> Any:
    """The spline that SciPy makes."""
    return make_smoothing_spline(x, y, w, lam, axis=axis)

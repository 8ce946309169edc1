"""Curves in space by a parameter: `splprep` and `make_splprep`, by points, weights, parameters and s.

All coordinates share knots and, where it smooths, the factor of the penalty; the rest is as for one of them,
see `smoothing`. Parameters that are not given are the lengths of the chords up to each point, in parts of
all. Refused by name: closed curves (`per`), `task`, and `full_output`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline, make_splprep, splprep

from ....core import Array
from ...written import as_found, own, written_out
from .objects import holding
from .piecewise import floats
from .smooth_curves import held_by, only
from .smoothing import fitpack

_VALUES = Array | list
_PERHAPS = Array | list | None


def found_by_splprep(*arguments: Any) -> tuple[Any, Any, Any, int]:
    """Knots, coefficients and parameters that SciPy finds, and FITPACK's word on them."""
    x, w, u, ub, ue, k, task, s, t, nest, per, quiet = arguments
    ((knots, c, _), places), _, ier, _ = splprep(x, w, u, ub, ue, k, task, s, t, 1, nest, per, 1)
    splprep(x, w, u, ub, ue, k, task, s, t, 0, nest, per, quiet)  # warns, as it does without a derivative
    return knots, np.stack(c, axis=1), places, ier


def chords(points: Any) -> Any:
    """Σ |p_{j+1} − p_j| up to each point, in parts of the whole"""
    lengths = np.cumsum(np.sqrt(np.sum(np.diff(points, axis=0) ** 2, axis=1)))
    return np.concatenate((np.zeros(1), lengths)) / lengths[-1]


@written_out(splprep)
def splprep_written_out(
    x: np.ndarray | list | tuple,
    w: _PERHAPS = None,
    u: _PERHAPS = None,
    s: Array | None = None,
    *,
    ub=None,
    ue=None,
    k=3,
    task=0,
    t=None,
    full_output=0,
    nest=None,
    per=0,
    quiet=1,
):
    """BᵀW² (B c − x) + μ DᵀD c = 0, with Σ w² |x − s|² = s where there is a μ"""
    only(splprep, full_output=full_output, per=per, task=task)
    knots, c, places, ier = own(found_by_splprep, x, w, u, ub, ue, k, task, s, t, nest, per, quiet)
    points = np.stack([floats(row) for row in x], axis=-1)
    at = as_found(places, chords(points)) if u is None else np.copy(floats(u))
    start, end = (None, None) if u is None else (ub, ue)
    m = np.shape(points)[0]
    weights = np.ones(m) if w is None else np.square(floats(w))
    goal = m - np.sqrt(2 * m) if s is None else s
    knots, fit = fitpack((knots, c), at, points, weights, goal, k, ier, start, end)
    return [knots, [fit[:, i] for i in range(np.shape(points)[1])], k], at


def made_splprep(*arguments: Any) -> Any:
    """The spline and the parameters that SciPy makes."""
    x, w, u, ub, ue, k, s, t, nest, bc_type = arguments
    return make_splprep(x, w=w, u=u, ub=ub, ue=ue, k=k, s=s, t=t, nest=nest, bc_type=bc_type)


@written_out(make_splprep)
def make_splprep_written_out(
    x: np.ndarray | list | tuple,
    w: _PERHAPS = None,
    u: _PERHAPS = None,
    s: Array = 0,
    *,
    ub=None,
    ue=None,
    k=3,
    t=None,
    nest=None,
    bc_type=None,
):
    """As splprep; of given knots, too, those stay where they are"""
    only(make_splprep, bc_type=bc_type == "periodic")
    spline, places = own(made_splprep, x, w, u, ub, ue, k, s, t, nest, bc_type)
    points = np.stack([floats(row) for row in x], axis=-1)
    at = as_found(places, chords(points)) if u is None else np.copy(floats(u))
    if not own(bool, s):
        return make_interp_spline(at, np.transpose(points), k=k, axis=1), at
    weights = np.ones(np.shape(points)[0]) if w is None else np.square(floats(w))
    ier = -2 if np.size(spline.t) == 2 * k + 2 else 0
    start, end = (None, None) if u is None else (ub, ue)
    knots, c = fitpack(own(held_by, spline), at, points, weights, s, k, ier, start, end)
    return holding(spline, ("t", "c"), knots, c), at

"""Smoothing surfaces: what `RectBivariateSpline` with s > 0 solves, for the knots that FITPACK chose.

The knots are places of sites, which do not move with the values. FITPACK minimises the squares of what is
left and, along x, along y and along both, the squares of the jumps of the highest derivatives at the knots,
by the factor for which what is left is s [Dierckx 1993, ch. 5.5]. SciPy meets that s to a thousandth; the
derivative is that of the surface that meets it.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from scipy import optimize

from ....core import NotDifferentiableError, implicit, non_differentiable
from ...written import own
from .bsplines import bases
from .collocation import columns, placed


def inner_jumps(t: Any, k: int) -> Any:
    """The jumps of the highest derivative of each B-spline, scaled as FITPACK does: a row for each knot"""
    n = np.size(t) - k - 1
    inner = np.arange(k + 1, n)
    before, after = bases(t, k, t[inner], inner - 1, k), bases(t, k, t[inner], inner, k)
    none = np.zeros(len(inner))
    rows = [b - a for a, b in zip([*before, none], [none, *after], strict=True)]
    scale = ((t[n] - t[k]) / (n - k)) ** k / factorial(k)
    at = own(columns, inner, k + 1, n)
    return placed(np.reshape(scale * np.stack(rows, axis=-1), -1), at=at, shape=(len(inner), n))


def by_factor(log_factor: Any, by_x: Any, by_y: Any, jumps_x: Any, jumps_y: Any, z: Any) -> Any:
    """min ‖[A; √μ J] C [B; √μ K]ᵀ − [Z 0; 0 0]‖"""
    root = np.exp(0.5 * log_factor)
    c = z
    for matrix, jumps in ((by_x, jumps_x), (by_y, jumps_y)):
        whole = np.concatenate((matrix, root * jumps))
        filled = np.concatenate((c, np.zeros((np.shape(jumps)[0], np.shape(c)[1]))))
        c = np.transpose(np.linalg.lstsq(whole, filled, rcond=None)[0])
    return c


def above(log_factor: Any, by_x: Any, by_y: Any, jumps_x: Any, jumps_y: Any, z: Any, s: Any) -> Any:
    """By which part the sum of squares exceeds s, for a factor of the penalty."""
    c = by_factor(log_factor, by_x, by_y, jumps_x, jumps_y, z)
    return np.sum(np.square(z - by_x @ c @ np.transpose(by_y))) / s - 1.0


def factor_for(by_x: Any, by_y: Any, jumps_x: Any, jumps_y: Any, z: Any, s: Any) -> float:
    """The logarithm of the factor that meets s."""
    data = by_x, by_y, jumps_x, jumps_y, z, s
    if above(-40.0, *data) < 0 < above(40.0, *data):
        return float(optimize.brentq(above, -40.0, 40.0, data, xtol=1e-13, rtol=1e-14))
    raise NotDifferentiableError(
        "the smoothing surface does not meet its s", next="choose another s, or fit with given knots"
    )


def is_nearest(c: Any, by_x: Any, by_y: Any, z: Any) -> bool:
    """Whether coefficients have the least squares, without a penalty."""
    left = np.abs(by_x.T @ (z - by_x @ c @ by_y.T) @ by_y)
    return bool(np.max(left) <= 1e-9 * np.max(np.abs(by_x.T) @ np.abs(z) @ np.abs(by_y)))


def near(c: Any, found: Any) -> None:
    """Refuse a surface that is not SciPy's."""
    if np.max(np.abs(c - found)) > 0.05 * np.max(np.abs(found)):
        raise NotDifferentiableError(
            "FITPACK did not find the smoothing surface", next="choose a larger s, or fit with given knots"
        )


non_differentiable(factor_for, is_nearest, near, why="checks, and a start for `implicit.root`")


def smoothed(found: Any, by_x: Any, by_y: Any, jumps_x: Any, jumps_y: Any, z: Any, s: Any) -> Any:
    """The coefficients of FITPACK's smoothing surface, or of the nearest one, where that is smooth enough"""
    if is_nearest(found, by_x, by_y, z):
        return by_factor(-np.inf, by_x, by_y, jumps_x[:0], jumps_y[:0], z)
    start = factor_for(by_x, by_y, jumps_x, jumps_y, z, s)
    log_factor = implicit.root(above, start, by_x, by_y, jumps_x, jumps_y, z, s)
    c = by_factor(log_factor, by_x, by_y, jumps_x, jumps_y, z)
    near(c, found)
    return c

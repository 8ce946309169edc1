"""What smoothing splines solve: a penalised least squares problem, with a penalty that is given or implied.

`make_smoothing_spline` is given the factor of ∫ s″², and its knots are the sites. FITPACK chooses sites, or
middles of two, as knots; which these are is frozen, and they move with the sites. It penalises the jumps of
the highest derivative at them, by the factor for which the sum of squares is the s that was asked for
[Dierckx 1993, ch. 5]. SciPy meets that s to a thousandth; the derivative is that of the fit that meets it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from ....core import NotDifferentiableError, implicit, non_differentiable
from ...written import as_found, own
from .bsplines import bases, interval, spline_values
from .collocation import through
from .fitting import chosen_knots, gram, least_squares, moments, solved
from .places import spread


def bending(t: Any, n: int) -> Any:
    """∫ B_i″ B_j″ of cubic B-splines, by Gauss's rule, which is exact: by diagonals"""
    left, right = t[3:-4], t[4:-3]
    half, middle = (right - left) / 2, (right + left) / 2
    at = np.concatenate((middle - half / np.sqrt(3.0), middle + half / np.sqrt(3.0)))
    i = interval(t, 3, at)
    return gram(bases(t, 3, at, i, 2), i - 3, np.concatenate((half, half)), n, 4)


def jumps(t: Any, k: int, n: int) -> Any:
    """Σ (jump of the highest derivative)² at the inner knots: by diagonals"""
    inner = np.arange(k + 1, n)
    before, after = bases(t, k, t[inner], inner - 1, k), bases(t, k, t[inner], inner, k)
    none = np.zeros(len(inner))
    some = [b - a for a, b in zip([*before, none], [none, *after], strict=True)]
    return gram(some, inner - 1 - k, np.ones(len(inner)), n, k + 1)


def penalised(x: Any, y: Any, weights: Any, t: Any, k: int, penalty: Any) -> Any:
    """(BᵀW B + P) c = BᵀW y"""
    at, n = interval(t, k, x), np.size(t) - k - 1
    some = bases(t, k, x, at, 0)
    matrix = gram(some, at - k, weights, n, k + 1) + penalty
    return solved(matrix, moments(some, at - k, weights, y, n), k + 1, k + 1)


def remaining(c: Any, x: Any, y: Any, weights: Any, t: Any, k: int) -> Any:
    """Σ w (y − s)²"""
    trailing = np.ndim(y) - 1
    return np.sum(spread(weights, trailing) * np.square(y - spline_values(t, c, k, x)))


def too_rough(log_factor: Any, x: Any, y: Any, weights: Any, s: Any, t: Any, k: Any) -> Any:
    """By which part the sum of squares exceeds s, for a factor of the penalty."""
    c = penalised(x, y, weights, t, k, np.exp(log_factor) * jumps(t, k, np.size(t) - k - 1))
    return remaining(c, x, y, weights, t, k) / s - 1.0


def log_factor_of(c: Any, x: Any, y: Any, weights: Any, s: Any, t: Any, k: Any) -> float:
    """The factor that SciPy stopped near, and then the one that meets s."""
    n = len(t) - k - 1
    at = interval(t, k, x)
    some = bases(t, k, x, at, 0)
    pull = moments(some, at - k, weights, y - spline_values(t, c, k, x), n)
    hold = times(jumps(t, k, n), c, k + 1)
    start = float(np.log(np.abs(np.vdot(hold, pull) / np.vdot(hold, hold))))
    for reach in (0.1, 1.0, 5.0):
        low, high = (too_rough(start + d, x, y, weights, s, t, k) for d in (-reach, reach))
        if low < 0 < high:
            place = optimize.brentq(
                too_rough, start - reach, start + reach, (x, y, weights, s, t, k), xtol=1e-13, rtol=1e-14
            )
            return float(place)
    raise NotDifferentiableError(
        "the smoothing spline does not meet its s",
        next="choose another s, or fit with given knots",
    )


def times(bands: Any, c: Any, width: int) -> Any:
    """The product of a matrix given by diagonals."""
    n = len(c)
    y = np.zeros_like(c)
    for d in range(-width, width + 1):
        i = np.arange(max(0, d), min(n, n + d))
        y[i] += spread(bands[width + d, i - d], np.ndim(c) - 1) * c[i - d]
    return y


non_differentiable(log_factor_of, why="a start for `implicit.root`")


def smoothed(found: Any, x: Any, y: Any, weights: Any, s: Any, t: Any, k: int) -> Any:
    """The coefficients of FITPACK's smoothing spline"""
    start = log_factor_of(found, x, y, weights, s, t, k)
    log_factor = implicit.root(too_rough, start, x, y, weights, s, t, k)
    return penalised(x, y, weights, t, k, np.exp(log_factor) * jumps(t, k, np.size(t) - k - 1))


def ends_repeated(x: Any, xb: Any, xe: Any, k: int) -> tuple[Any, Any]:
    """The knots at both ends, of the sites where no ends are given."""
    first = x[np.zeros(k + 1, int)] if xb is None else np.full(k + 1, float(xb))
    last = x[np.full(k + 1, -1)] if xe is None else np.full(k + 1, float(xe))
    return first, last


def sites_of(t: Any, x: Any) -> tuple[Any, Any]:
    """The two sites that each knot is in the middle of, which are one where the knot is a site."""
    high = np.searchsorted(x, t)
    low = np.where(x[high] == t, high, high - 1)
    if not np.allclose((x[low] + x[high]) / 2.0, t, rtol=1e-14, atol=0.0):
        raise NotDifferentiableError(
            "FITPACK chose knots that are neither sites nor middles of two", next="fit with given knots"
        )
    return low, high


def fitpack(found: Any, x: Any, y: Any, weights: Any, s: Any, k: int, ier: int, xb: Any, xe: Any) -> Any:
    """Knots and coefficients of what FITPACK found: an interpolant, one polynomial, or a smoothing spline"""
    t, c = found
    first, last = ends_repeated(x, xb, xe, k)
    if ier == -1:
        knots = np.concatenate((first, chosen_knots(x, k, False)[k + 1 : -k - 1], last))
        return as_found(t, knots), through(c, knots, x, y, k=k, left=(), right=())
    if ier == -2:
        knots = np.concatenate((first, last))
        return as_found(t, knots), as_found(c, least_squares(x, y, weights, knots, k))
    own(met, ier)
    i, j = own(sites_of, t[k + 1 : -k - 1], x)
    knots = np.concatenate((first, (x[i] + x[j]) / 2.0, last))
    return as_found(t, knots), as_found(c, smoothed(c, x, y, weights, s, knots, k))


def met(ier: int) -> None:
    """Refuse a fit that did not come to its end."""
    if ier > 0:
        raise NotDifferentiableError(
            f"FITPACK did not find the smoothing spline: ier = {ier}", next="choose a larger s"
        )

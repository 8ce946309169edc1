"""Knots inserted into a spline: `insert`, by the knot, the knots and the coefficients.

The spline stays as it is, and so Boehm's coefficients move with the knot that is inserted and with those
around it. A knot belongs to the piece that begins there. What FITPACK leaves behind the coefficients, which
nothing reads, does not move. Refused by name: closed curves (`per`). [Boehm 1980]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import BSpline, insert

from ....core import Real
from ...written import as_found, own, written_out
from .bsplines import interval
from .fitpack import is_curve, only_value, whole
from .objects import holding
from .piecewise import floats
from .smooth_curves import held_by


def with_knot(t: Any, c: Any, k: int, x: Any) -> tuple[Any, Any]:
    """c_i = α_i c_i + (1 − α_i) c_{i−1}, α_i = (x − t_i)/(t_{i+k} − t_i)"""
    j = own(piece, t, c, k, x)
    near = own(np.arange, j - k + 1, j + 1)
    part = (x - t[near]) / (t[near + k] - t[near])
    part = np.reshape(part, (-1, *(1,) * (np.ndim(c) - 1)))
    moved = part * c[near] + (1.0 - part) * c[near - 1]
    return np.concatenate((t[: j + 1], np.stack([x]), t[j + 1 :])), np.concatenate(
        (c[: j - k + 1], moved, c[j:])
    )


def piece(t: Any, c: Any, k: int, x: Any) -> int:
    """The piece that a knot falls into."""
    return int(interval(t[: len(c) + k + 1], k, np.atleast_1d(x))[0])


def refined(t: Any, c: Any, k: int, x: Any, m: int) -> tuple[Any, Any]:
    """The knots and coefficients with a knot inserted m times"""
    for _ in range(m):
        t, c = with_knot(t, c, k, x)
    return t, c


def lengthened(c: Any, found: Any) -> Any:
    """Coefficients with zeros behind them."""
    behind = np.zeros((np.shape(found)[0] - np.shape(c)[0], *np.shape(c)[1:]))
    return as_found(found, np.concatenate((c, behind)))


@written_out(insert)
def insert_tuple(x: Real, tck: tuple | list, *, m=1, per=0):
    """The same spline with another knot"""
    only_value(insert, "per", per)
    whole(insert, tck)
    found = own(insert, x, tck, m)
    t, c, k = tck
    n, knots, at = np.size(t) - k - 1, floats(t), x * 1.0
    if is_curve(c):
        rows = [refined(knots, floats(row)[:n], k, at, m) for row in c]
        made = [lengthened(row, own_row) for (_, row), own_row in zip(rows, found[1], strict=True)]
        return as_found(found[0], rows[0][0]), made, k
    knots, values = refined(knots, floats(c)[:n], k, at, m)
    return as_found(found[0], knots), lengthened(values, found[1]), k


@written_out(insert)
def insert_object(x: Real, tck: BSpline, *, m=1, per=0):
    """The same spline with another knot"""
    only_value(insert, "per", per)
    found = own(insert, x, tck, m)
    t, c = refined(tck.t, tck.c[: np.size(tck.t) - tck.k - 1], tck.k, x * 1.0, m)
    at, values = own(held_by, found)
    return holding(found, ("t", "c"), as_found(at, t), lengthened(c, values))


@written_out(BSpline.insert_knot)
def insert_knot(self: BSpline, x: Real, *, m=1):
    """The same spline with another knot"""
    only_value(BSpline.insert_knot, "extrapolate", self.extrapolate == "periodic")
    found = own(BSpline.insert_knot, self, x, m)
    t, c = refined(self.t, self.c, self.k, x * 1.0, m)
    at, values = own(held_by, found)
    return holding(found, ("t", "c"), as_found(at, t), as_found(values, c))

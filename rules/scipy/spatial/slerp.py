"""Spherical interpolation: a `Slerp` holds times and rotations, and moves as they do.

A time that is given belongs to the piece that ends there, as SciPy has it.

See [Shoemake 1985].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from ....core import Array, frule, non_differentiable, rrule
from ....tangents import ZERO, from_fields
from ...written import written_out
from .quaternions import compose, exponential, inverse, logarithm
from .rotations import by_scipy, turned, turns


def through(made: Any, times: Any, timedelta: Any, turned: Any, rotvecs: Any) -> Any:
    """What SciPy made, which holds these times, rotations and rotation vectors."""
    return made


@frule(through)
def through_frule(
    tangents, made: Slerp, times: np.ndarray, timedelta: np.ndarray, turned: Rotation, rotvecs: np.ndarray
):
    """ẏ has the tangents of what it holds"""
    _, dt, dd, dr, dv = tangents
    y = through(made, times, timedelta, turned, rotvecs)
    return y, from_fields(Slerp, {"times": dt, "timedelta": dd, "rotations": dr, "rotvecs": dv})


@rrule(through)
def through_rrule(
    made: Slerp, times: np.ndarray, timedelta: np.ndarray, turned: Rotation, rotvecs: np.ndarray
):
    """What it holds has its cotangents"""

    def through_pullback(y_bar):
        return ZERO, y_bar.times, y_bar.timedelta, y_bar.rotations, y_bar.rotvecs

    return through(made, times, timedelta, turned, rotvecs), through_pullback


def piece(times: Any, at: Any, side: Any = "left") -> Any:
    """The piece that each time belongs to, at a knot the one on that side of it."""
    return np.clip(np.searchsorted(times, at, side=side) - 1, 0, len(times) - 2)


non_differentiable(piece, why="returns indices")


@written_out(Slerp)
def slerp(times: np.ndarray | list | tuple, rotations: Rotation):
    """r_i = log(R_i⁻¹ R_{i+1})"""
    made = by_scipy(Slerp, times, rotations)
    q = turns(rotations)
    rotvecs = logarithm(compose(inverse(q[:-1]), q[1:]), "Slerp")
    knots = np.asarray(times) * 1.0
    return through(made, knots, np.diff(knots), turned(made.rotations, q[:-1]), rotvecs)


@written_out(Slerp.__call__)
def slerp_call(self: Slerp, times: Array | list):
    """R_i exp(r_i (t − t_i)/(t_{i+1} − t_i))"""
    made, knots, at = by_scipy(Slerp.__call__, self, times), self.times, np.asarray(times) * 1.0
    i = piece(knots, at)
    share = np.expand_dims((at - knots[i]) / self.timedelta[i], -1)
    return turned(made, compose(turns(self.rotations)[i], exponential(self.rotvecs[i] * share)))

"""Rational functions through values: `FloaterHormannInterpolator`, by nodes, values and points.

The blend of polynomials of degree d in barycentric form (Floater & Hormann, Numer. Math. 107, 315 (2007)).
Numerator and denominator are multiplied by the distance to the nearest node, so that on a node nothing is
divided by zero and the derivatives are those of the function there. Values that are not finite are left out,
as SciPy does. Refused by name: points at infinity and nodes in the complex plane. An `AAA` has a derivative
by the points where it is called, and none by the data that it was made of.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import FloaterHormannInterpolator
from scipy.interpolate._bary_rational import _BarycentricRational as Rational

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .collocation import placed
from .cubic import in_front
from .objects import holding
from .piecewise import floats

_VALUES = Array | list


def kept(x: Any, y: Any) -> Any:
    """The places of the nodes that count, in ascending order."""
    if np.iscomplexobj(x):
        raise UnsupportedArgument(FloaterHormannInterpolator, "points", "complex", supported=["real nodes"])
    finite = np.flatnonzero(np.all(np.isfinite(np.reshape(y, (len(x), -1))), axis=1))
    _, first = np.unique(np.asarray(x)[finite], return_index=True)
    return finite[first]


def finite(z: Any) -> None:
    """Refuse points at infinity."""
    if np.any(np.isinf(z)):
        raise UnsupportedArgument(Rational.__call__, "z", "infinite", supported=["finite points"])


def nearest(z: Any, nodes: Any) -> Any:
    """The nearest node of each point, a row of truth values each."""
    at = np.argmin(np.abs(z[:, None] - nodes), axis=1)
    return at[:, None] == np.arange(len(nodes))


def form(interpolator: Any) -> tuple[tuple[int, ...], int]:
    """The shape of one value, and the axis of interpolation."""
    return tuple(interpolator._shape), interpolator._axis


non_differentiable(kept, finite, nearest, form, why="places, truth values and whole numbers")


def blend(nodes: Any, d: int) -> Any:
    """w_k = (−1)^(k−d) Σ_i Π_{j≠k} 1/|x_k − x_j|        Floater & Hormann (18)"""
    n = np.size(nodes)
    runs = np.arange(n - d)[:, None] + np.arange(d + 1)
    some = nodes[runs]
    apart = np.abs(some[:, :, None] - some[:, None, :] + np.eye(d + 1)) if d else np.ones((n, 1, 1))
    shares = np.reshape(1 / np.prod(apart, axis=-1), -1)
    signs = (-1.0) ** (np.arange(n) - d)
    return signs * placed(shares, at=np.reshape(runs, -1), shape=(n, 1))[:, 0]


@written_out(FloaterHormannInterpolator)
def floater_hormann(points: _VALUES, values: _VALUES, *, d=3, axis=0):
    """The object holds nodes, values and weights"""
    made = own(FloaterHormannInterpolator, points, values, d=d, axis=axis)
    inner = in_front(values, axis)
    at = own(kept, points, inner)
    nodes = floats(points)[at]
    names = ("_support_points", "_support_values", "weights")
    return holding(made, names, nodes, inner[at], blend(nodes, d))


@written_out(Rational.__call__)
def rational_call(self: Rational, z: _VALUES):
    """y = Σ w_k f_k/(z − x_k) / Σ w_k/(z − x_k), both times z − x_p of the nearest node x_p"""
    own(Rational.__call__, self, z)
    at = floats(z)
    shape, at = np.shape(at), np.reshape(at, -1)
    finite(at)
    nodes, w = self._support_points, self.weights
    f = np.reshape(self._support_values, (np.shape(nodes)[0], -1))
    near = nearest(at, nodes)
    apart = at[:, None] - nodes
    others = np.where(near, 0.0, w / np.where(near, 1.0, apart))
    step = np.sum(np.where(near, apart, 0.0), axis=1)
    own_weight = np.where(near, w, 0.0)
    above = own_weight @ f + step[:, None] * (others @ f)
    below = np.sum(own_weight, axis=1) + step * np.sum(others, axis=1)
    trailing, axis = form(self)
    y = np.reshape(above / below[:, None], (*shape, *trailing))
    return np.moveaxis(y, 0, axis) if shape else y

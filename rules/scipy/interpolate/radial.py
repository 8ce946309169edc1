"""Radial basis functions: `RBFInterpolator`, by values, data points, smoothing, epsilon and points.

The coefficients solve the system of the kernels between data points, bordered by a polynomial's monomials.
Shift and scale of these leave the surface as it is, and count as constants. With `neighbors`, each point
has the system of its nearest data points; which these are is held constant, so that at a tie the
derivative is that of SciPy's choice. On a data point the derivatives are those that `kernels` decides.
Not here: the older `Rbf`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import RBFInterpolator
from scipy.spatial import KDTree

from ....core import Array, non_differentiable
from ....tangents import construct
from ....tangents.structure import fields
from ...written import as_found, own, written_out
from .kernels import KERNELS
from .objects import holding
from .piecewise import floats

_POINTS = np.ndarray | list


@construct.register(RBFInterpolator)
def make_radial(P: Any, values: Any, like: Any) -> Any:
    """An object of these values, as `move` makes it, with the tree of its data points."""
    made = P.__new__(P)
    vars(made).update(fields(like) | values)
    if made.neighbors is not None:
        made._tree = KDTree(made.y)
    return made


def form_of(interpolator: Any) -> tuple[Any, Any, Any]:
    """The kernel of the squared distance, the powers of the monomials, and how many neighbours count."""
    return KERNELS[interpolator.kernel], interpolator.powers, interpolator.neighbors


def paired(interpolator: Any) -> bool:
    """Whether columns are real and imaginary parts beside one another."""
    return bool(np.issubdtype(interpolator.d_dtype, np.complexfloating))


non_differentiable(form_of, paired, why="a function, whole numbers, a truth value")


def squares(x: Any, y: Any, epsilon: Any) -> Any:
    """ε² |x_i − y_j|², for points in rows"""
    apart = epsilon * (x[..., :, None, :] - y[..., None, :, :])
    return np.sum(apart * apart, axis=-1)


def monomials(x: Any, shift: Any, scale: Any, powers: Any) -> Any:
    """Π ((x − shift)/scale)^p"""
    at = (x - shift) / scale
    return np.prod(at[..., None, :] ** powers, axis=-1)


def coefficients(
    kernel: Any, y: Any, d: Any, smoothing: Any, epsilon: Any, shift: Any, scale: Any, powers: Any
) -> Any:
    """(K + Λ) a + P b = d, Pᵀ a = 0        of one or several systems"""
    n, r = np.shape(y)[-2], len(powers)
    # a data point and itself: their distance stays zero
    alone = np.eye(n)
    matrix = np.where(alone > 0, kernel(np.zeros(1)), kernel(squares(y, y, epsilon) + alone))
    matrix = matrix + smoothing[..., None] * alone
    border = monomials(y, shift, scale, powers)
    none = np.zeros((*np.shape(y)[:-2], r, r))
    above = np.concatenate((matrix, border), axis=-1)
    below = np.concatenate((np.swapaxes(border, -1, -2), none), axis=-1)
    right = np.concatenate((d, np.zeros((*np.shape(d)[:-2], r, np.shape(d)[-1]))), axis=-2)
    return np.linalg.solve(np.concatenate((above, below), axis=-2), right)


def side_by_side(d: Any) -> Any:
    """Values as columns, real and imaginary parts beside one another"""
    columns = np.reshape(d, (np.shape(d)[0], -1))
    if not np.iscomplexobj(d):
        return columns
    return np.reshape(np.stack((columns.real, columns.imag), axis=-1), (np.shape(d)[0], -1))


def held(made: Any) -> Any:
    """Shift and scale of the monomials, and the coefficients."""
    return made._shift, made._scale, made._coeffs


@written_out(RBFInterpolator)
def radial(
    y: _POINTS,
    d: Array | list,
    smoothing: Array | list = 0.0,
    epsilon: Array | None = None,
    *,
    neighbors=None,
    kernel="thin_plate_spline",
    degree=None,
):
    """The object holds data points, values, smoothing, epsilon and, of one system, the coefficients"""
    made = own(RBFInterpolator, y, d, neighbors, smoothing, kernel, epsilon, degree)
    at, values = floats(y), side_by_side(floats(d))
    smooth = floats(smoothing) + np.zeros(np.shape(at)[0])
    factor = 1.0 if epsilon is None else epsilon * 1.0
    names = ("y", "d", "smoothing", "epsilon")
    if neighbors is not None:
        return holding(made, names, at, values, smooth, factor)
    shift, scale, found = own(held, made)
    function, powers, _ = form_of(made)
    c = coefficients(function, at, values, smooth, factor, shift, scale, powers)
    return holding(made, (*names, "_coeffs"), at, values, smooth, factor, as_found(found, c))


def nearest(interpolator: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """The sets of nearest data points, which one each point has, and shift and scale of each."""
    _, found = interpolator._tree.query(x, interpolator.neighbors)
    found = np.sort(np.reshape(found, (len(x), interpolator.neighbors)), axis=1)
    sets, which = np.unique(found, return_inverse=True, axis=0)
    low, high = interpolator.y[sets].min(axis=1), interpolator.y[sets].max(axis=1)
    scale = np.where(high == low, 1.0, (high - low) / 2)
    return sets, np.reshape(which, -1), ((high + low) / 2)[:, None], scale[:, None]


non_differentiable(nearest, why="the selection is held constant")


@written_out(RBFInterpolator.__call__)
def radial_call(self: RBFInterpolator, x: _POINTS):
    """z = Σ_j a_j k(ε² |x − y_j|²) + Σ_m b_m P_m(x)"""
    own(RBFInterpolator.__call__, self, x)
    at = floats(x)
    kernel, powers, neighbors = form_of(self)
    if neighbors is None:
        parts = (kernel(squares(at, self.y, self.epsilon)), monomials(at, self._shift, self._scale, powers))
        z = np.concatenate(parts, axis=-1) @ self._coeffs
    else:
        sets, which, shift, scale = nearest(self, at)
        near = self.y[sets]
        smooth = self.smoothing[sets]
        c = coefficients(kernel, near, self.d[sets], smooth, self.epsilon, shift, scale, powers)
        one = at[:, None]
        parts = (
            kernel(squares(one, near[which], self.epsilon)),
            monomials(one, shift[which], scale[which], powers),
        )
        z = np.matmul(np.concatenate(parts, axis=-1), c[which])[:, 0]
    if paired(self):
        z = z[:, 0::2] + 1j * z[:, 1::2]
    return np.reshape(z, (np.shape(at)[0], *self.d_shape))

"""Uniform and Gaussian filters: correlations along one axis after another, and by the width of a Gaussian.

The radius at which a Gaussian is cut off is a step of its width, so that it is held constant. A width of
zero leaves an axis as it is, as SciPy does, and has no derivative by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import Array, non_differentiable
from ...written import written_out
from .arguments import along, delivered, dtype_of, each, one
from .correlation import correlate1d


def radius_of(sigma: Any, truncate: Any, radius: Any) -> int:
    """Where a Gaussian is cut off."""
    return int(truncate * float(sigma) + 0.5) if radius is None else int(radius)


def rising(order: int) -> Any:
    """The matrix of a derivative of a polynomial, by its coefficients."""
    return np.diag(np.arange(1.0, order + 1), 1)


def lowering(order: int) -> Any:
    """The matrix of a product of a polynomial with x, cut off at its degree."""
    return np.diag(np.ones(order), -1)


non_differentiable(radius_of, rising, lowering, why="computes with sizes alone")


def gaussian(sigma: Any, order: int, radius: int) -> Any:
    """The samples of exp(−x²/2σ²), their sum one, or of a derivative: of q φ it is (q′ − q x/σ²) φ"""
    x = np.arange(-radius, radius + 1)
    phi = np.exp(-0.5 / (sigma * sigma) * x**2)
    phi = phi / np.sum(phi)
    if order == 0:
        return phi
    q = np.eye(order + 1)[0]
    for _ in range(order):
        q = rising(order) @ q - (lowering(order) @ q) / (sigma * sigma)
    return (x[:, None] ** np.arange(order + 1) @ q) * phi


@written_out(ndimage.gaussian_filter1d)
def gaussian_filter1d(
    input: np.ndarray | list,
    sigma: Array | list | tuple,
    *,
    axis=-1,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    radius=None,
):
    """y = φ_σ ⋆ x along one axis"""
    weights = np.flip(gaussian(sigma, order, radius_of(sigma, truncate, radius)))
    return correlate1d(input, weights, axis=axis, output=output, mode=mode, cval=cval)


@written_out(ndimage.gaussian_filter)
def gaussian_filter(
    input: np.ndarray | list,
    sigma: Array | list | tuple,
    *,
    order=0,
    output=None,
    mode="reflect",
    cval=0.0,
    truncate=4.0,
    radius=None,
    axes=None,
):
    """y = φ_σ ⋆ x along each axis"""
    y = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.gaussian_filter", output, y), along(axes, y.ndim)
    orders, modes = each(order, len(axes)), each(mode, len(axes))
    radiuses = each(radius, len(axes))
    for i in range(len(axes)):
        width = one(sigma, i)
        if width > 1e-15:
            y = gaussian_filter1d(
                y,
                width,
                axis=axes[i],
                order=orders[i],
                mode=modes[i],
                cval=cval,
                truncate=truncate,
                radius=radiuses[i],
            )
    return delivered(y, dtype)


@written_out(ndimage.uniform_filter1d)
def uniform_filter1d(
    input: np.ndarray | list, *, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """The mean of so many neighbours along one axis"""
    weights = np.full(int(size), 1.0 / int(size))
    return correlate1d(input, weights, axis=axis, output=output, mode=mode, cval=cval, origin=origin)


@written_out(ndimage.uniform_filter)
def uniform_filter(
    input: np.ndarray | list, *, size=3, output=None, mode="reflect", cval=0.0, origin=0, axes=None
):
    """The mean of a box of neighbours"""
    y = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.uniform_filter", output, y), along(axes, y.ndim)
    sizes, modes, origins = each(size, len(axes)), each(mode, len(axes)), each(origin, len(axes))
    for i in range(len(axes)):
        y = uniform_filter1d(y, size=sizes[i], axis=axes[i], mode=modes[i], cval=cval, origin=origins[i])
    return delivered(y, dtype)

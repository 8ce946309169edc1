"""Uniform and Gaussian filters: correlations along one axis after another, and by the width of a Gaussian.

The radius at which a Gaussian is cut off is a step of its width, so that it is held constant. A width of
zero leaves an axis as it is, as SciPy does, and has no derivative by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import Array, non_differentiable
from ...linear import fresh, transpose_of
from ...written import written_out
from .arguments import along, as_floats, delivered, dtype_of, each, one
from .correlation import (
    along_line,
    are_periods,
    are_reflected,
    correlate1d,
    opposite,
    where_folded,
    widths_of,
)
from .edges import extended, folded


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
    weights = gaussian(sigma, order, radius_of(sigma, truncate, radius))
    if order % 2:
        return correlate1d(input, np.flip(weights), axis=axis, output=output, mode=mode, cval=cval)
    x = np.asarray(input)
    dtype, (axis,) = dtype_of("scipy.ndimage.gaussian_filter1d", output, x), along(axis, np.ndim(x))
    return delivered(along_line(as_floats(x), weights, axis, mode, cval), dtype)


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
    x = np.asarray(input)
    y = x
    dtype, axes = dtype_of("scipy.ndimage.gaussian_filter", output, x), along(axes, np.ndim(x))
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
                output=dtype,
                mode=modes[i],
                cval=cval,
                truncate=truncate,
                radius=radiuses[i],
            )
    return delivered(fresh(y, x), dtype)


def mean_along(x: Any, *, size: int, axis: int, mode: str, cval: Any, origin: int) -> Any:
    """The mean of so many neighbours along one axis, by running sums."""
    return ndimage.uniform_filter1d(x, size, axis, mode=mode, cval=cval, origin=origin)


def around(size: int, axis: int, origin: int, ndim: int, mode: str) -> tuple[tuple[int, int], ...]:
    """How far the mean reaches beyond the edges."""
    (each,) = where_folded(widths_of((size,), (origin,)), (mode,))
    return tuple(each if i == axis else (0, 0) for i in range(ndim))


non_differentiable(around, why="computes with sizes alone")


@transpose_of(mean_along, cval=0.0)
def mean_along_transposed(y_bar, x: np.ndarray, *, size, axis, mode, cval, origin):
    """y = M x        ẏ = M ẋ,  x̄ = the means of ȳ, zeros beyond it, folded back"""
    (turned,) = opposite((size,), (origin,))
    if are_periods((mode,)) or (size % 2 and origin == 0 and are_reflected((mode,))):
        return mean_along(y_bar, size=size, axis=axis, mode=mode, cval=0.0, origin=turned)
    widths, zeros = around(size, axis, origin, np.ndim(y_bar), mode), ("constant",) * np.ndim(y_bar)
    far = extended(y_bar, widths=widths, modes=zeros)
    back = mean_along(far, size=size, axis=axis, mode="constant", cval=0.0, origin=turned)
    return folded(back, widths=widths, modes=(mode,) * np.ndim(y_bar))


@written_out(ndimage.uniform_filter1d)
def uniform_filter1d(
    input: np.ndarray | list, *, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """The mean of so many neighbours along one axis"""
    x = np.asarray(input)
    dtype, (axis,) = dtype_of("scipy.ndimage.uniform_filter1d", output, x), along(axis, np.ndim(x))
    y = mean_along(as_floats(x), size=int(size), axis=axis, mode=mode, cval=cval, origin=origin)
    return delivered(y, dtype)


@written_out(ndimage.uniform_filter)
def uniform_filter(
    input: np.ndarray | list, *, size=3, output=None, mode="reflect", cval=0.0, origin=0, axes=None
):
    """The mean of a box of neighbours"""
    x = np.asarray(input)
    y = x
    dtype, axes = dtype_of("scipy.ndimage.uniform_filter", output, x), along(axes, np.ndim(x))
    sizes, modes, origins = each(size, len(axes)), each(mode, len(axes)), each(origin, len(axes))
    for i in range(len(axes)):
        if sizes[i] > 1:
            y = as_floats(y)
            y = mean_along(y, size=int(sizes[i]), axis=axes[i], mode=modes[i], cval=cval, origin=origins[i])
            y = delivered(y, dtype)
    return delivered(fresh(y, x), dtype)

"""Slopes and Laplacians of images: sums, and lengths, of correlations along the axes.

The length of a gradient that vanishes has no derivative; there the derivative is zero, as for
`np.linalg.norm`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import ndimage

from ....core import non_differentiable
from ...linear import fresh
from ...written import written_out
from .arguments import along, as_floats, delivered, dtype_of, each
from .correlation import along_line, correlate1d
from .smoothing import gaussian_filter


def _slope(function: str, across: list[int], x: Any, axis: int, output: Any, mode: Any, cval: Any) -> Any:
    x = np.asarray(x)
    dtype, modes = dtype_of(function, output, x), each(mode, np.ndim(x))
    (axis,) = along(axis, np.ndim(x))
    y = correlate1d(x, np.array([-1, 0, 1]), axis=axis, output=dtype, mode=modes[axis], cval=cval)
    for other in range(np.ndim(x)):
        if other != axis:
            y = delivered(along_line(as_floats(y), np.array(across), other, modes[other], cval), dtype)
    return y


@written_out(ndimage.prewitt)
def prewitt(input: np.ndarray | list, *, axis=-1, output=None, mode="reflect", cval=0.0):
    """Differences along one axis, sums along the others"""
    return _slope("scipy.ndimage.prewitt", [1, 1, 1], input, axis, output, mode, cval)


@written_out(ndimage.sobel)
def sobel(input: np.ndarray | list, *, axis=-1, output=None, mode="reflect", cval=0.0):
    """Differences along one axis, weighted sums along the others"""
    return _slope("scipy.ndimage.sobel", [1, 2, 1], input, axis, output, mode, cval)


def named(keywords: Any) -> dict[str, Any]:
    """Keywords for a function of the caller's, none for None."""
    return {} if keywords is None else dict(keywords)


non_differentiable(named, why="computes with options alone")


def length(squares: Any) -> Any:
    """√s, with a derivative of zero where s is."""
    return np.where(squares > 0, np.sqrt(np.where(squares > 0, squares, 1.0)), 0.0)


@written_out(ndimage.generic_laplace)
def generic_laplace(
    input: np.ndarray | list,
    derivative2: Callable,
    *,
    output=None,
    mode="reflect",
    cval=0.0,
    extra_arguments=(),
    extra_keywords=None,
    axes=None,
):
    """Σ ∂²x/∂xᵢ², by the caller's second derivatives"""
    x = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.generic_laplace", output, x), along(axes, np.ndim(x))
    modes = each(mode, len(axes))
    y = x
    for i in range(len(axes)):
        part = derivative2(x, axes[i], dtype, modes[i], cval, *extra_arguments, **named(extra_keywords))
        y = part if i == 0 else y + part
    return delivered(fresh(y, x), dtype)


@written_out(ndimage.generic_gradient_magnitude)
def generic_gradient_magnitude(
    input: np.ndarray | list,
    derivative: Callable,
    *,
    output=None,
    mode="reflect",
    cval=0.0,
    extra_arguments=(),
    extra_keywords=None,
    axes=None,
):
    """√Σ (∂x/∂xᵢ)², by the caller's derivatives"""
    x = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.generic_gradient_magnitude", output, x), along(axes, np.ndim(x))
    modes = each(mode, len(axes))
    squares = x
    for i in range(len(axes)):
        part = derivative(x, axes[i], dtype, modes[i], cval, *extra_arguments, **named(extra_keywords))
        squares = part * part if i == 0 else squares + part * part
    return delivered(length(squares) if len(axes) else np.copy(x), dtype)


@written_out(ndimage.laplace)
def laplace(input: np.ndarray | list, *, output=None, mode="reflect", cval=0.0, axes=None):
    """Σ of second differences along the axes"""
    x = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.laplace", output, x), along(axes, np.ndim(x))
    modes = each(mode, len(axes))
    y = x
    for i in range(len(axes)):
        part = along_line(as_floats(x), np.array([1.0, -2.0, 1.0]), axes[i], modes[i], cval)
        part = delivered(part, dtype)
        y = part if i == 0 else y + part
    return delivered(fresh(y, x), dtype)


def orders(ndim: int, axis: int, order: int) -> list[int]:
    """The order of a derivative along each axis, where it is taken along one."""
    return [order if i == axis else 0 for i in range(ndim)]


non_differentiable(orders, why="computes with options alone")


def widths(sigma: Any, axes: tuple[int, ...], ndim: int) -> Any:
    """A width for every axis, zero for those that are not filtered."""
    given = [sigma] * len(axes) if np.ndim(sigma) == 0 else sigma
    return [given[axes.index(i)] if i in axes else 0.0 for i in range(ndim)]


@written_out(ndimage.gaussian_laplace)
def gaussian_laplace(
    input: np.ndarray | list,
    sigma: object,
    *,
    output=None,
    mode="reflect",
    cval=0.0,
    axes=None,
    truncate=4.0,
    radius=None,
):
    """Σ of second derivatives of φ_σ ⋆ x"""
    x = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.gaussian_laplace", output, x), along(axes, np.ndim(x))
    modes, given = each(mode, len(axes)), widths(sigma, axes, np.ndim(x))
    y = x
    for i in range(len(axes)):
        order = orders(np.ndim(x), axes[i], 2)
        part = gaussian_filter(
            x, given, order=order, output=dtype, mode=modes[i], cval=cval, truncate=truncate, radius=radius
        )
        y = part if i == 0 else y + part
    return delivered(fresh(y, x), dtype)


@written_out(ndimage.gaussian_gradient_magnitude)
def gaussian_gradient_magnitude(
    input: np.ndarray | list,
    sigma: object,
    *,
    output=None,
    mode="reflect",
    cval=0.0,
    axes=None,
    truncate=4.0,
    radius=None,
):
    """The length of the gradient of φ_σ ⋆ x"""
    x = np.asarray(input)
    dtype = dtype_of("scipy.ndimage.gaussian_gradient_magnitude", output, x)
    axes = along(axes, np.ndim(x))
    modes = each(mode, len(axes))
    squares = x
    for i in range(len(axes)):
        order = orders(np.ndim(x), axes[i], 1)
        part = gaussian_filter(
            x, sigma, order=order, output=dtype, mode=modes[i], cval=cval, truncate=truncate, radius=radius
        )
        squares = part * part if i == 0 else squares + part * part
    return delivered(length(squares) if len(axes) else np.copy(x), dtype)

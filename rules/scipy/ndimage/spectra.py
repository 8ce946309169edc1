"""Filters of Fourier transforms: products with a window that depends on a width, a size or a shift.

The transform of a real array keeps half of the last axis that is named; `n` is then the length of the
array itself. The ellipsoid's window is linear in the spectrum; a derivative by its size is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import non_differentiable
from ...linear import transpose_of
from ...numpy.adjoints import conj
from ...written import written_out
from .arguments import along, delivered, dtype_of, one


def frequencies(shape: tuple[int, ...], n: Any, axis: int) -> list[Any]:
    """The frequency along each axis, in cycles a sample, shaped to be spread over the others."""
    (axis,) = along(axis, len(shape))
    found = []
    for i, length in enumerate(shape):
        k = np.arange(length, dtype=float)
        if i == axis and n is not None and n >= 0:
            f = k / n
        else:
            f = np.where(k < (length + 1) // 2, k, k - length) / length
        found.append(f.reshape((*(1,) * i, length, *(1,) * (len(shape) - i - 1))))
    return found


non_differentiable(frequencies, why="computes with shapes alone")


def dtype_out(function: str, output: Any, x: Any) -> Any:
    """Double precision where nothing else is asked for, as SciPy has it."""
    dtype = dtype_of(function, output, x)
    return dtype if output is not None or dtype.kind in "fc" else np.dtype(float)


def complex_of(function: str, output: Any, x: Any) -> Any:
    """The complex dtype of a result: that of a complex argument, double precision of a real one."""
    if output is None:
        return x.dtype if x.dtype.kind == "c" else np.dtype(complex)
    return dtype_of(function, output, np.zeros((), complex))


non_differentiable(dtype_out, complex_of, why="computes with options alone")


@written_out(ndimage.fourier_gaussian)
def fourier_gaussian(input: np.ndarray | list, sigma: object, *, n=-1, axis=-1, output=None):
    """y = x exp(−2 π² σ² f²)"""
    y = np.asarray(input)
    dtype = dtype_out("scipy.ndimage.fourier_gaussian", output, y)
    where = frequencies(np.shape(y), n, axis)
    for i in range(len(where)):
        y = y * np.exp((-2.0 * np.pi**2) * (one(sigma, i) * where[i]) ** 2)
    return delivered(y, dtype)


@written_out(ndimage.fourier_uniform)
def fourier_uniform(input: np.ndarray | list, size: object, *, n=-1, axis=-1, output=None):
    """y = x sin(π s f) / (π s f)"""
    y = np.asarray(input)
    dtype = dtype_out("scipy.ndimage.fourier_uniform", output, y)
    where = frequencies(np.shape(y), n, axis)
    for i in range(len(where)):
        y = y * np.sinc(one(size, i) * where[i])
    return delivered(y, dtype)


@written_out(ndimage.fourier_shift)
def fourier_shift(input: np.ndarray | list, shift: object, *, n=-1, axis=-1, output=None):
    """y = x exp(−2πi s f)"""
    y = np.asarray(input)
    dtype = complex_of("scipy.ndimage.fourier_shift", output, y)
    where = frequencies(np.shape(y), n, axis)
    for i in range(len(where)):
        y = y * np.exp((-2j * np.pi) * (one(shift, i) * where[i]))
    return delivered(y, dtype)


def ellipsoid(x: Any, *, size: Any, n: Any = -1, axis: Any = -1) -> Any:
    """The spectrum times the window of an ellipsoid."""
    return ndimage.fourier_ellipsoid(x, size, n, axis)


@transpose_of(ellipsoid)
def ellipsoid_transposed(y_bar, x: np.ndarray, *, size, n=-1, axis=-1):
    """y = w x        ẏ = w ẋ,  x̄ = w ȳ, since the window is real"""
    return conj(ellipsoid(conj(y_bar), size=size, n=n, axis=axis))


@written_out(ndimage.fourier_ellipsoid)
def fourier_ellipsoid(input: np.ndarray | list, *, size, n=-1, axis=-1, output=None):
    """y = x times the transform of an ellipsoid"""
    y = np.asarray(input)
    dtype = dtype_out("scipy.ndimage.fourier_ellipsoid", output, y)
    return delivered(ellipsoid(y, size=size, n=n, axis=axis), dtype)

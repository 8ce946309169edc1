"""Fourier transforms of complex, real and Hermitian arrays, along one axis and several.

The adjoint of a transform is the opposite one with its factor where the transform had it, so that `norm`
changes sides. What a length cut off has a cotangent of zero, and what it padded none. Of a half spectrum
an entry that stands for two counts twice; the imaginary parts that a real output ignores have a cotangent
of zero. A permission to overwrite the argument is not taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft

from ....core import non_differentiable
from ...half_spectra import halves
from ...linear import transpose_of
from ...numpy.adjoints import conj
from ...numpy.axes import axis_of
from ...numpy.fourier import other_side, resized


def lines(shape: tuple[int, ...], s: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes that a transform of several runs along, and what it cuts or pads them to.

    Example: >>> lines((2, 3, 4), (5, -1), None)
             ((1, 2), (5, 4))
    """
    sizes = None if s is None else tuple(np.atleast_1d(s).tolist())
    if axes is None:
        axes = range(len(shape)) if sizes is None else range(len(shape) - len(sizes), len(shape))
    along = tuple(axis_of(axis, len(shape)) for axis in np.atleast_1d(axes).tolist())
    given = (-1,) * len(along) if sizes is None else sizes
    return along, tuple(shape[axis] if n == -1 else int(n) for axis, n in zip(along, given, strict=True))


def real_length(shape: tuple[int, ...], s: Any, axis: int) -> int:
    """The length of a real array whose half spectrum is given, along the last axis of its transform."""
    return 2 * (shape[axis] - 1) if s is None or s == -1 else int(s)


def last_of(s: Any) -> Any:
    """The last of several lengths."""
    return None if s is None else np.atleast_1d(s).tolist()[-1]


non_differentiable(lines, real_length, last_of, why="computes with lengths and axes alone")


def fitted(x: Any, like: Any, along: Any) -> Any:
    """x cut off or padded with zeros to the lengths that an argument had."""
    for axis in along:
        x = resized(x, np.shape(like)[axis], axis)
    return x


@transpose_of(fft.fftn)
def fftn(y_bar, x: np.ndarray, *, s=None, axes=None, norm=None, overwrite_x=False, workers=None, plan=None):
    """y = F x        ẏ = F ẋ,  x̄ = Fᴴ ȳ"""
    along, _ = lines(np.shape(x), s, axes)
    return fitted(fft.ifftn(y_bar, axes=along, norm=other_side(norm), workers=workers), x, along)


@transpose_of(fft.ifftn)
def ifftn(y_bar, x: np.ndarray, *, s=None, axes=None, norm=None, overwrite_x=False, workers=None, plan=None):
    """y = F⁻¹ x        ẏ = F⁻¹ ẋ,  x̄ = F⁻ᴴ ȳ"""
    along, _ = lines(np.shape(x), s, axes)
    return fitted(fft.fftn(y_bar, axes=along, norm=other_side(norm), workers=workers), x, along)


@transpose_of(fft.rfftn)
def rfftn(y_bar, x: np.ndarray, *, s=None, axes=None, norm=None, overwrite_x=False, workers=None, plan=None):
    """y = half of F x, for real x        ẏ = half of F ẋ,  x̄ = Re Fᴴ ȳ, with zeros for the other half"""
    along, sizes = lines(np.shape(x), s, axes)
    weights = halves(np.shape(y_bar)[along[-1]], sizes[-1], along[-1], np.ndim(x), y_bar.dtype)
    x_bar = fft.irfftn(weights * y_bar, sizes, along, other_side(norm), workers=workers)
    return fitted(x_bar, x, along)


@transpose_of(fft.irfftn)
def irfftn(y_bar, x: np.ndarray, *, s=None, axes=None, norm=None, overwrite_x=False, workers=None, plan=None):
    """y = F⁻¹ of x and its mirror image, real        x̄ = half of F⁻ᴴ ȳ, what stands for two doubled"""
    along, _ = lines(np.shape(x), s, axes)
    half = fft.rfftn(y_bar, axes=along, norm=other_side(norm), workers=workers)
    size = real_length(np.shape(x), last_of(s), along[-1])
    weights = halves(np.shape(half)[along[-1]], size, along[-1], np.ndim(x), half.dtype)
    return fitted(half / weights, x, along)


@transpose_of(fft.hfftn)
def hfftn(y_bar, x: np.ndarray, *, s=None, axes=None, norm=None, overwrite_x=False, workers=None, plan=None):
    """y = F of conj x and its mirror image, real        ẏ likewise,  x̄ = the conjugate of irfftn's"""
    return conj(irfftn(y_bar, x, s=s, axes=axes, norm=other_side(norm), workers=workers))


@transpose_of(fft.ihfftn)
def ihfftn(y_bar, x: np.ndarray, *, s=None, axes=None, norm=None, overwrite_x=False, workers=None, plan=None):
    """y = the conjugate of half of F⁻¹ x, for real x        ẏ likewise,  x̄ = rfftn's, of conj ȳ"""
    return rfftn(conj(y_bar), x, s=s, axes=axes, norm=other_side(norm), workers=workers)


def _in_planes(of: Any, name: str) -> Any:
    def plane(
        y_bar, x: np.ndarray, *, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, plan=None
    ):
        return of(y_bar, x, s=s, axes=axes, norm=norm, workers=workers)

    plane.__name__, plane.__doc__ = name, of.__doc__
    return plane


def _in_lines(of: Any, name: str) -> Any:
    def line(y_bar, x: np.ndarray, *, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, plan=None):
        return of(y_bar, x, s=n, axes=axis, norm=norm, workers=workers)

    line.__name__, line.__doc__ = name, of.__doc__
    return line


for _of in (fftn, ifftn, rfftn, irfftn, hfftn, ihfftn):
    _stem = _of.__name__.removesuffix("n")
    transpose_of(getattr(fft, f"{_stem}2"))(_in_planes(_of, f"{_stem}2"))
    transpose_of(getattr(fft, _stem))(_in_lines(_of, _stem))

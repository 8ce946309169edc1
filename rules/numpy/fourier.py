"""Fourier transforms: the sixteen functions of `numpy.fft` that move data, and their frequencies.

All are linear. The adjoint of a transform is the opposite one with its factor where the transform had
it, so that `norm` changes sides; what a length cut off has a cotangent of zero, and what it padded none.
Transforms of real input keep half of the spectrum: an entry that stands for two counts twice. The
imaginary parts that a real output ignores have a cotangent of zero. Absent: `out=`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, Real, frule, non_differentiable, rrule
from ..half_spectra import halves
from ..written import own, written_out
from .adjoints import conj
from .axes import axes_of, axis_of


def other_side(norm: Any) -> Any:
    """The `norm` that scales the opposite transform as this one scales its own.

    Example: >>> other_side("backward")
             'forward'
    """
    return {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}[norm]


def lengths(
    shape: tuple[int, ...], s: Any, axes: Any, halved: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The length and axis of each transform of several."""
    if axes is None:
        axes = tuple(range(-len(shape if s is None else s), 0))
    given = [-1] * len(axes) if s is None else s
    sizes = [shape[axis] if n == -1 else int(n) for n, axis in zip(given, axes, strict=True)]
    if halved and s is None:
        sizes[-1] = 2 * (shape[axes[-1]] - 1)
    return tuple(sizes), tuple(axes)


non_differentiable(other_side, lengths, why="computes with lengths and axes alone")


def resized(x: Any, length: int, axis: int) -> Any:
    """x cut off or padded with zeros to a length along one axis."""
    n = np.shape(x)[axis]
    if n == length:
        return x
    before = (slice(None),) * axis
    if n > length:
        return x[(*before, slice(length))]
    shape = np.shape(x)
    padding = np.zeros((*shape[:axis], length - n, *shape[axis + 1 :]), dtype=x.dtype)
    return np.concatenate((x, padding), axis=axis)


@frule(np.fft.fft)
def fft_frule(tangents, a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = F a        ẏ = F ȧ"""
    return np.fft.fft(a, n, axis, norm), np.fft.fft(tangents[0], n, axis, norm)


@rrule(np.fft.fft)
def fft_rrule(a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = F a        ā = Fᴴ ȳ"""
    along = axis_of(axis, np.ndim(a))
    length = np.shape(a)[along]

    def fft_pullback(y_bar):
        return resized(np.fft.ifft(y_bar, None, along, other_side(norm)), length, along)

    return np.fft.fft(a, n, axis, norm), fft_pullback


@frule(np.fft.ifft)
def ifft_frule(tangents, a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = F⁻¹ a        ẏ = F⁻¹ ȧ"""
    return np.fft.ifft(a, n, axis, norm), np.fft.ifft(tangents[0], n, axis, norm)


@rrule(np.fft.ifft)
def ifft_rrule(a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = F⁻¹ a        ā = F⁻ᴴ ȳ"""
    along = axis_of(axis, np.ndim(a))
    length = np.shape(a)[along]

    def ifft_pullback(y_bar):
        return resized(np.fft.fft(y_bar, None, along, other_side(norm)), length, along)

    return np.fft.ifft(a, n, axis, norm), ifft_pullback


@frule(np.fft.rfft)
def rfft_frule(tangents, a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = half of F a, for real a        ẏ = half of F ȧ"""
    return np.fft.rfft(a, n, axis, norm), np.fft.rfft(tangents[0], n, axis, norm)


@rrule(np.fft.rfft)
def rfft_rrule(a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = half of F a, for real a        ā = Re Fᴴ ȳ, with zeros for the other half"""
    along = axis_of(axis, np.ndim(a))
    length = np.shape(a)[along]
    size = length if n is None else n
    y = np.fft.rfft(a, n, axis, norm)

    def rfft_pullback(y_bar):
        weights = halves(size // 2 + 1, size, along, np.ndim(y_bar), y_bar.dtype)
        a_bar = np.fft.irfft(weights * y_bar, size, along, other_side(norm))
        return resized(a_bar, length, along)

    return y, rfft_pullback


@frule(np.fft.irfft)
def irfft_frule(tangents, a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = F⁻¹ of a and its mirror image, real        ẏ likewise"""
    return np.fft.irfft(a, n, axis, norm), np.fft.irfft(tangents[0], n, axis, norm)


@rrule(np.fft.irfft)
def irfft_rrule(a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = F⁻¹ of a and its mirror image, real        ā = half of F⁻ᴴ ȳ, what stands for two doubled"""
    along = axis_of(axis, np.ndim(a))
    length = np.shape(a)[along]
    size = 2 * (length - 1) if n is None else n
    y = np.fft.irfft(a, n, axis, norm)

    def irfft_pullback(y_bar):
        half = np.fft.rfft(y_bar, size, along, other_side(norm))
        weights = halves(size // 2 + 1, size, along, np.ndim(half), half.dtype)
        return resized(half / weights, length, along)

    return y, irfft_pullback


@written_out(np.fft.hfft)
def hfft(a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = F of conj(a) and its mirror image, real"""
    return np.fft.irfft(conj(a), n, axis, other_side(norm))


@written_out(np.fft.ihfft)
def ihfft(a: np.ndarray, *, n=None, axis=-1, norm=None):
    """y = conj of half of F⁻¹ a, for real a"""
    return np.conj(np.fft.rfft(a, n, axis, other_side(norm)))


def along_each(transform: Any, a: Any, s: Any, axes: Any, norm: Any) -> Any:
    """A transform along each axis, the last first."""
    sizes, along = lengths(np.shape(a), s, axes, False)
    last = len(along) - 1
    if last < 0:
        return a
    y = transform(a, sizes[last], along[last], norm)
    for i in range(last - 1, -1, -1):
        y = transform(y, sizes[i], along[i], norm)
    return y


@written_out(np.fft.fftn)
def fftn(a: np.ndarray, *, s=None, axes=None, norm=None):
    """y = F along each axis, the last first"""
    return along_each(np.fft.fft, a, s, axes, norm)


@written_out(np.fft.ifftn)
def ifftn(a: np.ndarray, *, s=None, axes=None, norm=None):
    """y = F⁻¹ along each axis, the last first"""
    return along_each(np.fft.ifft, a, s, axes, norm)


@written_out(np.fft.rfftn)
def rfftn(a: np.ndarray, *, s=None, axes=None, norm=None):
    """y = half of F along the last axis, F along the others"""
    sizes, along = lengths(np.shape(a), s, axes, False)
    y = np.fft.rfft(a, sizes[-1], along[-1], norm)
    for i in range(len(along) - 2, -1, -1):
        y = np.fft.fft(y, sizes[i], along[i], norm)
    return y


@written_out(np.fft.irfftn)
def irfftn(a: np.ndarray, *, s=None, axes=None, norm=None):
    """y = F⁻¹ along all axes but the last, then to real numbers along that"""
    sizes, along = lengths(np.shape(a), s, axes, True)
    for i in range(len(along) - 1):
        a = np.fft.ifft(a, sizes[i], along[i], norm)
    return np.fft.irfft(a, sizes[-1], along[-1], norm)


@written_out(np.fft.fft2)
def fft2(a: np.ndarray, *, s=None, axes=(-2, -1), norm=None):
    """y = F along two axes"""
    return fftn(a, s=s, axes=axes, norm=norm)


@written_out(np.fft.ifft2)
def ifft2(a: np.ndarray, *, s=None, axes=(-2, -1), norm=None):
    """y = F⁻¹ along two axes"""
    return ifftn(a, s=s, axes=axes, norm=norm)


@written_out(np.fft.rfft2)
def rfft2(a: np.ndarray, *, s=None, axes=(-2, -1), norm=None):
    """y = half of F along two axes"""
    return rfftn(a, s=s, axes=axes, norm=norm)


@written_out(np.fft.irfft2)
def irfft2(a: np.ndarray, *, s=None, axes=(-2, -1), norm=None):
    """y = F⁻¹ of half a spectrum along two axes"""
    return irfftn(a, s=s, axes=axes, norm=norm)


@frule(np.fft.fftshift)
def fftshift_frule(tangents, x: Array, *, axes=None):
    """y = x with frequency zero in the middle        ẏ likewise"""
    return np.fft.fftshift(x, axes), np.fft.fftshift(tangents[0], axes)


@rrule(np.fft.fftshift)
def fftshift_rrule(x: Array, *, axes=None):
    """y = x with frequency zero in the middle        x̄ = ȳ shifted back"""
    along = axes_of(axes, np.ndim(x))

    def fftshift_pullback(y_bar):
        return np.fft.ifftshift(y_bar, along)

    return np.fft.fftshift(x, axes), fftshift_pullback


@frule(np.fft.ifftshift)
def ifftshift_frule(tangents, x: Array, *, axes=None):
    """y = x with the middle at the beginning        ẏ likewise"""
    return np.fft.ifftshift(x, axes), np.fft.ifftshift(tangents[0], axes)


@rrule(np.fft.ifftshift)
def ifftshift_rrule(x: Array, *, axes=None):
    """y = x with the middle at the beginning        x̄ = ȳ shifted back"""
    along = axes_of(axes, np.ndim(x))

    def ifftshift_pullback(y_bar):
        return np.fft.fftshift(y_bar, along)

    return np.fft.ifftshift(x, axes), ifftshift_pullback


@written_out(np.fft.fftfreq)
def fftfreq(n: int | np.integer, d: Real = 1.0, *, device=None):
    """y = k / (n d), which moves with the time d between samples"""
    return own(np.fft.fftfreq, n) / d


@written_out(np.fft.rfftfreq)
def rfftfreq(n: int | np.integer, d: Real = 1.0, *, device=None):
    """y = k / (n d) for half a spectrum"""
    return own(np.fft.rfftfreq, n) / d

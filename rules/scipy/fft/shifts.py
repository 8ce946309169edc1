"""Frequency zero in the middle or at the beginning: each the inverse and transpose of the other."""

from __future__ import annotations

from scipy import fft

from ....core import Array
from ...linear import transpose_of


@transpose_of(fft.fftshift)
def fftshift(y_bar, x: Array, *, axes=None):
    """y = x with frequency zero in the middle        ẏ likewise,  x̄ = ȳ shifted back"""
    return fft.ifftshift(y_bar, axes)


@transpose_of(fft.ifftshift)
def ifftshift(y_bar, x: Array, *, axes=None):
    """y = x with the middle at the beginning        ẏ likewise,  x̄ = ȳ shifted back"""
    return fft.fftshift(y_bar, axes)

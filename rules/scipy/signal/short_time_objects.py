"""`ShortTimeFFT`: transforms of the slices of a signal by an object, and the signal back from them.

The transform is linear in the signal and its inverse linear in the spectrum. The values are SciPy's; the
derivatives are those of all slices at once, cut out, windowed and transformed. An object is a constant: one
that is made of a window that varies is refused by name.

See [Oppenheim & Schafer 2010].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft
from scipy.signal import ShortTimeFFT

from ....core import non_differentiable
from ...written import as_found, own, written_out
from .segments import added_up, checked_trend, cut, without_trend

_PADDING: dict[str, dict[str, Any]] = {
    "zeros": {"mode": "constant"},
    "edge": {"mode": "edge"},
    "even": {"mode": "reflect", "reflect_type": "even"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
}


def slices_of(self: Any, n: int, p0: Any, p1: Any, k_offset: int) -> tuple[int, int, int]:
    """How many slices there are, and the ends of the signal continued for them: SciPy goes a step further."""
    first, end = self.p_range(n, p0, p1)
    start = first * self.hop - self.m_num_mid + k_offset
    return end - first, start, start + (end - first) * self.hop + self.m_num


def turn_of(self: Any) -> int | None:
    """By how many samples a slice is turned before its transform; None where it is not."""
    return None if self.phase_shift is None else (self.phase_shift + self.m_num_mid) % self.m_num


def weights_of(self: Any) -> Any:
    """What each frequency is multiplied by: those of both signs count twice."""
    weights = np.ones(self.f_pts)
    if self.fft_mode == "onesided2X":
        weights[1 : -1 if self.mfft % 2 == 0 else None] = np.sqrt(2) if self.scaling == "psd" else 2.0
    return weights


def told(self: Any) -> tuple[str, int, int, int]:
    """The mode of an object, the samples of a transform and of a slice, and those from slice to slice."""
    return self.fft_mode, self.mfft, self.m_num, self.hop


def window_of(self: Any) -> Any:
    """The window that slices are multiplied by before they are transformed."""
    return self.win


def dual_of(self: Any) -> Any:
    """The window that slices are multiplied by before they are added up."""
    return self.dual_win


def added_slices(self: Any, k0: int, k1: int, count: int) -> tuple[int, int, int, int]:
    """The slices with samples from k0 to k1, of so many, and where these samples stand in their sum."""
    first = k0 // self.hop + (self.p_min if k0 >= 0 else 0)
    end = min(self.p_max(k1), count + self.p_min)
    start = first * self.hop - self.m_num_mid
    return first - self.p_min, end - self.p_min, k0 - start, k1 - start


def last_sample(self: Any, count: int) -> Any:
    """The end of the signal that so many slices are of."""
    return (count + self.p_min - 1) * self.hop + self.m_num - self.m_num_mid


non_differentiable(
    *(slices_of, turn_of, weights_of, told, window_of, dual_of, added_slices, last_sample),
    why="tells what an object was made of",
)


def transformed(
    self: Any, x: Any, detr: Any, p0: Any, p1: Any, k_offset: int, padding: str, axis: int
) -> Any:
    """The transform of each slice, frequencies before slices in the place of the signal's axis."""
    lines: Any = np.moveaxis(x, axis, -1)
    n = np.shape(lines)[-1]
    count, start, end = slices_of(self, n, p0, p1, k_offset)
    mode, size, width, hop = told(self)
    ends = [(0, 0)] * (np.ndim(lines) - 1) + [(max(-start, 0), max(end - n, 0))]
    lines = np.pad(lines[..., max(start, 0) : min(end, n)], ends, **_PADDING[padding])
    pieces = cut(lines, size=width, step=hop)[..., :count, :]
    if callable(detr):
        pieces = np.stack([detr(pieces[..., i, :]) for i in range(count)], axis=-2)
    else:
        pieces = without_trend(pieces, checked_trend("scipy.signal.ShortTimeFFT", detr))
    pieces = pieces * np.conj(window_of(self))
    turn = turn_of(self)
    if turn is not None:
        missing = max(size - width, 0)
        pieces = np.pad(pieces, [(0, 0)] * (np.ndim(pieces) - 1) + [(0, missing)])
        pieces = np.roll(pieces, -turn, axis=-1)
    if mode in ("twosided", "centered"):
        z = fft.fft(pieces, size)
        z = fft.fftshift(z, axes=-1) if mode == "centered" else z
    else:
        z = fft.rfft(pieces, size) * weights_of(self)
    z = np.swapaxes(z.astype(complex), -1, -2)
    return np.moveaxis(z, -2, axis - 1 if axis < 0 else axis)


@written_out(ShortTimeFFT.stft)
def stft(x: np.ndarray, *, self, p0=None, p1=None, k_offset=0, padding="zeros", axis=-1):
    """z_p = F (w̄ x_p), with x_p the p-th slice of the signal"""
    z = own(ShortTimeFFT.stft, self, x, p0, p1, k_offset=k_offset, padding=padding, axis=axis)
    return as_found(z, transformed(self, x, None, p0, p1, k_offset, padding, axis))


@written_out(ShortTimeFFT.stft_detrend)
def stft_detrend(x: np.ndarray, *, self, detr, p0=None, p1=None, k_offset=0, padding="zeros", axis=-1):
    """z_p = F (w̄ D x_p), with D x_p the p-th slice of the signal without its trend"""
    options = {"k_offset": k_offset, "padding": padding, "axis": axis}
    z = own(ShortTimeFFT.stft_detrend, self, x, detr, p0, p1, **options)
    return as_found(z, transformed(self, x, detr, p0, p1, k_offset, padding, axis))


@written_out(ShortTimeFFT.spectrogram)
def spectrogram(
    x: np.ndarray,
    y: np.ndarray | None = None,
    *,
    self,
    detr=None,
    p0=None,
    p1=None,
    k_offset=0,
    padding="zeros",
    axis=-1,
):
    """|z_p|², or z_p ū_p with u_p that of the other signal"""
    options = {"p0": p0, "p1": p1, "k_offset": k_offset, "padding": padding, "axis": axis}
    found = own(ShortTimeFFT.spectrogram, self, x, y, detr, **options)
    z: Any = transformed(self, x, detr, p0, p1, k_offset, padding, axis)
    if y is None or y is x:
        return as_found(found, np.square(np.real(z)) + np.square(np.imag(z)))
    return as_found(found, z * np.conj(transformed(self, y, detr, p0, p1, k_offset, padding, axis)))


@written_out(ShortTimeFFT.istft)
def istft(S: np.ndarray, *, self, k0=0, k1=None, f_axis=-2, t_axis=-1):
    """x = Σ_p v F⁻¹ z_p, with v the dual window"""
    found = own(ShortTimeFFT.istft, self, S, k0, k1, f_axis=f_axis, t_axis=t_axis)
    count = np.ndim(S)
    place = f_axis % count if f_axis % count < count - 1 else t_axis % count
    z: Any = np.moveaxis(S, (t_axis, f_axis), (-2, -1))
    slices = np.shape(z)[-2]
    first, end, start, stop = added_slices(self, k0, last_sample(self, slices) if k1 is None else k1, slices)
    mode, size, width, hop = told(self)
    last = z[..., first:, :] if first < 0 else z[..., :0, :]  # SciPy begins with these where k0 is that low
    z = np.concatenate((last, z[..., max(first, 0) : end, :]), axis=-2) / weights_of(self)
    if mode in ("twosided", "centered"):
        z = fft.ifftshift(z, axes=-1) if mode == "centered" else z
        pieces = fft.ifft(z, size)
    else:
        pieces = fft.irfft(z + 0j, size)
    turn = turn_of(self)
    pieces = pieces if turn is None else np.roll(pieces, turn, axis=-1)
    length = width + (end - first - 1) * hop
    x = added_up(pieces[..., :width] * dual_of(self), step=hop, length=length)
    x = np.pad(x, [(0, 0)] * (count - 2) + [(0, max(stop - length, 0))])[..., start:stop]
    return as_found(found, np.moveaxis(x, -1, place))

"""Spectra that change with time: each segment's transform or power, and the signal back from them.

A short-time transform and its inverse are linear in the signal and in the spectrum; both have derivatives
by the window too. The frequencies and times are constants. A derivative by the sampling frequency is
refused by name.

See [Oppenheim & Schafer 2010].
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import fft, signal

from ....core import non_differentiable
from ...written import written_out
from .arguments import refuse_empty
from .passes import ends_added
from .precision import rounded_as
from .segments import added_up, checked_trend, cut, without_trend
from .spectra import doubled, float_type, frequencies, one_of, padded_to, scale_of, sizes, transformed
from .windows import window_of


def moments(length: int, size: int, step: int, fs: Any, before: float) -> Any:
    """The times in the middle of segments."""
    return np.arange(size / 2, length - size / 2 + 1, step) / float(fs) - before


non_differentiable(moments, why="computes with lengths alone")


def short_time(
    x: Any,
    window: Any,
    fs: Any,
    sized: tuple[int, int, int],
    trend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    power: bool,
) -> tuple[Any, Any, Any]:
    """The frequencies, the times, and each segment's transform or power, along the last axis of lines."""
    size, step, n = sized
    onesided = return_onesided and not np.iscomplexobj(x)
    win = window_of(window, size)
    z = transformed(without_trend(cut(x, size=size, step=step), trend), win, n, onesided)
    scale = scale_of(win, scaling, fs)
    if power:
        z = (np.square(np.real(z)) + np.square(np.imag(z))) * scale
        z = z * doubled(n) if onesided else z
    else:
        z = z * np.sqrt(scale)
    dtype = float_type(x)
    z = z.astype(dtype if power else np.result_type(dtype, np.complex64))
    z = np.moveaxis(np.swapaxes(z, -1, -2), -2, axis - 1 if axis < 0 else axis)
    return frequencies(n, fs, onesided), moments(np.shape(x)[-1], size, step, fs, 0.0), z


@written_out(signal.spectrogram)
def spectrogram(
    x: np.ndarray | list,
    window: object = ("tukey_periodic", 0.25),
    *,
    fs=1.0,
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    mode="psd",
):
    """|X|² of each segment, or X, its absolute value or its angle"""
    name = "scipy.signal.spectrogram"
    one_of(name, "mode", mode, ["psd", "complex", "magnitude", "angle", "phase"])
    one_of(name, "scaling", scaling, ["density", "spectrum"])
    x = np.moveaxis(np.asarray(x), axis, -1)
    refuse_empty("spectrogram", x=x)
    sized = sizes(name, np.shape(x)[-1], window, nperseg, noverlap, nfft, 8)
    trend = checked_trend(name, detrend)
    f, t, z = short_time(x, window, fs, sized, trend, return_onesided, scaling, axis, mode == "psd")
    if mode == "magnitude":
        z = np.abs(z)
    elif mode == "angle":
        z = np.angle(z)
    elif mode == "phase":
        z = np.unwrap(np.angle(z), axis=axis - 1 if axis < 0 else axis)
    return f, t, z


@written_out(signal.stft)
def stft(
    x: np.ndarray | list,
    window: object = "hann_periodic",
    *,
    fs=1.0,
    nperseg=256,
    noverlap=None,
    nfft=None,
    detrend=False,
    return_onesided=True,
    boundary="zeros",
    padded=True,
    axis=-1,
    scaling="spectrum",
):
    """The transform of each segment, over the root of what scales a power"""
    name = "scipy.signal.stft"
    one_of(name, "boundary", boundary, ["even", "odd", "constant", "zeros", None])
    one_of(name, "scaling", scaling, ["spectrum", "psd"])
    lines: Any = np.moveaxis(np.asarray(x), axis, -1)
    refuse_empty("stft", x=lines)
    size, step, n = sizes(name, np.shape(lines)[-1], window, nperseg, noverlap, nfft)
    before = 0.0
    if boundary is not None:
        before = size / 2 / fs
        if boundary == "zeros":
            zeros = np.zeros((*np.shape(lines)[:-1], size // 2))
            lines = np.concatenate([zeros, lines, zeros], axis=-1).astype(lines.dtype)
        else:
            lines = ends_added(lines, boundary, size // 2)
    if padded:
        lines = padded_to(lines, np.shape(lines)[-1] + -(np.shape(lines)[-1] - size) % step % size).astype(
            lines.dtype
        )
    by = "spectrum" if scaling == "spectrum" else "density"
    trend = checked_trend(name, detrend)
    f, t, z = short_time(lines, window, fs, (size, step, n), trend, return_onesided, by, axis, False)
    return f, t - before, z


def inverse_sizes(bins: int, onesided: bool, nperseg: Any, noverlap: Any, nfft: Any) -> tuple[int, int, int]:
    """The samples of a segment, those to the next, and those of a transform, from its frequencies."""
    natural = 2 * (bins - 1) if onesided else bins
    size = natural if nperseg is None else int(nperseg)
    if nfft is None:
        nfft = size if onesided and size == natural + 1 else natural
    return sizes("scipy.signal.istft", max(size, 1), np.ones(max(size, 1)), size, noverlap, nfft)


def above_rounding(norm: Any) -> Any:
    """Where the squares of the windows do not vanish; SciPy's warning where they do."""
    large = norm > 1e-10
    if not np.all(large):
        warnings.warn("NOLA condition failed, STFT may not be invertible.", stacklevel=3)
    return large


non_differentiable(inverse_sizes, above_rounding, why="computes with lengths, and checks")


@written_out(signal.istft)
def istft(
    Zxx: np.ndarray | list,
    window: object = "hann_periodic",
    *,
    fs=1.0,
    nperseg=None,
    noverlap=None,
    nfft=None,
    input_onesided=True,
    boundary=True,
    time_axis=-1,
    freq_axis=-2,
    scaling="spectrum",
):
    """x = Σ w x_s / Σ w², with x_s the segments that were transformed"""
    one_of("scipy.signal.istft", "scaling", scaling, ["spectrum", "psd"])
    z = np.asarray(Zxx)
    count = np.ndim(z)
    moved_back = time_axis % count - (freq_axis % count < time_axis % count)
    z = np.moveaxis(z, (time_axis, freq_axis), (-2, -1))
    size, step, n = inverse_sizes(np.shape(z)[-1], input_onesided, nperseg, noverlap, nfft)
    win = window_of(window, size)
    s = (fft.irfft(z + 0j, n) if input_onesided else fft.ifft(z + 0j, n))[..., :size]
    s = s * (np.sum(win) if scaling == "spectrum" else np.sqrt(fs * np.sum(win * win)))
    segments = np.shape(z)[-2]
    length = size + (segments - 1) * step
    x = added_up(s * win, step=step, length=length)
    squares = np.broadcast_to(win * win, (segments, size)) * np.ones((segments, 1))
    norm = added_up(squares, step=step, length=length)
    if boundary:
        inner = slice(size // 2, length - size // 2)
        x, norm = x[..., inner], norm[inner]
    x = x / np.where(above_rounding(norm), norm, 1.0)
    x = rounded_as(np.moveaxis(x, -1, moved_back), z)
    return np.arange(np.shape(x)[0]) / float(fs), x

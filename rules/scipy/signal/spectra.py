"""Spectra of signals that are evenly sampled: by segments, averaged or one by one; by signals and window.

A segment without its trend, times the window, is transformed; products of two transforms are averaged
over the segments. The frequencies and times are constants, as are counts of samples. A derivative by the
sampling frequency is refused by name. Of a median the segment that was selected is frozen.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import fft, signal

from ....core import UnsupportedArgument, non_differentiable
from ...written import written_out
from .passes import ends_added
from .segments import added_up, checked_trend, cut, without_trend
from .windows import window_of


def sizes(
    name: str, length: int, window: Any, nperseg: Any, noverlap: Any, nfft: Any, part: int = 2
) -> tuple[int, int, int]:
    """The samples of a segment, those to the next, and those of a transform."""
    if isinstance(window, str | tuple):
        size = 256 if nperseg is None else int(nperseg)
        if size > length:
            warnings.warn(f"nperseg = {size} is greater than the signal's length, {length}", stacklevel=3)
            size = length
    else:
        size = len(window) if nperseg is None else int(nperseg)
        if np.ndim(window) != 1 or size != len(window) or size > length:
            raise UnsupportedArgument(
                name, "window", np.shape(window), why=f"it has to be a list of nperseg = {size} numbers"
            )
    many = size if nfft is None else int(nfft)
    shared = size // part if noverlap is None else int(noverlap)
    for option, given, bad in (
        ("nperseg", size, size < 1),
        ("nfft", many, many < size),
        ("noverlap", shared, shared >= size),
    ):
        if bad:
            raise UnsupportedArgument(name, option, given, why=f"a segment has {size} samples")
    return size, size - shared, many


def one_of(name: str, option: str, given: Any, supported: list[Any]) -> None:
    """Refuse an option that SciPy does not know."""
    if given not in supported:
        raise UnsupportedArgument(name, option, given, supported=[str(each) for each in supported])


def frequencies(n: int, fs: Any, onesided: bool) -> Any:
    """The frequencies of a transform."""
    return fft.rfftfreq(n, 1 / fs) if onesided else fft.fftfreq(n, 1 / fs)


def doubled(n: int) -> Any:
    """How often each frequency of a half spectrum stands in the whole one."""
    twice = np.full(n // 2 + 1, 2.0)
    twice[0] = 1.0
    if n % 2 == 0:
        twice[-1] = 1.0
    return twice


def median_bias(n: int) -> float:
    """How much greater than its median the mean of n powers is [Allen et al., arXiv:gr-qc/0509116]."""
    even = 2 * np.arange(1.0, (n - 1) // 2 + 1)
    return float(1 + np.sum(1.0 / (even + 1) - 1.0 / even))


def moments(length: int, size: int, step: int, fs: Any, before: float) -> Any:
    """The times in the middle of segments."""
    return np.arange(size / 2, length - size / 2 + 1, step) / float(fs) - before


def float_type(*arrays: Any) -> Any:
    """The dtype of a power of these."""
    return np.finfo(np.result_type(*arrays, np.complex64)).dtype


non_differentiable(
    sizes,
    one_of,
    frequencies,
    doubled,
    median_bias,
    moments,
    float_type,
    why="computes with lengths and names alone",
)


def transformed(s: Any, win: Any, n: int, onesided: bool) -> Any:
    """The Fourier transforms of segments times the window."""
    return fft.rfft(s * win, n) if onesided else fft.fft(s * win, n)


def scale_of(win: Any, scaling: str, fs: Any) -> Any:
    """What a power is multiplied by: 1 / f_s Σ w², or 1 / (Σ w)²"""
    if scaling == "density":
        return 1.0 / (fs * np.sum(win * win))
    return 1.0 / np.square(np.sum(win))


def padded_to(x: Any, length: int) -> Any:
    """Lines continued by zeros to that length."""
    missing = length - np.shape(x)[-1]
    if missing == 0:
        return x
    return np.concatenate([x, np.zeros((*np.shape(x)[:-1], missing))], axis=-1)


def averaged(p: Any, average: str) -> Any:
    """The mean or the unbiased median over the segments, of which there may be only one."""
    count = np.shape(p)[-2]
    if count == 1:
        return p[..., 0, :]
    if average == "mean":
        return np.mean(p, axis=-2)
    if np.iscomplexobj(p):
        middle = np.median(np.real(p), axis=-2) + 1j * np.median(np.imag(p), axis=-2)
    else:
        middle = np.median(p, axis=-2)
    return middle / median_bias(count)


def cross(
    x: Any,
    y: Any,
    window: Any,
    fs: Any,
    nperseg: Any,
    noverlap: Any,
    nfft: Any,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    average: str,
) -> tuple[Any, Any]:
    """The frequencies, and conj(X) Y averaged over the segments; |X|² where y is None."""
    name, dtype = "scipy.signal.csd", float_type(x if y is None else x * 1.0)
    one_of(name, "scaling", scaling, ["density", "spectrum"])
    one_of(name, "average", average, ["mean", "median"])
    trend = checked_trend(name, detrend)
    onesided = return_onesided and not np.iscomplexobj(x)
    x = np.moveaxis(x, axis, -1)
    length = np.shape(x)[-1]
    if y is not None:
        dtype = float_type(x, y)
        y = np.moveaxis(y, axis, -1)
        length = max(length, np.shape(y)[-1])
        x, y = padded_to(x, length), padded_to(y, length)
    size, step, n = sizes(name, length, window, nperseg, noverlap, nfft)
    win = window_of(window, size)
    of_x = transformed(without_trend(cut(x, size=size, step=step), trend), win, n, onesided)
    if y is None:
        p = np.square(np.real(of_x)) + np.square(np.imag(of_x))
    else:
        of_y = transformed(without_trend(cut(y, size=size, step=step), trend), win, n, onesided)
        p = np.conj(of_x) * of_y
    p = averaged(p * scale_of(win, scaling, fs), average)
    if onesided:
        p = p * doubled(n)
    p = p.astype(dtype if y is None else np.result_type(dtype, np.complex64))
    return frequencies(n, fs, onesided), np.moveaxis(p, -1, axis)


@written_out(signal.csd)
def csd(
    x: np.ndarray | list,
    y: np.ndarray | list,
    window: object = "hann_periodic",
    *,
    fs=1.0,
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    """P = ⟨conj(X) Y⟩ over the segments; real where both are one array"""
    options = (fs, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    return cross(np.asarray(x), None if y is x else np.asarray(y), window, *options)


@written_out(signal.welch)
def welch(
    x: np.ndarray | list,
    window: object = "hann_periodic",
    *,
    fs=1.0,
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    """P = ⟨|X|²⟩ over the segments"""
    options = (fs, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)
    return cross(np.asarray(x), None, window, *options)


@written_out(signal.periodogram)
def periodogram(
    x: np.ndarray | list,
    window: object = "boxcar",
    *,
    fs=1.0,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
):
    """P = |X|² of the whole signal"""
    x = np.moveaxis(np.asarray(x), axis, -1)
    size = np.shape(x)[-1]
    if nfft is not None and nfft < size:
        x, size, nfft = x[..., :nfft], nfft, None
    window = "boxcar" if window is None else window
    f, p = cross(x, None, window, fs, size, 0, nfft, detrend, return_onesided, scaling, -1, "mean")
    return f, np.moveaxis(p, -1, axis)


@written_out(signal.coherence)
def coherence(
    x: np.ndarray | list,
    y: np.ndarray | list,
    window: object = "hann_periodic",
    *,
    fs=1.0,
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    axis=-1,
):
    """C = |P_xy|² / (P_xx P_yy)"""
    x, y = np.asarray(x), np.asarray(y)
    options = (fs, nperseg, noverlap, nfft, detrend, True, "density", axis, "mean")
    f, p = cross(x, y, window, *options)
    power = np.square(np.real(p)) + np.square(np.imag(p))
    return f, power / cross(x, None, window, *options)[1] / cross(y, None, window, *options)[1]


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
    x = np.moveaxis(np.asarray(x), axis, -1)
    size, step, n = sizes(name, np.shape(x)[-1], window, nperseg, noverlap, nfft)
    before = 0.0
    if boundary is not None:
        before = size / 2 / fs
        if boundary == "zeros":
            zeros = np.zeros((*np.shape(x)[:-1], size // 2))
            x = np.concatenate([zeros, x, zeros], axis=-1).astype(x.dtype)
        else:
            x = ends_added(x, boundary, size // 2)
    if padded:
        x = padded_to(x, np.shape(x)[-1] + -(np.shape(x)[-1] - size) % step % size).astype(x.dtype)
    by = "spectrum" if scaling == "spectrum" else "density"
    trend = checked_trend(name, detrend)
    f, t, z = short_time(x, window, fs, (size, step, n), trend, return_onesided, by, axis, False)
    return f, t - before, z


def inverse_sizes(
    bins: int, onesided: bool, nperseg: Any, noverlap: Any, nfft: Any
) -> tuple[int, int, int]:
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
    x = np.moveaxis(x, -1, moved_back)
    return np.arange(np.shape(x)[0]) / float(fs), x

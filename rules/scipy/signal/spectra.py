"""Spectra of signals that are evenly sampled, averaged over segments: by the signals and by the window.

A segment without its trend, times the window, is transformed; products of two transforms are averaged
over the segments. The frequencies are constants, as are counts of samples. A derivative by the sampling
frequency is refused by name. Of a median the segment that was selected is frozen.

See [Welch 1967].
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import fft, signal

from ....core import UnsupportedArgument, non_differentiable
from ...written import written_out
from .arguments import refuse_complex, refuse_empty
from .segments import checked_trend, cut, without_trend
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


def float_type(*arrays: Any) -> Any:
    """The dtype of a power of these."""
    return np.finfo(np.result_type(*arrays, np.complex64)).dtype


non_differentiable(
    sizes,
    one_of,
    frequencies,
    doubled,
    median_bias,
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
        refuse_empty("csd", x=x, y=y)
        length = max(length, np.shape(y)[-1])
        x, y = padded_to(x, length), padded_to(y, length)
    refuse_empty("welch", x=x)
    size, step, n = sizes(name, length, window, nperseg, noverlap, nfft)
    win = window_of(window, size)
    if y is None:
        refuse_complex("welch", window=win)
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
    x = np.asarray(x)
    y = np.asarray(y)
    options = (fs, nperseg, noverlap, nfft, detrend, True, "density", axis, "mean")
    f, p = cross(x, y, window, *options)
    power = np.square(np.real(p)) + np.square(np.imag(p))
    return f, power / cross(x, None, window, *options)[1] / cross(y, None, window, *options)[1]

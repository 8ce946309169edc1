"""Smoothing: by polynomials, by medians and other ranks, by Wiener's filter, and without a trend.

Polynomials and trends are linear in the signal; by the distance of the samples a derivative of order d is
δ^−d. Of ranks the selection is frozen, as in `scipy.ndimage`. Wiener's filter is the mean where the
variance is below the noise's, and there its derivative is that of the mean.

See [Savitzky & Golay 1964].
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import ndimage, signal

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .precision import written_in_precision
from .segments import checked_trend, without_trend


def stretches(n: int, bp: Any) -> list[tuple[int, int]]:
    """The stretches between breakpoints."""
    points = np.unique(np.concatenate([[0], np.atleast_1d(bp), [n]])).astype(int)
    if points[-1] > n or points[0] < 0:
        raise UnsupportedArgument("scipy.signal.detrend", "bp", bp, why=f"there are {n} samples")
    return [(int(a), int(b)) for a, b in pairwise(points)]


def at_edges(window_length: int, polyorder: int, deriv: int) -> Any:
    """The weights by which a polynomial through a window gives its values in the first and last half."""
    half = window_length // 2
    every = [
        signal.savgol_coeffs(window_length, polyorder, deriv, pos=place, use="dot")
        for place in range(window_length)
    ]
    return np.stack(every[:half]), np.stack(every[window_length - half :])


def checked_mode(mode: str, window_length: int, n: int) -> None:
    """Refuse what `savgol_filter` does not know."""
    supported = ["mirror", "constant", "nearest", "wrap", "interp"]
    if mode not in supported:
        raise UnsupportedArgument("scipy.signal.savgol_filter", "mode", mode, supported=supported)
    if mode == "interp" and window_length > n:
        raise UnsupportedArgument(
            "scipy.signal.savgol_filter", "window_length", window_length, why=f"there are {n} samples"
        )


non_differentiable(stretches, at_edges, checked_mode, why="computes with lengths alone")


@written_in_precision(signal.detrend)
def detrend(data: np.ndarray | list, *, axis=-1, type="linear", bp=0, overwrite_data=False):
    """x − its mean, or − the best straight line of each stretch between breakpoints"""
    if type not in ("linear", "l", "constant", "c"):
        raise UnsupportedArgument("scipy.signal.detrend", "type", type, supported=["linear", "constant"])
    if overwrite_data:
        raise UnsupportedArgument(
            "scipy.signal.detrend", "overwrite_data", True, supported=[False], next="assign the result"
        )
    lines = np.moveaxis(np.asarray(data) * 1.0, axis, -1)
    kind = checked_trend("scipy.signal.detrend", type)
    if kind == "constant":
        return np.moveaxis(without_trend(lines, kind), -1, axis)
    parts = [without_trend(lines[..., a:b], kind) for a, b in stretches(np.shape(lines)[-1], bp)]
    return np.moveaxis(np.concatenate(parts, axis=-1), -1, axis)


def in_floats(x: Any) -> Any:
    """The samples as numbers of floating point."""
    return x if x.dtype.kind in "fc" else x * 1.0


@written_out(signal.savgol_coeffs)
def savgol_coeffs(
    delta: Array = 1.0,
    *,
    window_length,
    polyorder,
    deriv=0,
    pos=None,
    use="conv",
    xp=None,
    device=None,
):
    """The weights of the d-th derivative of the best polynomial: δ^−d times those for δ = 1"""
    return own(signal.savgol_coeffs, window_length, polyorder, deriv, pos=pos, use=use) / delta**deriv


@written_in_precision(signal.savgol_filter)
def savgol_filter(
    x: np.ndarray | list,
    delta: Array = 1.0,
    *,
    window_length,
    polyorder,
    deriv=0,
    axis=-1,
    mode="interp",
    cval=0.0,
):
    """The d-th derivative of the best polynomial over a window around each sample"""
    lines = np.moveaxis(in_floats(np.asarray(x)), axis, -1)
    checked_mode(mode, window_length, np.shape(lines)[-1])
    c = own(signal.savgol_coeffs, window_length, polyorder, deriv)
    if mode == "interp":
        y = ndimage.convolve1d(lines, c, mode="constant")
        first, last = at_edges(window_length, polyorder, deriv)
        half = window_length // 2
        y = np.concatenate(
            [
                lines[..., :window_length] @ first.T,
                y[..., half : np.shape(y)[-1] - half],
                lines[..., np.shape(lines)[-1] - window_length :] @ last.T,
            ],
            axis=-1,
        )
    else:
        y = ndimage.convolve1d(lines, c, mode=mode, cval=cval)
    y = np.moveaxis(y, -1, axis)
    return y / delta**deriv if deriv else y


def lengths(size: Any, ndim: int) -> tuple[int, ...]:
    """The lengths of a window along each axis, three where nothing is said."""
    return tuple(int(n) for n in np.broadcast_to(3 if size is None else size, (ndim,)))


def odd_lengths(size: Any, ndim: int) -> tuple[int, ...]:
    """The same, which have to be odd."""
    found = lengths(size, ndim)
    if any(n % 2 != 1 for n in found):
        raise UnsupportedArgument("scipy.signal.medfilt", "kernel_size", size, why="it has to be odd")
    return found


def checked_domain(domain: Any) -> Any:
    """The places of a window that count."""
    domain = np.asarray(domain)
    if any(n % 2 != 1 for n in domain.shape):
        raise UnsupportedArgument(
            "scipy.signal.order_filter", "domain", domain.shape, why="its lengths have to be odd"
        )
    return domain


non_differentiable(lengths, odd_lengths, checked_domain, why="computes with lengths alone")


@written_out(signal.wiener)
def wiener(im: np.ndarray | list, noise: object = None, *, mysize=None):
    """m + (1 − ν / v) (x − m) where v ≥ ν, with m and v the mean and variance of a window"""
    x = np.asarray(im) * 1.0
    size = lengths(mysize, np.ndim(x))
    ones, count = own(np.ones, size), float(math.prod(size))
    mean = signal.correlate(x, ones, "same") / count
    variance = signal.correlate(x * x, ones, "same") / count - mean * mean
    level: Any = np.mean(variance) if noise is None else noise
    noisy = variance < level
    kept = (x - mean) * (1.0 - level / np.where(noisy, 1.0, variance)) + mean
    return np.where(noisy, mean, kept)


@written_out(signal.medfilt)
def medfilt(volume: np.ndarray | list, *, kernel_size=None):
    """The median of each window, zeros beyond the edges"""
    x = np.asarray(volume)
    size = odd_lengths(kernel_size, np.ndim(x))
    return ndimage.rank_filter(x, math.prod(size) // 2, size=size, mode="constant")


@written_out(signal.medfilt2d)
def medfilt2d(input: np.ndarray | list, *, kernel_size=3):
    """The median of each window, zeros beyond the edges"""
    return medfilt(input, kernel_size=kernel_size)


@written_out(signal.order_filter)
def order_filter(a: np.ndarray | list, *, domain, rank):
    """The entry of that rank in each window, zeros beyond the edges"""
    footprint = checked_domain(domain)
    return ndimage.rank_filter(np.asarray(a), rank, footprint=footprint, mode="constant")

"""Convolution and correlation of arrays with any number of axes: bilinear, in every mode and by every method.

The modes are parts of the full result, and the cotangent is that of the full result with zeros around it.
By one factor the transpose is the correlation with the other. A correlation is the convolution with the
second factor reversed and conjugated. In two dimensions the first may go on beyond its edges, repeated or
reflected.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO
from ...numpy.adjoints import conj
from ...numpy.tensors import bilinear
from ...written import written_out
from ..ndimage.edges import extended
from .arguments import refuse_empty

BEYOND = {"fill": "constant", "wrap": "wrap", "symm": "reflect"}


def part_of_full(mode: str, m: tuple[int, ...], n: tuple[int, ...]) -> tuple[slice, ...]:
    """Where the result of a mode stands in the full result, along each axis.

    Example: >>> part_of_full("same", (5,), (3,))
             (slice(1, 6, None),)
    """
    if mode == "full":
        return tuple(slice(0, p + q - 1) for p, q in zip(m, n, strict=True))
    if mode == "same":
        return tuple(slice((q - 1) // 2, (q - 1) // 2 + p) for p, q in zip(m, n, strict=True))
    if mode == "valid":
        return tuple(slice(min(p, q) - 1, max(p, q)) for p, q in zip(m, n, strict=True))
    raise UnsupportedArgument("scipy.signal.convolve", "mode", mode, supported=["full", "same", "valid"])


def refuse_other_axes(name: str, m: Any, n: Any, axes: Any) -> None:
    """Refuse a convolution along some axes that is broadcast along the others."""
    if axes is not None and {axis % len(m) for axis in np.atleast_1d(axes)} != set(range(len(m))):
        raise UnsupportedArgument(name, "axes", axes, supported=["None"], next="convolve line by line")
    if len(m) != len(n):
        raise UnsupportedArgument(name, "in2", n, why="the arrays have different numbers of axes")


non_differentiable(part_of_full, refuse_other_axes, why="computes with lengths alone")


def in_full(y_bar: Any, mode: str, m: tuple[int, ...], n: tuple[int, ...]) -> Any:
    """The cotangent of the full result."""
    full = tuple(p + q - 1 for p, q in zip(m, n, strict=True))
    where = part_of_full(mode, m, n)
    around = [(s.start, size - s.stop) for s, size in zip(where, full, strict=True)]
    return np.pad(y_bar, around) if around else y_bar


def convolved(a: Any, v: Any, *, mode: str, method: str) -> Any:
    """a * v, by the method that SciPy finds the fastest, or the one that is asked for."""
    if method == "pieces":
        return signal.oaconvolve(a, v, mode)
    if method == "direct" and np.ndim(a) == np.ndim(v) == 2:
        return signal.convolve2d(a, v, mode)
    return signal.convolve(a, v, mode, method)


@frule(convolved)
def convolved_frule(tangents, a: np.ndarray, v: np.ndarray, *, mode, method):
    """y = a * v        ẏ = ȧ * v + a * v̇"""
    refuse_empty("convolve", in1=a, in2=v)
    dy = bilinear(lambda p, q: convolved(p, q, mode=mode, method=method), tangents, a, v)
    return convolved(a, v, mode=mode, method=method), dy


@rrule(convolved)
def convolved_rrule(a: np.ndarray, v: np.ndarray, *, mode, method, needs):
    """yₖ = Σ aᵢ vₖ₋ᵢ        āᵢ = Σ ȳₖ conj(vₖ₋ᵢ)        v̄ⱼ = Σ ȳₖ conj(aₖ₋ⱼ)"""
    refuse_empty("convolve", in1=a, in2=v)
    m, n = np.shape(a), np.shape(v)

    def convolved_pullback(y_bar):
        seed = in_full(y_bar, mode, m, n)
        a_bar: Any = ZERO
        v_bar: Any = ZERO
        if needs[0]:
            a_bar = convolved(seed, np.flip(conj(v)), mode="valid", method=method)
        if needs[1]:
            v_bar = convolved(seed, np.flip(conj(a)), mode="valid", method=method)
        return a_bar, v_bar

    return convolved(a, v, mode=mode, method=method), convolved_pullback


@written_out(signal.convolve)
def convolve(in1: np.ndarray | list, in2: np.ndarray | list, *, mode="full", method="auto"):
    """yₖ = Σ aᵢ vₖ₋ᵢ"""
    a = np.asarray(in1)
    v = np.asarray(in2)
    if np.ndim(a) == 0 and np.ndim(v) == 0:
        return a * v
    return convolved(a, v, mode=mode, method=method)


@written_out(signal.fftconvolve)
def fftconvolve(in1: np.ndarray | list, in2: np.ndarray | list, *, mode="full", axes=None):
    """yₖ = Σ aᵢ vₖ₋ᵢ, by Fourier transforms"""
    a = np.asarray(in1)
    v = np.asarray(in2)
    refuse_other_axes("scipy.signal.fftconvolve", np.shape(a), np.shape(v), axes)
    return convolved(a, v, mode=mode, method="fft")


@written_out(signal.oaconvolve)
def oaconvolve(in1: np.ndarray | list, in2: np.ndarray | list, *, mode="full", axes=None):
    """yₖ = Σ aᵢ vₖ₋ᵢ, by Fourier transforms of pieces"""
    a = np.asarray(in1)
    v = np.asarray(in2)
    refuse_other_axes("scipy.signal.oaconvolve", np.shape(a), np.shape(v), axes)
    return convolved(a, v, mode=mode, method="pieces")


def turned(v: Any) -> Any:
    """A factor reversed and conjugated, with which a convolution is a correlation."""
    return conj(np.flip(v))


@written_out(signal.correlate)
def correlate(in1: np.ndarray | list, in2: np.ndarray | list, *, mode="full", method="auto"):
    """yₖ = Σ aᵢ₊ₖ conj(vᵢ)"""
    return convolve(in1, turned(np.asarray(in2)), mode=mode, method=method)


@written_out(signal.convolve2d)
def convolve2d(in1: np.ndarray | list, in2: np.ndarray | list, *, mode="full", boundary="fill", fillvalue=0):
    """yₖ = Σ aᵢ vₖ₋ᵢ in two dimensions, the first array continued beyond its edges"""
    a = np.asarray(in1)
    v = np.asarray(in2)
    if mode == "valid" or (boundary == "fill" and fillvalue == 0):
        return convolved(a, v, mode=mode, method="direct")
    around = own_widths(np.shape(v))
    full = convolved(
        extended(a, widths=around, modes=(BEYOND[boundary],) * 2, cval=fillvalue),
        v,
        mode="valid",
        method="direct",
    )
    return full[part_of_full(mode, np.shape(a), np.shape(v))]


def own_widths(shape: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """How far the second array reaches beyond the first."""
    return tuple((n - 1, n - 1) for n in shape)


def middle(m: tuple[int, ...], n: tuple[int, ...]) -> tuple[slice, ...]:
    """Where `correlate2d` finds its middle in the full result."""
    return tuple(slice(q // 2, q // 2 + p) for p, q in zip(m, n, strict=True))


non_differentiable(own_widths, middle, why="computes with lengths alone")


@written_out(signal.correlate2d)
def correlate2d(in1: np.ndarray | list, in2: np.ndarray | list, *, mode="full", boundary="fill", fillvalue=0):
    """yₖ = Σ aᵢ₊ₖ conj(vᵢ) in two dimensions; of an even kernel the middle is the later one"""
    a = np.asarray(in1)
    v = turned(np.asarray(in2))
    if mode != "same":
        return convolve2d(a, v, mode=mode, boundary=boundary, fillvalue=fillvalue)
    full = convolve2d(a, v, mode="full", boundary=boundary, fillvalue=fillvalue)
    return full[middle(np.shape(a), np.shape(v))]

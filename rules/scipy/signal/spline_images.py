"""Smoothing by a pair of complex poles, forwards and backwards: of lines, and of images by splines.

The signal goes on beyond its ends as its mirror image. SciPy begins such a filter with sums that it ends at
the first term below `precision`, and so are they ended here: how many terms count is frozen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import Real, UnsupportedArgument, non_differentiable
from ...written import as_found, own, written_out
from .splines import CUBIC, causal, pole_of, symmetric, twice, two_ways


def counted(terms: Any, precision: Any, dtype: Any, power: int) -> Any:
    """One for each term of a sum up to the first that is small, and zero for the others.

    Going forwards SciPy compares a term with its precision, going backwards the square of a term.
    """
    if not 0 < precision < 1:
        precision = 1e-6 if np.finfo(dtype).bits == 32 else 1e-11
    small = np.flatnonzero(np.abs(terms) ** power <= precision)
    return (np.arange(len(terms)) <= (small[0] if len(small) else len(terms))).astype(float)


def checked(modulus: Any, angle: Any, shape: tuple[int, ...]) -> None:
    """Refuse poles that are real, and lines that are too short for two values before."""
    name = "scipy.signal.symiirorder2"
    if np.sin(angle) == 0 or modulus == 0:
        raise UnsupportedArgument(
            name, "omega", angle, why="its poles are real", next="use symiirorder1 twice"
        )
    if shape[-1] < 3:
        raise UnsupportedArgument(name, "input", shape, why="it has fewer than 3 samples")


non_differentiable(counted, checked, why="counts, and checks arguments")


def begun(x: Any, terms: Any, precision: Any, power: int) -> Any:
    """Σ_k t_k x_k, as far as its terms count"""
    return np.sum(x * (terms * counted(terms, precision, x.dtype, power)), axis=-1)


def smoothed(x: Any, modulus: Any, angle: Any, precision: Any) -> Any:
    """The filter along the last axis, in both directions."""
    gain = 1.0 - 2.0 * modulus * np.cos(angle) + modulus * modulus
    pole = (gain, modulus, angle)
    k = own(np.arange, np.shape(x)[-1], dtype=float)
    second = causal(0.0, *pole) * x[..., 0] + begun(x, causal(k + 1.0, *pole), precision, 1)
    first = causal(0.0, *pole) * x[..., 1] + causal(1.0, *pole) * x[..., 0]
    first = first + begun(x, causal(k + 2.0, *pole), precision, 1)
    y = np.concatenate([np.stack([second, first], axis=-1), twice(*pole, x[..., 2:], second, first)], axis=-1)
    turned = np.flip(x, -1)
    last = begun(turned, symmetric(k, *pole) + symmetric(k + 1.0, *pole), precision, 2)
    before = begun(turned, symmetric(k - 1.0, *pole) + symmetric(k + 2.0, *pole), precision, 2)
    back = twice(*pole, np.flip(y[..., :-2], -1), last, before)
    return np.concatenate([np.flip(back, -1), np.stack([before, last], axis=-1)], axis=-1)


@written_out(signal.symiirorder2)
def symiirorder2(input: np.ndarray | list, r: Real, omega: Real, *, precision=-1.0):
    """(1 − 2r cos ω + r²)² / |1 − 2r cos ω s + r² s²|², with s the shift by one sample"""
    x = np.asarray(input)
    checked(r, omega, np.shape(x))
    found = own(signal.symiirorder2, x, r, omega, precision)
    return as_found(found, smoothed(x, r, omega, precision).astype(found.dtype))


def checked_image(image: Any, lmbda: Any) -> None:
    """Refuse a smoothing for which SciPy has no filter."""
    if lmbda != 0 and not lmbda > 1 / 144.0:
        raise UnsupportedArgument(
            "scipy.signal.spline_filter", "lmbda", lmbda, supported=["0", "more than 1/144"]
        )


non_differentiable(checked_image, why="checks arguments")


@written_out(signal.spline_filter)
def spline_filter(Iin: np.ndarray, lmbda: Real = 5.0):
    """The values of the smoothing spline at the samples of an image"""
    checked_image(Iin, lmbda)
    found = own(signal.spline_filter, Iin, lmbda)
    x = np.asarray(Iin) * 1.0
    precision = 1e-3 if found.dtype.name in ("float32", "complex64") else 1e-6
    if lmbda == 0:
        c = two_ways(x, CUBIC, 6.0, precision)
    else:
        pole = pole_of(lmbda)
        c = smoothed(x, *pole, precision)
        c = np.swapaxes(smoothed(np.swapaxes(c, 0, 1), *pole, precision), 0, 1)
    taps = own(np.array, [1.0, 4.0, 1.0]) / 6.0
    return as_found(found, signal.sepfir2d(c, taps, taps).astype(found.dtype))

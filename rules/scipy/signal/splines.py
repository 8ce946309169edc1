"""B-splines on a grid of whole numbers: their coefficients, by recursive filters, and their values.

The signal goes on beyond its ends as its mirror image. A coefficient is linear in the signal; SciPy begins
its filters with a sum that it cuts off where a power of the pole is below `precision`, and so is it here.
Smoothing splines have derivatives by λ too.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import ndimage, signal

from ....core import Array, Real, UnsupportedArgument, non_differentiable
from ...written import own, written_out
from .precision import written_in_precision
from .recursion import filtered

CUBIC, QUADRATIC = -2.0 + math.sqrt(3.0), -3.0 + 2.0 * math.sqrt(2.0)


def once(gain: Any, pole: Any, x: Any, before: Any) -> Any:
    """y_n = g x_n + z y_{n−1} along the last axis, from the value before the first"""
    one = np.ones(1)
    y, _ = filtered(gain * one, np.stack([1.0, -pole + 0.0]), x, -1, pole * before)
    return y


def both_ways(x: Any, gain: Any, pole: Any, start: Any) -> Any:
    """The filter forwards from its first value, and backwards with the gain."""
    y = np.concatenate([start, once(1.0, pole, x[..., 1:], start)], axis=-1)
    last = gain / (1.0 - pole) * y[..., -1:]
    back = once(gain, pole, np.flip(y[..., :-1], -1), last)
    return np.concatenate([np.flip(back, -1), last], axis=-1)


def coefficients(x: Any, pole: float, scale: float) -> Any:
    """The coefficients of a spline through the samples."""
    powers = own(np.power, pole, own(np.arange, np.shape(x)[-1]))
    start = x[..., :1] + pole * np.sum(x * powers, axis=-1, keepdims=True)
    if np.shape(x)[-1] == 1:
        return start * (pole / (pole - 1.0))
    return both_ways(x, -pole, pole, start) * scale


@written_out(signal.qspline1d)
def qspline1d(signal: np.ndarray | list, *, lamb=0.0):
    """The coefficients of the quadratic spline through the samples"""
    if lamb != 0:
        raise UnsupportedArgument("scipy.signal.qspline1d", "lamb", lamb, supported=["0"])
    return coefficients(np.asarray(signal), QUADRATIC, 8.0)


def checked_smoothing(lamb: Any, n: int) -> None:
    """Refuse a smoothing for which SciPy has no filter."""
    if not lamb > 1 / 144.0:
        raise UnsupportedArgument("scipy.signal.cspline1d", "lamb", lamb, supported=["0", "more than 1/144"])
    if n < 3:
        raise UnsupportedArgument("scipy.signal.cspline1d", "signal", n, why="it has fewer than 3 samples")


non_differentiable(checked_smoothing, why="checks arguments")


def pole_of(lamb: Any) -> tuple[Any, Any]:
    """The modulus and the angle of the pole of a smoothing spline [Unser, Aldroubi & Eden 1993]."""
    root = np.sqrt(3.0 + 144.0 * lamb)
    xi = 1.0 - 96.0 * lamb + 24.0 * lamb * root
    modulus = (24.0 * lamb - 1.0 - np.sqrt(xi)) / (24.0 * lamb)
    modulus = modulus * np.sqrt((48.0 * lamb + 24.0 * lamb * root) / xi)
    return modulus, np.arctan2(np.sqrt(144.0 * lamb - 1.0), np.sqrt(xi))


def causal(k: Any, gain: Any, modulus: Any, angle: Any) -> Any:
    """The response of the filter, at places that are not negative."""
    return gain / np.sin(angle) * modulus**k * np.sin(angle * (k + 1.0))


def symmetric(k: Any, gain: Any, modulus: Any, angle: Any) -> Any:
    """The response of the filter forwards and backwards."""
    square = modulus * modulus
    scale = gain * gain * (1.0 + square) / (1.0 - square)
    scale = scale / (1.0 - 2.0 * square * np.cos(2.0 * angle) + square * square)
    tilt = (1.0 - square) / (1.0 + square) / np.tan(angle)
    far = own(np.abs, k)
    return scale * modulus**far * (np.cos(angle * far) + tilt * np.sin(angle * far))


def twice(gain: Any, modulus: Any, angle: Any, x: Any, second: Any, first: Any) -> Any:
    """y_n = g x_n + 2ρ cos ω y_{n−1} − ρ² y_{n−2}, from the two values before"""
    near, far = 2.0 * modulus * np.cos(angle), -modulus * modulus
    state = np.stack([near * first + far * second, far * first], axis=-1)
    y, _ = filtered(np.stack([gain]), np.stack([1.0, -near, -far]), x, -1, state)
    return y


def smoothed(x: Any, lamb: Any) -> Any:
    """The coefficients of a smoothing spline."""
    modulus, angle = pole_of(lamb)
    gain = 1.0 - 2.0 * modulus * np.cos(angle) + modulus * modulus
    pole = (gain, modulus, angle)
    k = own(np.arange, len(x), dtype=float)
    second = causal(0.0, *pole) * x[0] + np.sum(causal(k + 1.0, *pole) * x)
    first = causal(0.0, *pole) * x[0] + causal(1.0, *pole) * x[1] + np.sum(causal(k + 2.0, *pole) * x)
    y = np.concatenate([np.stack([second, first]), twice(*pole, x[2:], second, first)])
    turned = np.flip(x)
    last = np.sum((symmetric(k, *pole) + symmetric(k + 1.0, *pole)) * turned)
    before = np.sum((symmetric(k - 1.0, *pole) + symmetric(k + 2.0, *pole)) * turned)
    back = twice(*pole, np.flip(y[:-2]), last, before)
    return np.concatenate([np.flip(back), np.stack([before, last])])


@written_out(signal.cspline1d)
def cspline1d(signal: np.ndarray | list, lamb: Real = 0.0):
    """The coefficients of the cubic spline through the samples, or of the smoothing one"""
    x = np.asarray(signal)
    if lamb == 0:
        return coefficients(x, CUBIC, 6.0)
    checked_smoothing(lamb, len(x))
    return smoothed(x * 1.0, lamb)


def folded(x: Any, n: int) -> tuple[Any, Any]:
    """The sign and the shift by which mirror images of the samples bring a place among them."""
    period = 2.0 * max(n - 1, 1)
    turn = np.round(x / period)
    sign = np.where(x - turn * period < 0, -1.0, 1.0)
    return sign, -sign * turn * period


def near(x: Any, reach: float) -> Any:
    """The first of the coefficients that reach a place."""
    return np.floor(x - reach).astype(int) + 1


def held_inside(places: Any, n: int) -> Any:
    """Places among the coefficients, the first and the last for those beyond."""
    return np.clip(places, 0, n - 1)


non_differentiable(folded, near, held_inside, why="computes places")


def values(cj: Any, x: Any, reach: float, pieces: Any) -> Any:
    """Σ c_j β(x − j)"""
    sign, shift = folded(x, len(cj))
    x = sign * x + shift
    start = near(x, reach)
    y: Any = 0.0
    for i in range(len(pieces)):
        y = y + cj[held_inside(start + i, len(cj))] * pieces[i](x - (start + i))
    return y


def cubic_outer(u: Any) -> Any:
    """β between 1 and 2"""
    return (2.0 - u) ** 3 / 6.0


def cubic_inner(u: Any) -> Any:
    """β between 0 and 1"""
    return 2.0 / 3.0 - u * u * (2.0 - u) / 2.0


def cubic_before(u: Any) -> Any:
    """β between −1 and 0"""
    return cubic_inner(-u)


def cubic_first(u: Any) -> Any:
    """β between −2 and −1"""
    return cubic_outer(-u)


def quadratic_outer(u: Any) -> Any:
    """β between ½ and 1½"""
    return (u - 1.5) ** 2 / 2.0


def quadratic_inner(u: Any) -> Any:
    """β between −½ and ½"""
    return 0.75 - u * u


def quadratic_first(u: Any) -> Any:
    """β between −1½ and −½"""
    return (u + 1.5) ** 2 / 2.0


@written_in_precision(signal.cspline1d_eval)
def cspline1d_eval(cj: np.ndarray | list, newx: Array | list, dx: Array = 1.0, x0: Array = 0):
    """Σ c_j β₃((x − x₀) / δ − j)"""
    x = (np.asarray(newx) - x0) / dx
    return values(np.asarray(cj), x, 2.0, (cubic_outer, cubic_inner, cubic_before, cubic_first))


@written_in_precision(signal.qspline1d_eval)
def qspline1d_eval(cj: np.ndarray | list, newx: Array | list, dx: Array = 1.0, x0: Array = 0):
    """Σ c_j β₂((x − x₀) / δ − j)"""
    x = (np.asarray(newx) - x0) / dx
    return values(np.asarray(cj), x, 1.5, (quadratic_outer, quadratic_inner, quadratic_first))


def terms(pole: Any, precision: Any, n: int, dtype: Any) -> int:
    """How many terms SciPy adds up for the first value of a filter."""
    if not 0 < precision < 1:
        precision = 1e-6 if np.finfo(dtype).bits == 32 else 1e-11
    if abs(pole) >= 1 or pole == 0:
        raise UnsupportedArgument("scipy.signal.symiirorder1", "z1", pole, why="it is not inside the circle")
    count = math.ceil(math.log(precision) / math.log(abs(pole)))
    if count > n:
        raise UnsupportedArgument("scipy.signal.symiirorder1", "signal", n, why="it is too short")
    return count


non_differentiable(terms, why="counts")


@written_in_precision(signal.symiirorder1)
def symiirorder1(signal: np.ndarray | list, c0: Array, z1: Array, *, precision=-1.0):
    """g / ((1 − z s)(1 − z s⁻¹)), with s the shift by one sample"""
    x = np.asarray(signal)
    count = terms(z1, precision, np.shape(x)[-1], x.dtype)
    powers = z1 ** own(np.arange, 1, count + 1)
    start = x[..., :1] + np.sum(x[..., :count] * powers, axis=-1, keepdims=True)
    return both_ways(x, c0, z1, start)


def two_ways(x: Any, pole: float, scale: float, precision: Any) -> Any:
    """The coefficients of a spline in two dimensions."""
    x = symiirorder1(x, -pole * scale, pole, precision=precision)
    return np.swapaxes(symiirorder1(np.swapaxes(x, 0, 1), -pole * scale, pole, precision=precision), 0, 1)


def checked_precision(precision: Any, dtype: Any) -> Any:
    """Where the sum for the first value is cut off."""
    if 0 <= precision < 1:
        return precision
    return 1e-3 if np.finfo(dtype).bits == 32 else 1e-6


def checked_order(name: str, lamb: Any) -> None:
    """Refuse to smooth in two dimensions."""
    if lamb > 1 / 144.0 or (lamb != 0 and name.endswith("qspline2d")):
        raise UnsupportedArgument(
            name, "lamb", lamb, supported=["0"], next="scipy.signal.spline_filter has rules by its smoothing"
        )


non_differentiable(checked_precision, checked_order, why="checks arguments")


@written_in_precision(signal.cspline2d)
def cspline2d(signal: np.ndarray, *, lamb=0.0, precision=-1.0):
    """The coefficients of the cubic spline through the samples of an image"""
    checked_order("scipy.signal.cspline2d", lamb)
    return two_ways(signal, CUBIC, 6.0, checked_precision(precision, signal.dtype))


@written_in_precision(signal.qspline2d)
def qspline2d(signal: np.ndarray, *, lamb=0.0, precision=-1.0):
    """The coefficients of the quadratic spline through the samples of an image"""
    checked_order("scipy.signal.qspline2d", lamb)
    return two_ways(signal, QUADRATIC, 8.0, checked_precision(precision, signal.dtype))


def checked_reach(image: Any, hrow: Any, hcol: Any) -> None:
    """Refuse a filter that reaches beyond one mirror image, where SciPy reads what is not the image's."""
    for name, taps, size in (("hrow", hrow, image.shape[1]), ("hcol", hcol, image.shape[0])):
        if size == 0 or len(taps) // 2 > size:
            why = f"half of it reaches beyond the {size} samples of the image"
            raise UnsupportedArgument("scipy.signal.sepfir2d", name, len(taps), why=why)


non_differentiable(checked_reach, why="checks arguments")


@written_out(signal.sepfir2d)
def sepfir2d(input: np.ndarray, hrow: np.ndarray | list, hcol: np.ndarray | list):
    """Rows and columns filtered, mirror images beyond the edges"""
    checked_reach(input, hrow, hcol)
    rows = ndimage.convolve1d(input, np.asarray(hrow), axis=1, mode="reflect")
    return ndimage.convolve1d(rows, np.asarray(hcol), axis=0, mode="reflect")

"""Correlation and convolution: linear in the image and in the weights, with every mode of extension.

All of them are one map, y_i = Σ_k w_k x_{i+k−c}, with c the place of the origin within the weights and x
extended beyond its edges. By the weights it is a sum over the image; by the image it is the same map with
the weights reversed, on the extended image, folded back. Complex weights are conjugated, as in
`np.correlate`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, add, is_zero
from ...linearity import linear_in
from ...numpy.adjoints import conj
from ...written import written_out
from .arguments import along, as_floats, delivered, dtype_of, everywhere, spread_shape
from .edges import add_strip, extended, folded, strips


def widths_of(shape: tuple[int, ...], origins: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """How far weights reach beyond the edges, before and after."""
    centres = [n // 2 + origin for n, origin in zip(shape, origins, strict=True)]
    return tuple((c, n - 1 - c) for n, c in zip(shape, centres, strict=True))


def opposite(shape: tuple[int, ...], origins: tuple[int, ...]) -> tuple[int, ...]:
    """The origins of the weights when they are reversed."""
    return tuple(-origin - (n % 2 == 0) for n, origin in zip(shape, origins, strict=True))


def are_periods(modes: tuple[str, ...]) -> bool:
    """Whether an image goes on as its own copy along all axes."""
    return all(mode in ("wrap", "grid-wrap") for mode in modes)


def are_reflected(modes: tuple[str, ...]) -> bool:
    """Whether an image goes on as its own reflection about its edges, or as nothing, along all axes."""
    return all(mode in ("reflect", "grid-mirror", "constant", "grid-constant") for mode in modes)


def where_folded(widths: Any, modes: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """How far the transpose reaches beyond the edges: nowhere along an axis with nothing beyond it."""
    constant = ("constant", "grid-constant")
    return tuple((0, 0) if mode in constant else each for each, mode in zip(widths, modes, strict=True))


def precise(y_bar: Any, w: Any) -> Any:
    """A cotangent in the precision of the weights, where that is greater."""
    dtype = np.result_type(y_bar, w)
    return y_bar if y_bar.dtype == dtype else y_bar.astype(dtype)


def centred(shape: tuple[int, ...], widths: Any) -> tuple[int, ...]:
    """The origins of reversed weights on an extended array."""
    return tuple(after - n // 2 for n, (_, after) in zip(shape, widths, strict=True))


non_differentiable(
    widths_of,
    opposite,
    are_periods,
    are_reflected,
    where_folded,
    centred,
    why="computes with shapes and origins alone",
)


def correlated(
    x: Any, w: Any, *, modes: tuple[str, ...], cval: Any, origins: tuple[int, ...], even: bool = False
) -> Any:
    """Σ_k conj(w_k) x_{i+k−c}, for weights with as many axes as x; `even` says that they always are."""
    if not x.ndim == w.ndim == len(modes):
        raise ValueError(f"weights with {w.ndim} axes and {len(modes)} modes, of an image with {x.ndim}")
    if x.ndim == 0:
        return ndimage.correlate(x, w)
    long = [axis for axis, n in enumerate(w.shape) if n > 1]
    if len(long) > 1:
        return ndimage.correlate(x, w, mode=modes[long[0]], cval=cval, origin=origins)
    axis = long[0] if long else 0
    return ndimage.correlate1d(x, w.ravel(), axis, mode=modes[axis], cval=cval, origin=origins[axis])


def transposed(
    y_bar: Any, w: Any, *, modes: tuple[str, ...], origins: tuple[int, ...], even: bool = False
) -> Any:
    """The reversed weights over ȳ, zeros beyond it, and what they bring beyond the edges folded back.

    Where an image goes on as its own copy along all axes, nothing has to be folded. With even weights and
    an image that is reflected at its edges too, the map is its own transpose.
    """
    widths, y_bar = widths_of(w.shape, origins), precise(y_bar, w)
    turned, around = np.flip(conj(w)), centred(w.shape, widths)
    if are_periods(modes) or (even and are_reflected(modes)):
        return correlated(y_bar, turned, modes=modes, cval=0.0, origins=around, even=even)
    zeros, where = ("constant",) * len(modes), where_folded(widths, modes)
    if sum(n > 1 for n in w.shape) == 1:
        x_bar = correlated(y_bar, turned, modes=zeros, cval=0.0, origins=around)
        axis = next(axis for axis, n in enumerate(w.shape) if n > 1)
        add_beyond(x_bar, y_bar, turned, axis, where[axis], modes[axis], around)
        return x_bar
    far = extended(y_bar, widths=where, modes=zeros)
    return folded(correlated(far, turned, modes=zeros, cval=0.0, origins=around), widths=where, modes=modes)


def add_beyond(
    x_bar: Any, y_bar: Any, turned: Any, axis: int, width: tuple[int, int], mode: str, origins: Any
) -> None:
    """Add what reversed weights along one axis bring beyond both edges, of the entries that reach so far."""
    here, n, zeros = (slice(None),) * axis, y_bar.shape[axis], ("constant",) * y_bar.ndim
    for side, (reach, (_, there)) in enumerate(zip(width, strips(n, *width, mode), strict=True)):
        if reach and n:
            near = slice(0, reach) if side == 0 else slice(max(n - reach, 0), n)
            outside = slice(0, reach) if side == 0 else slice(-reach, None)
            beyond = [(0, 0)] * y_bar.ndim
            beyond[axis] = (reach, 0) if side == 0 else (0, reach)
            strip = extended(y_bar[(*here, near)], widths=tuple(beyond), modes=zeros)
            strip = correlated(strip, turned, modes=zeros, cval=0.0, origins=origins)
            add_strip(x_bar, strip[(*here, outside)], there, axis)


def by_weights(x: Any, y_bar: Any, shape: tuple[int, ...]) -> Any:
    """w̄_k = Σ_i x_{i+k} conj(ȳ_i), for x already extended."""
    seed = conj(y_bar)
    parts = [
        np.sum(x[tuple(slice(j, j + n) for j, n in zip(k, np.shape(seed), strict=True))] * seed)
        for k in np.ndindex(shape)
    ]
    return np.reshape(np.stack(parts), shape)


@frule(correlated)
def correlated_frule(tangents, x: np.ndarray, w: np.ndarray, *, modes, cval, origins, even=False):
    """y = w ⋆ x        ẏ = w ⋆ ẋ + ẇ ⋆ x"""
    dx, dw = tangents
    dy = ZERO if is_zero(dx) else correlated(dx, w, modes=modes, cval=0.0, origins=origins)
    more = ZERO if is_zero(dw) else correlated(x, dw, modes=modes, cval=cval, origins=origins)
    return correlated(x, w, modes=modes, cval=cval, origins=origins), add(dy, more)


@linear_in(0, 1)
@rrule(correlated)
def correlated_rrule(x: np.ndarray, w: np.ndarray, *, modes, cval, origins, even=False, needs):
    """y = w ⋆ x        x̄ = the fold of reversed w ⋆ ȳ,  w̄_k = Σ_i x_{i+k−c} conj(ȳ_i)"""
    shape = np.shape(w)
    widths = widths_of(shape, origins)

    def correlated_pullback(y_bar):
        x_bar = w_bar = ZERO
        if needs[0]:
            x_bar = transposed(y_bar, w, modes=modes, origins=origins, even=even)
        if needs[1]:
            w_bar = by_weights(extended(x, widths=widths, modes=modes, cval=cval), y_bar, shape)
        return x_bar, w_bar

    return correlated(x, w, modes=modes, cval=cval, origins=origins), correlated_pullback


@frule(transposed)
def transposed_frule(tangents, y_bar: np.ndarray, w: np.ndarray, *, modes, origins, even=False):
    """x̄ = Wᴴ ȳ        ẋ = Wᴴ ẏ + Ẇᴴ ȳ"""
    dy, dw = tangents
    dx = ZERO if is_zero(dy) else transposed(dy, w, modes=modes, origins=origins, even=even)
    more = ZERO if is_zero(dw) else transposed(y_bar, dw, modes=modes, origins=origins)
    return transposed(y_bar, w, modes=modes, origins=origins, even=even), add(dx, more)


@linear_in(0, 1)
@rrule(transposed)
def transposed_rrule(y_bar: np.ndarray, w: np.ndarray, *, modes, origins, even=False, needs):
    """x̄ = Wᴴ ȳ        for the seed g: W g, and Σ_i g_{i+k−c} conj(ȳ_i)"""
    shape = np.shape(w)
    widths = widths_of(shape, origins)

    def transposed_pullback(seed):
        back = w_bar = ZERO
        if needs[0]:
            back = correlated(seed, w, modes=modes, cval=0.0, origins=origins, even=even)
        if needs[1]:
            w_bar = by_weights(extended(seed, widths=widths, modes=modes), y_bar, shape)
        return back, w_bar

    return transposed(y_bar, w, modes=modes, origins=origins, even=even), transposed_pullback


def along_line(x: Any, w: Any, axis: int, mode: str, cval: Any) -> Any:
    """Even weights, of which there are an odd number, along one axis."""
    ndim = np.ndim(x)
    w = np.reshape(w, spread_shape(np.shape(w), (axis,), ndim))
    return correlated(x, w, modes=(mode,) * ndim, cval=cval, origins=(0,) * ndim, even=True)


@written_out(ndimage.correlate)
def correlate(
    input: np.ndarray | list, weights: object, *, output=None, mode="reflect", cval=0.0, origin=0, axes=None
):
    """y_i = Σ_k conj(w_k) x_{i+k−c}"""
    x = np.asarray(input)
    w = np.asarray(weights)
    dtype, axes = dtype_of("scipy.ndimage.correlate", output, x), along(axes, x.ndim)
    w = np.reshape(w, spread_shape(np.shape(w), axes, x.ndim))
    origins = everywhere(origin, axes, x.ndim, 0)
    return delivered(correlated(as_floats(x), w, modes=(mode,) * x.ndim, cval=cval, origins=origins), dtype)


@written_out(ndimage.convolve)
def convolve(
    input: np.ndarray | list, weights: object, *, output=None, mode="reflect", cval=0.0, origin=0, axes=None
):
    """y_i = Σ_k w_k x_{i−k+c}"""
    x = np.asarray(input)
    w = np.asarray(weights)
    dtype, axes = dtype_of("scipy.ndimage.convolve", output, x), along(axes, x.ndim)
    w = np.reshape(w, spread_shape(np.shape(w), axes, x.ndim))
    w = conj(np.flip(w) if x.ndim else w)  # what has no axes is a number after a flip
    origins = opposite(np.shape(w), everywhere(origin, axes, x.ndim, 0))
    return delivered(correlated(as_floats(x), w, modes=(mode,) * x.ndim, cval=cval, origins=origins), dtype)


@written_out(ndimage.correlate1d)
def correlate1d(
    input: np.ndarray | list, weights: object, *, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """y_i = Σ_k conj(w_k) x_{i+k−c}, along one axis"""
    return correlate(input, weights, output=output, mode=mode, cval=cval, origin=origin, axes=(axis,))


@written_out(ndimage.convolve1d)
def convolve1d(
    input: np.ndarray | list, weights: object, *, axis=-1, output=None, mode="reflect", cval=0.0, origin=0
):
    """y_i = Σ_k w_k x_{i−k+c}, along one axis"""
    return convolve(input, weights, output=output, mode=mode, cval=cval, origin=origin, axes=(axis,))

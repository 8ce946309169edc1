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
from ...numpy.adjoints import conj
from ...written import written_out
from .arguments import along, delivered, dtype_of, everywhere, spread_shape
from .edges import extended, folded, sources


def widths_of(shape: tuple[int, ...], origins: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """How far weights reach beyond the edges, before and after."""
    centres = [n // 2 + origin for n, origin in zip(shape, origins, strict=True)]
    return tuple((c, n - 1 - c) for n, c in zip(shape, centres, strict=True))


def opposite(shape: tuple[int, ...], origins: tuple[int, ...]) -> tuple[int, ...]:
    """The origins of the weights when they are reversed."""
    return tuple(-origin - (n % 2 == 0) for n, origin in zip(shape, origins, strict=True))


def strips(shape: tuple[int, ...], widths: Any, modes: tuple[str, ...]) -> list[tuple[int, int, int]]:
    """The strips beyond the edges that something is folded back from: their axis, side and width."""
    return [
        (axis, side, widths[axis][side])
        for axis, mode in enumerate(modes)
        for side in (0, 1)
        if mode not in ("constant", "grid-constant") and widths[axis][side] and shape[axis]
    ]


def are_periods(modes: tuple[str, ...]) -> bool:
    """Whether an image goes on as its own copy along all axes."""
    return all(mode in ("wrap", "grid-wrap") for mode in modes)


def near(shape: tuple[int, ...], axis: int, side: int, width: int) -> tuple[slice, ...]:
    """The entries from which weights reach beyond one edge."""
    n = shape[axis]
    along = slice(0, width) if side == 0 else slice(max(n - width, 0), n)
    return tuple(along if i == axis else slice(None) for i in range(len(shape)))


def beyond(widths: Any, strip: tuple[int, int, int], modes: tuple[str, ...]) -> Any:
    """How far a strip is extended: along its own axis to one side, along later ones where they fold."""
    axis, side, width = strip
    own = (width, 0) if side == 0 else (0, width)
    return tuple(
        own if i == axis else each if i > axis and modes[i] not in ("constant", "grid-constant") else (0, 0)
        for i, each in enumerate(widths)
    )


def outer(ndim: int, strip: tuple[int, int, int]) -> tuple[slice, ...]:
    """The part of an extended strip that is beyond its edge."""
    axis, side, width = strip
    along = slice(0, width) if side == 0 else slice(-width, None)
    return tuple(along if i == axis else slice(None) for i in range(ndim))


def landing(shape: tuple[int, ...], widths: Any, strip: tuple[int, int, int], modes: tuple[str, ...]) -> Any:
    """The entries that stand beyond one edge, by their places in the flat array."""
    axis, side, width = strip
    there = sources(shape[axis], widths[axis][0], widths[axis][1], modes[axis])
    along: list[Any] = [np.arange(n) for n in shape]
    along[axis] = there[:width] if side == 0 else there[-width:]
    return np.ravel_multi_index(np.ix_(*along), shape).ravel()


def centred(shape: tuple[int, ...], widths: Any) -> tuple[int, ...]:
    """The origins of reversed weights on an extended array."""
    return tuple(after - n // 2 for n, (_, after) in zip(shape, widths, strict=True))


non_differentiable(
    widths_of,
    opposite,
    strips,
    are_periods,
    near,
    beyond,
    outer,
    landing,
    centred,
    why="computes with shapes and origins alone",
)


def correlated(x: Any, w: Any, *, modes: tuple[str, ...], cval: Any, origins: tuple[int, ...]) -> Any:
    """Σ_k conj(w_k) x_{i+k−c}, for weights with as many axes as x."""
    long = [axis for axis, n in enumerate(w.shape) if n > 1]
    if len(long) > 1 or x.ndim == 0:
        return ndimage.correlate(x, w, mode=modes[long[0]] if long else modes[0], cval=cval, origin=origins)
    axis = long[0] if long else 0
    return ndimage.correlate1d(x, w.ravel(), axis, mode=modes[axis], cval=cval, origin=origins[axis])


def added_at(x: Any, more: Any, *, places: Any) -> Any:
    """x with more added to its entries at these places of the flat array."""
    y = x.ravel().copy()
    np.add.at(y, places, more)
    return y.reshape(x.shape)


@frule(added_at)
def added_at_frule(tangents, x: np.ndarray, more: np.ndarray, *, places):
    """ẏ = ẋ with ṁ added at the places"""
    dx, dm = tangents
    dx = np.zeros_like(x) if is_zero(dx) else dx
    return added_at(x, more, places=places), dx if is_zero(dm) else added_at(dx, dm, places=places)


@rrule(added_at)
def added_at_rrule(x: np.ndarray, more: np.ndarray, *, places):
    """x̄ = ȳ,  m̄ = ȳ at the places"""

    def added_at_pullback(y_bar):
        return y_bar, np.ravel(y_bar)[places]

    return added_at(x, more, places=places), added_at_pullback


def transposed(y_bar: Any, w: Any, widths: Any, modes: tuple[str, ...]) -> Any:
    """The reversed weights over ȳ, zeros beyond it; and what they bring beyond the edges, folded back.

    Along an axis that goes on as its own copy nothing has to be folded. Otherwise only entries near an edge
    reach beyond it, so that the strips are thin.
    """
    shape, turned = np.shape(y_bar), np.flip(conj(w))
    origins, zeros = centred(np.shape(w), widths), ("constant",) * len(modes)
    if are_periods(modes):
        return correlated(y_bar, turned, modes=modes, cval=0.0, origins=origins)
    total = correlated(y_bar, turned, modes=zeros, cval=0.0, origins=origins)
    parts, places = [], []
    for strip in strips(shape, widths, modes):
        far = beyond(widths, strip, modes)
        around = extended(y_bar[near(shape, *strip)], widths=far, modes=zeros)
        back = correlated(around, turned, modes=zeros, cval=0.0, origins=origins)[outer(len(modes), strip)]
        others = tuple((0, 0) if i == strip[0] else each for i, each in enumerate(far))
        parts.append(np.ravel(folded(back, widths=others, modes=modes)))
        places.append(landing(shape, widths, strip, modes))
    if len(parts) == 0:
        return total
    return added_at(total, np.concatenate(parts), places=np.concatenate(places))


def by_weights(x: Any, y_bar: Any, shape: tuple[int, ...]) -> Any:
    """w̄_k = Σ_i x_{i+k} conj(ȳ_i), for x already extended."""
    seed = conj(y_bar)
    parts = [
        np.sum(x[tuple(slice(j, j + n) for j, n in zip(k, np.shape(seed), strict=True))] * seed)
        for k in np.ndindex(shape)
    ]
    return np.reshape(np.stack(parts), shape)


@frule(correlated)
def correlated_frule(tangents, x: np.ndarray, w: np.ndarray, *, modes, cval, origins):
    """y = w ⋆ x        ẏ = w ⋆ ẋ + ẇ ⋆ x"""
    dx, dw = tangents
    dy = ZERO if is_zero(dx) else correlated(dx, w, modes=modes, cval=0.0, origins=origins)
    more = ZERO if is_zero(dw) else correlated(x, dw, modes=modes, cval=cval, origins=origins)
    return correlated(x, w, modes=modes, cval=cval, origins=origins), add(dy, more)


@rrule(correlated)
def correlated_rrule(x: np.ndarray, w: np.ndarray, *, modes, cval, origins, needs):
    """y = w ⋆ x        x̄ = the fold of reversed w ⋆ ȳ,  w̄_k = Σ_i x_{i+k−c} conj(ȳ_i)"""
    shape = np.shape(w)
    widths = widths_of(shape, origins)

    def correlated_pullback(y_bar):
        x_bar = w_bar = ZERO
        if needs[0]:
            x_bar = transposed(y_bar, w, widths, modes)
        if needs[1]:
            w_bar = by_weights(extended(x, widths=widths, modes=modes, cval=cval), y_bar, shape)
        return x_bar, w_bar

    return correlated(x, w, modes=modes, cval=cval, origins=origins), correlated_pullback


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
    return delivered(correlated(x, w, modes=(mode,) * x.ndim, cval=cval, origins=origins), dtype)


@written_out(ndimage.convolve)
def convolve(
    input: np.ndarray | list, weights: object, *, output=None, mode="reflect", cval=0.0, origin=0, axes=None
):
    """y_i = Σ_k w_k x_{i−k+c}"""
    x = np.asarray(input)
    w = np.asarray(weights)
    dtype, axes = dtype_of("scipy.ndimage.convolve", output, x), along(axes, x.ndim)
    w = conj(np.flip(np.reshape(w, spread_shape(np.shape(w), axes, x.ndim))))
    origins = opposite(np.shape(w), everywhere(origin, axes, x.ndim, 0))
    return delivered(correlated(x, w, modes=(mode,) * x.ndim, cval=cval, origins=origins), dtype)


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

"""Arrays extended beyond their edges, and the transpose of that, which folds an extension back.

What lies outside is an entry of the array (`reflect`, `mirror`, `nearest`, `wrap`) or a constant. So an
extension gathers entries, and a fold adds what stands outside to the entries that it was taken from. Both
are linear, each the other's transpose; only the constant is affine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, non_differentiable
from ...linear import transpose_of

Widths = tuple[tuple[int, int], ...]

MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap", "grid-constant")


def strips(n: int, before: int, after: int, mode: str) -> tuple[tuple[slice, Any], tuple[slice, Any]]:
    """Where the strips before and after stand in an extended line, and the entries that stand there.

    Example: >>> strips(3, 2, 1, "reflect")
             ((slice(0, 2, None), array([1, 0])), (slice(5, 6, None), array([2])))
    """
    return (
        (slice(0, before), sources(n, np.arange(-before, 0), mode)),
        (slice(before + n, before + n + after), sources(n, np.arange(n, n + after), mode)),
    )


def sources(n: int, places: Any, mode: str) -> Any:
    """The entries of a line that stand at places of its extension; −1 for the constant.

    Example: >>> sources(3, np.arange(-2, 4), "reflect")
             array([1, 0, 0, 1, 2, 2])
    """
    if n == 0 or mode in ("constant", "grid-constant"):
        return np.where((places < 0) | (places >= n), -1, places)
    if mode == "nearest":
        return np.clip(places, 0, n - 1)
    if mode in ("wrap", "grid-wrap"):
        return places % n
    if mode in ("reflect", "grid-mirror"):
        there = places % (2 * n)
        return np.minimum(there, 2 * n - 1 - there)
    if mode == "mirror":
        there = places % max(2 * n - 2, 1)
        return np.minimum(there, 2 * n - 2 - there)
    raise UnsupportedArgument("scipy.ndimage", "mode", mode, supported=list(MODES))


def inner(shape: tuple[int, ...], widths: Widths) -> tuple[slice, ...]:
    """Where an array stands in its extension."""
    return tuple(slice(before, before + n) for n, (before, _) in zip(shape, widths, strict=True))


non_differentiable(sources, strips, inner, why="computes with places alone")


def extended(x: Any, *, widths: Widths, modes: tuple[str, ...], cval: Any = 0.0) -> Any:
    """x with so many entries before and after it along each axis."""
    if x.ndim != len(widths):
        raise ValueError(f"widths for {len(widths)} axes, of an array with {x.ndim}")
    if all(mode in ("constant", "grid-constant") for mode in modes):
        here = inner(x.shape, widths)
        y = np.full([n + sum(width) for n, width in zip(x.shape, widths, strict=True)], cval, dtype=x.dtype)
        y[here] = x
        return y
    for axis, ((before, after), mode) in enumerate(zip(widths, modes, strict=True)):
        if before == after == 0:
            continue
        n, here = x.shape[axis], (slice(None),) * axis
        y = np.empty((*x.shape[:axis], n + before + after, *x.shape[axis + 1 :]), dtype=x.dtype)
        y[(*here, slice(before, before + n))] = x
        for beyond, there in strips(n, before, after, mode):
            if n == 0:
                y[(*here, beyond)] = cval
                continue
            taken = np.take(x, there, axis=axis)
            taken[(*here, there < 0)] = cval
            y[(*here, beyond)] = taken
        x = y
    return x


def folded(g: Any, *, widths: Widths, modes: tuple[str, ...]) -> Any:
    """The transpose: what stands outside added to where it came from, the last axis first."""
    if g.ndim != len(widths) or any(n < sum(width) for n, width in zip(g.shape, widths, strict=True)):
        raise ValueError(f"an array of shape {g.shape} is no extension by {widths}")
    for axis in range(len(widths) - 1, -1, -1):
        before, after = widths[axis]
        if before == after == 0:
            continue
        n = g.shape[axis] - before - after
        here = (slice(None),) * axis
        x = g[(*here, slice(before, before + n))].copy()
        for beyond, there in strips(n, before, after, modes[axis]):
            add_strip(x, g[(*here, beyond)], there, axis)
        g = x
    return g


def add_strip(x: Any, strip: Any, there: Any, axis: int) -> None:
    """Add each entry of a strip along an axis to that of x which stood there, at once where in a row."""
    here, (first, last) = (slice(None),) * axis, (there[0], there[-1]) if len(there) else (-1, -1)
    if first < 0:
        return
    steps = set(np.diff(there).tolist())
    if steps <= {0}:
        x[(*here, first)] += np.sum(strip, axis=axis)
    elif steps == {1}:
        x[(*here, slice(first, last + 1))] += strip
    elif steps == {-1}:
        x[(*here, slice(last, first + 1))] += np.flip(strip, axis)
    else:
        for place, entry in enumerate(there):
            x[(*here, entry)] += strip[(*here, place)]


@transpose_of(extended, cval=0.0)
def extended_transposed(y_bar, x: np.ndarray, *, widths, modes, cval=0.0):
    """y = E x + cval outside        ẏ = E ẋ,  x̄ = Eᵀ ȳ"""
    return folded(y_bar, widths=widths, modes=modes)


@transpose_of(folded)
def folded_transposed(y_bar, x: np.ndarray, *, widths, modes):
    """y = Eᵀ x        ẏ = Eᵀ ẋ,  x̄ = E ȳ"""
    return extended(y_bar, widths=widths, modes=modes)

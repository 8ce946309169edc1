"""Parts of arrays by numbers, slices and new axes, in array operations alone: for arrays of other libraries.

The adjoint of taking a part is to put it between zeros, which padding does. Slices with a step, and arrays,
lists and truth values as an index, are refused by name.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..core import UnsupportedArgument, frule, non_differentiable, rrule
from ..tangents import NO_TANGENT


def part(x: Any, index: Any) -> Any:
    """`x[index]`"""
    return x[index]


def between_zeros(y: Any, index: Any, shape: tuple[int, ...]) -> Any:
    """y as the part at an index of an array of zeros of a shape.

    Example: >>> between_zeros(np.ones(2), (slice(1, 3),), (4,))
             array([0., 1., 1., 0.])
    """
    axes, widths = frame(index, shape)
    return np.pad(np.reshape(y, axes), widths)


def frame(index: Any, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """The lengths of a part's axes, before numbers drop and `None` adds some, and what is left around it."""
    entries = tuple(e for e in (index if type(index) is tuple else (index,)) if e is not None)
    dots = [i for i, e in enumerate(entries) if e is Ellipsis]
    at = dots[0] if dots else len(entries)
    every = (slice(None),) * (len(shape) - len(entries) + len(dots))
    rows = [
        _row(e, n, index) for e, n in zip((*entries[:at], *every, *entries[at + 1 :]), shape, strict=True)
    ]
    return tuple(n for n, _ in rows), tuple(around for _, around in rows)


def _row(entry: Any, n: int, index: Any) -> tuple[int, tuple[int, int]]:
    """How many entries of an axis an index takes, and how many stand before and after them."""
    if n == n and type(entry) is slice and entry.step in (None, 1):  # Dask's unknown lengths are NaN
        start, stop, _ = entry.indices(n)
        length = max(0, stop - start)
        return length, (start, n - start - length)
    if n == n and isinstance(entry, int | np.integer) and not isinstance(entry, bool):
        place = operator.index(entry) % n
        return 1, (place, n - 1 - place)
    raise UnsupportedArgument(
        operator.getitem, "index", index, why="an array of another library has parts by numbers and slices",
        next="take a part without a step, or a product with an array of zeros and ones",
    )  # fmt: skip


non_differentiable(frame, why="computes with places alone")


@frule(part)
def part_frule(tangents, x: np.ndarray, index):
    """y = x[index]        ẏ = ẋ[index]"""
    frame(index, x.shape)  # which refuses what the other mode does not take
    return part(x, index), part(tangents[0], index)


@rrule(part)
def part_rrule(x: np.ndarray, index):
    """y = x[index]        x̄ = ȳ between zeros"""
    shape = x.shape
    frame(index, shape)

    def part_pullback(y_bar):
        return between_zeros(y_bar, index, shape), NO_TANGENT

    return part(x, index), part_pullback


@frule(between_zeros)
def between_zeros_frule(tangents, y: np.ndarray, *, index, shape):
    """linear in y"""
    return between_zeros(y, index, shape), between_zeros(tangents[0], index, shape)


@rrule(between_zeros)
def between_zeros_rrule(y: np.ndarray, *, index, shape):
    """linear in y        its adjoint takes the part"""

    def between_zeros_pullback(z_bar):
        return part(z_bar, index)

    return between_zeros(y, index, shape), between_zeros_pullback

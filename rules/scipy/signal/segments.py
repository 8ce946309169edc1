"""Segments of lines, which overlap: cut out, their trends taken away, and added up again.

To cut and to add up are linear, each the other's transpose, and neither costs more than the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, non_differentiable
from ...linear import transpose_of


def cut(x: Any, *, size: int, step: int) -> Any:
    """The segments of lines that have so many entries, one every so many: (…, segments, size)

    Example: >>> cut(np.arange(4), size=2, step=1)
             array([[0, 1],
                    [1, 2],
                    [2, 3]])
    """
    return np.lib.stride_tricks.sliding_window_view(x, size, axis=-1)[..., ::step, :].copy()


def added_up(s: Any, *, step: int, length: int) -> Any:
    """Lines of that length, to which each segment is added where it was cut out.

    That is done for all segments at once, a step's share of each after another, where those are fewer.
    """
    count, size = s.shape[-2:]
    shares = -(-size // step)
    if shares > count:
        x = np.zeros((*s.shape[:-2], length), dtype=s.dtype)
        for i in range(count):
            x[..., i * step : i * step + size] += s[..., i, :]
        return x
    if (count - 1) * step + size > length:
        raise ValueError(f"{count} segments of {size}, {step} apart, do not fit into {length}")
    rows = max(count - 1 + shares, -(-length // step))
    steps = np.zeros((*s.shape[:-2], rows, step), dtype=s.dtype)
    for j in range(shares):
        share = s[..., j * step : (j + 1) * step]
        steps[..., j : j + count, : share.shape[-1]] += share
    return np.reshape(steps, (*s.shape[:-2], rows * step))[..., :length]


@transpose_of(cut)
def cut_transposed(y_bar, x: np.ndarray, *, size, step):
    """y = C x        ẏ = C ẋ,  x̄ = Cᵀ ȳ"""
    return added_up(y_bar, step=step, length=np.shape(x)[-1])


@transpose_of(added_up)
def added_up_transposed(y_bar, x: np.ndarray, *, step, length):
    """y = Cᵀ x        ẏ = Cᵀ ẋ,  x̄ = C ȳ"""
    return cut(y_bar, size=np.shape(x)[-1], step=step)[..., : np.shape(x)[-2], :]


def line_basis(n: int) -> Any:
    """Two orthonormal columns that every straight line of n entries is a sum of; one where n is one."""
    q, _ = np.linalg.qr(np.stack([np.ones(n), np.arange(n) / n], axis=1))
    return q


def checked_trend(name: str, kind: Any) -> Any:
    """The kind of trend that is taken away: 'constant', 'linear' or none."""
    if kind in ("constant", "c"):
        return "constant"
    if kind in ("linear", "l"):
        return "linear"
    if kind is None or kind is False:
        return None
    raise UnsupportedArgument(
        name, "detrend", kind, supported=["constant", "linear", "False"], next="take the trend away yourself"
    )


non_differentiable(line_basis, checked_trend, why="computes with lengths and names alone")


def without_trend(s: Any, kind: Any) -> Any:
    """Lines without their mean, or without their best straight line."""
    if kind is None:
        return s
    if kind == "constant":
        return s - np.mean(s, axis=-1, keepdims=True)
    q = line_basis(np.shape(s)[-1])
    return s - (s @ q) @ q.T

"""Weighted means and sums: average, bincount.

Weights that sum to zero are refused as NumPy does. Not here: histograms (histograms).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...core.seeds import ready
from ...tangents import IndexedTangent, materialize
from ..written import own, written_out
from .axes import axes_of, float_dtype, kept

_WEIGHTS = Array | None


def aligned(a: Any, weights: Any, axis: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """How weights along axes of an array are laid out beside it: a permutation and a shape."""
    axes = axes_of(axis, np.ndim(a))
    shape = kept(np.shape(a), tuple(i for i in range(np.ndim(a)) if i not in axes))
    return tuple(int(i) for i in np.argsort(axes)), shape


non_differentiable(aligned, why="computes with shapes alone")


@written_out(np.average)
def average(a: Array, weights: _WEIGHTS = None, *, axis=None, returned=False, keepdims=False):
    """y = Σ w x / Σ w"""
    if weights is None:
        y = np.mean(a, axis=axis, keepdims=keepdims)
        return (y, own(np.average, a, axis, returned=True, keepdims=keepdims)[1]) if returned else y
    w: Any = weights
    if np.shape(a) != np.shape(weights):
        own(np.average, a, axis, weights)  # which says what does not fit
        order, shape = aligned(a, weights, axis)
        w = np.reshape(np.transpose(weights, order), shape)
    total = np.sum(w, axis=axis, keepdims=keepdims)
    if np.any(total == 0):
        return own(np.average, a, axis, weights)  # which is refused
    y = np.sum(a * w, axis=axis, keepdims=keepdims) / total
    return (y, np.broadcast_to(total, np.shape(y)) * np.ones_like(y)) if returned else y


def summed(weights: Any, places: Any, size: int) -> Any:
    """The sum of the weights that stand at each of so many places."""
    return ready(IndexedTangent((size,), float_dtype(weights), places, weights))


def weights_at(weights: Any, x: Any, minlength: int) -> Any:
    """The sum of the weights that stand at each place."""
    return np.bincount(x, weights, minlength)


@frule(weights_at)
def weights_at_frule(tangents, weights: np.ndarray, *, x, minlength):
    """yᵢ = Σ of the weights whose number is i        ẏᵢ = Σ of their tangents"""
    return weights_at(weights, x, minlength), weights_at(materialize(tangents[0], like=weights), x, minlength)


@rrule(weights_at)
def weights_at_rrule(weights: np.ndarray, *, x, minlength):
    """yᵢ = Σ of the weights whose number is i        w̄ = ȳ at their numbers"""
    places = np.array(x)

    def weights_at_pullback(y_bar):
        return y_bar[places]

    return weights_at(weights, x, minlength), weights_at_pullback


@written_out(np.bincount, signature="x, /, weights=None, minlength=0")
def bincount(weights: _WEIGHTS = None, *, x, minlength=0):
    """yᵢ = Σ of the weights whose number is i"""
    if weights is None:
        return own(np.bincount, x, None, minlength)
    return weights_at(np.asarray(weights, float), x=x, minlength=minlength)

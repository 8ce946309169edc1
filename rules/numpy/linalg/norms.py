"""Norms of vectors and matrices: every order that `numpy.linalg.norm` takes, along any axes.

A norm of zero has derivative zero, as has the absolute value of an entry that is zero. Entries,
rows or singular values that tie for a maximum or minimum share equally. Orders made of singular
values (2, −2, "nuc") have second derivatives where those differ.

See [Watson 1992].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import Array, frule, rrule
from ...quiet import as_floats, ratio
from ..adjoints import adjoint, conj
from ..axes import axes_of, stretch
from ..reductions import shares
from .singular_values import thin_factors


@frule(np.linalg.norm)
def norm_frule(tangents, x: Array, *, ord=None, axis=None, keepdims=False):
    """y = ‖x‖        ẏ = Re Σ conj(g) ẋ        g the gradient"""
    (dx,) = tangents
    g = gradient(x, ord, axis)
    moved = np.real(conj(g) * dx)
    return np.linalg.norm(x, ord, axis, keepdims), np.sum(moved, axis=axis, keepdims=keepdims)


@rrule(np.linalg.norm)
def norm_rrule(x: Array, *, ord=None, axis=None, keepdims=False):
    """y = ‖x‖        x̄ = ȳ g        g the gradient"""
    shape = np.shape(x)

    def norm_pullback(y_bar):
        return stretch(y_bar, shape, axis) * gradient(x, ord, axis)

    return np.linalg.norm(x, ord, axis, keepdims), norm_pullback


def gradient(x: Any, ord: Any, axis: Any) -> Any:
    """The derivative of the norm with respect to each entry, each for its own line or matrix."""
    axes, x = axes_of(axis, np.ndim(x)), as_floats(x)
    if ord is None or ord == "fro" or ord == "f" or (ord == 2 and len(axes) == 1):
        return ratio(x, np.sqrt(np.sum(np.real(conj(x) * x), axis=axes, keepdims=True)))
    if len(axes) == 1:
        return of_vectors(x, ord, axes)
    if ord in (1, -1):
        return of_sums(x, ord, axes[0], axes[1])
    if ord in (np.inf, -np.inf):
        return of_sums(x, ord, axes[1], axes[0])
    return of_singular_values(x, ord, axes)


def of_vectors(x: Any, ord: Any, axes: tuple[int, ...]) -> Any:
    """The gradient of Σ|xᵢ|ᵖ to the power 1/p, and of its limits."""
    size = np.abs(x)
    unit = ratio(x, size)
    if ord == 1:
        return unit
    if ord == 0:
        return np.zeros_like(unit)
    if ord in (np.inf, -np.inf):
        return unit * shares(size, np.linalg.norm(x, ord, axes[0], True), axes)
    part = ratio(size, np.linalg.norm(x, ord, axes[0], True))
    zero = np.equal(part, 0)
    return unit * np.where(zero, 0.0, np.where(zero, 1.0, part) ** (ord - 1))


def of_sums(x: Any, ord: Any, summed: int, chosen: int) -> Any:
    """The gradient of the largest or smallest sum of absolute values."""
    size = np.abs(x)
    sums = np.sum(size, axis=summed, keepdims=True)
    extreme = np.max(sums, axis=chosen) if ord > 0 else np.min(sums, axis=chosen)
    return ratio(x, size) * shares(sums, extreme, chosen)


def of_singular_values(x: Any, ord: Any, axes: tuple[int, ...]) -> Any:
    """The gradient of the largest, the smallest, or the sum of the singular values."""
    u, s, v = thin_factors(np.linalg.svd(np.moveaxis(x, axes, (-2, -1)), False))
    weights = np.not_equal(s, 0).astype(s.dtype)
    if ord == 2:
        weights = weights * shares(s, np.max(s, axis=-1), -1)
    if ord == -2:
        weights = weights * shares(s, np.min(s, axis=-1), -1)
    return np.moveaxis(np.matmul(u * np.expand_dims(weights, -2), adjoint(v)), (-2, -1), axes)

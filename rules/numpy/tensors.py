"""Tensor contractions: tensordot, inner, outer, vdot, kron, cross.

All are bilinear: each cotangent is the contraction of ȳ with the other factor. `vdot` conjugates its
first factor. `cross` takes vectors of three components; NumPy gives up those of two.
Not here: matrix products (products) and einsum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, frule, non_differentiable, rrule, unbroadcast
from ...tangents import ZERO
from .adjoints import conj
from .axes import axes_of


def contraction_axes(axes: Any, a_ndim: int, b_ndim: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of a and of b that `tensordot` sums over, in pairs, none negative."""
    if isinstance(axes, int | np.integer):
        return tuple(range(a_ndim - int(axes), a_ndim)), tuple(range(int(axes)))
    of_a, of_b = axes
    return axes_of(of_a, a_ndim), axes_of(of_b, b_ndim)


def free_axes(summed: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """The axes that are not summed over."""
    return tuple(i for i in range(ndim) if i not in summed)


def back_order(
    mine: tuple[int, ...], theirs: tuple[int, ...], ndim: int, free_first: bool
) -> tuple[int, ...]:
    """The permutation from (my free axes, summed axes in the other's order), or the other way, to my axes."""
    summed = tuple(mine[i] for i in np.argsort(theirs))
    free = free_axes(mine, ndim)
    order = (*free, *summed) if free_first else (*summed, *free)
    return tuple(int(i) for i in np.argsort(order))


non_differentiable(contraction_axes, free_axes, back_order, why="computes with axes alone")


def contraction_left(y_bar: Any, b: Any, axes: Any, a_ndim: int) -> Any:
    """ā for y = tensordot(a, b, axes)."""
    of_a, of_b = axes
    free = free_axes(of_b, np.ndim(b))
    n = a_ndim - len(of_a)
    a_bar = np.tensordot(y_bar, conj(b), (tuple(range(n, n + len(free))), free))
    return np.transpose(a_bar, back_order(of_a, of_b, a_ndim, True))


def contraction_right(y_bar: Any, a: Any, axes: Any, b_ndim: int) -> Any:
    """b̄ for y = tensordot(a, b, axes)."""
    of_a, of_b = axes
    free = free_axes(of_a, np.ndim(a))
    b_bar = np.tensordot(conj(a), y_bar, (free, tuple(range(len(free)))))
    return np.transpose(b_bar, back_order(of_b, of_a, b_ndim, False))


def bilinear(f: Any, tangents: Any, a: Any, b: Any) -> Any:
    """The tangent of f(a, b), linear in each; a tangent that is zero costs nothing."""
    da, db = tangents
    if da is ZERO:
        return f(a, db)
    if db is ZERO:
        return f(da, b)
    return f(da, b) + f(a, db)


@frule(np.tensordot)
def tensordot_frule(tangents, a: Array, b: Array, *, axes=2):
    """y = Σ a b over pairs of axes        ẏ = Σ ȧ b + Σ a ḃ"""
    return np.tensordot(a, b, axes), bilinear(lambda p, q: np.tensordot(p, q, axes), tangents, a, b)


@rrule(np.tensordot)
def tensordot_rrule(a: Array, b: Array, *, needs, axes=2):
    """y = Σ a b over pairs of axes        ā = Σ ȳ conj(b)        b̄ = Σ conj(a) ȳ"""
    pairs = contraction_axes(axes, np.ndim(a), np.ndim(b))

    def tensordot_pullback(y_bar):
        a_bar = b_bar = ZERO
        if needs[0]:
            a_bar = contraction_left(y_bar, b, pairs, np.ndim(a))
        if needs[1]:
            b_bar = contraction_right(y_bar, a, pairs, np.ndim(b))
        return a_bar, b_bar

    return np.tensordot(a, b, axes), tensordot_pullback


@frule(np.inner)
def inner_frule(tangents, a: Array, b: Array):
    """y = Σ a b over the last axes        ẏ = Σ ȧ b + Σ a ḃ"""
    return np.inner(a, b), bilinear(np.inner, tangents, a, b)


@rrule(np.inner)
def inner_rrule(a: Array, b: Array):
    """y = Σ a b over the last axes; numbers multiply        ā = Σ ȳ conj(b)        b̄ = Σ conj(a) ȳ"""
    a_ndim, b_ndim = np.ndim(a), np.ndim(b)
    pairs = ((a_ndim - 1,), (b_ndim - 1,))

    def inner_pullback(y_bar):
        if a_ndim == 0 or b_ndim == 0:
            return unbroadcast(y_bar * conj(b), np.shape(a)), unbroadcast(y_bar * conj(a), np.shape(b))
        return contraction_left(y_bar, b, pairs, a_ndim), contraction_right(y_bar, a, pairs, b_ndim)

    return np.inner(a, b), inner_pullback


@frule(np.outer)
def outer_frule(tangents, a: Array, b: Array):
    """yᵢⱼ = aᵢ bⱼ, both flattened        ẏᵢⱼ = ȧᵢ bⱼ + aᵢ ḃⱼ"""
    return np.outer(a, b), bilinear(np.outer, tangents, a, b)


@rrule(np.outer)
def outer_rrule(a: Array, b: Array):
    """yᵢⱼ = aᵢ bⱼ, both flattened        āᵢ = Σ ȳᵢⱼ conj(bⱼ)        b̄ⱼ = Σ conj(aᵢ) ȳᵢⱼ"""
    a_shape, b_shape = np.shape(a), np.shape(b)

    def outer_pullback(y_bar):
        a_bar = np.matmul(y_bar, np.reshape(conj(b), -1))
        b_bar = np.matmul(np.reshape(conj(a), -1), y_bar)
        return np.reshape(a_bar, a_shape), np.reshape(b_bar, b_shape)

    return np.outer(a, b), outer_pullback


@frule(np.vdot)
def vdot_frule(tangents, a: Array, b: Array):
    """y = Σ conj(a) b        ẏ = Σ conj(ȧ) b + Σ conj(a) ḃ"""
    return np.vdot(a, b), bilinear(np.vdot, tangents, a, b)


@rrule(np.vdot)
def vdot_rrule(a: Array, b: Array):
    """y = Σ conj(a) b        ā = conj(ȳ) b        b̄ = ȳ a"""

    def vdot_pullback(y_bar):
        return np.reshape(conj(y_bar) * np.ravel(b), np.shape(a)), np.reshape(
            y_bar * np.ravel(a), np.shape(b)
        )

    return np.vdot(a, b), vdot_pullback


@frule(np.kron)
def kron_frule(tangents, a: Array, b: Array):
    """y = a ⊗ b        ẏ = ȧ ⊗ b + a ⊗ ḃ"""
    return np.kron(a, b), bilinear(np.kron, tangents, a, b)


@rrule(np.kron)
def kron_rrule(a: Array, b: Array):
    """y = a ⊗ b        ā = Σ ȳ conj(b) over the blocks        b̄ = Σ conj(a) ȳ over their places"""
    a_shape, b_shape = np.shape(a), np.shape(b)
    blocks, of_a, of_b, a_long, b_long = kron_blocks(a_shape, b_shape)

    def kron_pullback(y_bar):
        split = np.reshape(y_bar, blocks)
        a_bar = np.sum(split * np.reshape(conj(b), b_long), axis=of_b)
        b_bar = np.sum(split * np.reshape(conj(a), a_long), axis=of_a)
        return np.reshape(a_bar, a_shape), np.reshape(b_bar, b_shape)

    return np.kron(a, b), kron_pullback


def kron_blocks(a_shape: tuple[int, ...], b_shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The shape with each axis of a ⊗ b split in two, the axes of a and of b in it, and both fit to it."""
    ndim = max(len(a_shape), len(b_shape))
    a_lengths = (*(1,) * (ndim - len(a_shape)), *a_shape)
    b_lengths = (*(1,) * (ndim - len(b_shape)), *b_shape)
    blocks = tuple(n for pair in zip(a_lengths, b_lengths, strict=True) for n in pair)
    a_long = tuple(n for length in a_lengths for n in (length, 1))
    b_long = tuple(n for length in b_lengths for n in (1, length))
    return blocks, tuple(range(0, 2 * ndim, 2)), tuple(range(1, 2 * ndim, 2)), a_long, b_long


non_differentiable(kron_blocks, why="computes with shapes alone")


@frule(np.cross)
def cross_frule(tangents, a: np.ndarray, b: np.ndarray, *, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """y = a × b        ẏ = ȧ × b + a × ḃ"""
    places = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    of_three(a, places[0])
    of_three(b, places[1])
    return np.cross(a, b, *places), bilinear(lambda p, q: np.cross(p, q, *places), tangents, a, b)


@rrule(np.cross)
def cross_rrule(a: np.ndarray, b: np.ndarray, *, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """y = a × b        ā = conj(b) × ȳ        b̄ = ȳ × conj(a)"""
    of_a, of_b, of_y = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    of_three(a, of_a)
    of_three(b, of_b)
    a_rows, b_rows = np.moveaxis(a, of_a, -1), np.moveaxis(b, of_b, -1)

    def cross_pullback(y_bar):
        seed = np.moveaxis(y_bar, of_y, -1)
        a_bar = unbroadcast(np.cross(conj(b_rows), seed), np.shape(a_rows))
        b_bar = unbroadcast(np.cross(seed, conj(a_rows)), np.shape(b_rows))
        return np.moveaxis(a_bar, -1, of_a), np.moveaxis(b_bar, -1, of_b)

    return np.cross(a, b, of_a, of_b, of_y), cross_pullback


def of_three(x: Any, axis: int) -> None:
    """Refuse vectors that have not three components."""
    if np.shape(x)[axis] != 3:
        raise UnsupportedArgument(
            np.cross, "length", np.shape(x)[axis], supported=[3], next="give each vector a third component"
        )


non_differentiable(of_three, why="computes with shapes alone")

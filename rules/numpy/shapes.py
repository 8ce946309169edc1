"""Shapes: rules for functions that keep every entry and move, repeat or drop axes.

The pullbacks of those that only rearrange are the opposite rearrangement, of `broadcast_to` the sum
over what was stretched. An order that depends on memory (`"A"`, `"K"`) is read from x. The
methods of arrays with other signatures stand in `methods`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, unbroadcast
from .axes import axes_of, beyond, inverse_of, layout_order


@frule(np.reshape)
def reshape_frule(tangents, x: Array, *, shape, order="C", copy=None):
    """y = x in another shape        ẏ = ẋ in that shape"""
    (dx,) = tangents
    order = layout_order(np.reshape, x, order)
    y = np.reshape(x, shape, **beyond(order=order), **copying(copy))
    return y, np.reshape(dx, shape, **beyond(order=order))


@rrule(np.reshape, light_seed=True)
def reshape_rrule(x: Array, *, shape, order="C", copy=None):
    """y = x in another shape        x̄ = ȳ in the shape of x"""
    order = layout_order(np.reshape, x, order)
    x_shape = np.shape(x)

    def reshape_pullback(y_bar):
        return np.reshape(y_bar, x_shape, **beyond(order=order))

    return np.reshape(x, shape, **beyond(order=order), **copying(copy)), reshape_pullback


def copying(copy: Any) -> dict[str, Any]:
    """The option of `reshape` where it is given; other libraries' functions need not know it."""
    return {} if copy is None else {"copy": copy}


non_differentiable(copying, why="is a question of memory")


@frule(np.ndarray.ravel)
@frule(np.ravel)
def ravel_frule(tangents, x: Array, *, order="C"):
    """y = x as a vector        ẏ = ẋ as a vector"""
    (dx,) = tangents
    order = layout_order(np.ravel, x, order)
    return np.ravel(x, **beyond(order=order)), np.ravel(dx, **beyond(order=order))


@rrule(np.ndarray.ravel, light_seed=True)
@rrule(np.ravel, light_seed=True)
def ravel_rrule(x: Array, *, order="C"):
    """y = x as a vector        x̄ = ȳ in the shape of x"""
    order = layout_order(np.ravel, x, order)
    shape = np.shape(x)

    def ravel_pullback(y_bar):
        return np.reshape(y_bar, shape, **beyond(order=order))

    return np.ravel(x, **beyond(order=order)), ravel_pullback


@frule(np.transpose)
def transpose_frule(tangents, x: Array, *, axes=None):
    """y = x with its axes permuted        ẏ = ẋ permuted"""
    (dx,) = tangents
    return np.transpose(x, axes), np.transpose(dx, axes)


@rrule(np.transpose, light_seed=True)
def transpose_rrule(x: Array, *, axes=None):
    """y = x with its axes permuted        x̄ = ȳ permuted back"""
    back = inverse_of(axes, np.ndim(x))

    def transpose_pullback(y_bar):
        return np.transpose(y_bar, back)

    return np.transpose(x, axes), transpose_pullback


@frule(np.linalg.matrix_transpose)
@frule(np.matrix_transpose)
def matrix_transpose_frule(tangents, x: Array):
    """y = xᵀ, the last two axes        ẏ = ẋᵀ"""
    (dx,) = tangents
    return np.matrix_transpose(x), np.matrix_transpose(dx)


@rrule(np.linalg.matrix_transpose, light_seed=True)
@rrule(np.matrix_transpose, light_seed=True)
def matrix_transpose_rrule(x: Array):
    """y = xᵀ, the last two axes        x̄ = ȳᵀ"""

    def matrix_transpose_pullback(y_bar):
        return np.matrix_transpose(y_bar)

    return np.matrix_transpose(x), matrix_transpose_pullback


@frule(np.ndarray.swapaxes)
@frule(np.swapaxes)
def swapaxes_frule(tangents, x: Array, *, axis1, axis2):
    """y = x with two axes exchanged        ẏ = ẋ likewise"""
    (dx,) = tangents
    return np.swapaxes(x, axis1, axis2), np.swapaxes(dx, axis1, axis2)


@rrule(np.ndarray.swapaxes, light_seed=True)
@rrule(np.swapaxes, light_seed=True)
def swapaxes_rrule(x: Array, *, axis1, axis2):
    """y = x with two axes exchanged        x̄ = ȳ likewise"""

    def swapaxes_pullback(y_bar):
        return np.swapaxes(y_bar, axis1, axis2)

    return np.swapaxes(x, axis1, axis2), swapaxes_pullback


@frule(np.moveaxis)
def moveaxis_frule(tangents, x: np.ndarray, *, source, destination):
    """y = x with axes moved        ẏ = ẋ likewise"""
    (dx,) = tangents
    return np.moveaxis(x, source, destination), np.moveaxis(dx, source, destination)


@rrule(np.moveaxis, light_seed=True)
def moveaxis_rrule(x: np.ndarray, *, source, destination):
    """y = x with axes moved        x̄ = ȳ with them moved back"""
    places, origins = axes_of(destination, np.ndim(x)), axes_of(source, np.ndim(x))

    def moveaxis_pullback(y_bar):
        return np.moveaxis(y_bar, places, origins)

    return np.moveaxis(x, source, destination), moveaxis_pullback


@frule(np.expand_dims)
def expand_dims_frule(tangents, x: Array, *, axis):
    """y = x with axes of length one put in        ẏ = ẋ likewise"""
    (dx,) = tangents
    return np.expand_dims(x, axis), np.expand_dims(dx, axis)


@rrule(np.expand_dims, light_seed=True)
def expand_dims_rrule(x: Array, *, axis):
    """y = x with axes of length one put in        x̄ = ȳ without them"""
    shape = np.shape(x)

    def expand_dims_pullback(y_bar):
        return np.reshape(y_bar, shape)

    return np.expand_dims(x, axis), expand_dims_pullback


@frule(np.ndarray.squeeze)
@frule(np.squeeze)
def squeeze_frule(tangents, x: Array, *, axis=None):
    """y = x without axes of length one        ẏ = ẋ likewise"""
    (dx,) = tangents
    return np.squeeze(x, axis), np.squeeze(dx, axis)


@rrule(np.ndarray.squeeze, light_seed=True)
@rrule(np.squeeze, light_seed=True)
def squeeze_rrule(x: Array, *, axis=None):
    """y = x without axes of length one        x̄ = ȳ with them put back"""
    shape = np.shape(x)

    def squeeze_pullback(y_bar):
        return np.reshape(y_bar, shape)

    return np.squeeze(x, axis), squeeze_pullback


@frule(np.broadcast_to)
def broadcast_to_frule(tangents, x: Array, *, shape):
    """y = x stretched to a shape        ẏ = ẋ stretched"""
    (dx,) = tangents
    return np.broadcast_to(x, shape), np.broadcast_to(dx, shape)


@rrule(np.broadcast_to, light_seed=True)
def broadcast_to_rrule(x: Array, *, shape):
    """y = x stretched to a shape        x̄ = ȳ summed over what was stretched"""
    x_shape = np.shape(x)

    def broadcast_to_pullback(y_bar):
        return unbroadcast(y_bar, x_shape)

    return np.broadcast_to(x, shape), broadcast_to_pullback

"""Matrix products: matmul, `@` and dot, of vectors, matrices and stacks of them.

Cotangents that nobody wants are not computed. A stack of matrices times one matrix pulls back to
that matrix in one product. Absent: `out=`, `axes=` and the other arguments of the ufunc.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...core import Array, frule, rrule, unbroadcast
from ...tangents import ZERO
from .adjoints import adjoint, conj
from .tensors import contraction_left, contraction_right


@frule(operator.matmul)
@frule(np.matmul)
def matmul_frule(tangents, a: Array, b: Array):
    """y = a b        ẏ = ȧ b + a ḃ"""
    da, db = tangents
    if da is ZERO:
        return np.matmul(a, b), np.matmul(a, db)
    if db is ZERO:
        return np.matmul(a, b), np.matmul(da, b)
    return np.matmul(a, b), np.matmul(da, b) + np.matmul(a, db)


@rrule(operator.matmul)
@rrule(np.matmul)
def matmul_rrule(a: Array, b: Array, *, needs):
    """y = a b        a (…, n, k) · b (…, k, m), or vectors (k,)
    ā = ȳ bᴴ         b̄ = aᴴ ȳ"""

    def matmul_pullback(y_bar):
        a_bar = b_bar = ZERO
        if needs[0]:
            a_bar = left_of_product(y_bar, a, b)
        if needs[1]:
            b_bar = right_of_product(y_bar, a, b)
        return a_bar, b_bar

    return np.matmul(a, b), matmul_pullback


def left_of_product(y_bar: Any, a: Any, b: Any) -> Any:
    """ȳ bᴴ in the shape of a."""
    shape = np.shape(a)
    if np.ndim(b) == 1:
        return unbroadcast(np.expand_dims(y_bar, -1) * conj(b), shape)
    if len(shape) == 1:
        return unbroadcast(np.reshape(np.matmul(conj(b), np.expand_dims(y_bar, -1)), b.shape[:-1]), shape)
    return unbroadcast(np.matmul(y_bar, adjoint(b)), shape)


def right_of_product(y_bar: Any, a: Any, b: Any) -> Any:
    """aᴴ ȳ in the shape of b."""
    shape = np.shape(b)
    if len(shape) == 1:
        if np.ndim(a) == 1:
            return y_bar * conj(a)
        rows = np.reshape(conj(a), (-1, shape[0]))
        return np.matmul(np.reshape(y_bar, -1), rows)
    if np.ndim(a) == 1:
        return unbroadcast(np.expand_dims(conj(a), -1) * np.expand_dims(y_bar, -2), shape)
    if len(shape) == 2 and np.ndim(a) > 2:
        rows = np.reshape(conj(a), (-1, shape[0]))
        return np.matmul(rows.T, np.reshape(y_bar, (-1, shape[1])))
    return unbroadcast(np.matmul(adjoint(a), y_bar), shape)


@frule(np.ndarray.dot)
@frule(np.dot)
def dot_frule(tangents, a: Array, b: Array):
    """y = a · b        ẏ = ȧ · b + a · ḃ"""
    da, db = tangents
    y = np.dot(a, b)
    if da is ZERO:
        return y, np.dot(a, db)
    if db is ZERO:
        return y, np.dot(da, b)
    return y, np.dot(da, b) + np.dot(a, db)


@rrule(np.ndarray.dot)
@rrule(np.dot)
def dot_rrule(a: Array, b: Array, *, needs):
    """y = a · b        over the last axis of a and the last but one of b; numbers multiply
    ā = ȳ · conj(b)  b̄ = conj(a) · ȳ"""
    a_ndim, b_ndim = np.ndim(a), np.ndim(b)
    axes = ((a_ndim - 1,), (max(b_ndim - 2, 0),))

    def dot_pullback(y_bar):
        a_bar = b_bar = ZERO
        if a_ndim == 0 or b_ndim == 0:
            return unbroadcast(y_bar * conj(b), np.shape(a)), unbroadcast(y_bar * conj(a), np.shape(b))
        if needs[0]:
            a_bar = contraction_left(y_bar, b, axes, a_ndim)
        if needs[1]:
            b_bar = contraction_right(y_bar, a, axes, b_ndim)
        return a_bar, b_bar

    return np.dot(a, b), dot_pullback

"""Matrix products: matmul, `@` and dot, of vectors, matrices and stacks of them.

Cotangents that nobody wants are not computed. A stack of matrices times one matrix pulls back to
that matrix in one product. The reverse rules keep the contract themselves, being in inner loops.
Absent: `out=`, `axes=` and the other arguments of the ufunc.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from ...core import Array, frule, rrule
from ...core.broadcasting import fit
from ...core.seeds import absorbs, answer_to, ready
from ...tangents import ZERO
from .adjoints import adjoint, conj
from .axes import count
from .tensors import contraction_left, contraction_right


def made_for_needs(rule: Any) -> Any:
    """The rule, able to say how it is called where only some cotangents are wanted."""
    rule.for_needs = lambda needs: functools.partial(rule, needs=needs)
    return rule


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


@rrule(operator.matmul, complete=True)
@rrule(np.matmul, complete=True)
@made_for_needs
def matmul_rrule(a: Array, b: Array, *, needs=(True, True)):
    """y = a b        a (…, n, k) · b (…, k, m), or vectors (k,)
    ā = ȳ bᴴ         b̄ = aᴴ ȳ"""

    def matmul_pullback(y_bar):
        if absorbs(y_bar):
            return answer_to(y_bar), answer_to(y_bar)
        seed = ready(y_bar)
        a_bar = b_bar = ZERO
        if needs[0]:
            a_bar = fit(left_of_product(seed, a, b), a)
        if needs[1]:
            b_bar = fit(right_of_product(seed, a, b), b)
        return a_bar, b_bar

    return np.matmul(a, b), matmul_pullback


def left_of_product(y_bar: Any, a: Any, b: Any) -> Any:
    """ȳ bᴴ, with an axis for each of a's or more, where stacks were stretched."""
    if np.ndim(b) == 1:
        return y_bar * conj(b) if np.ndim(a) == 1 else y_bar[..., None] * conj(b)
    if np.ndim(a) == 1:
        return np.matmul(conj(b), y_bar[..., None])[..., 0]
    return np.matmul(y_bar, adjoint(b))


def right_of_product(y_bar: Any, a: Any, b: Any) -> Any:
    """aᴴ ȳ, with an axis for each of b's or more, where stacks were stretched."""
    if np.ndim(a) == 1:
        return y_bar * conj(a) if np.ndim(b) == 1 else conj(a)[:, None] * y_bar[..., None, :]
    if np.ndim(b) > 2 or (np.ndim(a) == 2 and np.ndim(b) == 2):
        return np.matmul(adjoint(a), y_bar)
    n = count(np.shape(a)[:-1], None)
    rows = np.reshape(conj(a), (n, np.shape(b)[0]))
    return np.matmul(rows.T, np.reshape(y_bar, (n, *np.shape(b)[1:])))


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


@rrule(np.ndarray.dot, complete=True)
@rrule(np.dot, complete=True)
@made_for_needs
def dot_rrule(a: Array, b: Array, *, needs=(True, True)):
    """y = a · b        over the last axis of a and the last but one of b; numbers multiply
    ā = ȳ · conj(b)  b̄ = conj(a) · ȳ"""
    a_ndim, b_ndim = np.ndim(a), np.ndim(b)

    def dot_pullback(y_bar):
        if absorbs(y_bar):
            return answer_to(y_bar), answer_to(y_bar)
        seed = ready(y_bar)
        if a_ndim == 0 or b_ndim == 0:
            return fit(seed * conj(b), a), fit(seed * conj(a), b)
        a_bar = b_bar = ZERO
        axes = ((a_ndim - 1,), (max(b_ndim - 2, 0),))
        if needs[0]:
            left = contraction_left(seed, b, axes, a_ndim) if b_ndim > 2 else left_of_product(seed, a, b)
            a_bar = fit(left, a)
        if needs[1]:
            right = contraction_right(seed, a, axes, b_ndim) if b_ndim > 2 else right_of_product(seed, a, b)
            b_bar = fit(right, b)
        return a_bar, b_bar

    return np.dot(a, b), dot_pullback

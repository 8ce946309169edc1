"""Matrix products: matmul, `@` and dot, of vectors, matrices and stacks of them.

Cotangents that nobody wants are not computed. A stack of matrices times one matrix pulls back to
that matrix in one product. The reverse rules keep the contract themselves, being in inner loops.
Absent: `out=`, `axes=` and the other arguments of the ufunc.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule
from ...core.broadcasting import fit
from ...core.seeds import READY, absorbs, answer_to, ready
from ...tangents import ZERO
from .adjoints import adjoint, conj
from .axes import count
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


def matmul_for(needs: tuple[bool, bool], types: Any = None) -> Any:
    """The reverse rule of matmul that computes the cotangents wanted."""
    a_needed, b_needed = needs

    def matmul_rrule(a: Array, b: Array):
        """y = a b        a (…, n, k) · b (…, k, m), or vectors (k,)
        ā = ȳ bᴴ         b̄ = aᴴ ȳ"""
        left: Any = a
        right: Any = b

        def matmul_pullback(y_bar):
            if type(y_bar) not in READY:
                if absorbs(y_bar):
                    return answer_to(y_bar), answer_to(y_bar)
                y_bar = ready(y_bar)
            a_bar = b_bar = ZERO
            if a_needed:
                a_bar = left_of_product(y_bar, a, b)
                if a_bar.dtype is not left.dtype or a_bar.shape != left.shape:
                    a_bar = fit(a_bar, a)
            if b_needed:
                b_bar = right_of_product(y_bar, a, b)
                if b_bar.dtype is not right.dtype or b_bar.shape != right.shape:
                    b_bar = fit(b_bar, b)
            return a_bar, b_bar

        return np.matmul(a, b), matmul_pullback

    return matmul_rrule


def left_of_product(y_bar: Any, a: Any, b: Any) -> Any:
    """ȳ bᴴ, with an axis for each of a's or more, where stacks were stretched."""
    if a.ndim > 1 and b.ndim > 1:
        return np.matmul(y_bar, adjoint(b))
    if b.ndim == 1:
        return y_bar * conj(b) if a.ndim == 1 else y_bar[..., None] * conj(b)
    return np.matmul(conj(b), y_bar[..., None])[..., 0]


def right_of_product(y_bar: Any, a: Any, b: Any) -> Any:
    """aᴴ ȳ, with an axis for each of b's or more, where stacks were stretched."""
    if a.ndim == 1:
        return y_bar * conj(a) if b.ndim == 1 else conj(a)[:, None] * y_bar[..., None, :]
    if b.ndim > 2 or (a.ndim == 2 and b.ndim == 2):
        return np.matmul(adjoint(a), y_bar)
    n = count(a.shape[:-1], None)
    rows = np.reshape(conj(a), (n, b.shape[0]))
    return np.matmul(rows.T, np.reshape(y_bar, (n, *b.shape[1:])))


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


def dot_for(needs: tuple[bool, bool], types: Any = None) -> Any:
    """The reverse rule of dot that computes the cotangents wanted."""
    a_needed, b_needed = needs

    def dot_rrule(a: Array, b: Array):
        """y = a · b        over the last axis of a and the last but one of b; numbers multiply
        ā = ȳ · conj(b)  b̄ = conj(a) · ȳ"""

        def dot_pullback(y_bar):
            if type(y_bar) not in READY:
                if absorbs(y_bar):
                    return answer_to(y_bar), answer_to(y_bar)
                y_bar = ready(y_bar)
            a_bar = b_bar = ZERO
            if a_needed:
                a_bar = fit(left_of_dot(y_bar, a, b), a)
            if b_needed:
                b_bar = fit(right_of_dot(y_bar, a, b), b)
            return a_bar, b_bar

        return np.dot(a, b), dot_pullback

    return dot_rrule


def left_of_dot(y_bar: Any, a: Any, b: Any) -> Any:
    """ȳ · conj(b), over the axes of y that are b's."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return y_bar * conj(b)
    if np.ndim(b) <= 2:
        return left_of_product(y_bar, a, b)
    return contraction_left(y_bar, b, dot_axes(np.ndim(a), np.ndim(b)), np.ndim(a))


def right_of_dot(y_bar: Any, a: Any, b: Any) -> Any:
    """conj(a) · ȳ, over the axes of y that are a's."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return y_bar * conj(a)
    if np.ndim(b) <= 2:
        return right_of_product(y_bar, a, b)
    return contraction_right(y_bar, a, dot_axes(np.ndim(a), np.ndim(b)), np.ndim(b))


def dot_axes(a_ndim: int, b_ndim: int) -> tuple[tuple[int], tuple[int]]:
    """The axes that `dot` sums over: the last of a, the last but one of b."""
    return (a_ndim - 1,), (b_ndim - 2,)


non_differentiable(dot_axes, why="computes with axes alone")

for functions, made_for in (
    ((np.matmul, operator.matmul), matmul_for),
    ((np.dot, np.ndarray.dot), dot_for),
):
    whole = made_for((True, True))
    whole.for_call = made_for
    for f in functions:
        rrule(f, complete=True)(whole)

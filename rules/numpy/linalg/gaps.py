"""Gaps between eigenvalues or singular values, and what is refused where they close.

The derivative of an eigenvector divides by the gaps between its eigenvalue and the others. Where two
coincide the vectors are any basis of their common space, and a loss L(w, u) does not determine its
derivative: both tr(b u uᴴ) and tr(b u w² uᴴ) have, at a = 1, cotangents of u that mix the two
vectors, and only the second varies with a. So a cotangent that mixes them is refused, and one that
does not needs no gap. Eigenvalues alone have, where they coincide, the derivative along the vectors
that LAPACK returned, which is one of the generalised gradients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import HigherOrderError, NotDifferentiableError, frule, non_differentiable, rrule
from ....core.callables import name_of
from ....tangents import NO_TANGENT, NotImplementedTangent, materialize
from ..adjoints import conj

LOOSE = "a second derivative through eigenvalues or singular values that coincide or vanish is not computed"
NEXT = "use functions of the eigenvalues alone, or separate them, as by a small diagonal perturbation"


def coincident(w: Any) -> Any:
    """Which pairs of values differ by no more than rounding; each coincides with itself."""
    eps = np.finfo(w.dtype).eps if w.dtype.kind in "fc" else np.finfo(float).eps
    scale = np.max(np.abs(w), axis=-1, initial=0.0, keepdims=True)[..., None]
    return np.abs(w[..., None, :] - w[..., None]) <= 4 * eps * w.shape[-1] * scale


def repeated(w: Any) -> Any:
    """Which pairs coincide, those with itself only of a value that coincides with others."""
    same = coincident(w)
    return same & (np.sum(same, axis=-1, keepdims=True) > 1)


def has_repeats(w: Any) -> bool:
    """Whether two different values coincide."""
    if w.dtype.kind == "c":
        return bool(np.any(repeated(w)))
    eps = np.finfo(w.dtype).eps if w.dtype.kind == "f" else np.finfo(float).eps
    bound = 4 * eps * w.shape[-1] * np.max(np.abs(w), axis=-1, initial=0.0, keepdims=True)
    return bool(np.any(np.diff(np.sort(w, axis=-1), axis=-1) <= bound))


def refuse_mixing(f: Any, w: Any, *parts: Any) -> None:
    """Refuse cotangents of vectors with a part in the common space of coinciding values."""
    if not has_repeats(w):
        return
    pairs = repeated(w)
    for part in parts:
        if np.any(pairs) and np.any(np.abs(part)[pairs] > noise(part)):
            raise NotDifferentiableError(
                f"the vectors of {name_of(f)} have no derivative where values coincide", next=NEXT
            )


def refuse_part(f: Any, part: Any, why: str, next: str) -> None:
    """Refuse a part of a cotangent that is not zero, where no derivative determines it."""
    if np.any(np.abs(part) > noise(part)):
        raise NotDifferentiableError(f"{name_of(f)} has no derivative here: {why}", next=next)


def noise(part: Any) -> Any:
    """What rounding may leave of a zero in this array."""
    dtype = part.dtype if part.dtype.kind in "fc" else np.dtype(float)
    return 1000 * np.finfo(dtype).eps * np.max(np.abs(part), initial=0.0)


non_differentiable(coincident, repeated, has_repeats, why="decides which values coincide")
non_differentiable(refuse_mixing, refuse_part, noise, why="checks a cotangent")


def settled(vectors: Any, loose: bool) -> Any:
    """Vectors inside a first derivative, whose own derivative is refused where they are not determined.

    Where eigenvalues coincide a first derivative may well exist and a formula for it be right, while
    what comes of differentiating that formula is not: of Σ (w − 1)² at a = 1 the cotangents are all zero
    and the second derivative is not. So it is refused whatever the cotangent is.
    """
    return vectors


@frule(settled)
def settled_frule(tangents, vectors: np.ndarray, loose: bool):
    """the tangent of the vectors, missing where they are loose"""
    return vectors, NotImplementedTangent(LOOSE) if loose else tangents[0]


@rrule(settled)
def settled_rrule(vectors: np.ndarray, loose: bool):
    """the cotangent of the vectors, refused where they are loose"""

    def settled_pullback(y_bar):
        refuse_loose(loose)
        return y_bar, NO_TANGENT

    return vectors, settled_pullback


def refuse_loose(loose: bool) -> None:
    """Refuse a second derivative through vectors that are not determined."""
    if loose:
        raise HigherOrderError(LOOSE, next=NEXT)


non_differentiable(refuse_loose, why="checks a condition")


def inverse_gaps(w: Any, loose: bool | None = None) -> Any:
    """1 / (wⱼ − wᵢ) for each i, j, and 0 where the two coincide.

    Example: >>> inverse_gaps(np.array([1.0, 3.0]))
             array([[ 0. ,  0.5],
                    [-0.5,  0. ]])
    """
    gap = np.expand_dims(w, -2) - np.expand_dims(w, -1)
    if not (has_repeats(w) if loose is None else loose):
        ones = np.eye(np.shape(w)[-1], dtype=np.real(w).dtype)
        return 1.0 / (gap + ones) - ones
    same = coincident(w)
    return np.where(same, 0.0, 1.0 / np.where(same, 1.0, gap))


def between(w: Any, loose: bool) -> Any:
    """wⱼ − wᵢ for each i, j, infinite where two different values coincide."""
    gap = w[..., None, :] - w[..., None]
    return np.where(coincident(w), np.inf, gap) if loose else gap


def divided(x: Any, gap: Any, d: Any) -> Any:
    """x / gap off the diagonal and d on it, of one square matrix or a stack of them.

    Example: >>> divided(np.ones((2, 2)), np.array([[0.0, 2.0], [-2.0, 0.0]]), np.array([3.0, 4.0]))
             array([[ 3. ,  0.5],
                    [-0.5,  4. ]])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        y = x / gap
    dtype = np.result_type(y, d)
    y = y if type(y) is np.ndarray and y.dtype == dtype else np.asarray(y, dtype)
    np.einsum("...ii->...i", y)[...] = d
    return y


@frule(divided)
def divided_frule(tangents, x: np.ndarray, gap: np.ndarray, d: np.ndarray):
    """y = x / gap        ẏ = (ẋ − y ġap) / gap, and ḋ on the diagonal"""
    dx, dgap, dd = [materialize(t, like=v) for t, v in zip(tangents, (x, gap, d), strict=True)]
    y = divided(x, gap, d)
    return y, divided(dx - y * dgap, gap, dd)


@rrule(divided)
def divided_rrule(x: np.ndarray, gap: np.ndarray, d: np.ndarray):
    """y = x / gap        x̄ = ȳ / gap and ḡap = −conj(y) ȳ / gap off the diagonal, d̄ = ȳ on it"""
    y = divided(x, gap, d)

    def divided_pullback(y_bar):
        x_bar = divided(y_bar, gap, np.zeros_like(d))
        return x_bar, -conj(y) * x_bar, np.diagonal(y_bar, axis1=-2, axis2=-1)

    return y, divided_pullback


def diagonal_matrix(d: Any) -> Any:
    """Stacks of diagonal matrices with these diagonals."""
    return np.expand_dims(d, -1) * np.eye(np.shape(d)[-1], dtype=np.real(d).dtype)

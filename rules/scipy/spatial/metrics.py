"""Distances of vectors along the last axis: what every function of `scipy.spatial.distance` sums up.

Where vectors coincide the derivative of a length is zero, and so is that of each absolute value at zero, also
for orders p < 1, whose slopes there are infinite on both sides. Largest differences that tie share
equally. A term of Canberra's distance between two zeros is zero with derivative zero. The Jensen–Shannon
distance of equal distributions has derivative zero; towards an entry that one of them alone has as zero,
its slope is infinite. Where a distance is nan (the cosine of a zero vector), so is its derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ...numpy.adjoints import conj
from ...quiet import log, ratio
from ..absolute import absolute_power


def length(squares: Any) -> Any:
    """√s, with a derivative of zero where s is."""
    inside = np.where(squares > 0, squares, 1.0)
    return np.where(squares > 0, np.sqrt(inside), squares * 0.0)[()]


def reals(x: Any, function: str, like: Any = None) -> Any:
    """An array of floating-point numbers, in double precision where a value of SciPy's has that."""
    x = np.asarray(x)
    if x.dtype.kind == "c":
        raise UnsupportedArgument(
            f"scipy.spatial.{function}", "an argument", "complex", why="it is a function of real numbers"
        )
    doubled = x.dtype.kind != "f" or (
        like is not None and x.dtype != float and np.asarray(like).dtype == float
    )
    return x.astype(float) if doubled else x


def scale(differences: Any) -> Any:
    """The largest difference, one where it is zero, by which powers neither overflow nor vanish."""
    largest = np.max(np.abs(differences), axis=-1, initial=0.0)
    return np.where((largest > 0) & np.isfinite(largest), largest, 1.0)


def positive(w: Any) -> Any:
    """Which weights count."""
    return np.asarray(w) > 0


non_differentiable(scale, why="the value does not depend on it")
non_differentiable(positive, why="its derivative is zero")


def weighted(terms: Any, w: Any) -> Any:
    """Σ w t"""
    return np.sum(terms if w is None else w * terms, axis=-1)


def euclidean(a: Any, b: Any, w: Any = None) -> Any:
    """√Σ w (a − b)²"""
    d = a - b
    return np.linalg.norm(d, axis=-1) if w is None else length(weighted(d * d, w))


def sqeuclidean(a: Any, b: Any, w: Any = None) -> Any:
    """Σ w (a − b)²"""
    d = a - b
    return weighted(d * d, w)


def cityblock(a: Any, b: Any, w: Any = None) -> Any:
    """Σ w |a − b|"""
    return weighted(np.abs(a - b), w)


def chebyshev(a: Any, b: Any, w: Any = None) -> Any:
    """max |a − b|, where the weight is not zero"""
    d = np.abs(a - b)
    return np.max(d if w is None else positive(w) * d, axis=-1)


def powers(size: Any, p: Any) -> Any:
    """sᵖ, and 0 with derivative zero where s is zero."""
    zero = size == 0
    return np.where(zero, 0.0, np.where(zero, 1.0, size) ** p)


def minkowski(a: Any, b: Any, p: Any = 2, w: Any = None) -> Any:
    """(Σ w |a − b|ᵖ)^(1/p)"""
    if p == np.inf:
        return chebyshev(a, b, w)
    d = a - b
    unit = scale(d)
    return unit * powers(weighted(absolute_power(d / np.expand_dims(unit, -1), p), w), 1.0 / p)


def cosine(a: Any, b: Any, w: Any = None) -> Any:
    """1 − Σ w a b / √(Σ w a² Σ w b²)"""
    return np.clip(1.0 - weighted(a * b, w) / np.sqrt(weighted(a * a, w) * weighted(b * b, w)), 0.0, 2.0)


def correlation(a: Any, b: Any, w: Any = None) -> Any:
    """The cosine distance of a and b less their means"""
    total = np.shape(a)[-1] if w is None else np.sum(w)
    a = a - np.expand_dims(weighted(a, w), -1) / total
    b = b - np.expand_dims(weighted(b, w), -1) / total
    return cosine(a, b, w)


def braycurtis(a: Any, b: Any, w: Any = None) -> Any:
    """Σ w |a − b| / Σ w |a + b|"""
    return weighted(np.abs(a - b), w) / weighted(np.abs(a + b), w)


def canberra(a: Any, b: Any, w: Any = None) -> Any:
    """Σ w |a − b| / (|a| + |b|)"""
    return weighted(ratio(np.abs(a - b), np.abs(a) + np.abs(b)), w)


def mahalanobis(a: Any, b: Any, VI: Any) -> Any:
    """√(a − b)ᵀ VI (a − b)"""
    d = a - b
    return length(np.sum(np.matmul(d, VI) * d, axis=-1))


def divergences(p: Any, q: Any) -> Any:
    """p log(p/m) + q log(q/m) with m = (p + q)/2; where p and q are near, by t = (p − q)/(p + q) as
    m (2 t artanh t + log(1 − t²)), which does not cancel."""
    m = (p + q) / 2.0
    t = ratio(p - q, p + q)
    near = np.abs(t) < 0.5
    inside = np.where(near, t, 0.0)
    close = m * (2.0 * inside * np.arctanh(inside) + np.log1p(-inside * inside))
    return np.where(near, close, _apart(np.where(near, 1.0, p), np.where(near, 2.0, q)))


def _apart(p: Any, q: Any) -> Any:
    m = (p + q) / 2.0
    return special.rel_entr(p, m) + special.rel_entr(q, m)


def normalised(x: Any, axis: int) -> Any:
    """x / Σ x"""
    return x / np.sum(x, axis=axis, keepdims=True)


@frule(normalised)
def normalised_frule(tangents, x: np.ndarray, *, axis):
    """y = x / Σ x        ẏ = (ẋ − y Σ ẋ) / Σ x"""
    (dx,) = tangents
    total = np.sum(x, axis=axis, keepdims=True)
    y = x / total
    return y, (dx - y * np.sum(dx, axis=axis, keepdims=True)) / total


@rrule(normalised)
def normalised_rrule(x: np.ndarray, *, axis):
    """y = x / Σ x        x̄ = (ȳ − Σ conj(y) ȳ) / conj(Σ x); an infinite ȳ of a zero entry is its own"""
    total = np.sum(x, axis=axis, keepdims=True)
    y = x / total

    def normalised_pullback(y_bar):
        shared = np.sum(conj(y) * np.where(y == 0, 0.0, y_bar), axis=axis, keepdims=True)
        return (y_bar - shared) / conj(total)

    return y, normalised_pullback


def jensenshannon(p: Any, q: Any, base: Any = None, axis: int = -1, keepdims: bool = False) -> Any:
    """√(D(p, m) + D(q, m))/2, with m = (p + q)/2 and D the relative entropy"""
    p, q = normalised(p, axis=axis), normalised(q, axis=axis)
    js = np.sum(divergences(p, q), axis=axis, keepdims=keepdims)
    return length((js if base is None else js / log(base)) / 2.0)

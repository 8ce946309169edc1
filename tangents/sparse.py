"""scipy.sparse arrays as tangents: recognising them, adding them, scattering them into a buffer.

scipy.sparse is imported by the program that uses it, or here where a sparse array leaves to the
user, and never to answer a question. Two sparse tangents stay sparse while their sum stores at
most `DENSITY_THRESHOLD` of all entries; sparse and dense give a plain ndarray. Unstored entries
are zeros. Shapes must agree: nothing is broadcast.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from .errors import ShapeMismatch

DENSITY_THRESHOLD = 0.25
"""The part of its entries above which a sum of sparse or indexed tangents becomes dense."""


def is_sparse(t: Any) -> bool:
    """Whether t is a scipy.sparse array or matrix, without importing scipy.

    Example: >>> is_sparse(np.ones(3))
             False
    """
    module = sys.modules.get("scipy.sparse")
    return module is not None and bool(module.issparse(t))


def shape_of(t: Any) -> tuple[int, ...]:
    """The shape of an array of any kind, and `()` for numbers."""
    return getattr(t, "shape", ())


def add_sparse(a: Any, b: Any) -> Any:
    """The sum of two tangents of which at least one is sparse and the other sparse or dense."""
    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b)
    if is_sparse(a) and is_sparse(b):
        total = a + b
        return total.toarray() if total.nnz > DENSITY_THRESHOLD * math.prod(total.shape) else total
    # not `a + b`, whose result for the old matrix classes is an np.matrix
    dense_a, dense_b = (t.toarray() if is_sparse(t) else np.asarray(t) for t in (a, b))
    return dense_a + dense_b


def scatter(t: Any, buffer: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Add a sparse array into a writable dense one of its shape, in time of the entries it stores."""
    if t.shape != buffer.shape:
        raise shape_mismatch(buffer, t)
    stored = t.tocoo()
    np.add.at(buffer, coordinates(stored), stored.data)
    return buffer


def coordinates(stored: Any) -> tuple[Any, ...]:
    """The index arrays of a COO array or matrix, one for each axis."""
    return tuple(stored.coords)


def canonical(t: Any) -> Any:
    """A COO copy of a sparse array, entries that repeat summed."""
    stored = t.tocoo(copy=True)
    stored.sum_duplicates()
    return stored


def common(a: tuple[Any, ...], b: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Which entries of two lists of coordinates, each without repeats, are the same places."""
    places = [np.ravel_multi_index(coords, shape) for coords in (a, b)]
    _, ours, theirs = np.intersect1d(places[0], places[1], assume_unique=True, return_indices=True)
    return ours, theirs


def shape_mismatch(a: Any, b: Any, doing: str = "added") -> ShapeMismatch:
    """The error for two tangents whose shapes do not agree."""
    return ShapeMismatch(
        f"tangents of shapes {shape_of(a)} and {shape_of(b)} cannot be {doing}",
        closest="both must have the shape of their primal; tangents are never broadcast",
        next="undo the broadcasting in the rule that made them, or project with project_to(x)",
    )

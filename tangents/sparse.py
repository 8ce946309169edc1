"""scipy.sparse arrays as tangents: recognising them, adding them, scattering them into a buffer.

scipy.sparse is imported by the program that uses it, or here where a sparse array leaves to the
user, and never to answer a question. Two sparse tangents stay sparse while their sum stores at
most `DENSITY_THRESHOLD` of all entries; sparse and dense give a plain ndarray. Unstored entries are
zeros. Shapes must agree: nothing is broadcast. A stored zero is an entry of the pattern, which SciPy's
own sums and its conversion from DIA drop; `canonical` and `sum_of_patterns` keep it.

What a sparse primal does not store is zero for good, hence has no tangent: `project_to` drops it. That
is the policy "pattern". Within `sparse_policy("free")` every entry may move, stored or not.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

import numpy as np

from .errors import ShapeMismatch

DENSITY_THRESHOLD = 0.25
"""The part of its entries above which a sum of sparse or indexed tangents becomes dense."""


_policy: ContextVar[str] = ContextVar("sparse policy", default="pattern")


@contextmanager
def sparse_policy(policy: Literal["pattern", "free"]) -> Iterator[None]:
    """Decide, in a `with` block, whether entries that a sparse primal does not store have tangents.

    Shapes:  "pattern", the default: none, a cotangent is projected onto the stored entries. "free": all of
             them do, and a cotangent may be dense. It counts where a gradient is asked for.
    Raises:  ValueError for another policy.
    Example: >>> from scipy.sparse import csr_array
             >>> x = csr_array(np.eye(2))
             >>> with sparse_policy("free"):
             ...     project_to(x)(np.ones((2, 2)))
             array([[1., 1.],
                    [1., 1.]])
    """
    if policy not in ("pattern", "free"):
        raise ValueError(f"a sparse policy is 'pattern' or 'free', not {policy!r}")
    token = _policy.set(policy)
    try:
        yield
    finally:
        _policy.reset(token)


def keeps_pattern() -> bool:
    """Whether what a sparse primal does not store has no tangent."""
    return _policy.get() == "pattern"


def is_sparse(t: Any) -> bool:
    """Whether t is a scipy.sparse array or matrix, without importing scipy.

    Example: >>> is_sparse(np.ones(3))
             False
    """
    asked = getattr(sys.modules.get("scipy.sparse"), "issparse", None)  # another thread may just import it
    return asked is not None and bool(asked(t))


def storable(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
    """Whether scipy.sparse has arrays of this shape and dtype: not 0-d, half precision, or objects.

    Example: >>> storable((3,), np.dtype("f4")), storable((3,), np.dtype("f2"))
             (True, False)
    """
    return bool(shape) and dtype.kind in "fciu" and dtype.char != "e"


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
    """A COO copy of a sparse array: every entry that it stores, zeros too, and those that repeat summed."""
    stored = _diagonals(t) if t.format == "dia" else t.tocoo(copy=True)
    if t.format == "dok":  # in the order in which its entries were written
        stored.has_canonical_format = False
    stored.sum_duplicates()
    return stored


def _diagonals(t: Any) -> Any:
    """The entries of a DIA array that lie within it; `tocoo` leaves out those that are zero."""
    from scipy.sparse import coo_array

    rows, columns = t.shape
    column = np.broadcast_to(np.arange(t.data.shape[1]), t.data.shape)
    row = column - np.asarray(t.offsets)[:, None]
    within = (row >= 0) & (row < rows) & (column < columns)
    return coo_array((t.data[within], (row[within], column[within])), shape=t.shape)


def sum_of_patterns(a: Any, b: Any) -> Any:
    """The sum of two sparse arrays in the format of a, with an entry wherever one of them stores one."""
    from scipy.sparse import coo_array

    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b)
    a_stored, b_stored = canonical(a), canonical(b)
    pairs = zip(coordinates(a_stored), coordinates(b_stored), strict=True)
    data = np.concatenate([a_stored.data, b_stored.data])
    total = coo_array((data, tuple(map(np.concatenate, pairs))), shape=a.shape)
    total.sum_duplicates()
    return type(a)(total).asformat(a.format)


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

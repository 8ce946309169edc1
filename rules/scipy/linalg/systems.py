"""Systems a y = b in both directions, where b and y are vectors or matrices, or stacks of these."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import UnsupportedArgument, non_differentiable
from ...numpy.adjoints import adjoint, conj


def check_system(f: Any, a: Any, b: Any) -> None:
    """Refuse a number for a matrix, and a matrix of one entry for any right-hand side, which SciPy takes."""
    if np.ndim(a) < 2 or (np.shape(a)[-1] == 1 and np.shape(b)[-1 if np.ndim(b) == 1 else -2 :][:1] != (1,)):
        raise UnsupportedArgument(
            f, "a", a, supported=["a matrix with as many rows as b"], next="divide b by a"
        )


def check_matrix(f: Any, name: str, a: Any) -> None:
    """Refuse a number or a vector for a matrix."""
    if np.ndim(a) < 2:
        raise UnsupportedArgument(f, name, a, supported=["a matrix"], next="give it two axes")


def check_vector(f: Any, name: str, a: Any) -> None:
    """Refuse a number for a vector."""
    if np.ndim(a) < 1:
        raise UnsupportedArgument(f, name, a, supported=["a vector"], next="give it an axis")


def check_finite_entries(a: Any, asked: bool) -> None:
    """Raise what SciPy raises where entries are infinite or not numbers, if it is asked to."""
    if asked:
        np.asarray_chkfinite(a)


non_differentiable(check_system, check_matrix, check_vector, check_finite_entries, why="checks an argument")


def in_double(a: Any) -> Any:
    """Single precision as double, in which SciPy computes here."""
    return np.multiply(a, np.ones(())) if np.result_type(a).char in "efF" else a


def times(a: Any, y: Any, vectors: bool) -> Any:
    """a y, of vectors in the last axis or of matrices."""
    return np.squeeze(np.matmul(a, np.expand_dims(y, -1)), -1) if vectors else np.matmul(a, y)


def outer(b_bar: Any, y: Any, vectors: bool) -> Any:
    """b̄ yᴴ, of vectors in the last axis or of matrices."""
    if vectors:
        return np.expand_dims(b_bar, -1) * np.expand_dims(conj(y), -2)
    return np.matmul(b_bar, adjoint(y))


def as_columns(b: Any, vectors: bool) -> Any:
    """Vectors in the last axis as matrices of one column."""
    return np.expand_dims(b, -1) if vectors else b


def as_given_columns(y: Any, vectors: bool) -> Any:
    """Matrices of one column as the vectors that they were."""
    return np.squeeze(y, -1) if vectors else y

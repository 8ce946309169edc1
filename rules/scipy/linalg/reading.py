"""What part of a matrix a function reads: a triangle, a diagonal, a band; and what its cotangent is.

`whole(a, structure, lower)` is the matrix that a function computes with where it is told a structure, which
is linear in the entries that it reads. `as_given` is the adjoint of that: entries that are not read get zero.
Where SciPy looks for the structure itself, in every entry, the matrix is a general one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import non_differentiable
from ...numpy.adjoints import adjoint
from ...numpy.linalg.factorizations import as_read, mirrored

_NAMES = {
    None: "general",
    "gen": "general",
    "banded": "general",
    "sym": "symmetric",
    "her": "hermitian",
    "pos": "hermitian",
    "positive definite": "hermitian",
}


def kind_of(structure: Any) -> Any:
    """The structure by the name of what is read; of the band of a matrix every entry is."""
    return _NAMES.get(structure, structure)


non_differentiable(kind_of, why="reads an argument")


def whole(a: Any, structure: Any, lower: Any) -> Any:
    """The matrix that is meant, from the part that is read."""
    kind = kind_of(structure)
    if kind == "symmetric":
        half = np.tril(a) if lower else np.triu(a)
        return half + np.swapaxes(half - diagonal_part(a), -1, -2)
    if kind == "hermitian":
        return mirrored(a, not lower)
    return banded_part(a, kind)


def as_given(a_bar: Any, structure: Any, lower: Any) -> Any:
    """The cotangent of the part that is read, from that of the matrix that is meant."""
    kind = kind_of(structure)
    if kind == "symmetric":
        both = a_bar + np.swapaxes(a_bar, -1, -2) - diagonal_part(a_bar)
        return np.tril(both) if lower else np.triu(both)
    if kind == "hermitian":
        return as_read(a_bar, not lower)
    return banded_part(a_bar, kind)


def banded_part(a: Any, kind: str) -> Any:
    """The matrix where it is read, and zeros elsewhere."""
    if kind == "upper triangular":
        return np.triu(a)
    if kind == "lower triangular":
        return np.tril(a)
    if kind == "tridiagonal":
        return np.triu(np.tril(a, 1), -1)
    return diagonal_part(a) if kind == "diagonal" else a


def diagonal_part(a: Any) -> Any:
    """The diagonal of a matrix, as a matrix."""
    return a * np.eye(np.shape(a)[-1], dtype=np.real(a).dtype)


def turned(a: Any, structure: Any) -> tuple[Any, Any]:
    """A matrix that is read as the adjoint of the matrix meant, and by what name: for adjoint systems."""
    kind = kind_of(structure)
    if kind == "hermitian":
        return a, structure
    if kind == "symmetric":
        return np.conj(a), structure
    other = {"upper triangular": "lower triangular", "lower triangular": "upper triangular"}
    return adjoint(a), other.get(kind, structure)

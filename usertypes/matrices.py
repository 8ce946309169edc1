"""Spaces of matrices that are tangents of others: `SkewSymmetric`, A = −Aᵀ, and `Symmetric`, A = Aᵀ.

Objects of a class and not bare arrays, so that a skew-symmetric matrix is never taken for a general one. They
are vectors: `a + b`, `2.0 * a`, `inner`, `ravel`. Made of any square matrix by its projection on the space.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from ..core.callables import attribute
from ..core.decorators import frule, rrule
from ..core.errors import ShapeMismatch
from ..core.registry import register
from ..tangents import Composite, fields_of, is_zero, natural_tangent, primal_type
from ..tangents.containers import mismatched


class _Matrices:
    """What the two spaces share; `matrix` is in the space."""

    __slots__ = ("matrix",)
    __array_ufunc__ = None  # so that arrays leave sums and products to us
    _sign: float

    def __init__(self, matrix: Any) -> None:
        a = np.asarray(matrix)
        if a.ndim != 2 or a.shape[0] != a.shape[1]:
            raise ShapeMismatch(
                f"{type(self).__name__} is made of a square matrix, not of an array of shape {a.shape}"
            )
        self.matrix = (a + self._sign * a.T) / 2

    @classmethod
    def zero(cls, n: int) -> Self:
        """The zero of n × n matrices."""
        return cls(np.zeros((n, n)))

    def __add__(self, other: Any) -> Any:
        if type(other) is not type(self):
            return self if is_zero(other) else NotImplemented
        return type(self)(self.matrix + other.matrix)

    __radd__ = __add__

    def __neg__(self) -> Self:
        return type(self)(-self.matrix)

    def __sub__(self, other: Any) -> Any:
        if type(other) is not type(self):
            return self if is_zero(other) else NotImplemented
        return type(self)(self.matrix - other.matrix)

    def __mul__(self, factor: Any) -> Any:
        return type(self)(self.matrix * factor) if np.ndim(factor) == 0 else NotImplemented

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and np.array_equal(self.matrix, other.matrix)

    def __hash__(self) -> int:
        return hash((type(self), self.matrix.tobytes()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.matrix!r})"


class SkewSymmetric(_Matrices):
    """The matrices A = −Aᵀ: the tangents of orthogonal matrices.

    Example: >>> SkewSymmetric([[1.0, 2.0], [3.0, 4.0]])
             SkewSymmetric(array([[ 0. , -0.5],
                   [ 0.5,  0. ]]))
    """

    __slots__ = ()
    _sign = -1.0


class Symmetric(_Matrices):
    """The matrices A = Aᵀ: the tangents of symmetric positive definite matrices.

    Example: >>> Symmetric([[1.0, 2.0], [4.0, 4.0]])
             Symmetric(array([[1., 3.],
                   [3., 4.]]))
    """

    __slots__ = ()
    _sign = 1.0


def _independent(cls: Any, k: int) -> Any:
    """(numbers, rebuild) by the entries from the k-th diagonal up, which determine the others."""

    def numbers(t: Any) -> Any:
        n = len(t.matrix)
        rows, columns = np.triu_indices(n, k)

        def rebuild(given: Any) -> Any:
            a = np.zeros((n, n))
            a[columns, rows] = cls._sign * given
            a[rows, columns] = given
            return cls(a)

        return t.matrix[rows, columns], rebuild

    return numbers


def _declare(cls: Any, k: int) -> None:
    """A space of matrices as its own tangents, with the rules by which it is made and read."""

    def project(x: Any, t: Any) -> Any:
        return t if type(t) is cls else cls(_matrix_in(x, t))

    natural_tangent(
        cls,
        cls,
        zero=lambda x: cls.zero(len(x.matrix)),
        project=project,
        scale=lambda s, t: cls(s * t.matrix),
        inner=lambda a, b: float(np.vdot(a.matrix, b.matrix)),
        numbers=_independent(cls, k),
    )

    def matrix_frule(tangents: Any, x: object) -> Any:
        """ẏ = ẋ as a matrix"""
        return x.matrix, tangents[0].matrix  # type: ignore[attr-defined]  # of this class

    def matrix_rrule(x: object) -> Any:
        """x̄ is the part of ȳ in the space"""

        def matrix_pullback(y_bar: Any) -> Any:
            return cls(y_bar)

        return x.matrix, matrix_pullback  # type: ignore[attr-defined]  # of this class

    register(attribute("matrix"), matrix_frule, "forward", types=(cls,))
    register(attribute("matrix"), matrix_rrule, "reverse", types=(cls,))

    @frule(cls, signature="matrix")
    def space_frule(tangents: Any, matrix: np.ndarray) -> Any:
        """ẏ is the part of ẋ in the space"""
        return cls(matrix), cls(tangents[0])

    @rrule(cls, signature="matrix")
    def space_rrule(matrix: np.ndarray) -> Any:
        """x̄ = ȳ as a matrix: the projection is its own adjoint"""

        def space_pullback(y_bar: Any) -> Any:
            return y_bar.matrix

        return cls(matrix), space_pullback


def _matrix_in(x: Any, t: Any) -> Any:
    if isinstance(t, Composite):
        given = fields_of(t)
        if primal_type(t) is not type(x) or set(given) != {"matrix"}:
            raise mismatched(x, t, "projected on one another")
        t = given["matrix"]
    if np.shape(t) != x.matrix.shape:
        raise ShapeMismatch(f"a tangent of shape {np.shape(t)} is none of a matrix of {x.matrix.shape}")
    return t


_declare(SkewSymmetric, 1)
_declare(Symmetric, 0)

"""Functions of each entry of a sparse array that are zero at zero: sines, roots, steps, parts, other dtypes.

What is not stored stays zero, and does not move. Each is NumPy's function of the stored entries, as a method
and as NumPy's function itself. Where an entry that is stored is zero, its derivative is NumPy's: infinite of
a square root.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import linalg, spmatrix

from ....core import frule, non_differentiable, rrule
from ...written import own, written_out
from .entries import CLASSES, Sparse, entries, filled, gives_back, methods, places

OF_NUMPY = (
    *("sin", "tan", "arcsin", "arctan", "sinh", "tanh", "arcsinh", "arctanh", "expm1", "log1p", "sqrt"),
    *("deg2rad", "rad2deg", "rint"),
)
"""Functions that NumPy too takes sparse arrays in."""

ZERO_AT_ZERO = (*OF_NUMPY, "sign", "ceil", "floor", "trunc")


def by_value(f: Any, x: Any, of_values: Any) -> Any:
    """f(x), each of whose stored entries is a function of one of x."""
    at = places(x)
    return filled(own(f, x), of_values(entries(x, at)), at)


def _register(f: Any, of_values: Any) -> None:
    @written_out(f)
    def of_entries(self: Sparse):
        """yᵢⱼ = f(xᵢⱼ) where x stores an entry"""
        return by_value(f, self, of_values)


def _register_ufunc(f: Any) -> None:
    @written_out(f)
    def of_entries(x: Sparse):
        """yᵢⱼ = f(xᵢⱼ) where x stores an entry"""
        return by_value(f, x, f)


for _name in ZERO_AT_ZERO:
    for _f in methods(_name):
        _register(_f, getattr(np, _name))
for _f in (*[getattr(np, name) for name in OF_NUMPY], np.absolute, np.negative, np.conjugate):
    _register_ufunc(_f)


@written_out(np.sum)
def total(a: Sparse, *, axis=None):
    """y = Σ aᵢⱼ along an axis, or over all"""
    return a.sum(axis=axis)


def _register_astype(f: Any) -> None:
    @written_out(f)
    def astype(self: Sparse, *, dtype, casting="unsafe", copy=True):
        """y = x in another dtype"""
        if not copy and gives_back(f, self, dtype, casting, copy):
            return self
        at = places(self)
        values = entries(self, at).astype(dtype)
        return filled(own(f, self, dtype, casting, copy), values, at)


for _f in methods("astype"):
    _register_astype(_f)


def is_matrix(x: Any) -> bool:
    """Whether this is a matrix, whose powers are those of matrices."""
    return isinstance(x, spmatrix)


non_differentiable(is_matrix, why="asks for a type")


def _register_power(f: Any, signature: str) -> None:
    @written_out(f, signature=signature)
    def power(self: Sparse, *, n):
        """yᵢⱼ = xᵢⱼⁿ where x stores an entry; of a matrix x x … x"""
        return linalg.matrix_power(self, n) if is_matrix(self) else self.power(n)


for _f in methods("__pow__"):
    _register_power(_f, "self, n")


def _register_part(P: Any, name: str, back: complex) -> None:
    @frule(getattr, P, name)
    def part_frule(tangents, x):
        """y is the real or the imaginary part of x, and ẏ that of ẋ"""
        return getattr(x, name), getattr(tangents[0], name)

    @rrule(getattr, P, name)
    def part_rrule(x):
        """x̄ = ȳ of the real part, i ȳ of the imaginary one"""

        def part_pullback(y_bar):
            return back * y_bar

        return getattr(x, name), part_pullback


for _P in CLASSES:
    _register_part(_P, "real", 1.0)
    _register_part(_P, "imag", 1j)

non_differentiable(
    *methods("nonzero", "argmax", "argmin", "count_nonzero", "getnnz"), why="returns indices or counts"
)

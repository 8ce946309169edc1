"""What changes a sparse array: entries and diagonals that are assigned, and how what is stored is arranged.

Which entry stands where afterwards SciPy says itself, when it changes an array whose entries are numbered:
one of those before, or one of the values. What is overwritten has no influence, and its cotangent is zero; a
value that is zero and therefore not stored does not move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from ....core import Array, non_differentiable
from ....tangents import NO_TANGENT, is_zero, materialize
from ....tangents.sparse import coordinates, is_sparse
from ...written import like_program
from .entries import Sparse, entries, methods, numbered, placed, places, stored, summed
from .factored import own_places


def origins(program: Any, x: Any, values: Any, metadata: Any) -> Any:
    """Where x stores entries once it is changed, and which entry each is, of x and then of the values."""
    count, changed = stored(x).nnz, numbered(x)
    if is_sparse(values):
        program(changed, numbered(values, count), **metadata)
    else:
        numbers = np.arange(count + 1.0, count + 1.0 + np.size(values))
        program(changed, np.reshape(numbers, np.shape(values)), **metadata)
    made = stored(changed)
    real = made.data != 0
    return tuple(i[real] for i in coordinates(made)), made.data[real].astype(np.int64) - 1


def in_line(t: Any, like: Any) -> Any:
    """The numbers of a tangent of the values, one after another."""
    t = materialize(t, like=like)
    return entries(t, places(like)) if is_sparse(like) else np.ravel(t)


non_differentiable(origins, why="has to do with places alone")


def _writes(f: Any) -> Callable[[Any], Any]:
    """Register both rules of a method that writes entries into its first argument."""

    def declare(program: Any) -> Any:
        def written_frule(tangents: Any, self: Any, values: Any, **metadata: Any) -> Any:
            at, which = origins(program, self, values, metadata)
            moved = np.concatenate((in_line(tangents[0], self), in_line(tangents[1], values)))
            program(self, values, **metadata)
            return None, NO_TANGENT, {0: placed(moved[which], at, shape=self.shape, kind=type(self))}

        def written_rrule(self: Any, values: Any, **metadata: Any) -> Any:
            before, (at, which) = own_places(self), origins(program, self, values, metadata)
            of_values, kind = (own_places(values) if is_sparse(values) else None), type(self)
            shape, count = self.shape, len(before[0])
            like = (np.shape(values), type(values))
            program(self, values, **metadata)

            def written_pullback(y_bar: Any, states: Any) -> Any:
                if is_zero(states[0]):
                    return states[0], states[0]
                size = int(np.prod(like[0])) if of_values is None else len(of_values[0])
                v_bar = summed(entries(states[0], at), which, count=count + size)
                self_bar = placed(v_bar[:count], before, shape=shape, kind=kind)
                if of_values is None:
                    return self_bar, np.reshape(v_bar[count:], like[0])
                return self_bar, placed(v_bar[count:], of_values, shape=like[0], kind=like[1])

            return None, written_pullback

        like_program(f, written_frule, "forward", program, mutates=(0,))
        like_program(f, written_rrule, "reverse", program, mutates=(0,))
        return program

    return declare


def _register_item(f: Any) -> None:
    def set_dense(self: Sparse, x: Array, *, key):
        """y is x where the key says so, and what it was elsewhere"""
        self[key] = x

    def set_sparse(self: Sparse, x: Sparse, *, key):
        """y is x where the key says so, and what it was elsewhere"""
        self[key] = x

    _writes(f)(set_dense)
    _writes(f)(set_sparse)


def _register_diagonal(f: Any) -> None:
    @_writes(f)
    def set_diagonal(self: Sparse, values: Array, *, k=0):
        """y has the values on its diagonal, and what it was elsewhere"""
        self.setdiag(values, k)


def summed_up(self: Sparse):
    """y has the entries of x, those of one place summed"""
    self.sum_duplicates()


def without_zeros(self: Sparse):
    """y has the entries of x that are not zero"""
    self.eliminate_zeros()


def in_order(self: Sparse):
    """y has the entries of x in their order"""
    self.sort_indices()


def _register_arranging(f: Any, program: Any) -> None:
    def arranging_frule(tangents: Any, self: Any) -> Any:
        program(self)
        return None, NO_TANGENT, {0: tangents[0]}

    def arranging_rrule(self: Any) -> Any:
        program(self)

        def arranging_pullback(y_bar: Any, states: Any) -> Any:
            return states[0]

        return None, arranging_pullback

    like_program(f, arranging_frule, "forward", program, mutates=(0,))
    like_program(f, arranging_rrule, "reverse", program, mutates=(0,))


_FILLED = (sparse.csr_array, sparse.lil_array, sparse.coo_array)  # and CSC arrays, by the method of CSR ones
for _P in _FILLED:
    if hasattr(_P, "__setitem__"):  # COO arrays from SciPy 1.17 on
        _register_item(_P.__setitem__)
for _f in methods("setdiag"):
    _register_diagonal(_f)
for _program, _name in (
    (summed_up, "sum_duplicates"),
    (without_zeros, "eliminate_zeros"),
    (in_order, "sort_indices"),
):
    for _f in methods(_name):
        _register_arranging(_f, _program)

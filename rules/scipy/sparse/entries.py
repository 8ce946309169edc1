"""Stored entries as vectors: how every rule for sparse arrays is put together.

`places(x)` are the index arrays of what x stores, repeats summed; they never move. `entries(t, at)` reads a
sparse or dense array there, `placed` and `filled` put values there. They are each other's adjoint, so a
program of them and of NumPy's functions has derivatives of every order, none denser than what is stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ....core import frule, non_differentiable, rrule, unbroadcast
from ....core.changes import pure
from ....tangents import ZERO
from ....tangents.indexed import IndexedTangent
from ....tangents.sparse import canonical, coordinates, is_sparse
from ...linearity import linear_in
from ...written import as_found, own

FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
CLASSES = tuple(getattr(sparse, f"{name}_{kind}") for kind in ("array", "matrix") for name in FORMATS)

_Arrays = sparse.csr_array | sparse.csc_array | sparse.coo_array | sparse.bsr_array | sparse.dia_array
_Matrices = sparse.csr_matrix | sparse.csc_matrix | sparse.coo_matrix | sparse.bsr_matrix | sparse.dia_matrix
_Kept = sparse.lil_array | sparse.dok_array | sparse.lil_matrix | sparse.dok_matrix
Sparse = _Arrays | _Matrices | _Kept


def methods(*names: str) -> tuple[Any, ...]:
    """The functions of these names in the classes of all formats, each once."""
    found: list[Any] = []
    for P in CLASSES:
        for name in names:
            f = getattr(P, name, None)
            if f is not None and not any(f is known for known in found):
                found.append(f)
    return tuple(found)


def stored(x: Any) -> Any:
    """What x stores as a COO array without repeats, in an order that its pattern alone decides."""
    if x.format in ("csr", "csc") and x.has_canonical_format:
        return x.tocoo(copy=False)
    return canonical(x)


def places(x: Any) -> Any:
    """The index arrays of what x stores, one for each axis; copies, since x may change later."""
    return tuple(np.array(i) for i in coordinates(stored(x)))


def as_sparse(a: Any) -> Any:
    """A sparse matrix as it is; of a dense one each entry is stored, the zeros as well."""
    if is_sparse(a):
        return a
    n, m = np.shape(a)
    columns, starts = np.tile(np.arange(m), n), np.arange(0, n * m + 1, m)
    return sparse.csr_array((np.ravel(a), columns, starts), shape=(n, m))


def gives_back(f: Any, x: Any, *arguments: Any, **options: Any) -> bool:
    """Whether a function gives x itself, as SciPy does where nothing is to be done."""
    return own(f, x, *arguments, **options) is x


non_differentiable(stored, places, gives_back, why="has to do with the pattern alone")
pure(is_sparse)
non_differentiable(sparse.issparse, sparse.isspmatrix, is_sparse, why="asks for a type")


def entries(t: Any, at: Any) -> Any:
    """The values of a sparse or dense array at these places, in their order; zero where none is stored.

    Example: >>> entries(np.eye(2), (np.array([0, 0]), np.array([0, 1])))
             array([1., 0.])
    """
    if isinstance(t, IndexedTangent):
        t = t.dense()
    if not is_sparse(t):
        return np.asarray(t)[at]
    kept = stored(t)
    own = coordinates(kept)
    if all(np.array_equal(a, b) for a, b in zip(own, at, strict=True)):
        return kept.data
    return _looked_up(kept.data, _keys(own, t.shape), _keys(at, t.shape))


def _keys(at: Any, shape: tuple[int, ...]) -> Any:
    return np.ravel_multi_index(tuple(np.asarray(i, np.int64) for i in at), shape)


def _looked_up(data: Any, keys: Any, wanted: Any, none: int = 0) -> Any:
    if not len(keys):
        return np.full(len(wanted), none, data.dtype)
    order = np.argsort(keys, kind="stable")
    found = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    return np.where(keys[found] == wanted, data[found], none)


@frule(entries)
def entries_frule(tangents, t, at):
    """vₖ = t[placeₖ]        v̇ₖ = ṫ[placeₖ]"""
    return entries(t, at), entries(tangents[0], at)


@rrule(entries)
def entries_rrule(t, at):
    """vₖ = t[placeₖ]        t̄[placeₖ] = Σ v̄ₖ, and nothing elsewhere"""
    shape = t.shape
    kind = type(t) if is_sparse(t) else None

    def entries_pullback(v_bar):
        return placed(v_bar, at, shape=shape, kind=kind), ZERO

    return entries(t, at), entries_pullback


def held_entries(t: Any, at: Any) -> Any:
    """The values at these places of a sparse array that holds entries at places of its own."""
    which = own(places_among, t.places, at)
    return as_found(own(entries, t, at), placed(t.entries, (which,), shape=own(one_more, at), kind=None)[:-1])


held_entries.of_held = True  # type: ignore[attr-defined]
entries_rrule.body_of = lambda count: held_entries  # type: ignore[attr-defined]


def places_among(places: Any, wanted: Any) -> Any:
    """Which of the places that are wanted each place is; one behind the last for none."""
    both = [np.concatenate(pair) for pair in zip(places, wanted, strict=True)]
    keys, count = _keys(both, tuple([int(np.max(i, initial=0)) + 1 for i in both])), len(wanted[0])
    known, asked = np.split(keys, [len(keys) - count])
    return _looked_up(np.arange(count), asked, known, none=count)


def one_more(at: Any) -> Any:
    """The shape of an array of a value for each place, and one."""
    return (len(at[0]) + 1,)


def placed(values: Any, at: Any, *, shape: Any, kind: Any) -> Any:
    """An array with these values at these places, those of one place summed; dense where no class is given.

    Example: >>> placed(np.array([1.0, 2.0]), (np.array([0, 0]),), shape=(2,), kind=None)
             array([3., 0.])
    """
    if kind is None:
        y = np.zeros(shape, np.result_type(values))
        np.add.at(y, at, values)
        return y
    total = sparse.coo_array((np.asarray(values), at), shape=shape)
    total.sum_duplicates()
    return kind(total)


@frule(placed)
def placed_frule(tangents, values, at, *, shape, kind):
    """y[placeₖ] = Σ vₖ        ẏ[placeₖ] = Σ v̇ₖ"""
    return placed(values, at, shape=shape, kind=kind), placed(tangents[0], at, shape=shape, kind=kind)


@rrule(placed)
def placed_rrule(values, at, *, shape, kind):
    """y[placeₖ] = Σ vₖ        v̄ₖ = ȳ[placeₖ]"""

    def placed_pullback(y_bar):
        return unbroadcast(entries(y_bar, at), np.shape(values)), ZERO

    return placed(values, at, shape=shape, kind=kind), placed_pullback


def filled(y: Any, values: Any, at: Any) -> Any:
    """y, whose entries at these places are the sums of these values, as SciPy has computed them.

    Where SciPy leaves out an entry that is zero, y gets it: what is zero only here still moves.
    """
    return keeping(own(whole, y, at), values, at)


def whole(y: Any, at: Any) -> Any:
    """y with an entry at each of these places."""
    if not is_sparse(y):
        return y
    kept = stored(y)
    known, wanted = coordinates(kept), tuple(map(np.asarray, at))
    if all(np.array_equal(a, b) for a, b in zip(known, wanted, strict=True)):
        return y
    missing = ~np.isin(_keys(wanted, y.shape), _keys(known, y.shape))
    if not np.any(missing):
        return y
    places = tuple([np.concatenate((a, b[missing])) for a, b in zip(known, wanted, strict=True)])
    data = np.concatenate((kept.data, np.zeros(np.count_nonzero(missing), kept.data.dtype)))
    return type(y)(canonical(sparse.coo_array((data, places), shape=y.shape)))


def keeping(y: Any, values: Any, at: Any) -> Any:
    """y, whose entries at these places are the sums of these values."""
    return y


@frule(keeping)
def keeping_frule(tangents, y, values, at):
    """ẏ[placeₖ] = Σ v̇ₖ"""
    kind = type(y) if is_sparse(y) else None
    return keeping(y, values, at), placed(tangents[1], at, shape=y.shape, kind=kind)


@rrule(keeping)
def keeping_rrule(y, values, at):
    """v̄ₖ = ȳ[placeₖ]"""

    def keeping_pullback(y_bar):
        return ZERO, entries(y_bar, at), ZERO

    return keeping(y, values, at), keeping_pullback


def storing(values: Any, at: Any, *, shape: Any, kind: Any) -> Any:
    """A sparse array of a class with these values at these places, those of one place summed."""
    return filled(own(placed, values, at, shape=shape, kind=kind), values, at)


def summed(values: Any, into: Any, *, count: int) -> Any:
    """The sums of the values that go into each of `count` places.

    Example: >>> summed(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 0]), count=3)
             array([4., 0., 2.])
    """
    return placed(values, (into,), shape=(count,), kind=None)


def product(values: Any, x: Any, at: Any, *, shape: Any) -> Any:
    """a x for the matrix a with these values at these places, and a dense vector or matrix x."""
    return sparse.csr_array((values, at), shape=shape) @ x


@frule(product)
def product_frule(tangents, values, x, at, *, shape):
    """y = a x        ẏ = ȧ x + a ẋ"""
    dv, dx, _ = tangents
    y = product(values, x, at, shape=shape)
    moved = product(dv, x, at, shape=shape) if dv is not ZERO else ZERO
    return y, moved + product(values, dx, at, shape=shape) if dx is not ZERO else moved


@linear_in(0, 1)
@rrule(product)
def product_rrule(values, x, at, *, shape, needs):
    """y = a x        x̄ = aᴴ ȳ, ā = (ȳ xᴴ) where a stores"""
    row, column = at

    def product_pullback(y_bar):
        x_bar, v_bar = ZERO, ZERO
        if needs[1]:
            x_bar = product(np.conj(values), y_bar, (column, row), shape=(shape[1], shape[0]))
        if needs[0]:
            v_bar = y_bar[row] * np.conj(x[column])
            v_bar = np.sum(v_bar, axis=1) if np.ndim(x) == 2 else v_bar
        return v_bar, x_bar, ZERO

    return product(values, x, at, shape=shape), product_pullback


def numbered(x: Any, after: int = 0) -> Any:
    """An array like x with its entries numbered, from `after` + 1 on."""
    kept = stored(x)
    numbers = np.arange(after + 1.0, after + kept.nnz + 1.0)
    return type(x)(sparse.coo_array((numbers, coordinates(kept)), shape=x.shape))


def sources(f: Any, x: Any, **options: Any) -> Any:
    """Where f(x), a rearrangement of what x stores, has its entries, and which entry of x each is.

    f is called once more, with the entries of x numbered.
    """
    y = f(numbered(x), **options)
    if is_sparse(y):
        made = stored(y)
        at, which = coordinates(made), made.data
    else:
        y = np.asarray(y)
        if not y.ndim:
            return (), int(y) - 1
        at = np.nonzero(y)
        which = y[at]
    real = which != 0
    return tuple(i[real] for i in at), which[real].astype(np.int64) - 1


non_differentiable(sources, why="has to do with the pattern alone")

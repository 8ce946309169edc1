"""`ravel(x) -> (vector, unravel)`: every number of a primal or tangent in one real vector, and back.

Complex numbers give two entries, real and imaginary part; integers give floats, and come back as
integers only where the vector holds integers. What is no number (flags, names, None, zeros without
shape, functions) is kept out of the vector and restored as it was. Dtypes and types are restored;
`unravel` takes any vector of the length and does not share memory with it. `unravel(vector)` is x also
where a float rounds (`Fraction`, wide integers): entries that did not change come back as they were.

A primal and its tangents have the same entries. Spans of time are seconds. A primal that is no vector (a
date, a registered one) has no numbers of its own: its entries are those of the step away from it, zeros
in `ravel(x)`, and `unravel` moves it; two of them are compared by `difference`, not by their vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from .composite import Composite, fields_of, from_fields, primal_type
from .errors import ShapeMismatch
from .indexed import IndexedTangent, ItemTangent
from .motion import move
from .naturals import WITHOUT_TANGENT, exactly
from .registered import naturals, vectors
from .spaces import zero_tangent
from .spans import add_spans, is_span, of_seconds, seconds
from .sparse import canonical, is_sparse
from .structure import construct, ending, parts
from .thunks import unthunk

Vector = np.ndarray[Any, np.dtype[np.float64]]
Take = Callable[[Vector], Any]
"""Rebuilds a part from its stretch of the vector."""


def ravel(x: Any) -> tuple[Vector, Callable[[Any], Any]]:
    """All the numbers of x as a float vector, and the function that rebuilds the like of x from one.

    Shapes:  vector is (n,); `unravel(vector)` is like x.
    Raises:  ShapeMismatch from unravel when the vector has another length.
    Example: >>> vector, unravel = ravel({"w": np.ones(2), "b": 1j, "name": "a"})
             >>> vector, unravel(2 * vector)
             (array([1., 1., 0., 1.]), {'w': array([2., 2.]), 'b': 2j, 'name': 'a'})
    """
    pieces: list[Vector] = []
    take = _taker(x, pieces, 0)[0]
    vector = np.concatenate(pieces) if pieces else np.zeros(0)

    return vector, Unravel(take, vector.shape)


class Unravel:
    """Rebuilds the like of what was ravelled from a vector; it has rules, so programs may call it."""

    __slots__ = ("shape", "take")

    def __init__(self, take: Take, shape: tuple[int, ...]) -> None:
        self.take, self.shape = take, shape

    def __call__(self, values: Any) -> Any:
        values = np.asarray(values)
        if values.shape != self.shape:
            raise ShapeMismatch(f"a vector of shape {values.shape} does not unravel: {self.shape} is needed")
        return self.take(values)


def _taker(x: Any, pieces: list[Vector], start: int) -> tuple[Take, int]:
    """How to rebuild x from the vector, and where its stretch ends; its numbers are appended to pieces."""
    x = unthunk(x)
    if isinstance(x, IndexedTangent | ItemTangent):
        x = x.dense()
    if isinstance(x, WITHOUT_TANGENT):
        return _constant(x), start
    natural, vector = naturals.of(type(x)), vectors.of(type(x))
    if vector is not None and vector.numbers is not None:
        inside, rebuild = vector.numbers(x)
        take_inside, stop = _taker(inside, pieces, start)
        return lambda values: rebuild(take_inside(values)), stop
    if isinstance(x, date) or (natural is not None and natural.T is not type(x)) or _kind(x) == "M":
        take_step, stop = _taker(zero_tangent(x), pieces, start)
        return lambda values: move(x, take_step(values)), stop
    if isinstance(x, timedelta | Fraction | Decimal) or is_span(x):
        return _exact(x, pieces, start)
    if is_sparse(x):
        return _stored(x, pieces, start)
    if isinstance(x, np.ndarray) and x.dtype.kind == "O":
        take_list, stop = _taker(x.ravel().tolist(), pieces, start)
        return lambda vector: _object_array(take_list(vector), x.shape), stop
    if isinstance(x, np.ndarray | np.generic | int | float | complex):
        return _numbers(x, pieces, start)
    inside = fields_of(x) if isinstance(x, Composite) else parts(x)
    return (_constant(x), start) if inside is None else _parts(x, inside, pieces, start)


def _kind(x: Any) -> str:
    return x.dtype.kind if isinstance(x, np.ndarray | np.generic) else ""


def _constant(x: Any) -> Take:
    return lambda vector: x


@ending
def _parts(x: Any, inside: Any, pieces: list[Vector], start: int) -> tuple[Take, int]:
    takers = []
    for child in inside.values() if isinstance(inside, dict) else inside:
        take, start = _taker(child, pieces, start)
        takers.append(take)
    names = tuple(inside) if isinstance(inside, dict) else None

    def take_parts(vector: Vector) -> Any:
        values: Any = [take(vector) for take in takers]
        if names is not None:
            values = dict(zip(names, values, strict=True))
        if isinstance(x, Composite):
            return from_fields(primal_type(x), values)
        return construct(type(x), values, like=x)

    return take_parts, start


def _numbers(x: Any, pieces: list[Vector], start: int) -> tuple[Take, int]:
    array = np.asarray(x)
    kind, shape, dtype = type(x), array.shape, array.dtype
    if issubclass(kind, int) and dtype.kind == "O":  # it is wider than any of NumPy's
        return _exact(x, pieces, start)
    if dtype.kind not in "fciu":
        return _constant(x), start
    pairs = dtype.kind == "c"
    rounded = array.ravel().astype(complex if pairs else float)
    narrow = np.can_cast(dtype, rounded.dtype) and (dtype.kind not in "iu" or dtype.itemsize < 8)
    pieces.append(rounded.view(float))
    stop = start + pieces[-1].size

    def take_numbers(vector: Vector) -> Any:
        values: Any = np.array(vector[start:stop], float)
        values = values.view(complex) if pairs else values
        moved = None if narrow else values != rounded
        values = values.reshape(shape)
        if dtype.kind not in "iu" or np.array_equal(values, np.rint(values)):
            values = values.astype(dtype)
            if moved is not None:
                values = np.where(moved.reshape(shape), values, array)
        if issubclass(kind, np.ndarray):
            return values if kind is np.ndarray else _like(x, values)
        return values[()] if issubclass(kind, np.generic) else values.item()

    return take_numbers, stop


def _like(x: Any, values: Any) -> Any:
    """The values as an array of the class of x, with its mask if it has one."""
    made = np.array(x, values.dtype, subok=True)
    np.asarray(made)[...] = values
    return made


def _exact(x: Any, pieces: list[Vector], start: int) -> tuple[Take, int]:
    """Of what a float may round: x itself, moved by what the entries differ from those that it gave."""
    before: Any = np.asarray(seconds(x) if isinstance(x, timedelta) or is_span(x) else float(x))
    pieces.append(before.ravel())
    stop = start + before.size

    def take_exact(vector: Vector) -> Any:
        after = np.array(vector[start:stop], float).reshape(before.shape)
        same = (after == before) | (np.isnan(after) & np.isnan(before))
        return x if np.all(same) else _stepped(x, np.where(same, 0.0, after - before)[()], after)

    return take_exact, stop


def _stepped(x: Any, step: Any, after: Any) -> Any:
    if isinstance(x, int):
        return int(after) if after == np.rint(after) else float(after)
    if isinstance(x, timedelta):
        return x + type(x)(seconds=float(step))
    if is_span(x):
        moved = add_spans(x, of_seconds(step))
        whole = moved.astype(x.dtype)
        return whole if np.array_equal(whole, moved, equal_nan=True) else moved
    return x + exactly(type(x), step)


def _stored(x: Any, pieces: list[Vector], start: int) -> tuple[Take, int]:
    """Of a sparse array: the entries it stores, in the order of their places, repeats summed."""
    stored = canonical(x)
    take, stop = _numbers(stored.data, pieces, start)

    def take_stored(vector: Vector) -> Any:
        moved = stored.copy()
        moved.data = take(vector)
        return type(x)(moved).asformat(x.format)

    return take_stored, stop


def _object_array(values: list[Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(shape)

"""Primals: values of every type that has tangents, alone and in structures.

`structures` puts values into tuples, lists, dicts, a NamedTuple, a dataclass, and a class with slots,
nested. Objects whose tangents somebody registered are the registrar's own business.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from .arrays import arrays, numbers


@dataclass
class Point:
    """A dataclass."""

    x: Any
    y: Any


class Pair(NamedTuple):
    """A NamedTuple."""

    first: Any
    second: Any


class Slotted:
    """A class without `__dict__`."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and bool(np.all(self.value == other.value))

    __hash__ = None  # type: ignore[assignment]  # the value may be an array

    def __repr__(self) -> str:
        return f"Slotted({self.value!r})"


_SCALARS = (float, int, complex, np.float16, np.float32, np.float64, np.complex64, np.complex128, np.int32)
_DTYPES = ("f2", "f4", "f8", "c8", "c16", "i4", "O", "m8[s]", "M8[s]")
_DAYS = st.integers(0, 9)


@st.composite
def naturals(draw: st.DrawFn) -> Any:
    """Numbers, arrays, fractions, decimals, dates and time spans, sparse arrays; flags and names.

    Example: >>> from hypothesis import find
             >>> find(naturals(), lambda x: isinstance(x, Fraction))
             Fraction(0, 1)
    """
    return draw(_NATURALS)


@st.composite
def _sparse(draw: st.DrawFn) -> Any:
    """A sparse array with entries on two diagonals, of which any may be zero."""
    from scipy.sparse import diags_array

    rows = draw(arrays(shape=(2, 3)))
    return diags_array(rows, offsets=[0, 1], shape=(3, 4)).tocsr()


_NATURALS = st.one_of(
    *map(numbers, _SCALARS),
    numbers().map(Fraction),
    numbers().map(Decimal),
    _DAYS.map(lambda n: timedelta(days=n)),
    _DAYS.map(lambda n: datetime(2020, 1, 1 + n)),
    _DAYS.map(lambda n: date(2020, 1, 1 + n)),
    _DAYS.map(lambda n: np.datetime64("2020-01-01") + np.timedelta64(n, "D")),
    st.sampled_from([True, "name", None]),
    *map(arrays, _DTYPES),
    _sparse(),
)


@st.composite
def structures(draw: st.DrawFn, leaves: st.SearchStrategy[Any] | None = None, *, depth: int = 2) -> Any:
    """Containers and objects that hold such leaves, nested so deep; by default numbers and arrays of floats.

    Example: >>> from hypothesis import find
             >>> find(structures(depth=1), lambda x: isinstance(x, list) and x)
             [0.0]
    """
    leaves = _FLOATS if leaves is None else leaves

    def part() -> Any:
        deeper = depth > 1 and draw(st.integers(0, 3)) == 3
        return draw(structures(leaves, depth=depth - 1) if deeper else leaves)

    kind = draw(st.sampled_from([list, tuple, dict, Pair, Point, Slotted]))
    if kind in (Pair, Point):
        return kind(part(), part())
    if kind is Slotted:
        return Slotted(part())
    count = draw(st.integers(0, 3))
    return (
        {key: part() for key in ("a", "b", 0)[:count]} if kind is dict else kind(part() for _ in range(count))
    )


_FLOATS = st.one_of(numbers(), arrays())


@st.composite
def primals(draw: st.DrawFn) -> Any:
    """Any value that the tangent algebra knows: natural ones, and structures of them.

    Example: >>> from hypothesis import find
             >>> find(primals(), lambda x: isinstance(x, list) and len(x) == 2)
             [0.0, 0.0]
    """
    return draw(st.one_of(naturals(), structures(naturals())))

"""Tangents of a given primal, in every form that a tangent takes.

    natural        numbers like the primal; of a structure a `Composite` of tangents in any form
    plain          of a tuple, list or dict: the same container of tangents
    missing        a `Composite` in which fields are left out
    zero, none     `Zero()` and `NoTangent()`
    indexed, item  what reading a part of an array, of a tuple or list, gives
    sparse         a scipy.sparse array for a dense primal
    thunk          one of the other forms, when somebody asks
    in_place       an `InplaceableThunk`, for arrays

What has no tangents (flags, names) takes the zeros only. `NotImplementedTangent` is no tangent that a
property could hold for, and is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ...tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    InplaceableThunk,
    ItemTangent,
    Thunk,
    from_fields,
    is_sparse,
    zero_tangent,
)
from ...tangents.naturals import zero_of
from ...tangents.sparse import storable
from ...tangents.structure import parts
from .arrays import arrays, numbers

KINDS = ("natural", "plain", "missing", "zero", "none", "indexed", "item", "sparse", "thunk", "in_place")
"""The names of the forms."""


def kinds_of(x: Any) -> tuple[str, ...]:
    """The forms that tangents of x take.

    Example: >>> kinds_of(2.0), kinds_of("name")
             (('natural', 'zero', 'none', 'thunk'), ('zero', 'none'))
    """
    if zero_tangent(x) is NO_TANGENT and parts(x) is None:
        return ("zero", "none")
    forms = {"natural", "zero", "none", "thunk"}
    if isinstance(x, np.ndarray) and x.dtype.kind in "fciu":
        forms |= {
            "in_place",
            *(("indexed",) if x.size else ()),
            *(("sparse",) if storable(x.shape, x.dtype) else ()),
        }
    inside = None if zero_of(x) is not None or is_sparse(x) or isinstance(x, np.ndarray) else parts(x)
    if inside is not None:
        forms |= {"missing"} if isinstance(inside, dict) or hasattr(x, "_fields") else set()
        forms |= {"plain"} if type(x) in (tuple, list, dict) else set()
        forms |= {"item"} if isinstance(x, tuple | list) and inside else set()
    return tuple(kind for kind in KINDS if kind in forms)


def tangents(x: Any, kinds: tuple[str, ...] = KINDS) -> st.SearchStrategy[Any]:
    """Tangents of the primal x in these forms; the parts of a structure take any.

    Raises:  ValueError where x has tangents in none of the forms.
    Example: >>> from hypothesis import find
             >>> find(tangents((2.0, "a"), ("plain",)), lambda t: t[0] == 1.0)
             (1.0, Zero())
    """
    possible = [kind for kind in kinds_of(x) if kind in kinds]
    if not possible:
        raise ValueError(f"a {type(x).__name__} has tangents of the kinds {kinds_of(x)}, not {kinds}")
    return _one(x, possible)


@st.composite
def _one(draw: st.DrawFn, x: Any, kinds: list[str]) -> Any:
    return draw(_MAKERS[draw(st.sampled_from(kinds))](x))


@st.composite
def with_tangents(draw: st.DrawFn, primals: st.SearchStrategy[Any], count: int = 1) -> tuple[Any, ...]:
    """Tuples of a primal and so many tangents of it.

    Example: >>> from hypothesis import find
             >>> x, a, b = find(with_tangents(numbers(), 2), lambda drawn: drawn[0] == 1.0)
             >>> x
             1.0
    """
    x = draw(primals)
    return x, *(draw(tangents(x)) for _ in range(count))


def _natural(x: Any) -> st.SearchStrategy[Any]:
    zero = zero_of(x)
    if isinstance(x, np.ndarray):
        return _entries(x) if zero is None else arrays(zero.dtype, zero.shape)
    if is_sparse(x):
        return arrays(zero_tangent(x).dtype, x.data.shape).map(lambda data: _with_data(x, data))
    if zero is not None:
        kind = zero.dtype if isinstance(zero, np.generic) else type(zero)
        if kind in (float, complex) or isinstance(zero, np.generic):
            return numbers(kind)
        return st.integers(-9, 9).map(lambda n: _multiple(zero, n))
    inside = parts(x)
    if isinstance(inside, dict):
        return st.fixed_dictionaries({k: tangents(v) for k, v in inside.items()}).map(
            lambda fields: from_fields(type(x), fields)
        )
    return st.tuples(*map(tangents, inside)).map(lambda items: from_fields(type(x), list(items)))


def _multiple(zero: Any, n: int) -> Any:
    """A Fraction, Decimal or timedelta."""
    from datetime import timedelta

    return timedelta(hours=n) if isinstance(zero, timedelta) else type(zero)(n) / 4


def _entries(x: np.ndarray[Any, Any]) -> st.SearchStrategy[Any]:
    """Of an object array: a natural tangent for each entry."""

    def arranged(entries: tuple[Any, ...]) -> Any:
        made = np.empty(x.shape, object)
        made.ravel()[:] = entries
        return made

    return st.tuples(*map(_natural, x.ravel())).map(arranged)


def _with_data(x: Any, data: Any) -> Any:
    made = x.astype(data.dtype, copy=True)
    made.data[...] = data
    return made


def _plain(x: Any) -> st.SearchStrategy[Any]:
    if isinstance(x, dict):
        return st.fixed_dictionaries({k: tangents(v) for k, v in x.items()})
    items = st.tuples(*map(tangents, x))
    return items if type(x) is tuple else items.map(list)


def _missing(x: Any) -> st.SearchStrategy[Any]:
    inside = x._asdict() if hasattr(x, "_asdict") else parts(x)
    optional = {k: tangents(v) for k, v in inside.items()}
    return st.fixed_dictionaries({}, optional=optional).map(
        lambda some: Composite[type(x)](**some) if isinstance(x, tuple) else from_fields(type(x), some)
    )


def _indexed(x: np.ndarray[Any, Any]) -> st.SearchStrategy[Any]:
    """One part, or the sum of two."""
    dtype = zero_tangent(x).dtype

    def part(index: Any) -> st.SearchStrategy[Any]:
        values = arrays(dtype, np.shape(x[index]))
        return values.map(lambda v: IndexedTangent(x.shape, dtype, index, v[()]))

    one = _indices(x).flatmap(part)
    return st.one_of(one, st.tuples(one, one).map(lambda pair: pair[0].joined(pair[1])))


def _indices(x: np.ndarray[Any, Any]) -> st.SearchStrategy[Any]:
    basic = hnp.basic_indices(x.shape, allow_newaxis=True)
    masks = arrays(bool, x.shape)
    if not x.ndim:
        return st.one_of(basic, masks)
    fancy = st.lists(st.integers(-x.shape[0], x.shape[0] - 1), max_size=4).map(lambda i: np.array(i, np.intp))
    return st.one_of(basic, fancy, masks)


def _item(x: Any) -> st.SearchStrategy[Any]:
    places = st.integers(0, len(x) - 1)
    return places.flatmap(lambda i: tangents(x[i]).map(lambda t: ItemTangent(type(x), len(x), i, t)))


def _sparse(x: np.ndarray[Any, Any]) -> st.SearchStrategy[Any]:
    from scipy.sparse import coo_array

    zero = zero_tangent(x)
    drawn = st.tuples(arrays(zero.dtype, zero.shape), arrays(bool, zero.shape))
    return drawn.map(lambda pair: coo_array(np.where(pair[1], pair[0], zero)))


def _thunk(x: Any) -> st.SearchStrategy[Any]:
    return tangents(x, tuple(k for k in KINDS if k != "thunk")).map(lambda t: Thunk(lambda: t))


def _in_place(x: np.ndarray[Any, Any]) -> st.SearchStrategy[Any]:
    return _natural(x).map(
        lambda v: InplaceableThunk(lambda accumulator: np.add(accumulator, v, out=accumulator), lambda: v)
    )


def _just(t: Any) -> Callable[[Any], st.SearchStrategy[Any]]:
    return lambda x: st.just(t)


_MAKERS: dict[str, Callable[[Any], st.SearchStrategy[Any]]] = {
    "natural": _natural,
    "plain": _plain,
    "missing": _missing,
    "zero": _just(ZERO),
    "none": _just(NO_TANGENT),
    "indexed": _indexed,
    "item": _item,
    "sparse": _sparse,
    "thunk": _thunk,
    "in_place": _in_place,
}

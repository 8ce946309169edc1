"""The light cotangents of `x[index]`: `IndexedTangent` for an array, `ItemTangent` for a tuple or list.

They cost what they touch: nothing of the size of x is made until `dense()` is asked for, and the
sum of two is O(1). Any index that NumPy takes is taken: integers, slices, `...`, `None`, boolean
masks, integer arrays in any mixture; repeated entries add up. To NumPy functions they look like
the dense array. A dict needs nothing of the kind, for `Composite[dict]({key: t})` is as light.
Absent on purpose: reading one entry, and products other than by a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import numpy as np

from . import algebra
from .composite import from_fields
from .errors import ShapeMismatch
from .operators import Operators
from .places import located
from .sparse import storable
from .zeros import ZERO


class IndexedTangent(Operators):
    """The cotangent of `x[index]` for a dense array x: `values` at `index`, zero elsewhere.

    Shapes:  `shape` and `dtype` are those of the dense cotangent, hence of x; values is like `x[index]`.
    Raises:  ShapeMismatch on use when values is not like `x[index]`.
    Example: >>> t = IndexedTangent((4,), np.dtype(float), 1, 5.0)
             >>> t.dense(), t.nnz, 2.0 * t + t
             (array([0., 5., 0., 0.]), 1, array([ 0., 15.,  0.,  0.]))
    """

    __slots__ = ("_count", "_index", "_values", "dtype", "shape")
    _count: int  # of a sum

    def __init__(self, shape: tuple[int, ...], dtype: Any, index: Any, values: Any) -> None:
        self.shape = shape
        self.dtype = dtype
        self._index = index
        self._values = values

    @property
    def nnz(self) -> int:
        """The number of values held; of entries that repeat each counts."""
        return self._count if self._index is _Sum else getattr(self._values, "size", 1)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of entries of the dense cotangent."""
        return math.prod(self.shape)

    def parts(self) -> Iterator[tuple[Any, Any]]:
        """The pairs (index, values) whose sum this is."""
        stack = [self]
        while stack:
            t = stack.pop()
            if t._index is _Sum:
                stack += reversed(t._values)
            else:
                yield t._index, t._values

    def add_into(self, buffer: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Add this into a writable array of its shape, in time of the entries touched; return the array."""
        if buffer.shape != self.shape:
            raise ShapeMismatch(f"a tangent of shape {self.shape} cannot be added into one of {buffer.shape}")
        index, values = self._index, self._values
        if (
            type(index) is int
            and isinstance(values, float)
            and buffer.ndim == 1
            and buffer.dtype.kind in "fc"
        ):
            buffer[index] += values  # the usual case in a loop, and several times as fast
        elif index is _Sum:
            for place, part in self.parts():
                _add_at(buffer, place, part)
        else:
            _add_at(buffer, index, values)
        return buffer

    def dense(self) -> np.ndarray[Any, Any]:
        """The cotangent as a new ndarray."""
        return self.add_into(np.zeros(self.shape, self.dtype))

    def joined(self, other: IndexedTangent) -> IndexedTangent:
        """The sum with another of the same shape, in O(1), still indexed."""
        dtype = self.dtype if self.dtype == other.dtype else np.result_type(self.dtype, other.dtype)
        total = IndexedTangent(self.shape, dtype, _Sum, (self, other))
        total._count = self.nnz + other.nnz
        return total

    def map_values(self, fn: Callable[[Any], Any], dtype: Any = None) -> IndexedTangent:
        """The indexed tangent with fn, which must be linear, applied to the values."""
        mapped = []
        for index, values in self.parts():
            values = fn(values)
            kind = np.result_type(self.dtype, values) if dtype is None else dtype
            mapped.append(IndexedTangent(self.shape, kind, index, values))
        return reduce(IndexedTangent.joined, mapped)

    def conjugate(self) -> IndexedTangent:
        """The complex conjugate."""
        return self.map_values(np.conjugate)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self.dense().astype(dtype or self.dtype, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        operation = _KEEPING.get(ufunc)
        if operation is not None and method == "__call__" and not kwargs:
            result = getattr(Operators, operation)(self, inputs[0] if inputs[1] is self else inputs[1])
            if result is not NotImplemented:
                return result
        dense = (t.dense() if isinstance(t, IndexedTangent) else t for t in inputs)
        return getattr(ufunc, method)(*dense, **kwargs)

    def __array_function__(self, fn: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if args and args[0] is self:
            result = algebra.array_function(self, fn, *args[1:], **kwargs)
            if result is not NotImplemented:
                return result
        return fn(*_dense_within(args), **_dense_within(kwargs))

    def __repr__(self) -> str:
        parts = ", ".join(f"[{index!r}] += {values!r}" for index, values in self.parts())
        return f"IndexedTangent({self.shape}, {self.dtype}: {parts})"


class _Sum:
    """Stands in place of an index where the values are two tangents, whose sum is meant."""


def _dense_within(values: Any) -> Any:
    """The arguments of a function with the indexed tangents among them dense."""
    if isinstance(values, IndexedTangent):
        return values.dense()
    if isinstance(values, dict):
        return {key: _dense_within(value) for key, value in values.items()}
    return type(values)(map(_dense_within, values)) if type(values) in (tuple, list) else values


_KEEPING = {np.add: "__add__", np.multiply: "__mul__"}
"""The commutative functions whose result may stay indexed."""


class ItemTangent(Operators):
    """The cotangent of `x[index]` for a tuple or list x of type P: `value` there, `Zero()` elsewhere.

    Raises:  IndexError when x has no such item.
    Example: >>> ItemTangent(list, 3, -1, 2.0).dense()
             Composite[list](Zero(), Zero(), 2.0)
    """

    __slots__ = ("P", "index", "length", "value")

    def __init__(self, P: type, length: int, index: int, value: Any) -> None:
        if not -length <= index < length:
            raise IndexError(f"item {index} of a {P.__name__} of length {length}")
        self.P = P
        self.length = length
        self.index = index + length if index < 0 else index
        self.value = value

    def dense(self) -> Any:
        """The cotangent as a `Composite[P]`."""
        values = [ZERO] * self.length
        values[self.index] = self.value
        return from_fields(self.P, values)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> Any:
        return self.dense()[index]

    def __getattr__(self, name: str) -> Any:
        """The tangent of a field, where P is a NamedTuple."""
        fields = () if name in ItemTangent.__slots__ else getattr(self.P, "_fields", ())
        if name not in fields:
            raise AttributeError(f"a tangent of an item has no attribute {name!r}")
        return self.dense()[fields.index(name)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.dense())

    def __eq__(self, other: object) -> bool:
        return bool(self.dense() == (other.dense() if isinstance(other, ItemTangent) else other))

    __hash__ = None  # type: ignore[assignment]  # the value may be an array

    def __repr__(self) -> str:
        return f"ItemTangent({self.P.__name__}[{self.length}], [{self.index}] += {self.value!r})"


def to_coo(t: IndexedTangent) -> Any:
    """An indexed tangent as a scipy `coo_array`, entries that repeat summed.

    Shapes:  like t; time and memory go with the entries touched.
    Raises:  ShapeMismatch for a 0-d tangent and one in half precision, which have no sparse form.
    Example: >>> to_coo(IndexedTangent((3, 3), np.dtype(float), (0, [1, 1]), np.ones(2))).data
             array([2.])
    """
    from scipy.sparse import coo_array

    if not storable(t.shape, t.dtype):
        raise ShapeMismatch(
            f"a tangent of shape {t.shape} and dtype {t.dtype} has no sparse form",
            closest="scipy.sparse has arrays of one axis or more, from single precision on",
            next='use dense(), or form="dense" where a gradient was asked for',
        )
    columns: list[Any] = []
    data: list[Any] = []
    single: list[Any] = []
    of_single: list[Any] = []
    for index, values in t.parts():
        read = located(t.shape, index)
        if np.shape(read[0]) != np.shape(values):
            raise _not_like_item(t.shape, index, np.shape(read[0]), np.shape(values))
        if type(read[0]) is int:  # entries one by one, of which there may be many
            single.append(read)
            of_single.append(values)
        else:
            columns.append([p.ravel() for p in read])
            data.append(np.ravel(values))
    if single:
        columns.append(np.array(single, np.intp).T)
        data.append(np.array(of_single))
    coords = tuple(np.concatenate(axis) for axis in zip(*columns, strict=True))
    total = coo_array((np.concatenate(data).astype(t.dtype, copy=False), coords), shape=t.shape)
    total.sum_duplicates()
    return total


def _add_at(buffer: np.ndarray[Any, Any], index: Any, values: Any) -> None:
    if isinstance(values, float) and _is_entry(index, buffer.ndim) and buffer.dtype.kind in "fc":
        buffer[index] += values
        return
    shape = values.shape if type(values) is np.ndarray else np.shape(values)
    if is_basic(index):
        view = buffer[_as_view(index)]
        if view.shape != shape:
            raise _not_like_item(buffer.shape, index, view.shape, shape)
        np.add(view, values, out=view)
    else:
        wanted = buffer[index].shape
        if wanted != shape:
            raise _not_like_item(buffer.shape, index, wanted, shape)
        np.add.at(buffer, index, values)


_BASIC = frozenset({int, slice, type(None), type(...)})


def is_basic(index: Any) -> bool:
    """Whether `x[index]` is a view: only integers, slices, `...` and `None`, so that no entry repeats.

    Example: >>> is_basic((0, slice(None))), is_basic([0, 0]), is_basic(True)
             (True, False, False)
    """
    if type(index) is tuple:
        return all(type(i) in _BASIC or isinstance(i, np.integer) for i in index)
    return type(index) in _BASIC or isinstance(index, np.integer)


def _is_entry(index: Any, ndim: int) -> bool:
    return type(index) is tuple and len(index) == ndim and all(type(i) is int for i in index)


def _as_view(index: Any) -> Any:
    """A basic index with an ellipsis, which makes a view also of a single entry: NumPy then checks casts."""
    items = index if type(index) is tuple else (index,)
    return items if any(i is ... for i in items) else (*items, ...)


def _not_like_item(shape: Any, index: Any, wanted: Any, got: Any) -> ShapeMismatch:
    return ShapeMismatch(
        f"the cotangent of x[{index!r}] has shape {got}, but for x of shape {shape} that item has {wanted}",
        next="give IndexedTangent values of exactly the item's shape; they are not broadcast",
    )

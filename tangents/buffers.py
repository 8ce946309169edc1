"""`gather`, the sum of an engine that collects contributions to one adjoint, and its `Buffer`.

`gather(adjoint, t)` starts from `Zero()`, never writes what it was handed, and becomes a `Buffer`, an
accumulator that it owns and writes, where that pays: where indexed or item tangents and in-place
thunks meet anything, where dicts are collected key by key, and for arrays of `LARGE` entries. Then
an addition costs what it touches. A buffer is a lazy tangent: `unthunk` gives its value away, and
an addition after that copies first. An array buffer of many entries stays a sum of indexed
tangents until that is denser than `DENSITY_THRESHOLD`. Buffers belong to one sweep and one thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .accumulation import accumulate
from .addition import add, has_overload
from .composite import Composite, from_fields, primal_type
from .indexed import IndexedTangent, ItemTangent
from .sparse import DENSITY_THRESHOLD
from .thunks import InplaceableThunk, Lazy, unthunk
from .zeros import ZERO, NotImplementedTangent, is_zero

LARGE = 4096
"""Entries from which on a dense array is worth an accumulator."""

SPARSE_FROM = 2**18
"""Entries from which on an accumulator is worth keeping sparse: below, zeros are cheap."""


class Buffer(Lazy):
    """An accumulator that the engine made and owns; made by `gather` only."""

    __slots__ = ()

    def absorb(self, t: Any) -> Any:
        """The sum with t: this buffer, written in place, or a value when the sum is of another kind."""
        if is_zero(t):
            return self
        if isinstance(t, NotImplementedTangent):
            return t
        if isinstance(t, Lazy) and not isinstance(t, InplaceableThunk):
            return self.absorb(unthunk(t))
        return self._absorb(t)

    def _absorb(self, t: Any) -> Any:
        raise NotImplementedError


class ArrayBuffer(Buffer):
    """Of an array: dense, or indexed while it is sparse."""

    __slots__ = ("_given_away", "_value")

    def __init__(self, value: np.ndarray[Any, Any] | IndexedTangent) -> None:
        self._value = value
        self._given_away = False

    def force(self) -> Any:
        """The sum so far; an indexed tangent while it is sparse."""
        self._given_away = True
        return self._value

    def absorb(self, t: Any) -> Any:
        """The sum with t, with the way of a loop over entries first."""
        value = self._value
        if type(t) is IndexedTangent and type(value) is np.ndarray and t.dtype is value.dtype:
            if self._given_away:
                self._value = value = value.copy()
                self._given_away = False
            t.add_into(value)
            return self
        return super().absorb(t)

    def take(self, key: Any) -> Any:
        """The entries at an index, which are zero from here on."""
        value = self._value
        if isinstance(value, IndexedTangent):
            value = value.dense()
        elif self._given_away:
            value = value.copy()
        self._value = value
        self._given_away = False
        piece = value[key]
        if isinstance(piece, np.ndarray):
            piece = piece.copy()
        value[key] = 0
        return piece

    def _absorb(self, t: Any) -> Any:
        value = self._value
        if isinstance(value, IndexedTangent):
            if isinstance(t, IndexedTangent) and t.shape == value.shape:
                total = value.joined(t)
                if total.nnz <= DENSITY_THRESHOLD * total.size:
                    self._value = total
                    return self
            elif not isinstance(t, np.ndarray | InplaceableThunk):
                return add(value, t)
            value = value.dense()
        elif self._given_away:
            value = value.copy()
        self._value = value
        self._given_away = False
        total = accumulate(value, t)
        return self if total is value else total


class SequenceBuffer(Buffer):
    """Of a tuple or list: the adjoint of each item."""

    __slots__ = ("_P", "_values")

    def __init__(self, P: type, values: list[Any]) -> None:
        self._P = P
        self._values = values

    def force(self) -> Any:
        """The composite of the sums so far."""
        return from_fields(self._P, map(_value, self._values))

    def pop(self, index: int) -> Any:
        """The adjoint of an item, which is taken out of the list."""
        return _value(self._values.pop(index))

    def take(self, key: Any) -> Any:
        """The adjoint of an item, which is zero from here on."""
        piece, self._values[key] = self._values[key], ZERO
        return _value(piece)

    def _absorb(self, t: Any) -> Any:
        values = self._values
        if isinstance(t, ItemTangent) and t.P is self._P and t.length == len(values):
            values[t.index] = gather(values[t.index], t.value)
        elif isinstance(t, Composite) and primal_type(t) is self._P and len(t) == len(values):
            values[:] = map(gather, values, t)
        else:
            return add(self.force(), t)
        return self


class MappingBuffer(Buffer):
    """Of a dict: the adjoint of each entry."""

    __slots__ = ("_P", "_values")

    def __init__(self, P: type, values: dict[Any, Any]) -> None:
        self._P = P
        self._values = values

    def force(self) -> Any:
        """The composite of the sums so far."""
        return from_fields(self._P, {key: _value(v) for key, v in self._values.items()})

    def take(self, key: Any) -> Any:
        """The adjoint of an entry, which is zero from here on."""
        return _value(self._values.pop(key, ZERO))

    def _absorb(self, t: Any) -> Any:
        if not isinstance(t, Composite) or primal_type(t) is not self._P:
            return add(self.force(), t)
        for key, v in t.items():
            self._values[key] = gather(self._values.get(key, ZERO), v)
        return self


_BUFFERS = frozenset({ArrayBuffer, SequenceBuffer, MappingBuffer})
_LIGHT = frozenset({IndexedTangent, ItemTangent, InplaceableThunk})


def gather(adjoint: Any, t: Any) -> Any:
    """The sum adjoint + t for an engine that keeps only the result; neither argument's value is written.

    Shapes:  both like one primal; the result may be a `Buffer`, whose value `unthunk` gives.
    Raises:  as `add`.
    Example: >>> x_bar = gather(Zero(), ItemTangent(list, 3, 0, 1.0))
             >>> unthunk(gather(gather(x_bar, ItemTangent(list, 3, 2, 5.0)), Zero()))
             Composite[list](1.0, Zero(), 5.0)
    """
    kind = type(t)
    if adjoint is ZERO:
        return t.force() if kind in _BUFFERS else t
    owner = type(adjoint)
    if kind is IndexedTangent and owner is ArrayBuffer:
        return adjoint.absorb(t)
    if kind is float and owner is float:
        return adjoint + t
    if kind is np.ndarray and owner is np.ndarray:
        total = add(adjoint, t)
        return ArrayBuffer(total) if total.size >= LARGE else total
    if t is ZERO:
        return adjoint
    if kind in _BUFFERS:
        return gather(adjoint, t.force())
    if owner in _BUFFERS:
        return adjoint.absorb(t)
    if kind in _LIGHT or owner in _LIGHT:
        return _buffered(adjoint, t)
    if owner is kind and issubclass(kind, Composite):
        P = primal_type(t)
        if issubclass(P, dict) and not has_overload(kind):
            return MappingBuffer(P, {}).absorb(adjoint).absorb(t)
    return add(adjoint, t)


def _buffered(a: Any, b: Any) -> Any:
    """The first sum in which a light tangent takes part."""
    for t, other in ((a, b), (b, a)):
        if is_zero(t) or isinstance(t, NotImplementedTangent):
            return add(a, b)
        if isinstance(t, Lazy) and not isinstance(t, InplaceableThunk):
            return gather(unthunk(t), other)
    if isinstance(a, ItemTangent) or isinstance(b, ItemTangent):
        item, other = (a, b) if isinstance(a, ItemTangent) else (b, a)
        if has_overload(Composite[item.P]):
            return add(a, b)
        return SequenceBuffer(item.P, [ZERO] * item.length).absorb(item).absorb(other)
    base, other = (b, a) if type(b) is np.ndarray or isinstance(a, InplaceableThunk) else (a, b)
    base = unthunk(base)
    if isinstance(base, IndexedTangent) and isinstance(other, IndexedTangent | InplaceableThunk):
        return ArrayBuffer(base if base.size > SPARSE_FROM else base.dense()).absorb(other)
    if type(base) is np.ndarray and base.dtype.kind in "fc":
        return ArrayBuffer(base.copy()).absorb(other)
    return add(base, other)


def _value(t: Any) -> Any:
    return t.force() if isinstance(t, Buffer) else t

"""One slot of a container's tangent: `split` takes it out, `join` puts one in.

A store `x[key] = v` replaces what was in a slot. Forward, the tangent of x after it is the one before
with the tangent of v in that slot: `join`. In reverse, the cotangent in that slot belongs to v, and
nothing of it to what was there before: `split`. Each is the adjoint of the other. `split` may reuse
a `Buffer`, which an engine owns, so a chain of stores costs what the stores touch.

What the container is, is told by a `Kind`: its shape and dtype, or its class and length.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .buffers import ArrayBuffer, Buffer, MappingBuffer, SequenceBuffer
from .composite import SEQUENCES, Composite, fields_of, from_fields
from .indexed import IndexedTangent, ItemTangent, is_basic
from .naturals import tangent_dtype
from .thunks import Lazy, unthunk
from .zeros import NO_TANGENT, ZERO, NotImplementedTangent, is_zero

_OF_DICTS = ("values", "items")


class Kind(NamedTuple):
    """What has the slot: an "array", a "sequence" of some length, a "mapping", or an "object".

    The "values" or "items" of a dict of type P have the dict itself in their one slot, whose key is its keys.
    """

    name: str
    P: type
    shape: tuple[int, ...] = ()
    dtype: Any = None


def kind_of(x: Any) -> Kind:
    """The kind of a container whose items are stored into; of another object, whose attributes are.

    Example: >>> kind_of([1.0, 2.0]).name, kind_of(np.zeros(3)).shape
             ('sequence', (3,))
    """
    P = type(x)
    if isinstance(x, np.ndarray):
        return Kind("array", P, x.shape, tangent_dtype(x.dtype))
    if isinstance(x, SEQUENCES):
        return Kind("sequence", P, (len(x),))
    return Kind("mapping" if isinstance(x, dict) else "object", P)


def split(t: Any, key: Any, kind: Kind) -> tuple[Any, Any]:
    """A tangent with its slot made zero, and what was in the slot; a `Buffer` is written in place.

    Shapes:  t is like the container; the second result is like its item at `key`.
    Example: >>> float(split(np.array([1.0, 2.0]), 1, Kind("array", np.ndarray, (2,), np.dtype(float)))[1])
             2.0
    """
    if is_zero(t):
        return ZERO, ZERO
    if isinstance(t, NotImplementedTangent):
        return t, t
    if kind.name == "array":
        buffer = t if type(t) is ArrayBuffer else ArrayBuffer(_dense(t, kind).copy())
        return buffer, buffer.take(key)
    if type(t) in (SequenceBuffer, MappingBuffer):
        return t, t.take(key)
    if kind.name == "sequence":
        entries = SequenceBuffer(kind.P, list(_listed(t, kind)))
        return entries, entries.take(key)
    return split_plain(t, key, kind)


def split_plain(t: Any, key: Any, kind: Kind) -> tuple[Any, Any]:
    """The same without writing anything."""
    if is_zero(t):
        return ZERO, ZERO
    if isinstance(t, NotImplementedTangent):
        return t, t
    if kind.name == "array":
        rest = _dense(t, kind).copy()
        piece = np.array(rest[key])
        rest[key] = 0
        return rest, piece
    if kind.name == "sequence":
        values = list(_listed(t, kind))
        piece, values[key] = values[key], ZERO
        return from_fields(kind.P, values), piece
    if kind.name in _OF_DICTS:
        parts = [pair(p)[1] for p in _listed(t, kind)] if kind.name == "items" else _listed(t, kind)
        return ZERO, from_fields(kind.P, dict(zip(key, parts, strict=True)))
    entries = _entries(t)
    piece = entries.pop(key, ZERO)
    return (from_fields(kind.P, entries) if entries else ZERO), piece


def join(t: Any, key: Any, piece: Any, kind: Kind) -> Any:
    """A tangent with its slot replaced.

    Shapes:  t is like the container, piece like its item at `key` or broadcast to it.
    Example: >>> join(Composite[list](1.0, 2.0), 0, 5.0, kind_of([0.0, 0.0]))
             Composite[list](5.0, 2.0)
    """
    if is_zero(t) and is_zero(piece):
        return ZERO
    for part in (t, piece):
        if isinstance(part, NotImplementedTangent):
            return part
    if kind.name == "array":
        joined = np.zeros(kind.shape, kind.dtype) if is_zero(t) else _dense(t, kind).copy()
        piece = unthunk(piece)
        joined[key] = 0 if is_zero(piece) else piece.dense() if isinstance(piece, IndexedTangent) else piece
        return joined
    if kind.name == "sequence":
        values = [ZERO] * kind.shape[0] if is_zero(t) else list(_listed(t, kind))
        values[key] = piece
        return from_fields(kind.P, values)
    if kind.name in _OF_DICTS:
        given = {} if is_zero(piece) else _entries(piece)
        parts = [given.get(k, ZERO) for k in key]
        return from_fields(
            tuple, [Composite[tuple](NO_TANGENT, p) for p in parts] if kind.name == "items" else parts
        )
    entries = {} if is_zero(t) else _entries(t)
    return from_fields(kind.P, {**entries, key: piece})


def chosen(t: Any, keys: tuple[Any, ...]) -> Any:
    """A dict's tangent with the entries of these keys only; its own adjoint.

    Example: >>> chosen(Composite[dict]({"a": 1.0, "b": 2.0}), ("b",))
             Composite[dict]({'b': 2.0})
    """
    if is_zero(t) or isinstance(t, NotImplementedTangent):
        return t
    entries = _entries(t)
    kept = {key: entries[key] for key in keys if key in entries}
    return from_fields(dict, kept) if kept else ZERO


def pair(t: Any) -> tuple[Any, Any]:
    """The two parts of the tangent of a pair.

    Example: >>> pair(Composite[tuple](1.0, 2.0))
             (1.0, 2.0)
    """
    if is_zero(t) or isinstance(t, NotImplementedTangent):
        return t, t
    first, second = _listed(t, Kind("sequence", tuple, (2,)))
    return first, second


def without(t: Any, key: Any, kind: Kind) -> Any:
    """A tangent without the slots that `del x[key]` deletes from a list or dict.

    Example: >>> without(Composite[list](1.0, 2.0, 3.0), 1, kind_of([0.0, 0.0, 0.0]))
             Composite[list](1.0, 3.0)
    """
    if is_zero(t) or isinstance(t, NotImplementedTangent):
        return t
    if kind.name == "sequence":
        values = list(_listed(t, kind))
        del values[key]
        return from_fields(kind.P, values)
    entries = _entries(t)
    entries.pop(key, None)
    return from_fields(kind.P, entries)


def restored(t: Any, key: Any, kind: Kind) -> Any:
    """The adjoint of `without`: zeros where slots were deleted; `kind` is that of the container before.

    Example: >>> restored(Composite[list](1.0, 3.0), 1, kind_of([0.0, 0.0, 0.0]))
             Composite[list](1.0, Zero(), 3.0)
    """
    if is_zero(t) or isinstance(t, NotImplementedTangent) or kind.name != "sequence":
        return t
    values = list(_listed(t, kind))
    places = list(range(kind.shape[0]))
    del places[key]
    full = [ZERO] * kind.shape[0]
    for place, value in zip(places, values, strict=True):
        full[place] = value
    return from_fields(kind.P, full)


def popped(t: Any, index: int, kind: Kind) -> tuple[Any, Any]:
    """A list's tangent without one item, and that item's; a `Buffer` is written in place.

    Shapes:  `kind` is that of the list before.
    Example: >>> popped(Composite[list](1.0, 2.0), 0, kind_of([0.0, 0.0]))
             (Composite[list](2.0), 1.0)
    """
    if is_zero(t):
        return ZERO, ZERO
    if isinstance(t, NotImplementedTangent):
        return t, t
    if type(t) is SequenceBuffer:
        return t, t.pop(index)
    return popped_plain(t, index, kind)


def popped_plain(t: Any, index: int, kind: Kind) -> tuple[Any, Any]:
    """The same without writing anything."""
    if is_zero(t):
        return ZERO, ZERO
    values = list(_listed(t, kind))
    piece = values.pop(index)
    return from_fields(kind.P, values), piece


def inserted(t: Any, index: int, piece: Any, kind: Kind) -> Any:
    """The adjoint of `popped`: a list's tangent with an item put in; `kind` is that of the list after.

    Example: >>> inserted(Composite[list](2.0), 0, 1.0, kind_of([0.0, 0.0]))
             Composite[list](1.0, 2.0)
    """
    if is_zero(t) and is_zero(piece):
        return ZERO
    shorter = Kind(kind.name, kind.P, (kind.shape[0] - 1,))
    values = [ZERO] * shorter.shape[0] if is_zero(t) else list(_listed(t, shorter))
    values.insert(index, piece)
    return from_fields(kind.P, values)


def arranged(t: Any, places: Any, count: int, P: type) -> Any:
    """The tangent of a sequence P of those items of another, of `count`, that stand at these places.

    Example: >>> arranged(Composite[list](1.0, 2.0, 3.0), (2, 0), 3, list)
             Composite[list](3.0, 1.0)
    """
    if is_zero(t) or isinstance(t, NotImplementedTangent):
        return t
    values = _listed(t, Kind("sequence", P, (count,)))
    return from_fields(P, [values[place] for place in places])


def scattered(t: Any, places: Any, count: int, P: type) -> Any:
    """The adjoint of `arranged`, of a sequence of P: each item at its place of `count`, zeros elsewhere.

    Example: >>> scattered(Composite[list](3.0, 1.0), (2, 0), 3, list)
             Composite[list](1.0, Zero(), 3.0)
    """
    if is_zero(t) or isinstance(t, NotImplementedTangent):
        return t
    values = [ZERO] * count
    for place, value in zip(places, _listed(t, Kind("sequence", P, (len(places),))), strict=True):
        values[place] = value
    return from_fields(P, values)


def overwritten(x: Any, key: Any) -> Any:
    """Which entries of `x[key] = v` stay: where an index repeats, only the last value does. None for all."""
    if is_basic(key):
        return None
    places = np.full(x.shape, -1, dtype=np.intp)
    count = np.arange(places[key].size).reshape(places[key].shape)
    places[key] = count
    stays = places[key] == count
    return None if stays.all() else stays


def _dense(t: Any, kind: Kind) -> np.ndarray[Any, Any]:
    t = unthunk(t)
    dense = t.dense() if isinstance(t, IndexedTangent) else np.asarray(t)
    if dense.shape != kind.shape:
        dense = np.broadcast_to(dense, kind.shape)
    return dense


def _listed(t: Any, kind: Kind) -> Any:
    t = unthunk(t) if isinstance(t, Lazy) else t
    return t.dense() if isinstance(t, ItemTangent) else t


def _entries(t: Any) -> dict[Any, Any]:
    t = unthunk(t) if isinstance(t, Buffer) else t
    return dict(fields_of(t)) if isinstance(t, Composite) else dict(t)

"""What generated texts call: small functions of cotangents that are known to be arrays or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ....tangents import ZERO, Composite, is_zero, unthunk


def filled(c: Any, x: Any) -> Any:
    """A cotangent in the shape of x."""
    if type(c) is ndarray and c.shape == x.shape:
        return c
    y = np.empty(x.shape, x.dtype)
    np.copyto(y, c)  # which no complex number goes into a real one by
    return y


def as_complex(c: Any) -> Any:
    """A cotangent of complex numbers, as one."""
    return np.asarray(c, complex) if type(c) is ndarray else complex(c)


def owned(c: Any, shape: Any, dtype: Any = float) -> Any:
    """A cotangent as an array of this shape that nothing else refers to."""
    y = np.empty(shape, dtype)
    np.copyto(y, c)
    return y


def number(c: Any) -> Any:
    """A cotangent, zero where there is none."""
    return 0.0 if c is None else c


class Beside(list[Any]):
    """The cotangents beside a list that may be an item of another, beside which this stands."""

    __slots__ = ()


def taken_out(shadow: list[Any], i: Any, before: Any = None) -> Any:
    """The cotangent of an item that is set here; before that it has none, or that of a list."""
    c, shadow[i] = shadow[i], before
    return c


def put_at(k: int, count: int) -> int:
    """Where the item is that was put into a list before the one at k; `count` items are there with it."""
    return max(k + count - 1, 0) if k < 0 else min(k, count - 1)


def slot(shadow: list[Any], i: Any, c: Any) -> None:
    """Add to the cotangent of an item."""
    old = shadow[i]
    shadow[i] = c if old is None else old + c


def slots(shadow: list[Any], i: Any, *cs: Any) -> None:
    """Add to the cotangents of the items of an item."""
    old = parts_of(shadow[i], len(cs))
    shadow[i] = [a if c is None else c if a is None else a + c for a, c in zip(old, cs, strict=True)]


def parts_of(c: Any, count: int) -> Any:
    """The cotangents of the items of an item; zero where there are none."""
    if c is None:
        return (0.0,) * count
    if type(c) is not list or len(c) != count:
        raise TypeError("the cotangent of an item that is no tuple")
    return c


def gave(shadow: list[Any], given: Any, count: int) -> None:
    """Take the cotangents of the last items, and add them to those of a list that they came from."""
    for i in reversed(range(count)):
        c = shadow.pop()
        if given is not None and c is not None and type(c) is not Beside:
            slot(given, i, c) if type(c) is not list else slots(given, i, *c)


def sliced(shadow: list[Any], part: slice, given: list[Any]) -> None:
    """Add the cotangents of a part of a list to those of the list."""
    for i, c in zip(range(len(shadow))[part], given, strict=True):
        if c is not None and type(c) is not Beside:
            slot(shadow, i, c) if type(c) is not list else slots(shadow, i, *c)


def each(shadow: list[Any], *cs: Any) -> None:
    """Add to the cotangents of all items: one that they share, or each its own."""
    for i in range(len(shadow)):
        slot(shadow, i, cs[i] if len(cs) > 1 else cs[0])


def items_of(c: Any, count: int) -> Any:
    """What a rule answered for a tuple, item by item."""
    if is_zero(c):
        return (0.0,) * count
    return [dense(t) for t in unthunk(c)]


def each_item(shadow: list[Any], c: Any, sign: float = 1.0) -> None:
    """Add what a rule answered for a list to the cotangents of its items."""
    if not is_zero(c):
        for i, t in enumerate(unthunk(c)):
            t = dense(t)
            slot(shadow, i, t if sign > 0 else -t)


def seeds_of(shadow: list[Any], shapes: list[Any]) -> Any:
    """The cotangents of the items of a list as a pullback takes them."""
    full = []
    for c, shape in zip(shadow, shapes, strict=True):
        whole = c is None or shape is None or (type(c) is ndarray and c.shape == shape)
        full.append(ZERO if c is None else c if whole else owned(c, shape, np.result_type(c, float)))
    return Composite[tuple](*full)


def total_of(items: list[Any]) -> Any:
    """The sum of arrays of one shape; ValueError for any others."""
    y = sum(items)
    if any(type(v) is not ndarray or v.shape != y.shape for v in items):
        raise ValueError("items of other shapes")
    return y


def spread(c: Any, x: Any, y: Any) -> Any:
    """A cotangent of what has y's shape, for an operand x that was stretched to it."""
    shape = y.shape
    if type(c) is not ndarray or c.shape != shape:
        c = np.broadcast_to(c, shape)
    own = x.shape
    if shape == own:
        return c
    extra = len(shape) - len(own)
    axes = (*range(extra), *(i + extra for i, n in enumerate(own) if n == 1 and shape[i + extra] != 1))
    return np.add.reduce(c, axis=axes, keepdims=True).reshape(own) if axes else c.reshape(own)


def summed_back(c: Any, axis: int) -> Any:
    """A cotangent of running sums along an axis."""
    return np.flip(np.cumsum(np.flip(c, axis), axis), axis)


def undiffed(c: Any, axis: int) -> Any:
    """A cotangent of the differences of neighbours along an axis."""
    x_bar = np.zeros((*c.shape[:axis], c.shape[axis] + 1, *c.shape[axis + 1 :]))
    before = (slice(None),) * axis
    x_bar[(*before, slice(1, None))] = c
    x_bar[(*before, slice(None, -1))] -= c
    return x_bar


def undiagonal(c: Any, shape: Any) -> Any:
    """A cotangent of the diagonal of a matrix of this shape."""
    x_bar = np.zeros(shape, c.dtype)
    i = np.arange(len(c))
    x_bar[i, i] = c
    return x_bar


def spread_back(c: Any, x: Any, axis: Any, keep: bool, deviation: Any = None) -> Any:
    """A cotangent of a variance of x, or of its square root."""
    if axis is not None and not keep and type(c) is ndarray:
        c = np.expand_dims(c, axis)
        deviation = None if deviation is None else np.expand_dims(deviation, axis)
    size = x.size if axis is None else x.shape[axis]
    centred = x - x.mean(axis=axis, keepdims=True)
    return centred * (c * (2.0 / size) if deviation is None else c / deviation * (1.0 / size))


def total(c: Any, y: Any) -> Any:
    """A cotangent of what has y's shape, for a number that was stretched to it."""
    if type(c) is ndarray and c.shape == y.shape:
        return np.add.reduce(c, axis=None)
    return np.add.reduce(np.broadcast_to(c, y.shape), axis=None)


_DENSE = frozenset({ndarray, float, np.float64})


def dense(t: Any) -> Any:
    """What a rule answered, as an array or a number; zero is a number."""
    if type(t) in _DENSE:
        return t
    if is_zero(t):
        return 0.0
    t = unthunk(t)
    return 0.0 if is_zero(t) else t.dense() if hasattr(t, "dense") else t


def answered(pullback: Any, place: int, y_bar: Any) -> Any:
    """What the pullback of a function that is linear in one argument, which moves alone, says of this."""
    return dense(pullback(y_bar)[place])


def extremes(x: Any, y: Any, c: Any) -> Any:
    """Equal shares of c for the entries of x that are its extremum y; without that, as by nothing."""
    places = np.flatnonzero(x == y)
    return places, c / len(places)


def along(x: Any, y: Any, c: Any) -> Any:
    """The same for extrema along axes, which y and c keep; raises where one is NaN."""
    if not (y == y).all():
        raise ValueError("NaN")
    mask = x == y
    if np.count_nonzero(mask) == y.size:
        return mask * c
    reduced = tuple(i for i, n in enumerate(y.shape) if n != x.shape[i])
    return mask / mask.sum(axis=reduced, keepdims=True) * c


def scattered(buffer: Any, key: Any, c: Any) -> None:
    """Add at places that an index may name twice."""
    np.add.at(buffer, key, c)


def rolled(x: Any, shift: int, axis: int | None) -> Any:
    """`np.roll`, without what stands around it."""
    n = x.ndim
    i = axis if axis is not None else 0 if n == 1 else n
    if not -n <= i < n or not x.shape[i]:
        return np.roll(x, shift, axis)
    k, before = -shift % x.shape[i], (slice(None),) * (i % n)
    return np.concatenate((x[*before, k:], x[*before, :k]), i)


def crossed(a: Any, b: Any) -> Any:
    """The vector product of two vectors of three entries; ValueError for any others."""
    a0, a1, a2 = a.tolist()
    b0, b1, b2 = b.tolist()
    return np.array((a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0))


def added(buffer: Any, places: Any, c: Any) -> None:
    """Add at places counted through the whole array."""
    if buffer.flags.c_contiguous:
        buffer.reshape(-1)[places] += c
    else:
        buffer[np.unravel_index(places, buffer.shape)] += c


def order_back(order: Any) -> Any:
    """The order of the axes that undoes one, whose axes may be counted from the end."""
    return np.argsort([i % len(order) for i in order])


def unstored(c: Any, shape: Any) -> Any:
    """A cotangent of a part of an array, for a value of this shape that was stored into it."""
    if c.shape == shape:
        return c
    kept = shape[max(len(shape) - c.ndim, 0) :]
    extra = c.ndim - len(kept)
    axes = (*range(extra), *(i + extra for i, n in enumerate(kept) if n == 1))
    return np.add.reduce(c, axis=axes).reshape(shape)


def is_finite(*values: Any) -> bool:
    """Whether no value is infinite or NaN, as far as a sum of squares tells."""
    for v in values:
        if type(v) is np.ndarray:
            flat = v.reshape(-1)
            v = flat.dot(flat)
        elif type(v) in (tuple, list):
            if not is_finite(*v):
                return False
            continue
        if v - v != 0.0:
            return False
    return True


def number_of(v: Any) -> Any:
    """The number in an array without axes; anything else as it is."""
    return v[()] if type(v) is np.ndarray and not v.ndim else v

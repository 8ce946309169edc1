"""Nesting: between an array and the composite of the nested lists that it was made of.

`unnest` takes a cotangent apart as a list or tuple is, `nest` puts a tangent of one together as an
array. Both are linear, and each is the derivative of the other. A missing entry is zero, and
an array that is smaller than its place is stretched over it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import frule, rrule, unbroadcast
from ...core.seeds import absorbs, ready
from ...tangents import NO_TANGENT, ZERO, Composite, NotImplementedTangent, from_fields, is_zero, unthunk
from ...tangents.composite import SEQUENCES


def unnest(y_bar: Any, x: Any) -> Any:
    """The cotangent of x, nested lists or tuples or a tangent of them, from that of the array made of it.

    Example: >>> unnest(np.array([[1.0, 2.0]]), [(0.0, 0.0)])
             Composite[list](Composite[tuple](1.0, 2.0))
    """
    P: Any = type(x).__primal__ if isinstance(x, Composite) else type(x)
    if not issubclass(P, SEQUENCES):
        return y_bar
    if np.ndim(y_bar) == 1:
        return from_fields(P, y_bar.tolist())
    return from_fields(P, [unnest(part, entry) for part, entry in zip(y_bar, x, strict=True)])


def nest(t: Any, shape: tuple[int, ...]) -> Any:
    """The array of this shape that a tangent of nested lists or tuples is, zeros where it has none.

    Example: >>> nest(Composite[list](Zero(), Composite[tuple](1.0, 2.0)), (2, 2))
             array([[0., 0.],
                    [1., 2.]])
    """
    if type(t) is np.ndarray and t.shape == shape:
        return t
    t = there(t)
    if is_zero(t):
        return np.zeros(shape)
    t = ready(t)
    if not isinstance(t, Composite | SEQUENCES):
        return np.broadcast_to(t, shape)
    if len(shape) == 1:
        return np.array([0.0 if is_zero(v) else there(v) for v in t], ndmin=1)
    parts = [nest(part, shape[1:]) for part in t]
    return np.stack(parts) if parts else np.zeros(shape)


def there(t: Any) -> Any:
    """A part of a tangent with its thunks forced; one that is missing is refused, being no zero."""
    t = unthunk(t)
    if isinstance(t, NotImplementedTangent):
        t.refuse()
    return t


@frule(unnest)
def unnest_frule(tangents, y_bar, x):
    """linear in ȳ"""
    return unnest(y_bar, x), ZERO if absorbs(tangents[0]) else unnest(tangents[0], x)


@rrule(unnest)
def unnest_rrule(y_bar, x):
    """linear in ȳ        its adjoint is `nest`"""
    shape = np.shape(y_bar)

    def unnest_pullback(t_bar):
        return nest(t_bar, shape), NO_TANGENT

    return unnest(y_bar, x), unnest_pullback


@frule(nest)
def nest_frule(tangents, t, shape: tuple):
    """linear in t"""
    return nest(t, shape), nest(tangents[0], shape)


@rrule(nest, complete=True)
def nest_rrule(t, shape: tuple):
    """linear in t        its adjoint is `unnest`, with sums where t was stretched"""
    frame = np.shape(t) if isinstance(t, np.ndarray) else None

    def nest_pullback(y_bar):
        if absorbs(y_bar):
            return y_bar, NO_TANGENT
        if frame is not None:
            return unbroadcast(ready(y_bar), frame), NO_TANGENT
        return unnest(ready(y_bar), ready(there(t))), NO_TANGENT

    return nest(t, shape), nest_pullback

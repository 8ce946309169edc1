"""Subscripts of tuples, lists, dicts and text, and of the composites that are their tangents.

An item's cotangent is made and added in time that does not grow with the container. An index or a
key has no derivative. Subscripts of arrays are in numpy/indexing.py.
"""

from __future__ import annotations

import operator
from collections import deque

import numpy as np

from ...core import frule, rrule
from ...tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    ItemTangent,
    NotImplementedTangent,
    from_fields,
    is_zero,
    primal_type,
)


@frule(operator.getitem)
def item_frule(tangents, x: tuple | list | deque, index: int | np.integer):
    """The tangent of that item."""
    return x[index], tangents[0][index]


@rrule(operator.getitem, complete=True, lazy_seed=True)
def item_rrule(x: tuple | list | deque, index: int | np.integer):
    """x̄ holds the cotangent at that place, one that is not implemented too; made and added in time that does
    not grow with x"""
    P, length = type(x), len(x)
    place = operator.index(index)

    def getitem_pullback(y_bar):
        if is_zero(y_bar):
            return ZERO, NO_TANGENT
        return ItemTangent(P, length, place, y_bar), NO_TANGENT

    return x[index], getitem_pullback


@frule(operator.getitem)
def composite_item_frule(tangents, x: Composite | ItemTangent, index):
    """The tangent of that part of a composite, itself a tangent; of a slice, of the tuple that it is."""
    dy = tangents[0][index]
    return x[index], from_fields(tuple, dy) if isinstance(index, slice) else dy


@rrule(operator.getitem)
def composite_item_rrule(x: Composite | ItemTangent, index):
    """As for the container that x is a tangent of: the cotangent at that place"""
    P, length = x.P if isinstance(x, ItemTangent) else primal_type(x), len(x)

    def getitem_pullback(y_bar):
        if isinstance(index, slice):
            return _placed(P, length, index, y_bar), NO_TANGENT
        if issubclass(P, dict):
            return from_fields(P, {index: y_bar}), NO_TANGENT
        return ItemTangent(P, length, operator.index(index), y_bar), NO_TANGENT

    return x[index], getitem_pullback


@frule(operator.getitem)
def slice_frule(tangents, x: tuple | list, index: slice):
    """The tangents of those items."""
    y = x[index]
    return y, from_fields(type(y), tuple(tangents[0])[index])


@rrule(operator.getitem)
def slice_rrule(x: tuple | list, index: slice):
    """x̄ holds the cotangents at their places"""
    P, length = type(x), len(x)

    def getitem_pullback(y_bar):
        return _placed(P, length, index, y_bar), NO_TANGENT

    return x[index], getitem_pullback


def _placed(P, length, index, y_bar):
    """The composite of P with the parts of y_bar at the places of a slice, zero elsewhere."""
    places = range(length)[index]
    values = tuple([y_bar[places.index(i)] if i in places else ZERO for i in range(length)])
    return from_fields(P, values)


@frule(operator.getitem)
def dict_item_frule(tangents, x: dict, key):
    """The tangent of that entry."""
    return x[key], tangents[0][key]


@rrule(operator.getitem, complete=True, lazy_seed=True)
def dict_item_rrule(x: dict, key):
    """x̄ has the one entry; made in time that does not grow with x"""
    P = type(x)

    def getitem_pullback(y_bar):
        return ZERO if is_zero(y_bar) else from_fields(P, {key: y_bar}), NO_TANGENT

    return x[key], getitem_pullback


@frule(operator.getitem)
def text_item_frule(tangents, x: str | bytes, index):
    """A part of a text has no tangent of its own: one that varies keeps the promise of an error."""
    return x[index], tangents[0]


@rrule(operator.getitem)
def text_item_rrule(x: str | bytes, index):
    """A part of a text has no tangent of its own: what varies with one keeps the promise of an error."""

    def getitem_pullback(y_bar):
        return NotImplementedTangent("a text that varies has no tangent"), NO_TANGENT

    return x[index], getitem_pullback


@frule(operator.getitem)
def range_item_frule(tangents, x: range, index):
    """Ranges count."""
    return x[index], NO_TANGENT


@rrule(operator.getitem)
def range_item_rrule(x: range, index):
    """Ranges count."""

    def getitem_pullback(y_bar):
        return NO_TANGENT, NO_TANGENT

    return x[index], getitem_pullback


@frule(dict.get)
def get_frule(tangents, x: dict, key, default=None):
    """The tangent of that entry, or of the default."""
    dx, _, ddefault = tangents
    return x.get(key, default), dx[key] if key in x else ddefault


@rrule(dict.get)
def get_rrule(x: dict, key, default=None):
    """x̄ has the one entry; without it the default has the cotangent"""
    P, found = type(x), key in x

    def get_pullback(y_bar):
        return from_fields(P, {key: y_bar}) if found else ZERO, NO_TANGENT, ZERO if found else y_bar

    return x.get(key, default), get_pullback

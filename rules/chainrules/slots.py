"""Rules of `split` and `join` and their kin, which are each other's adjoints."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule, unbroadcast
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, Composite, is_zero
from ...tangents.places import settled_index
from ...tangents.slots import (
    Kind,
    arranged,
    chosen,
    inserted,
    join,
    kind_of,
    overwritten,
    pair,
    popped,
    popped_plain,
    restored,
    scattered,
    split,
    split_plain,
    without,
)

non_differentiable(kind_of, overwritten, why="describe a container")


@frule(split, complete=True)
@frule(split_plain, complete=True)
def split_frule(tangents: Any, t: object, key: object, kind: Kind) -> Any:
    """linear"""
    return split_plain(t, key, kind), Composite[tuple](*split_plain(tangents[0], key, kind))


@rrule(split, complete=True)
@rrule(split_plain, complete=True)
def split_rrule(t: object, key: object, kind: Kind) -> Any:
    """(r, p) = split(t)        t̄ = join(r̄, p̄)"""
    place = settled_index(key)

    def split_pullback(y_bar: Any) -> Any:
        if is_zero(y_bar):
            return ZERO, NO_TANGENT, NO_TANGENT
        r_bar, p_bar = ready(y_bar)
        return join(r_bar, place, p_bar, kind), NO_TANGENT, NO_TANGENT

    return split_plain(t, key, kind), split_pullback


@frule(join, complete=True)
def join_frule(tangents: Any, t: object, key: object, piece: object, kind: Kind) -> Any:
    """linear"""
    return join(t, key, piece, kind), join(tangents[0], key, tangents[2], kind)


@rrule(join, complete=True)
def join_rrule(t: object, key: object, piece: object, kind: Kind) -> Any:
    """y = join(t, p)        (t̄, p̄) = split(ȳ), p̄ summed over what p was broadcast to"""
    place = settled_index(key)
    array = kind.name == "array" and not is_zero(piece)
    shape = np.shape(ready(piece)) if array else ()
    stays = overwritten(kind, key) if array else None

    def join_pullback(y_bar: Any) -> Any:
        t_bar, piece_bar = split_plain(y_bar, place, kind)
        if array and not is_zero(piece_bar):
            last = piece_bar if stays is None else np.where(stays, piece_bar, 0.0)
            piece_bar = unbroadcast(last, shape)
        return t_bar, NO_TANGENT, piece_bar, NO_TANGENT

    return join(t, key, piece, kind), join_pullback


@frule(without, complete=True)
def without_frule(tangents: Any, t: object, key: object, kind: Kind) -> Any:
    """linear"""
    return without(t, key, kind), without(tangents[0], key, kind)


@rrule(without, complete=True)
def without_rrule(t: object, key: object, kind: Kind) -> Any:
    """the adjoint of `restored`"""

    def without_pullback(y_bar: Any) -> Any:
        return restored(y_bar, key, kind), NO_TANGENT, NO_TANGENT

    return without(t, key, kind), without_pullback


@frule(restored, complete=True)
def restored_frule(tangents: Any, t: object, key: object, kind: Kind) -> Any:
    """linear"""
    return restored(t, key, kind), restored(tangents[0], key, kind)


@rrule(restored, complete=True)
def restored_rrule(t: object, key: object, kind: Kind) -> Any:
    """the adjoint of `without`"""

    def restored_pullback(y_bar: Any) -> Any:
        return without(y_bar, key, kind), NO_TANGENT, NO_TANGENT

    return restored(t, key, kind), restored_pullback


@frule(popped, complete=True)
@frule(popped_plain, complete=True)
def popped_frule(tangents: Any, t: object, index: int, kind: Kind) -> Any:
    """linear"""
    return popped_plain(t, index, kind), Composite[tuple](*popped_plain(tangents[0], index, kind))


@rrule(popped, complete=True)
@rrule(popped_plain, complete=True)
def popped_rrule(t: object, index: int, kind: Kind) -> Any:
    """(r, p) = popped(t)        t̄ = inserted(r̄, p̄)"""

    def popped_pullback(y_bar: Any) -> Any:
        if is_zero(y_bar):
            return ZERO, NO_TANGENT, NO_TANGENT
        r_bar, p_bar = ready(y_bar)
        return inserted(r_bar, index, p_bar, kind), NO_TANGENT, NO_TANGENT

    return popped_plain(t, index, kind), popped_pullback


@frule(inserted, complete=True)
def inserted_frule(tangents: Any, t: object, index: int, piece: object, kind: Kind) -> Any:
    """linear"""
    return inserted(t, index, piece, kind), inserted(tangents[0], index, tangents[2], kind)


@rrule(inserted, complete=True)
def inserted_rrule(t: object, index: int, piece: object, kind: Kind) -> Any:
    """y = inserted(t, p)        (t̄, p̄) = popped(ȳ)"""

    def inserted_pullback(y_bar: Any) -> Any:
        t_bar, piece_bar = popped_plain(y_bar, index, kind)
        return t_bar, NO_TANGENT, piece_bar, NO_TANGENT

    return inserted(t, index, piece, kind), inserted_pullback


@frule(pair, complete=True)
def pair_frule(tangents: Any, t: object) -> Any:
    """linear"""
    return pair(t), Composite[tuple](*pair(tangents[0]))


@rrule(pair, complete=True)
def pair_rrule(t: object) -> Any:
    """(a, b) = pair(t)        t̄ = (ā, b̄)"""

    def pair_pullback(y_bar: Any) -> Any:
        if is_zero(y_bar):
            return (ZERO,)
        a_bar, b_bar = pair(y_bar)
        return (Composite[tuple](a_bar, b_bar),)

    return pair(t), pair_pullback


@frule(chosen, complete=True)
def chosen_frule(tangents: Any, t: object, keys: tuple) -> Any:
    """linear"""
    return chosen(t, keys), chosen(tangents[0], keys)


@rrule(chosen, complete=True)
def chosen_rrule(t: object, keys: tuple) -> Any:
    """its own adjoint"""

    def chosen_pullback(y_bar: Any) -> Any:
        return chosen(y_bar, keys), NO_TANGENT

    return chosen(t, keys), chosen_pullback


def _register_places(f: Any, adjoint: Any) -> None:
    """The rules of a linear function of a sequence's tangent, whose adjoint has the same other arguments."""

    @frule(f, complete=True)
    def places_frule(tangents: Any, t: object, places: object, count: int, P: type) -> Any:
        """linear"""
        return f(t, places, count, P), f(tangents[0], places, count, P)

    @rrule(f, complete=True)
    def places_rrule(t: object, places: object, count: int, P: type) -> Any:
        """its adjoint"""

        def places_pullback(y_bar: Any) -> Any:
            return adjoint(ready(y_bar), places, count, P), NO_TANGENT, NO_TANGENT, NO_TANGENT

        return f(t, places, count, P), places_pullback


_register_places(arranged, scattered)
_register_places(scattered, arranged)

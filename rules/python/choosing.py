"""Functions of itertools that choose among the items of containers: chain, product, combinations and kin.

Each gives a tuple here, of items or of tuples of items. What it does with tangents is told by doing it to
the places of all items, counted on from one argument to the next: forward the tangents are chosen as the
items are, in reverse each item has the sum of the cotangents of where it went. Lengths, counts and
selectors have no derivative. Iterators that run meanwhile are not here: an engine follows recipes for them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ...core import frule, non_differentiable, rrule
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, Composite, add, fields_of, from_fields, is_zero
from .iteration import Items, gathered, layout, spread

Rows = tuple[Any, ...]


def _parts(t: Any) -> Any:
    t = ready(t)
    return fields_of(t) if isinstance(t, Composite) else t


def _chosen(t: Any, rows: Rows) -> Any:
    """The tangent of the choice of these places, or tuples of places, from a tuple."""
    if is_zero(t):
        return t
    parts = _parts(t)
    return from_fields(
        tuple, [parts[r] if isinstance(r, int) else from_fields(tuple, [parts[i] for i in r]) for r in rows]
    )


def _brought_back(t: Any, rows: Rows, count: int) -> Any:
    """The adjoint: each of `count` parts is the sum of what stands where it was chosen."""
    if is_zero(t):
        return t
    parts = [ZERO] * count
    for r, part in zip(rows, _parts(t), strict=True):
        if is_zero(part):
            continue
        for i, piece in [(r, part)] if isinstance(r, int) else zip(r, _parts(part), strict=True):
            parts[i] = add(parts[i], piece)
    return from_fields(tuple, parts)


@frule(_chosen, complete=True)
def chosen_frule(tangents, t, rows):
    """linear"""
    return _chosen(t, rows), _chosen(tangents[0], rows)


@rrule(_chosen, complete=True)
def chosen_rrule(t, rows):
    """its adjoint"""
    count = 0 if is_zero(t) else len(t)

    def chosen_pullback(y_bar):
        return _brought_back(y_bar, rows, count), NO_TANGENT

    return _chosen(t, rows), chosen_pullback


@frule(_brought_back, complete=True)
def brought_back_frule(tangents, t, rows, count):
    """linear"""
    return _brought_back(t, rows, count), _brought_back(tangents[0], rows, count)


@rrule(_brought_back, complete=True)
def brought_back_rrule(t, rows, count):
    """its adjoint"""

    def brought_back_pullback(y_bar):
        return _chosen(y_bar, rows), NO_TANGENT, NO_TANGENT

    return _brought_back(t, rows, count), brought_back_pullback


def _register(f: Any, signature: str, like: Callable[..., Any] | None = None) -> None:
    """The rules of f, of all its arguments where it has any number; `like` does what f does."""
    choose: Any = like or f

    def places(x, how):
        """For each argument its places among those of all items, and the choice of them."""
        starts: list[range] = []
        for each in x:
            first = starts[-1].stop if starts else 0
            starts.append(range(first, first + len(each)))
        return starts, tuple(choose(*starts, **how))

    non_differentiable(places, why="gives places")

    def forward(tangents, x, how):
        """The tangents are chosen as the items are."""
        parts = tuple([part for i in range(len(x)) for part in spread(x[i], tangents[i])])
        return tuple(choose(*x, **how)), _chosen(from_fields(tuple, parts), places(x, how)[1])

    def reverse(x, how):
        """Each item has the sum of the cotangents of where it went."""
        starts, rows = places(x, how)
        kinds = tuple([layout(each) for each in x])

        def choice_pullback(y_bar):
            back = _brought_back(y_bar, rows, starts[-1].stop if starts else 0)
            own = [() if is_zero(back) else back[place.start : place.stop] for place in starts]
            return tuple([gathered(kinds[i], own[i]) for i in range(len(kinds))])

        return tuple(choose(*x, **how)), choice_pullback

    if signature.startswith("*"):

        @frule(f, signature=signature)
        def choice_of_all_frule(tangents, *x: Items, **how):
            """The tangents are chosen as the items are."""
            return forward(tangents, x, how)

        @rrule(f, signature=signature)
        def choice_of_all_rrule(*x: Items, **how):
            """Each item has the sum of the cotangents of where it went."""
            return reverse(x, how)

    else:

        @frule(f, signature=signature)
        def choice_frule(tangents, x: Items, **how):
            """The tangents are chosen as the items are."""
            return forward(tangents, (x,), how)

        @rrule(f, signature=signature)
        def choice_rrule(x: Items, **how):
            """Each item has the sum of the cotangents of where it went."""
            y, choice_pullback = reverse((x,), how)
            return y, lambda y_bar: choice_pullback(y_bar)[0]


def _sliced(x, **bounds):
    return itertools.islice(x, *bounds.values())


_register(itertools.chain, "*iterables")
_register(itertools.product, "*iterables, repeat=1")
_register(itertools.pairwise, "iterable")
_register(itertools.permutations, "iterable, r=None")
_register(itertools.combinations, "iterable, r")
_register(itertools.combinations_with_replacement, "iterable, r")
_register(itertools.islice, "iterable, start, stop=None, step=None", _sliced)
_register(itertools.compress, "data, selectors")
if hasattr(itertools, "batched"):
    _register(itertools.batched, "iterable, n")

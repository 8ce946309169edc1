"""What objects of a library hold, by which object they are."""

from __future__ import annotations

import gc

import numpy as np

from chainrules.core.holdings import holding_of, note_holding, note_varying


class Curve:
    """May be followed by a weak reference."""


class Bare:
    """May not."""

    __slots__ = ()


def test_what_was_noted_is_known_of_this_object_alone() -> None:
    one, two = Curve(), Curve()
    values = (np.ones(2),)
    note_holding(one, ("c",), values)
    known = holding_of(one)
    assert known is not None and known.names == ("c",) and known.values[0] is values[0]
    assert holding_of(two) is None


def test_what_varies_and_what_nobody_said() -> None:
    made, inside = Curve(), Curve()
    note_varying(made)
    assert holding_of(made).names is None  # type: ignore[union-attr]  # it is noted
    note_holding(made, ("inside",), (inside,))
    note_varying(inside, (made,))
    assert holding_of(inside) is None


def test_what_cannot_be_followed_may_vary() -> None:
    assert holding_of(Bare()).names is None  # type: ignore[union-attr]  # never None of these


def test_nothing_is_kept_of_what_is_gone() -> None:
    for _ in range(100):
        made = Curve()
        note_holding(made, (), ())
    del made
    gc.collect()
    assert holding_of(Curve()) is None

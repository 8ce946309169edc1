"""Slots: each pair of functions is a pair of adjoints, for every kind of container and key."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules import Composite, NotImplementedTangent, Zero
from chainrules.tangents import all_zero, same_values, unthunk
from chainrules.tangents.slots import (
    arranged,
    inserted,
    join,
    kind_of,
    overwritten,
    popped,
    restored,
    scattered,
    split,
    split_plain,
)

SLOTS: list[tuple[Any, Any, Any, Any]] = [  # a container, a key, a tangent of it, a tangent of the slot
    (np.zeros(3), 1, np.array([1.0, 2.0, 3.0]), np.float64(5.0)),
    (np.zeros((2, 2)), (slice(None), 0), np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([5.0, 6.0])),
    (np.zeros(3), np.array([True, False, True]), np.array([1.0, 2.0, 3.0]), np.array([5.0, 6.0])),
    ([0.0, 0.0], 1, Composite[list](1.0, 2.0), 5.0),
    ({"a": 0.0, "b": 0.0}, "b", Composite[dict]({"a": 1.0, "b": 2.0}), 5.0),
]


@pytest.mark.parametrize(("x", "key", "t", "piece"), SLOTS)
def test_join_and_split_are_adjoint(x, key, t, piece) -> None:
    kind = kind_of(x)
    t_bar = cr.scale(0.5, t)
    joined = cr.inner(join(t, key, piece, kind), t_bar)
    rest, of_slot = split(t_bar, key, kind)
    assert joined == pytest.approx(cr.inner(unthunk(rest), t) + cr.inner(of_slot, piece))


@pytest.mark.parametrize(("x", "key", "t", "piece"), SLOTS)
def test_split_plain_gives_the_same_and_writes_nothing(x, key, t, piece) -> None:
    kind, before = kind_of(x), cr.scale(1.0, t)
    rest, of_slot = split_plain(t, key, kind)
    assert same_values(t, before)
    assert same_values(rest, unthunk(split(t, key, kind)[0]))
    assert same_values(join(rest, key, of_slot, kind), t)
    assert all_zero(split_plain(rest, key, kind)[1])


@pytest.mark.parametrize(("x", "key"), [slot[:2] for slot in SLOTS])
def test_zeros_and_gaps(x, key) -> None:
    kind, gap = kind_of(x), NotImplementedTangent("a gap")
    assert split(Zero(), key, kind) == (Zero(), Zero())
    assert join(Zero(), key, Zero(), kind) is Zero()
    assert split(gap, key, kind) == (gap, gap)
    assert join(gap, key, Zero(), kind) is gap


def test_items_of_lists_come_and_go() -> None:
    longer, t = kind_of([0.0, 0.0, 0.0]), Composite[list](1.0, 2.0, 3.0)
    rest, piece = popped(t, 1, longer)
    assert same_values(rest, Composite[list](1.0, 3.0))
    assert piece == 2.0
    assert same_values(inserted(rest, 1, piece, longer), t)
    assert same_values(restored(rest, 1, longer), Composite[list](1.0, Zero(), 3.0))


def test_items_in_another_order() -> None:
    t, places = Composite[list](1.0, 2.0, 3.0), (2, 0)
    chosen = arranged(t, places, 3, list)
    assert same_values(chosen, Composite[list](3.0, 1.0))
    t_bar = Composite[list](5.0, 7.0)
    assert cr.inner(chosen, t_bar) == cr.inner(t, scattered(t_bar, places, 3, list)) == 22.0


def test_of_places_that_repeat_the_last_value_stays() -> None:
    x = np.zeros(4)
    assert overwritten(x, slice(1, 3)) is None
    assert overwritten(x, np.array([0, 2])) is None
    assert overwritten(x, np.array([1, 2, 1])).tolist() == [False, True, True]

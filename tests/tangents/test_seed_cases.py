"""Cases CR… of the many-to-many account of tangents, as far as tangents alone can show them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules.tangents import (
    NO_TANGENT,
    Composite,
    IndexedTangent,
    InplaceableThunk,
    MismatchedPrimalError,
    Thunk,
    Zero,
    accumulate,
    add,
    difference,
    materialize,
    move,
    primal_type,
    to_coo,
    unthunk,
)


class Point(NamedTuple):
    x: Any
    y: Any


@dataclass
class Milliseconds:
    value: int


@dataclass
class Instant:
    periods: Milliseconds


@dataclass
class Moment:
    instant: Instant


class TimeSample(NamedTuple):
    time: datetime
    value: float


class Dense:
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b


ONES = np.ones(3)


def test_cr1_many_tangent_types_of_one_primal() -> None:
    index = IndexedTangent((3,), ONES.dtype, slice(None), ONES)
    for t in (ONES, sp.coo_array(ONES), Thunk(lambda: ONES), index):
        assert np.array_equal(materialize(t, like=ONES), ONES)
    assert np.array_equal(materialize(Zero(), like=ONES), np.zeros(3))


def test_cr2_cr36_one_tangent_type_of_many_primals() -> None:
    for x in (1.0, ONES, Point(1.0, 2.0)):
        assert move(x, Zero()) is x
        assert move(x, Thunk(Zero)) is x


def test_cr4_addition() -> None:
    assert add(2.0, 3.0) == 5


TANGENTS = [ONES, 1.0, (1, 2), [1.0], timedelta(1), sp.csr_array(np.eye(2)), Composite[Point](x=1.0)]


@pytest.mark.parametrize("t", TANGENTS)
def test_cr5_cr31_hard_zero(t: Any) -> None:
    assert (Zero() + t) is t
    assert (t + Zero()) is t


def test_cr6_scalar_multiplication() -> None:
    assert 2 * Composite[Point](x=3.0) == Composite[Point](x=6.0)
    with pytest.raises(TypeError):
        Composite[Point](x=3.0) * Composite[Point](x=3.0)


def test_cr7_primal_and_tangent() -> None:
    assert Dense(1, 2) + Composite[Dense](w=1.0) is not None
    assert add(Point(1, 2), Composite[Point](x=1.0)) == Point(2, 2)


def test_cr8_a_tangent_is_a_difference() -> None:
    for a, b in (
        (3.0, 1.5),
        (Point(1.0, 2.0), Point(0.5, 4.0)),
        (datetime(2020, 1, 2), datetime(2020, 1, 1)),
    ):
        assert move(b, difference(a, b)) == a


def test_cr9_cr10_a_primal_that_is_no_vector() -> None:
    with pytest.raises(TypeError):
        datetime(2020, 1, 1) + datetime(2020, 1, 1)  # type: ignore[operator]  # the point
    span = add(timedelta(days=1), timedelta(hours=12))
    assert span == timedelta(hours=36)
    assert add(datetime(2020, 1, 1), span) == datetime(2020, 1, 2, 12)


def test_cr11_units_are_kept() -> None:
    assert add(np.timedelta64(10**6, "D"), np.timedelta64(0, "D")).dtype == "m8[D]"


def test_cr14_indexing_is_sparse() -> None:
    coo = to_coo(IndexedTangent((1000, 1000), np.dtype(float), (3, 4), 1.0))
    assert coo.nnz == 1
    assert coo.tocsr()[3, 4] == 1


def test_cr15_sparse_tangents_are_not_closed_under_addition() -> None:
    parts = [IndexedTangent((5,), np.dtype(float), i, 1.0) for i in range(5)]
    total: Any = Zero()
    for part in parts:
        total = add(total, part)
    assert type(total) is np.ndarray
    assert np.array_equal(total, np.ones(5))
    two = [IndexedTangent((10**6,), np.dtype(float), i, 1.0) for i in range(2)]
    assert isinstance(add(*two), IndexedTangent)


def test_cr16_any_class_has_structural_tangents() -> None:
    t = Composite[Dense](w=ONES, b=1.0)
    assert primal_type(t) is Dense
    assert np.array_equal(t.w, ONES)


def test_cr18_cr19_nested_structure_with_integers() -> None:
    step = Composite[Milliseconds](value=250)
    moment = Moment(Instant(Milliseconds(1000)))
    moved = add(moment, Composite[Moment](instant=Composite[Instant](periods=step)))
    assert moved == Moment(Instant(Milliseconds(1250)))
    assert type(moved.instant.periods.value) is int


def test_cr22_semi_structural() -> None:
    sample = TimeSample(datetime(2020, 1, 1), 2.6e9)
    moved = add(sample, Composite[TimeSample](time=timedelta(days=1), value=1e8))
    assert moved == TimeSample(datetime(2020, 1, 2), 2.7e9)


def test_cr26_composites_of_different_primals() -> None:
    with pytest.raises(MismatchedPrimalError, match=r"Composite\[Point\] and Composite\[Dense\]"):
        add(Composite[Point](x=1.0), Composite[Dense](w=1.0))


def test_cr27_no_piracy() -> None:
    assert add((1, 2), (3, 4)) == (4, 6)
    assert (1, 2).__add__((3, 4)) == (1, 2, 3, 4)


def test_cr28_thunks_are_forced_by_addition() -> None:
    assert Thunk(lambda: 3.0) + 2.0 == 5
    assert unthunk(Thunk(lambda: 3.0)) == 3


def test_cr29_a_thunk_nobody_uses_is_never_computed() -> None:
    calls: list[int] = []
    thunk = Thunk(lambda: calls.append(1))
    assert (thunk + Zero()) is thunk
    assert thunk * Zero() is Zero()
    assert not calls


def test_cr30_in_place() -> None:
    calls: list[int] = []
    buffer = np.ones(3)
    thunk = InplaceableThunk(lambda acc: np.add(acc, 2.0, out=acc), lambda: calls.append(1))
    assert accumulate(buffer, thunk) is buffer
    assert np.array_equal(buffer, [3.0, 3.0, 3.0])
    assert not calls


def test_cr33_trivial_vector_space() -> None:
    assert Zero() + Zero() is 3 * Zero() is -Zero() is Zero()
    assert not Zero()
    assert Zero() == Zero()


def test_cr34_zero_moves_anything_nowhere() -> None:
    text = "abc"
    assert move(text, Zero()) is text
    assert move(text, NO_TANGENT) is text


def test_cr41_zero_of_a_shape() -> None:
    zero = materialize(Zero(), like=np.ones((2, 3), np.float32))
    assert zero.shape == (2, 3)
    assert zero.dtype == np.float32


def test_cr42_missing_fields() -> None:
    assert Composite[Point](x=1.0).y is Zero()
    assert Composite[Point](x=1.0) == Composite[Point](x=1.0, y=Zero())

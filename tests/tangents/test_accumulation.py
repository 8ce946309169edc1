"""Sums that write in place: never what was borrowed, always what `add` would have given."""

import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules.tangents import (
    NO_TANGENT,
    ZERO,
    Buffer,
    Composite,
    IndexedTangent,
    InplaceableThunk,
    ItemTangent,
    NotImplementedTangent,
    ShapeMismatch,
    Thunk,
    accumulate,
    add,
    gather,
    same_values,
    unthunk,
)
from chainrules.tangents.buffers import LARGE


def indexed(index: Any, values: Any, n: int = 3) -> IndexedTangent:
    return IndexedTangent((n,), np.dtype(float), index, values)


def inplaceable(value: float, n: int = 3) -> InplaceableThunk:
    return InplaceableThunk(lambda acc: np.add(acc, value, out=acc), lambda: np.full(n, value))


IN_PLACE = [
    np.arange(3.0),
    np.arange(3),
    np.arange(3, dtype=np.float32),
    indexed([0, 0], np.ones(2)),
    sp.coo_array(np.array([0.0, 5.0, 0.0])),
    Thunk(lambda: np.ones(3)),
    inplaceable(4.0),
]


@pytest.mark.parametrize("t", IN_PLACE, ids=lambda t: type(t).__name__)
def test_accumulate_writes_where_it_can(t: Any) -> None:
    acc = np.ones(3)
    expected = add(np.ones(3), t)
    assert accumulate(acc, t) is acc
    np.testing.assert_allclose(acc, unthunk(expected))


@pytest.mark.parametrize(
    ("acc", "t", "dtype"),
    [
        (np.ones(3, np.float32), np.ones(3), np.float64),
        (np.ones(3), 1j * np.ones(3), np.complex128),
        (np.ones(3, int), np.full(3, 0.5), np.float64),
        (np.ones(3, np.float32), indexed(0, 1.0), np.float64),
        (np.ones(3, np.float32), sp.coo_array(np.ones(3)), np.float64),
        (np.broadcast_to(1.0, 3), np.ones(3), np.float64),
        (1.0, 2.0, None),
        (Composite[tuple](1.0), Composite[tuple](2.0), None),
        (ZERO, 2.0, None),
    ],
)
def test_accumulate_falls_back_to_add(acc: Any, t: Any, dtype: Any) -> None:
    expected = add(acc, t)
    total = accumulate(acc, t)
    assert total is not acc
    assert same_values(total, expected)
    assert dtype is None or total.dtype == dtype


def test_accumulate_does_not_broadcast() -> None:
    for t in (np.ones(1), 1.0, indexed(0, 1.0, 4), sp.coo_array(np.ones(4))):
        with pytest.raises(ShapeMismatch):
            accumulate(np.ones(3), t)
    scalar = np.array(1.0)
    assert accumulate(scalar, 2.0) == 3.0


def test_accumulate_knows_overlap() -> None:
    acc = np.arange(4.0)
    assert np.array_equal(accumulate(acc, acc[::-1]), [3.0, 3.0, 3.0, 3.0])


LARGE_ARRAY = np.ones(LARGE)
SEQUENCES: list[list[Any]] = [
    [1.0, 2.0, 3.0],
    [np.ones(3), np.ones(3), 1j * np.ones(3)],
    [np.ones(3), indexed(0, 1.0), indexed([1, 1], np.ones(2)), np.ones(3)],
    [indexed(0, 1.0), indexed(1, 1.0), np.ones(3), inplaceable(2.0)],
    [indexed(0, 1.0), np.ones(3), sp.coo_array(np.ones(3))],
    [indexed(0, 1.0), 1j * np.ones(3), indexed(0, 1.0)],
    [inplaceable(1.0), inplaceable(2.0), indexed(0, 1.0)],
    [np.ones(3), inplaceable(1.0), Thunk(lambda: np.ones(3)), Thunk(lambda: indexed(0, 1.0))],
    [np.ones(3, np.float32), indexed(0, 1.0), np.ones(3, np.float32)],
    [Thunk(lambda: np.ones(3)), indexed(0, 1.0)],
    [LARGE_ARRAY, LARGE_ARRAY, LARGE_ARRAY, indexed(2, 3.0, LARGE), 1j * LARGE_ARRAY, LARGE_ARRAY],
    [
        indexed(0, 1.0, 10**6),
        indexed(0, 1.0, 10**6),
        sp.coo_array(np.eye(1, 10**6)[0]),
        indexed(3, 1.0, 10**6),
    ],
    [
        indexed(slice(None), np.ones(3 * 10**5), 3 * 10**5),
        indexed(0, 1.0, 3 * 10**5),
        inplaceable(1.0, 3 * 10**5),
    ],
    [ItemTangent(list, 3, 0, 1.0), ItemTangent(list, 3, 0, 1.0), ItemTangent(list, 3, 2, 1.0)],
    [ItemTangent(tuple, 2, 0, indexed(0, 1.0)), ItemTangent(tuple, 2, 0, indexed(1, 1.0))],
    [
        Composite[list](1.0, np.ones(2)),
        ItemTangent(list, 2, 1, np.ones(2)),
        Composite[list](ZERO, np.ones(2)),
    ],
    [ItemTangent(tuple, 2, 0, 1.0), (1.0, 2.0)],
    [Composite[dict]({"a": 1.0}), Composite[dict]({"a": 2.0}), Composite[dict]({"b": indexed(0, 1.0)})],
    [Composite[dict]({"a": indexed(0, 1.0)}), Composite[dict]({"a": indexed(0, 1.0)}), {"a": np.ones(3)}],
    [np.ones(3), NO_TANGENT, ZERO, indexed(0, 1.0), NO_TANGENT],
]


@pytest.mark.parametrize("parts", SEQUENCES, ids=lambda parts: " ".join(type(t).__name__ for t in parts))
def test_gather_is_the_sum_and_writes_nothing_borrowed(parts: list[Any]) -> None:
    before = [np.array(t) if isinstance(t, np.ndarray) else t for t in parts]
    adjoint: Any = ZERO
    for t in parts:
        adjoint = gather(adjoint, t)
    expected = parts[0]
    for t in parts[1:]:
        expected = add(expected, t)
    total = unthunk(adjoint)
    assert not isinstance(total, Buffer)
    assert same_values(total, expected)
    for t, copied in zip(parts, before, strict=True):
        assert not isinstance(t, np.ndarray) or np.array_equal(t, copied)
    assert getattr(total, "dtype", None) == getattr(unthunk(expected), "dtype", None)


def test_a_buffer_that_was_read_is_copied_before_the_next_write() -> None:
    for first in (np.ones(3), indexed(0, 1.0)):
        adjoint = gather(gather(ZERO, first), indexed(0, 1.0))
        value = unthunk(adjoint)
        kept = np.array(value)
        later = unthunk(gather(gather(adjoint, indexed(0, 1.0)), np.ones(3)))
        assert np.array_equal(value, kept)
        assert not np.array_equal(later, kept)


def test_a_buffer_that_is_handed_on_is_borrowed() -> None:
    adjoint = gather(gather(ZERO, np.ones(3)), indexed(0, 1.0))
    first, second = gather(ZERO, adjoint), gather(np.zeros(3), adjoint)
    gather(first, indexed(1, 5.0))
    gather(adjoint, indexed(1, 5.0))
    assert np.array_equal(unthunk(first), [2.0, 1.0, 1.0])
    assert np.array_equal(unthunk(second), [2.0, 1.0, 1.0])


def test_inplaceable_thunks_build_no_value() -> None:
    def fail() -> Any:
        raise AssertionError("built")

    thunk = InplaceableThunk(lambda acc: np.add(acc, 1.0, out=acc), fail)
    adjoint = gather(gather(gather(ZERO, np.ones(3)), thunk), thunk)
    assert np.array_equal(unthunk(adjoint), np.full(3, 3.0))


def test_a_missing_derivative_absorbs_a_buffer() -> None:
    missing = NotImplementedTangent("in a test")
    buffers = [
        gather(indexed(0, 1.0), indexed(1, 1.0)),
        gather(ItemTangent(list, 2, 0, 1.0), ItemTangent(list, 2, 1, 1.0)),
        gather(Composite[dict]({"a": 1.0}), Composite[dict]({"a": 1.0})),
    ]
    for adjoint in [*buffers, indexed(0, 1.0)]:
        assert gather(adjoint, missing) is missing
        assert gather(missing, adjoint) is missing


def test_indexed_stay_indexed_in_a_large_array() -> None:
    adjoint: Any = ZERO
    for i in range(10):
        adjoint = gather(adjoint, IndexedTangent((10**6, 10**6), np.dtype(float), (i, i), 1.0))
    assert isinstance(unthunk(adjoint), IndexedTangent)
    assert unthunk(adjoint).nnz == 10


def work(make: Any, n: int) -> tuple[int, int]:
    """The lines of Python that n additions run, and the bytes that they take, summed over the additions."""
    lines = taken = 0

    def traced(frame: Any, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return traced

    before = sys.gettrace()
    for counting in ("lines", "bytes"):
        entries, adjoint = [make(i, n) for i in range(n)], ZERO
        if counting == "lines":
            sys.settrace(traced)
        else:
            tracemalloc.start()
        for t in entries:
            tracemalloc.reset_peak()
            held = tracemalloc.get_traced_memory()[0]
            adjoint = gather(adjoint, t)
            taken += tracemalloc.get_traced_memory()[1] - held
        unthunk(adjoint)
        sys.settrace(before)
        tracemalloc.stop()
    return lines, taken


@pytest.mark.parametrize(
    "make",
    [
        lambda i, n: IndexedTangent((n,), np.dtype(float), i, 1.0),
        lambda i, n: ItemTangent(list, n, i, 1.0),
        lambda i, n: Composite[dict]({i: 1.0}),
    ],
    ids=["array", "list", "dict"],
)
def test_n_entries_take_work_of_order_n(make: Any) -> None:
    small, large = work(make, 200), work(make, 3200)
    assert all(0 < b < 16 * 3 * a for a, b in zip(small, large, strict=True))  # 16 when linear, 256 when not


def added_by_accumulate(acc: Any, entries: list[IndexedTangent]) -> Any:
    for t in entries:
        acc = accumulate(acc, t)
    return acc


def added_by_gather(acc: Any, entries: list[IndexedTangent]) -> Any:
    adjoint = gather(ZERO, acc)
    for t in entries:
        adjoint = gather(adjoint, t)
    return unthunk(adjoint)


def one_entry_each(n: int) -> list[IndexedTangent]:
    """A thousand cotangents of one entry, in every way that one entry is named."""
    ways: list[Any] = [lambda i: i, lambda i: (i,), lambda i: [i], lambda i: slice(i, i + 1), np.int64]
    places = [(7 * k % n, ways[k % len(ways)]) for k in range(1000)]
    return [indexed(way(i), np.ones(np.zeros(n)[way(i)].shape)[()], n) for i, way in places]


@pytest.mark.parametrize(("add_all", "copies"), [(added_by_accumulate, 0), (added_by_gather, 1)])
def test_a_thousand_entries_into_a_million_cost_the_entries(add_all: Any, copies: int) -> None:
    peaks = []
    for n in (1_000, 1_000_000):
        acc, entries = np.zeros(n), one_entry_each(n)
        tracemalloc.start()
        total = add_all(acc, entries)
        peaks.append(tracemalloc.get_traced_memory()[1] - copies * acc.nbytes)
        tracemalloc.stop()
        assert total.sum() == 1000.0
        assert (total is acc) is not copies
    assert peaks[1] < 2 * peaks[0] + 10_000  # a dense sum each would take 8 MB

"""Where an index reads: for random mixtures of indices, what NumPy reads from arrays of coordinates."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from chainrules.tangents import IndexedTangent, to_coo
from chainrules.tangents.places import places


@st.composite
def indexed_arrays(draw: st.DrawFn) -> tuple[tuple[int, ...], Any]:
    """A shape and an index that mixes every kind of part, integer arrays and masks of one common length."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, max_side=4))
    common = draw(st.integers(1, 3))
    parts: list[Any] = []
    for n in shape:
        places = st.integers(-n, n - 1)
        mask = np.arange(n) < common
        kinds = [
            places,
            st.slices(n),
            st.lists(places, min_size=common, max_size=common),
            st.just(slice(None)),
        ]
        if n >= common:
            kinds.append(st.just(mask))
        parts.append(draw(st.one_of(kinds)))
    kept = draw(st.integers(0, len(parts)))
    dots = draw(st.sampled_from(["none", "end", "new axis"]))
    parts = parts[:kept]
    if dots == "end":
        parts.append(...)
    if dots == "new axis":
        parts.insert(draw(st.integers(0, kept)), None)
    return shape, tuple(parts)


@settings(max_examples=150)
@given(indexed_arrays())
def test_against_arrays_of_coordinates(drawn: tuple[tuple[int, ...], Any]) -> None:
    shape, index = drawn
    for found, grid in zip(places(shape, index), np.indices(shape), strict=True):
        np.testing.assert_array_equal(found, grid[index])


@pytest.mark.parametrize(
    ("shape", "index"),
    [((3,), 3), ((3,), [0, -4]), ((3, 2), np.ones((3, 3), bool)), ((2,), np.ones(3, bool)), ((0,), 0)],
)
def test_out_of_bounds(shape: tuple[int, ...], index: Any) -> None:
    with pytest.raises(IndexError):
        places(shape, index)


def test_a_look_up_of_rows_costs_the_rows() -> None:
    peaks = []
    for rows in (10**5, 10**6, 10**9):
        t = IndexedTangent((rows, 64), np.dtype(float), np.arange(128) * 7 % rows, np.ones((128, 64)))
        to_coo(t)  # scipy.sparse is imported
        tracemalloc.start()
        assert to_coo(t).nnz == 128 * 64
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert max(peaks) < 1.1 * min(peaks) < 128 * 64 * 8 * 16

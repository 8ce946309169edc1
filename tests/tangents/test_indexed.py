"""The light cotangents of indexing, against what NumPy's own indexing and scatter say."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules.tangents import (
    ZERO,
    Composite,
    IndexedTangent,
    ItemTangent,
    ShapeMismatch,
    accumulate,
    add,
    inner,
    is_basic,
    materialize,
    project_to,
    scale,
    to_coo,
    zero_tangent,
)

X = np.arange(24.0).reshape(2, 3, 4)
MASK = X % 5 == 0
INDICES = [
    1,
    -1,
    (1, 2, 3),
    (np.int64(1), 2),
    slice(None),
    (slice(None), 1),
    (..., slice(None, None, -2)),
    (None, 1, ..., None),
    (),
    ...,
    [1, 1, 0],
    np.array([[0, 1], [1, 1]]),
    ([1, 0, 1], [2, 2, 2]),
    ([1, 1], slice(1, 3)),
    (slice(None), [0, 0], slice(None), None),
    (0, [2, 2, 1], -1),
    ([0, 1], slice(None), [1, 1]),
    MASK,
    (0, MASK[0]),
    (slice(None), np.array([True, False, True])),
    True,
    np.array(1),
]


def scattered(shape: tuple[int, ...], index: Any, values: Any) -> np.ndarray[Any, Any]:
    """The dense cotangent, one read entry after the other: no scatter of NumPy's is used."""
    places = np.asarray(np.arange(np.prod(shape)).reshape(shape)[index]).ravel()
    dense = np.zeros(int(np.prod(shape)))
    for place, value in zip(places, np.ravel(values), strict=True):
        dense[place] += value
    return dense.reshape(shape)


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_any_index(index: Any) -> None:
    values = np.random.default_rng(0).normal(size=X[index].shape)[()]
    expected = scattered(X.shape, index, values)
    t = IndexedTangent(X.shape, X.dtype, index, values)
    np.testing.assert_allclose(t.dense(), expected)
    np.testing.assert_allclose(to_coo(t).toarray(), expected)
    np.testing.assert_allclose(np.asarray(t), expected)
    np.testing.assert_allclose(accumulate(np.ones(X.shape), t), 1 + expected)
    np.testing.assert_allclose(inner(t, X), np.sum(expected * X))
    np.testing.assert_allclose(inner(X, t), np.sum(expected * X))
    np.testing.assert_allclose(inner(t, t), np.sum(expected**2))
    np.testing.assert_allclose(add(t, t), 2 * expected)
    np.testing.assert_allclose(scale(3.0, t), 3 * expected)
    assert t.nnz == np.size(values)
    assert is_basic(index) == np.shares_memory(X[index], X) or np.ndim(X[index]) == 0


def test_several_parts() -> None:
    t = IndexedTangent((100,), np.dtype(float), [3, 3], np.ones(2))
    total = t.joined(scale(2.0, t)).joined(IndexedTangent((100,), np.dtype(float), 5, 1.0))
    expected = np.zeros(100)
    expected[[3, 5]] = [6.0, 1.0]
    np.testing.assert_allclose(total, expected)
    assert (total.nnz, total.ndim, total.size) == (5, 1, 100)
    coo = to_coo(total)
    assert coo.nnz == 2
    np.testing.assert_allclose(coo.toarray(), expected)
    np.testing.assert_allclose(-total, -expected)
    np.testing.assert_allclose(total - expected, 0)
    np.testing.assert_allclose(expected - total, 0)


def test_numpy_sees_the_dense_array_and_linear_functions_keep_it_light() -> None:
    t = IndexedTangent((100,), np.dtype(float), 1, 2.0)
    assert isinstance(t * 2.0, IndexedTangent)
    assert isinstance(np.float64(2.0) * t, IndexedTangent)
    assert isinstance(np.multiply(2.0, t), IndexedTangent)
    np.testing.assert_allclose(np.float64(2.0) * t, 2 * t.dense())
    np.testing.assert_allclose(t * np.arange(100.0), t.dense() * np.arange(100.0))
    np.testing.assert_allclose(np.arange(100.0) + t, np.arange(100.0) + t.dense())
    np.testing.assert_allclose(np.exp(t), np.exp(t.dense()))
    assert np.sum(t) == 2.0
    assert np.array_equal(t.conjugate(), t)


def test_dtypes() -> None:
    single = IndexedTangent((3,), np.dtype(np.float32), 0, np.float32(1))
    assert single.dense().dtype == (2.0 * single).dtype == np.float32
    assert add(single, IndexedTangent((3,), np.dtype(float), 0, 1.0)).dtype == np.float64
    assert add(single, np.ones(3, np.float32)).dtype == np.float32
    assert (1j * single).dtype == np.complex64
    with pytest.raises(TypeError, match="Cannot cast"):
        IndexedTangent((3,), np.dtype(float), 0, 1j).dense()
    assert np.array_equal(
        project_to(np.ones(3))(IndexedTangent((3,), np.dtype(complex), 0, 2 + 1j)), [2, 0, 0]
    )


@pytest.mark.parametrize(
    ("index", "values"), [(slice(None), 1.0), ([0, 1], 1.0), (0, np.ones(1)), ([0], np.ones((1, 1)))]
)
def test_values_are_not_broadcast(index: Any, values: Any) -> None:
    t = IndexedTangent((3,), np.dtype(float), index, values)
    for use in (t.dense, lambda: to_coo(t), lambda: add(t, np.ones(3))):
        with pytest.raises(ShapeMismatch):
            use()


def test_a_zero_dimensional_array() -> None:
    t = IndexedTangent((), np.dtype(float), (), 2.0)
    assert t.dense() == add(t, np.array(0.0)) == inner(t, t) / 2 == 2.0
    with pytest.raises(ShapeMismatch, match="dense"):
        to_coo(t)


def test_one_entry_of_a_large_array_costs_one_entry() -> None:
    shape = (10_000, 10_000)
    tracemalloc.start()
    t = IndexedTangent(shape, np.dtype(float), (3, 4), 1.0)
    coo = to_coo(add(t, IndexedTangent(shape, np.dtype(float), (slice(0, 2), [5, 5]), np.ones((2, 2)))))
    norm = inner(t, t)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e6
    assert sp.issparse(coo)
    assert coo.nnz == 3
    assert coo.tocsr()[3, 4] == norm == 1.0
    assert coo.tocsr()[1, 5] == 2.0


def test_items_of_a_sequence() -> None:
    t = ItemTangent(list, 3, -1, 2.0)
    assert t == t.dense() == [0.0, 0.0, 2.0] == 2 * ItemTangent(list, 3, 2, 1.0)
    assert t.dense() == Composite[list](ZERO, ZERO, 2.0)
    assert list(t) == [ZERO, ZERO, 2.0]
    assert t[2] == 2.0
    assert len(t) == 3
    assert materialize(t, [1.0, np.ones(2), 1.0]) == Composite[list](0.0, np.zeros(2), 2.0)
    assert inner(t, [1.0, 1.0, 3.0]) == 6.0
    assert inner(t, ItemTangent(list, 3, 0, 1.0)) == 0.0
    projected = project_to([1.0, 1.0, np.float32(1)])(t)
    assert isinstance(projected, ItemTangent)
    assert type(projected.value) is np.float32
    same = add(t, t)
    assert isinstance(same, ItemTangent)
    assert same.value == 4.0
    for index in (3, -4):
        with pytest.raises(IndexError):
            ItemTangent(tuple, 3, index, 1.0)


def test_zero_tangent_of_a_tangent() -> None:
    t = IndexedTangent((3,), np.dtype(float), 1, 1.0)
    assert np.array_equal(zero_tangent(t), np.zeros(3))

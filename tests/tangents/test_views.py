"""Indexed tangents under functions that arrange entries anew, against the same functions of dense arrays."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.tangents import Composite, IndexedTangent, behind, views

X = np.arange(24.0).reshape(2, 1, 3, 4)
MASK = X % 5 == 0
INDICES: list[Any] = [
    *(1, (0, 0, -1, 3), (0, 0, 2), (), ..., slice(None, None, -1), (None, 1, ..., None), (slice(None), 0, 2)),
    *(
        (..., slice(3, 0, -2)),
        [1, 1, 0],
        ([1, 0, 1], 0, [2, 2, -3]),
        (1, slice(None), [0, 0], slice(2)),
        MASK,
    ),
    *((slice(0), 0), (0, 0, MASK[0, 0])),
]
FUNCTIONS: list[Callable[[Any], Any]] = [
    np.transpose,
    lambda x: np.transpose(x, (2, 0, 3, 1)),
    np.matrix_transpose,
    lambda x: np.swapaxes(x, 0, -1),
    lambda x: np.moveaxis(x, [0, 1], [-1, 0]),
    lambda x: np.rollaxis(x, 3, 1),
    np.flip,
    lambda x: np.flip(x, (0, -1)),
    np.flipud,
    np.fliplr,
    np.rot90,
    lambda x: np.rot90(x, -1, (2, 3)),
    lambda x: np.expand_dims(x, (0, 3)),
    np.squeeze,
    lambda x: np.squeeze(x, axis=1),
    lambda x: np.reshape(x, (6, 4)),
    lambda x: np.reshape(x, (-1, 3), order="F"),
    lambda x: np.reshape(x, -1, order="A"),
    np.ravel,
    lambda x: np.sum(x, axis=(0, 1)),
    lambda x: np.sum(x, axis=None),
    lambda x: np.sum(x, axis=2, keepdims=True),
    np.cos,  # any other sees the dense array
    lambda x: np.concatenate([x, x], axis=1),
    np.linalg.norm,
]
BASIC = [
    1,
    -2,
    (..., 3),
    (slice(1, None), 0),
    (slice(None, None, -2), None, ..., slice(3, None, -2)),
    (None, 1, 0),
]


@pytest.fixture(autouse=True)
def always_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tangents as large ones: no way out through the dense array."""
    monkeypatch.setattr(views, "DENSE_UP_TO", -1)
    monkeypatch.setattr(views, "DENSITY_THRESHOLD", 1e9)


def tangent_at(index: Any, shape: tuple[int, ...] = X.shape) -> IndexedTangent:
    item = np.zeros(shape)[index]
    return IndexedTangent(
        shape, np.dtype(float), index, np.arange(1.0, 1.0 + np.size(item)).reshape(item.shape)
    )


@pytest.mark.parametrize("index", INDICES, ids=repr)
@pytest.mark.parametrize("fn", FUNCTIONS)
def test_arrangements_agree_with_those_of_the_dense_array(fn: Callable[[Any], Any], index: Any) -> None:
    t = tangent_at(index)
    for light in (t, t.joined(tangent_at((0, 0, 1, 2)))):
        np.testing.assert_array_equal(np.asarray(fn(light)), fn(light.dense()), strict=True)


@pytest.mark.parametrize("index", BASIC, ids=repr)
def test_what_is_behind_an_index_is_where_the_index_reads(index: Any) -> None:
    item = X[index]
    for inner in ((), (..., -1), (0, ...), (..., [0, 0, -1]), item > 10):
        x_bar = np.zeros(X.shape)
        y_bar = tangent_at(inner, item.shape)
        x_bar[index] = y_bar.dense()
        t = behind(X.shape, np.dtype(float), index, y_bar)
        np.testing.assert_array_equal(t.dense(), x_bar)
        assert t.nnz == y_bar.nnz


def test_shapes_are_told_without_entries_and_misfits_are_refused() -> None:
    t: Any = IndexedTangent((10**6, 10**6), np.dtype(complex), (3, 4), 1j)  # 16 TB, were it dense
    assert (np.shape(t), np.ndim(t), np.size(t), np.iscomplexobj(t)) == ((10**6, 10**6), 2, 10**12, True)
    transposed: Any = np.transpose(t)
    assert transposed.nnz == 1 and np.sum(t, axis=None) == 1j
    with pytest.raises(ValueError, match="cannot reshape"):
        np.reshape(t, (7, 7))
    with pytest.raises(IndexError):
        np.transpose(IndexedTangent((2, 3), np.dtype(float), (2, 0), 1.0))
    with pytest.raises(cr.ShapeMismatch):
        np.asarray(np.transpose(IndexedTangent((2, 3), np.dtype(float), 0, np.ones(2))))


def peak_of(f: Callable[[], Any]) -> float:
    """The most that a call had allocated at once, in MB."""
    tracemalloc.start()
    try:
        f()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def read_in_a_loop(x: Any) -> Any:
    y, s = x.T, 0.0
    for i in range(5):
        s = s + y[i + 2, 3] * y[4, 3]
    return s


BEHIND_A_VIEW: list[Callable[[Any], Any]] = [
    lambda x: x[3, 4] ** 2,
    lambda x: x.T[4, 3] ** 2,
    lambda x: x[3][4] ** 2,
    lambda x: x[:, 4][3] ** 2,
    lambda x: x[2:, ::2][1:][0, 2] ** 2,
    lambda x: x[None, ..., ::-1][0, 3, -5] ** 2,
    lambda x: x.reshape(-1)[3 * x.shape[1] + 4] ** 2,
    lambda x: x.ravel()[3 * x.shape[1] + 4] ** 2,
    lambda x: np.swapaxes(x, 0, 1)[4, 3] ** 2,
    lambda x: x.reshape(-1, 100, 20, 50).transpose(2, 3, 0, 1)[0, 4, 0, 3 % 100] ** 2,
    lambda x: np.flip(np.squeeze(np.expand_dims(x, 1)), 0)[-4, 4] ** 2,
    lambda x: np.rot90(x)[-5, 3] ** 2,
    lambda x: np.sum(np.moveaxis(x, 0, 1)[4, 3:4] ** 2),
    lambda x: np.diagonal(x, 1)[3] * x.mT[4, 3],
    lambda x: np.broadcast_to(np.asarray(x), (3, *x.shape))[2, 3, 4] ** 2,
    lambda x: np.sum(x.T[[4, 4], [3, 3]]) * x.real[3, 4] / 2.0,
    lambda x: np.sum([row[4] ** 2 for row in x[3:4]]),
    read_in_a_loop,
]


@pytest.mark.parametrize("f", BEHIND_A_VIEW)
def test_a_gradient_behind_views_costs_what_it_reads(f: Callable[[Any], Any], monkeypatch: Any) -> None:
    monkeypatch.undo()
    small, large = np.zeros((1000, 1000)), np.zeros((10_000, 1000))
    for x in (small, large):
        x[3, 4] = 2.0
    gradient = cr.grad(f, form="dense")(small)
    at = [tuple(place) for place in np.argwhere(gradient)]
    h = 1e-3
    for place in {(3, 4), *at}:
        step = np.zeros_like(small)
        step[place] = h
        assert np.isclose(gradient[place], (f(small + step) - f(small - step)) / (2 * h))
    cr.grad(f)(large)
    x_bar: list[Any] = []
    assert peak_of(lambda: x_bar.append(cr.grad(f)(large))) < 1.0
    np.testing.assert_array_equal(x_bar[0].toarray()[:1000], gradient)


def test_second_derivatives_behind_views() -> None:
    x = np.arange(1.0, 7.0).reshape(2, 3)

    def f(x: Any) -> Any:
        return x.T[1:][0, 1] ** 3 * x[0][2] + x.ravel()[4] ** 2

    second = cr.grad(lambda x: np.sum(cr.grad(f)(x)))(x)
    h = 1e-4
    wanted = np.zeros_like(x)
    for place in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[place] = h
        up, down = cr.grad(f)(x + step), cr.grad(f)(x - step)
        wanted[place] = np.sum(up - down) / (2 * h)
    np.testing.assert_allclose(second, wanted, rtol=1e-6)
    assert not isinstance(second, Composite)

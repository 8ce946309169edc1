"""Gradients through an index: light all the way through a program, and in the form that is asked for."""

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import chainrules as cr
from chainrules.engines.boundary import LARGE
from chainrules.tangents import IndexedTangent

SMALL = np.arange(24.0).reshape(4, 6) / 7
ROWS = np.array([3, 0, 3])
PROGRAMS: list[Callable[[Any], Any]] = [
    lambda x: x[1, 2] ** 2,
    lambda x: x[1][2] * x[3, -1] + x[0, 0],
    lambda x: np.sum(x[2] ** 2),
    lambda x: np.sum(x[ROWS] ** 2),
    lambda x: np.sum(x[ROWS, [1, 1, 1]] ** 2),
    lambda x: np.sum(x[1:3, ..., None, [0, 0]] ** 2),
    lambda x: np.sum(x[x[:, 0] > 1.0, 2] ** 2),
    lambda x: np.sum(np.take(x, ROWS, axis=0) ** 2),
    lambda x: np.sum(np.take(x, [0, 13, 0]) ** 2),
    lambda x: np.sum(x.take(-1, axis=1) ** 2),
    lambda x: np.sum(np.take_along_axis(x, np.arange(x.shape[1])[None] % 4, axis=0) ** 2),
    lambda x: np.sum(np.compress([False, True], x, axis=0) ** 2),
    lambda x: x.item(2, 3) ** 2,
    lambda x: np.sum(x.diagonal() ** 2),
]
IDS = [str(i) for i in range(len(PROGRAMS))]


def by_differences(f: Callable[[Any], Any], x: Any) -> Any:
    """Central differences; the programs are quadratic, so that they are exact but for rounding."""
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[index] = 0.125
        gradient[index] = (f(x + step) - f(x - step)) / 0.25
    return gradient


@pytest.mark.parametrize("f", PROGRAMS, ids=IDS)
def test_every_form_is_the_gradient(f: Callable[[Any], Any]) -> None:
    expected = by_differences(f, SMALL)
    assert np.count_nonzero(expected)
    default, dense, sparse = (cr.grad(f, form=form)(SMALL) for form in (None, "dense", "sparse"))
    raw = cr.grad(f, form="raw")(SMALL)
    assert type(default) is type(dense) is np.ndarray
    assert isinstance(sparse, sp.coo_array)
    assert isinstance(raw, IndexedTangent | np.ndarray)
    for gradient in (default, dense, sparse.toarray(), np.asarray(raw)):
        np.testing.assert_allclose(gradient, expected, atol=1e-12)


@pytest.mark.parametrize("f", PROGRAMS, ids=IDS)
def test_nothing_dense_is_made(f: Callable[[Any], Any]) -> None:
    x = np.zeros((10_000, 10_000))  # 800 MB that the system never has to provide
    x[:4, :6] = SMALL
    cr.grad(f, form="sparse")(SMALL)  # programs are made, and scipy.sparse imported
    tracemalloc.start()
    gradient = cr.grad(f)(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(gradient, sp.coo_array)
    assert gradient.dtype == x.dtype
    assert peak < 5e6


FRESH = """
import sys, tracemalloc
import numpy as np
import chainrules as cr
if sys.argv[1] == "loaded":
    import scipy.sparse
    from chainrules.core.loading import load_all
    load_all()
x = np.zeros((10_000, 10_000))[: int(sys.argv[2])]
f = cr.grad(lambda x: x[3, 4] ** 2, form="raw" if sys.argv[1] == "not" else None)
tracemalloc.start()
f(x)
print(tracemalloc.get_traced_memory()[1])
"""


def peak_in_a_fresh_process(tmp_path: Path, *args: str) -> int:
    (tmp_path / "fresh.py").write_text(FRESH)
    command = [sys.executable, str(tmp_path / "fresh.py"), *args]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_the_first_gradient_in_a_process_loads_code_and_makes_nothing_dense(tmp_path: Path) -> None:
    assert peak_in_a_fresh_process(tmp_path, "loaded", "10000") < 1e6
    few, many = (peak_in_a_fresh_process(tmp_path, "not", rows) for rows in ("5", "10000"))
    assert abs(many - few) < 2e5  # the rules of NumPy, whatever they are used on


def test_an_embedding_costs_its_rows() -> None:
    rows, seed = np.random.default_rng(0).integers(0, 10_000, 128), np.linspace(0.0, 1.0, 128)[:, None]

    def loss(table: Any) -> Any:
        return np.sum(table[rows] * seed) + np.sum(np.take(table, rows, axis=0) * seed)

    peaks = []
    for length in (10_000, 100_000, 300_000):
        table = np.zeros((length, 64), np.float32)
        for _ in range(2):  # programs are made, and what they ask for is kept
            cr.grad(loss, form="sparse")(table)
        tracemalloc.start()
        gradient = cr.grad(loss, form="sparse")(table)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert gradient.nnz <= 128 * 64
    assert max(peaks) < 1.05 * min(peaks) < 2e6
    expected = np.zeros((300_000, 64))
    np.add.at(expected, rows, 2 * seed)
    np.testing.assert_allclose(gradient.toarray(), expected, rtol=1e-6)


def test_numbers_and_half_precision_have_no_sparse_form() -> None:
    assert cr.grad(lambda x: x[()] ** 2, form="sparse")(np.array(3.0)) == 6.0
    assert cr.grad(lambda x: x**2, form="sparse")(3.0) == 6.0
    half = np.zeros(LARGE, np.float16)
    gradient = cr.grad(lambda x: x[3] * np.float16(2.0))(half)
    assert type(gradient) is np.ndarray
    assert gradient[3] == 2.0
    for f in (lambda x: x[3], np.sum):
        with pytest.raises(cr.ShapeMismatch, match="float16 has no sparse form"):
            cr.grad(f, form="sparse")(half)


def test_a_form_that_there_is_not_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="form='light'"):
        cr.grad(lambda x: x[0], form="light")(np.ones(3))


def test_form_reaches_into_structures() -> None:
    gradient = cr.grad(lambda p: p["table"][1, 0] * p["scale"], form="sparse")({"table": SMALL, "scale": 2.0})
    assert isinstance(gradient["table"], sp.coo_array)
    assert gradient["table"].nnz == 1
    assert gradient["scale"] == SMALL[1, 0]


def one_place(x: Any) -> Any:
    places = np.array([0, 1])
    y = x[places]
    places[0] = 3
    return np.sum(y * 2.0) + x[places[0]]


def moving_places(x: Any) -> Any:
    places = np.array([0, 1])
    total = 0.0
    for k in range(3):
        total = total + (k + 1.0) * np.sum(x[places])
        places += 1
    return total


def listed_places(x: Any) -> Any:
    places = [1, 0]
    y = x[places] * np.array([1.0, 2.0])
    places[0] = 3
    return np.sum(y)


def masked(x: Any) -> Any:
    mask = x > 1.0
    y = x[mask]
    mask[:] = False
    return np.sum(y * y)


def along(x: Any) -> Any:
    places = np.array([0, 1])
    y = np.take(x, places, axis=0) + np.take_along_axis(x, places, axis=0)
    places[:] = 3
    return np.sum(y * np.array([1.0, 3.0]))


@pytest.mark.parametrize("f", [one_place, moving_places, listed_places, masked, along])
def test_an_index_that_is_written_later_counts_as_it_was(f: Any) -> None:
    x = np.array([0.5, 1.5, 2.5, 3.5, 4.5])
    np.testing.assert_allclose(cr.grad(f)(x), by_differences(f, x), atol=1e-12)


def test_nor_do_pullbacks_see_it() -> None:
    for f in (lambda x, i: x[i], lambda x, i: np.take(x, i, axis=0), lambda x, i: x.take(i)):
        places = np.array([0, 1])
        _, pullback = cr.vjp(lambda x, f=f, places=places: f(x, places), np.ones(4))
        places[0] = 3
        assert np.array_equal(np.asarray(pullback(np.ones(2))[0]), [1.0, 1.0, 0.0, 0.0])

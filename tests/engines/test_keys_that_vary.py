"""Keys that vary: of grids, of what joins arrays, and of stores that a class of the user computes with."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

C = np.array([1.0, 2.0])
GRIDS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "r_, a slice beside": (lambda x: np.r_[x, C, 1:10], C),
    "r_, without": (lambda x: np.r_[x, C], C),
    "r_, by count": (lambda x: np.r_[0:x:5j], 2.0),
    "r_, by step": (lambda x: np.r_[x:5.5:1.0, 3.0], 2.0),
    "r_, an axis": (lambda x: np.r_["0,2", x, C, 1:3], C),
    "c_": (lambda x: np.c_[x, C, 1:3], C),
    "c_, by count": (lambda x: np.c_[0:x:2j, C], 2.0),
    "mgrid": (lambda s: np.mgrid[0:s:5j], 2.0),
    "mgrid, both": (lambda s: np.mgrid[0:s:5j, s:3:2j], 2.0),
    "mgrid, steps": (lambda s: np.mgrid[s:5.5:1.0, 0:2], 2.0),
    "mgrid, one of a tuple": (lambda s: np.mgrid[0:s:5j,], 2.0),
    "ogrid": (lambda s: np.ogrid[0:s:5j], 2.0),
    "ogrid, both": (lambda s: np.ogrid[0:s:5j, s:3:2j][1], 2.0),
}


@pytest.mark.parametrize("name", GRIDS)
def test_grids(name: str) -> None:
    f, x = GRIDS[name]
    value, _ = cr.vjp(f, x)
    assert np.array_equal(value, f(x)) and value.dtype == f(x).dtype
    check_grads(lambda x: np.sum(f(x) ** 2) + np.sum(f(x)), x, order=2)


def test_the_grid_of_the_fault() -> None:
    assert cr.grad(lambda s: np.sum(np.mgrid[0:s:5j]))(2.0) == 2.5
    assert cr.derivative(lambda s: np.sum(np.mgrid[0:s:5j]))(2.0) == 2.5


class Sums:
    """Computes with keys."""

    def __init__(self) -> None:
        self.v = 0.0

    def __setitem__(self, k: Any, value: Any) -> None:
        self.v = self.v + k * value

    def __delitem__(self, k: Any) -> None:
        self.v = self.v + 5.0 * k

    def __getitem__(self, k: Any) -> Any:
        return 0.5 * k


def by_store(s: Any) -> Any:
    b = Sums()
    b[s] = 2.0
    return b.v


def by_deletion(s: Any) -> Any:
    b = Sums()
    del b[s]
    return b.v


def augmented(s: Any) -> Any:
    b = Sums()
    b[s] += 1.0
    return b.v


def by_method(s: Any) -> Any:
    b = Sums()
    b.__setitem__(s, 2.0)
    return b.v


def inside(s: Any) -> Any:
    held = [Sums()]
    held[0][s] = 3.0
    return held[0].v


def unpacked(s: Any) -> Any:
    b = Sums()
    b[s], b[2 * s] = 1.0, 2.0
    return b.v


def in_a_loop(s: Any) -> Any:
    b = Sums()
    for i in range(3):
        b[s * i] = 2.0
    return b.v


def of_an_argument(s: Any, b: Any) -> Any:
    b[s] = 2.0
    return b.v


STORES = [by_store, by_deletion, augmented, by_method, inside, unpacked, in_a_loop]


@pytest.mark.parametrize("f", STORES)
def test_stores_and_deletions(f: Callable[[Any], Any]) -> None:
    check_grads(lambda s: f(s) * s, 2.0, order=2)


def test_the_store_of_the_fault() -> None:
    assert cr.grad(by_store)(2.0) == 2.0
    assert cr.grad(lambda s: of_an_argument(s, Sums()))(2.0) == 2.0


def test_keys_of_arrays_and_dicts_select() -> None:
    def counted(x: Any) -> Any:
        seen, table = np.zeros(3), {}
        seen[x.shape[0] - 1] = 2.0
        table[x.shape[0]] = 3.0
        del table[x.shape[0]]
        return np.sum(x**2) * seen[1]

    check_grads(counted, C, order=2)

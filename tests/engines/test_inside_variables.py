"""What is the function's own, though made of what is outside: changed in place, and differentiated."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from chainrules.testing import check_grads

X = np.array([1.1, 2.2, 3.3, 4.4])
REGISTRY: dict[str, Any] = {"b": 1.0}
ROWS = [[1.0, 2.0], [3.0, 4.0]]
MANY = [[float(i)] for i in range(300)]
TABLE = np.arange(4.0)
CACHE: dict[int, Any] = {}


@functools.lru_cache
def cached_buffer(n: int) -> Any:
    return np.zeros(n)


class Settings:
    def __init__(self) -> None:
        self.items_of_mine: dict[str, Any] = {}


def copies(x: Any) -> Any:
    y, rows = TABLE.copy(), [list(row) for row in ROWS]
    y[0] = x[0] * x[1]
    rows[1][0] = y[0] * x[2]
    d = dict(REGISTRY, a=x[0])
    d["b"] = d["a"] * rows[1][0]
    return d["b"] + y.sum()


def computed(x: Any) -> Any:
    y, z = TABLE * x, np.asarray(TABLE) + 1.0
    y[0] = x[1] ** 2
    z[1:] = y[:-1]
    return y @ z


def fresh_ones(n: int) -> Any:
    return CACHE.get(n, np.zeros(n)).copy()


def copies_of_many(x: Any) -> Any:
    rows = [list(row) for row in MANY]
    for k in range(3):
        rows[k][0] = x[k] ** 2
    return sum(row[0] for row in rows[:5]) * MANY[2][0]


def of_functions(x: Any) -> Any:
    b, c = fresh_ones(4), cached_buffer(4).copy()
    b[:] = x * x
    c[1:] = b[:-1] * x[0]
    fresh_ones(4)[0] = x[0]
    return b.sum() + c @ x


class Counted:
    made = 0

    def __init__(self, v: Any) -> None:
        self.v = v
        type(self).made += 1

    @classmethod
    def of(cls, v: Any) -> "Counted":
        cls.made += 1
        return cls(v * v)


def counters_of_a_class(x: Any) -> Any:
    return Counted.of(x[0]).v * Counted(x[1]).v


def fields_of_its_own(x: Any) -> Any:
    s = Settings()
    vars(s)["a"] = x[0] * x[1]
    s.items_of_mine["b"] = x[2]
    return s.a * s.items_of_mine["b"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "f", [copies, copies_of_many, computed, of_functions, counters_of_a_class, fields_of_its_own]
)
def test_what_is_the_function_s_own_is_differentiated(f: Callable[[Any], Any]) -> None:
    check_grads(f, X)


class Inverter:
    """A method of the name of a function changes its object."""

    def __init__(self) -> None:
        self.calls = 0.0

    def pinv(self, A: Any) -> Any:
        self.calls = self.calls + A[0, 0]
        return A


def of_a_module_that_is_given(lib: Any, x: Any) -> Any:
    return lib.linalg.pinv(x.reshape(2, 2))[0, 0]


def test_a_function_of_a_module_that_is_an_argument_changes_nothing() -> None:
    def counted(x: Any) -> Any:
        inverter = Inverter()
        return inverter.pinv(x.reshape(2, 2))[0, 1] * inverter.calls

    check_grads(counted, X, order=1)
    check_grads(lambda x: of_a_module_that_is_given(np, x), X, order=1)

"""Memory that is written into: views, whole numbers, other names, classes of arrays, still parts."""

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

SHARED = np.array([1.0, 2.0, 3.0])


class Own(np.ndarray):
    pass


@dataclass
class Square:
    side: float

    @property
    def area(self) -> float:
        return self.side * self.side


def a_class_of_arrays(x):
    u: Any = np.zeros(3).view(Own)
    u[0] = x * x
    return u.sum() + u[0]


def what_a_pattern_computes(x):
    match Square(x):
        case Square(area=a):
            return a * x


@pytest.mark.parametrize("f", [a_class_of_arrays, what_a_pattern_computes])
def test_programs_agree_with_differences(f: Any) -> None:
    check_grads(f, 1.7, order=2)


def test_whole_numbers_that_are_stored_are_differentiated() -> None:
    def f(x):
        x[0] = x[1] * 2
        return x[0] * 1.5

    assert cr.grad(f)(np.array([1, 2, 3])).tolist() == [0.0, 3.0, 0.0]
    with pytest.raises(cr.NotDifferentiableError, match="narrow"):
        cr.grad(f)(np.array([1, 2, 3], np.int16))


def test_a_part_that_does_not_move_may_move_later() -> None:
    def f(d):
        v = d["a"][1:]
        d["a"][1] = d["b"] * 2.0
        return v[0]

    along = cr.Composite[dict]({"a": cr.Zero(), "b": 1.0})
    assert cr.jvp(f, ({"a": np.ones(3), "b": 2.0},), (along,))[1] == 2.0


def of_the_same_memory(x):
    window = np.lib.stride_tricks.as_strided(np.zeros(3), (2, 2), (8, 8))
    window[:] = np.outer(x, x)
    return window.sum()


def of_entries_that_are_read(x):
    a = np.outer(x, x)
    a[0] = a[:, 0]
    return a.sum()


def by_another_name(x):
    x[0] = x[1] ** 2
    return SHARED[0] * 1.0


@pytest.mark.parametrize("f", [of_the_same_memory, of_entries_that_are_read, by_another_name])
def test_stores_that_are_not_clear_are_refused(f: Any) -> None:
    before = SHARED.copy()
    for derivative in (cr.grad(f), lambda x: cr.jvp(f, (x,), (np.ones(3),))):
        with pytest.raises(cr.AliasedMutationError):
            derivative(SHARED)
        SHARED[:] = before


CHANGES: dict[str, Any] = {
    "shuffled": lambda c: np.random.default_rng(0).shuffle(c),
    "drawn into": lambda c: np.random.default_rng(0).random(out=c),
    "drawn into by place": lambda c: np.random.default_rng(0).random(None, np.float64, c),
    "sorted": lambda c: c.sort(),
    "filled": lambda c: c.fill(3.0),
    "a function's output": lambda c: np.sin(c, out=c),
    "put": lambda c: np.put(c, [1], 9.0),
    "added at": lambda c: np.add.at(c, [0], 5.0),
    "swapped": lambda c: c.byteswap(True),
    "by its place": lambda c: operator.imul(c, 0.0),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_pullback_keeps_stays_what_it_was(name: str) -> None:
    def f(x):
        c = np.arange(5.0, 0.0, -1.0)
        y = x * c
        CHANGES[name](c)
        return y[0] * x + y[1]

    assert cr.grad(f)(2.0) == 24.0

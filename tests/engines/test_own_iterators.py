"""Iterators of classes that say in Python which item is next: refused by name where they vary, else run."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

from chainrules.testing import check_grads

X = np.array([1.1, 2.2, 3.3, 4.4])


class Squares:
    def __init__(self, x: Any) -> None:
        self.x, self.i = x, 0

    def __iter__(self) -> "Squares":
        return self

    def __next__(self) -> Any:
        if self.i >= len(self.x):
            raise StopIteration
        self.i += 1
        return self.x[self.i - 1] ** 2


class Holder:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __iter__(self) -> Squares:
        return Squares(self.x)


class Generating:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __iter__(self) -> Iterator[Any]:
        for v in self.x:
            yield v**2


def gone_through(x: Any) -> Any:
    total = 0.0
    for v in Squares(x):
        total += v
    return total


def by_another(x: Any) -> Any:
    total = 0.0
    for v in Holder(x):
        total += v
    return total


def broken_off(x: Any) -> Any:
    items, total = Squares(x), 0.0
    for v in items:
        total += v
        if total > 5.0:
            break
    for v in items:
        total += 2.0 * v
    return total


def next_two(x: Any) -> Any:
    items = Squares(x)
    return next(items) * next(items)


def unpacked(x: Any) -> Any:
    a, b, c, d = Squares(x)
    return a * b + c * d


REFUSED = [
    *(gone_through, by_another, broken_off, next_two, unpacked),
    lambda x: sum(Squares(x)),
    lambda x: sum([v * x[0] for v in Squares(x)]),
    lambda x: sum(a * b for a, b in zip(Squares(x), x, strict=True)),
    lambda x: np.sum(np.array(list(Squares(x))) * x),
    lambda x: max(Squares(x)),
    lambda x: sum(map(np.sin, Squares(x))),
    lambda x: sum(v * i for i, v in enumerate(Squares(x))),
    lambda x: sum(sorted(Squares(x))[:2]),
]


@pytest.mark.parametrize("f", REFUSED)
def test_what_varies_is_right(f: Callable[[Any], Any]) -> None:
    for run in (lambda: rightly.grad(f)(X), lambda: rightly.jvp(f, (X,), (X,)), lambda: rightly.hvp(f, X, X)):
        run()


class Counter:
    def __init__(self) -> None:
        self.i = 0

    def __iter__(self) -> "Counter":
        return self

    def __next__(self) -> int:
        self.i += 1
        return self.i


def counted(x: Any) -> Any:
    total, counter = 0.0, Counter()
    for i, v in zip(counter, x, strict=False):
        total += i * v**2
    return total * counter.i


def weights(x: Any) -> Any:
    return sum(w * v for w, v in zip(Squares(np.arange(4.0)), Generating(x), strict=True))


def inner(x: Any) -> Any:
    total = 0.0
    for w in Squares(np.arange(3.0)):
        total += w * np.sum(x**2)
    return total


@pytest.mark.parametrize("f", [counted, weights])
def test_what_does_not_vary_runs_as_in_python(f: Callable[[Any], Any]) -> None:
    check_grads(f, X, order=1)
    rightly.hvp(f, X, X)


def test_so_it_does_in_a_loop_of_its_own() -> None:
    check_grads(inner, X)

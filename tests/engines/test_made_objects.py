"""Objects that a function makes: methods of their own class are meant, not others of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

ROWS = np.linspace(-1.0, 1.0, 12).reshape(4, 3)
X = np.array([0.4, -0.7, 0.9])


class Cell:
    def __init__(self, w: Any) -> None:
        self.w, self.h = w, np.zeros(3)

    def step(self, v: Any) -> Any:
        self.h = np.tanh(self.w * v + 0.5 * self.h)
        return self.h


class Descent:
    """Another class, whose `step` changes what it is given."""

    def __init__(self, rate: Any) -> None:
        self.rate = rate

    def step(self, values: Any) -> None:
        values[0] = values[0] - self.rate * values[1]


def over_rows(x: Any) -> Any:
    cell, found = Cell(x), []
    for row in ROWS:
        found.append(cell.step(row))
    return np.sum(np.stack(found) ** 2)


def by_index(x: Any) -> Any:
    cell, total = Cell(x), 0.0
    for i in range(4):
        total = total + np.sum(cell.step(ROWS[i]) ** 2)
    return total


def beside_another(x: Any) -> Any:
    cell, descent = Cell(x), Descent(x[0])
    values = [x[1], x[2]]
    for row in ROWS:
        descent.step(values)
        cell.step(row)
    return np.sum(cell.h**2) * values[0]


def made_again_in_a_loop(x: Any) -> Any:
    total = 0.0
    for row in ROWS:
        cell = Cell(x * row)
        cell.step(ROWS[0])
        total = total + np.sum(cell.h)
    return total


@pytest.mark.parametrize("f", [over_rows, by_index, beside_another, made_again_in_a_loop])
def test_the_methods_of_their_class_are_meant(f: Callable[[Any], Any]) -> None:
    check_grads(f, X)


def of_one_class_or_another(x: Any) -> Any:
    it: Any = Cell(x)
    values = [x[1], x[2]]
    for _ in range(2):
        it.step(values) if isinstance(it, Descent) else it.step(x)
        it = Descent(x[0])
    return values[0] * values[1]


def chosen(x: Any) -> Any:
    values = [x[1], x[2]]
    it: Any = Descent(x[0]) if x[0] > 0 else Cell(x)
    it.step(values)
    return values[0] * values[1]


def of_its_own_function(x: Any) -> Any:
    values = [x[1], x[2]]
    it: Any = Cell(x)
    it.__class__ = Descent
    it.rate = x[0]
    it.step(values)
    return values[0] * values[1]


def with_a_method_of_the_object(x: Any) -> Any:
    values = [x[1], x[2]]

    def change(v: Any) -> None:
        v[0] = v[0] * x[0]

    it: Any = Cell(x)
    it.step = change
    it.step(values)
    return values[0] * values[1]


def by_the_name_of_an_argument(x: Any) -> Any:
    def run(cell: Any, values: Any) -> None:
        cell.step(values)

    cell = Cell(x)
    cell.step(ROWS[0])
    values = [x[1], x[2]]
    run(Descent(x[0]), values)
    return values[0] * values[1] * np.sum(cell.h)


@pytest.mark.parametrize(
    "f",
    [
        *(of_one_class_or_another, chosen, of_its_own_function, with_a_method_of_the_object),
        by_the_name_of_an_argument,
    ],
)
def test_others_are_right_or_refused(f: Callable[[Any], Any]) -> None:
    found = np.array([(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)])
    v = np.array([0.3, -1.0, 0.5])
    for ask, expected in ((lambda: cr.grad(f)(X), found), (lambda: cr.jvp(f, (X,), (v,))[1], found @ v)):
        try:
            got = ask()
        except cr.ChainRulesError:
            continue
        np.testing.assert_allclose(got, expected, atol=1e-6)

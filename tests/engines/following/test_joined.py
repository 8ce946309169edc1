"""Expressions of several operations that run often: their texts, and what these leave to the sites."""

import math
import traceback
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr
from chainrules.engines.following import fused, joined
from chainrules.engines.specialised.running.entry import Settings

X = np.array([0.3, -0.4, 1.2])


@pytest.fixture(autouse=True)
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are written, each after few operations, where no whole program has one."""
    made: list[str] = []
    function = fused._Text.function

    def noted(self: Any, lines: list[str]) -> Any:
        made.append("\n".join(lines))
        return function(self, lines)

    monkeypatch.setattr(fused._Text, "function", noted)
    monkeypatch.setattr(joined, "OFTEN", 8)
    monkeypatch.setattr(Settings, "on", False)
    return made


def of_numbers(x):
    s = 0.0
    for i in range(9):
        s = s + x[i % 3] * x[i % 3] * 0.5 - math.sin(x[0]) / 3.0
    return s


def of_arrays(x):
    y = x
    for _ in range(9):
        y = np.sin(y) * 0.5 + y * x - 0.1 * np.exp(-y)
    return np.sum(y)


def of_parts(x):
    u = np.concatenate([x, 2.0 * x])
    for _ in range(9):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def in_place(x):
    s, y = x[0] * 0.0, x * 1.0
    for i in range(9):
        s += x[i % 3] * y[0] - 1.0
        y *= 1.0 + x * 0.1
    return s * np.sum(y)


class Held:
    def __init__(self, x: Any) -> None:
        self.parts, self.scale = {"x": x}, x[0]


def of_objects(x):
    h, total = Held(x), 0.0
    for i in range(9):
        total = total + h.scale * h.parts["x"][1] * (i + 1)
        h.scale = h.scale * 0.9 + x[2]
    return total


def stretched(x):
    c = np.ones((3, 3))
    for _ in range(9):
        c = c * x + x[0] * 0.1
    return np.sum(c)


def with_words(x):
    m, a = np.outer(x, x), np.arange(9.0).reshape(3, 3)
    for _ in range(9):
        m = np.clip(m, -3.0, 3.0) * 0.9 + np.where(m > 0.5, m * x, 0.1)
        m = m.T * 0.5 + a.T @ m * (0.01 / m.shape[0])
        m = m + 0.1 * np.sum(m, axis=1, keepdims=True) * np.mean(m * x, axis=0)
    return np.sum(m)


@pytest.mark.parametrize("f", [of_numbers, of_arrays, of_parts, in_place, of_objects, stretched, with_words])
def test_an_expression_that_runs_often_has_a_text(f: Any, texts: list[str]) -> None:
    for _ in range(2):
        rightly.grad(f)(X.copy())
    assert texts


def test_an_array_that_does_not_vary_changes_after_it_was_read(texts: list[str]) -> None:
    def f(x):
        c, s = [np.ones(3)], 0.0
        for _ in range(9):
            s = s + np.sum(x * c[0] * 2.0)
            c[0] *= 1.1
        return s

    expected = 2.0 * sum(1.1**k for k in range(9))
    np.testing.assert_allclose(cr.grad(f)(X), np.full(3, expected), rtol=1e-12)
    assert texts


def test_types_and_what_varies_may_change() -> None:
    def f(x):
        s, found = 1.0, []
        for i in range(24):
            a = (2.0, x[0], 3, x, np.float64(0.5))[i // 5]
            s = s * 0.5 + a * 0.1 + x[1]
            found.append(np.sum(s))
        return sum(found)

    for _ in range(2):
        rightly.grad(f)(X)


def test_what_is_computed_between_two_operations_comes_between_them() -> None:
    def f(x):
        y, s = x * 1.0, 0.0

        def change():
            y[0] = y[0] * 2.0
            return y[0]

        for _ in range(9):
            s = s + y[0] * 0.25 + change() * y[1] - 0.5 * y[0]
        return s

    rightly.grad(f)(X)


def test_operators_of_classes_run_once_each_in_order() -> None:
    told: list[str] = []

    class Loud:
        def __init__(self, v: Any, name: str) -> None:
            self.v, self.name = v, name

        def __mul__(self, other: Any) -> Any:
            told.append(self.name)
            return self.v * other

    def f(x):
        a, b, s = Loud(x[0], "a"), Loud(x[1], "b"), 0.0
        for _ in range(5):
            s = s + a * 2.0 - b * 3.0
        return s

    np.testing.assert_allclose(cr.grad(f)(X), [10.0, -15.0, 0.0])
    assert told == ["a", "b"] * 5


def test_a_rule_that_is_registered_later_holds() -> None:
    def cube(x: float) -> float:
        return x**3

    cr.rrule(cube)(lambda x: (x**3, lambda y_bar: (3 * x**2 * y_bar,)))

    def f(x):
        s = 0.0
        for _ in range(9):
            s = s + math.sin(x) * 2.0 + 1.0
        return s

    assert np.isclose(cr.grad(f)(0.5), 18.0 * math.cos(0.5))

    def twice(y: float) -> float:
        return 2.0 * y

    cr.rrule(twice)(lambda y: (2.0 * y, lambda y_bar: (2.0 * y_bar,)))  # all texts go, and come again
    for _ in range(2):
        assert np.isclose(cr.grad(f)(0.5), 18.0 * math.cos(0.5))


@pytest.mark.parametrize("f", [of_numbers, of_arrays])
def test_a_pullback_is_differentiated(f: Any, texts: list[str]) -> None:
    _, back = cr.vjp(f, X)
    assert texts
    gradient = back(1.0)[0]
    np.testing.assert_allclose(cr.grad(lambda s: back(s * s)[0][1])(3.0), 6.0 * gradient[1], rtol=1e-12)
    matrix = cr.jacobian(cr.grad(f))(X)
    step = 1e-6 * np.eye(3)
    columns = [(cr.grad(f)(X + d) - cr.grad(f)(X - d)) / 2e-6 for d in step]
    np.testing.assert_allclose(matrix, columns, rtol=1e-6, atol=1e-6)


def test_an_error_names_the_line_of_the_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHAINRULES_TRACEBACK", raising=False)

    def f(x):
        s = 0.0
        for i in range(9):
            s = s + x[0] * 2.0 / (7 - i)
        return s

    with pytest.raises(ZeroDivisionError) as raised:
        cr.grad(f)([0.5])
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert (last.name, last.line) == ("f", "s = s + x[0] * 2.0 / (7 - i)")

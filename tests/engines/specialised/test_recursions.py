"""Functions that call themselves with objects and functions among their arguments, and trees."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right


def simpson(f: Any, a: float, b: float, fa: Any, fm: Any, fb: Any, depth: int) -> Any:
    m, h = 0.5 * (a + b), b - a
    fl, fr = f(0.5 * (a + m)), f(0.5 * (m + b))
    coarse = h / 6 * (fa + 4 * fm + fb)
    fine = h / 12 * (fa + 4 * fl + 2 * fm + 4 * fr + fb)
    if depth == 0 or abs(fine - coarse) < 1e-6:
        return fine + (fine - coarse) / 15
    return simpson(f, a, m, fa, fl, fm, depth - 1) + simpson(f, m, b, fm, fr, fb, depth - 1)


def adaptive(x: Any) -> Any:
    def f(t: float) -> Any:
        return np.exp(-x[0] * t) * np.sin(x[1] * t) + x[2] * t * t

    return simpson(f, 0.0, 2.0, f(0.0), f(1.0), f(2.0), 5)


@dataclass
class Cell:
    gain: Any
    weights: Any

    def again(self, v: Any, n: int) -> Any:
        if n == 0:
            return v @ self.weights * self.gain
        return self.again(np.tanh(self.weights * v), n - 1)


def method(x: Any) -> Any:
    return Cell(x[0], x[1:4]).again(2 * x[1:4], 3)


def scaled(cell: Cell, v: Any, n: int) -> Any:
    if n < 1:
        return v
    return cell.weights * scaled(cell, np.tanh(cell.weights * v), n - 1)


def returned(x: Any) -> Any:
    return np.sum(scaled(Cell(x[0], x[1:4]), x[1:4] * x[0], 3) ** 2)


def nested(x: Any) -> Any:
    """An object in an object, and both handed on."""
    outer = Cell(Cell(x[0], x[1:3]), x[2:4])

    def go(c: Cell, n: int) -> Any:
        return (
            c.gain.gain * np.sum(c.gain.weights * c.weights)
            if n == 0
            else np.sin(go(c, n - 1)) + c.weights[0]
        )

    return go(outer, 3)


def even(cell: Cell, n: int, t: Any) -> Any:
    return t if n == 0 else odd(cell, n - 1, t * cell.gain)


def odd(cell: Cell, n: int, t: Any) -> Any:
    return t + 1 if n == 0 else even(cell, n - 1, np.sin(t) + cell.gain)


def mutual(x: Any) -> Any:
    return even(Cell(x[0], None), 6, x[1]) * x[2] + x[3]


class Leaf:
    def __init__(self, value: Any) -> None:
        self.value = value


class Split:
    def __init__(self, k: int, at: Any, left: Any, right: Any) -> None:
        self.k, self.at, self.left, self.right = k, at, left, right


def predicted(node: Any, x: Any) -> Any:
    if isinstance(node, Leaf):
        return node.value
    w = 1 / (1 + np.exp(-5 * (x[node.k] - node.at)))
    return w * predicted(node.left, x) + (1 - w) * predicted(node.right, x)


STUMPS = Split(0, 0.5, Leaf(1.0), Split(1, 0.2, Leaf(2.0), Leaf(-1.0)))


def by_inputs(x: Any) -> Any:
    return predicted(STUMPS, x) ** 2


def by_parts(x: Any) -> Any:
    tree = Split(0, x[0], Leaf(x[1]), Split(1, x[2], Leaf(x[3]), Leaf(x[0])))
    return predicted(tree, np.array([0.3, 0.5]))


SUM = ("+", ("*", ("x", 0), ("sin", ("x", 1))), ("*", ("c", 2.0), ("*", ("x", 0), ("x", 2))))


def valued(t: Any, x: Any) -> Any:
    if t[0] == "x":
        return x[t[1]]
    if t[0] == "c":
        return t[1]
    if t[0] == "sin":
        return np.sin(valued(t[1], x))
    a, b = valued(t[1], x), valued(t[2], x)
    return a + b if t[0] == "+" else a * b


def expression(x: Any) -> Any:
    return valued(SUM, x) * x[3]


PROGRAMS = [adaptive, method, returned, nested, mutual, by_inputs, by_parts, expression]


@pytest.mark.parametrize("f", PROGRAMS)
def test_recursion_has_a_text_that_is_right(f: Any) -> None:
    assert is_right(f, np.array([0.7, 1.3, 0.4, 0.9]))


@pytest.mark.parametrize("f", [adaptive, returned, by_parts, mutual])
def test_so_have_its_directions(f: Any) -> None:
    hold_directions(f, np.array([0.7, 1.3, 0.4, 0.9]))


class Total:
    def __init__(self, x: Any) -> None:
        self.x, self.total = x, 0.0

    def visit(self, n: int) -> None:
        if n:
            self.total = self.total + self.x[n] ** 2
            self.visit(n - 1)


def visited(x: Any) -> Any:
    total = Total(x)
    total.visit(3)
    return total.total * x[0]


def test_an_object_that_a_recursion_changes_is_left_to_the_ordinary_program() -> None:
    is_right(visited, np.array([0.7, 1.3, 0.4, 0.9]))

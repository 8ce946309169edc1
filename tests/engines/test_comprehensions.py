"""Comprehensions, generator expressions, `:=` and `match`, each program against differences."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from tests.engines.table import Table, check

from chainrules.core.engine import default_engine

table = Table()
X = np.array([1.0, 2.0, 3.5])


@table(X)
def a_list_with_a_condition(x):
    return sum([v * v for v in x if v > 1.5]) * x[0]


@table(X)
def two_loops(x):
    return sum(v * w for v in x for w in x if v > w)


@table(X)
def a_dict(x):
    d = {i: v**2 for i, v in enumerate(x)}
    return d[0] * d[2]


@table(X)
def inside_a_lambda(x):
    g = lambda k: np.sum(np.array([v * k for v in x]))  # noqa: E731  # the point of it
    return g(x[0]) + max(a * a for a in x)


@table(X)
def a_loop_over_a_generator(x):
    s = 0.0
    for v in (a * x[i] for i, a in enumerate(x) if a < 2.5):
        s += v
    return s


@table(X)
def nested(x):
    rows = [[x[i] * j for j in range(3)] for i in range(3)]
    return np.sum(np.array(rows) ** 2)


@table(X)
def assigned_in_a_test(x):
    if (n := x[0] * x[1]) > 1:
        return n * x[2]
    return n


@table(X)
def assigned_in_a_loop(x):
    y = x[0]
    while (y := y * x[1]) < 50:
        pass
    return y * x[2]


@table(X)
def stopping_early(x):
    if any(v > 2 for v in x) and all(v > 0 for v in x):
        return x[0] * 3 * next((v * x[0] for v in x if v > 1.5), 0.0)
    return x[1] * next(v for v in x if v > 1)


@dataclass
class Circle:
    r: float


@dataclass
class Box:
    a: float
    b: float


def area(shape):
    match shape:
        case Circle(r):
            return math.pi * r * r
        case Box(a, b=b) if a > b:
            return a * b * 2
        case Box(a, b):
            return a * b
        case [p, *q]:
            return p * area(q[0])
        case {"k": v, **rest}:
            return v * len(rest)
        case ("edge" | None) as nothing:
            return 0.0 if nothing is None else 1.0
        case int() | float():
            return shape * 3
        case _:
            return 1.0


@table(X)
def matched(x):
    boxes = area(Circle(x[0])) + area(Box(x[1], x[0])) + area(Box(x[0], x[2]))
    return boxes + area([x[2], Circle(x[1])]) + area({"k": x[0], "z": 1}) + area(x[0] * 1.0) + area(None)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize(
    "shape", [Circle(2.0), Box(1.0, 2.0), [2.0, Circle(1.0)], {"k": 3.0}, "edge", 4, b"x"]
)
def test_a_match_takes_what_python_takes(shape):
    value, _ = default_engine().value_and_pullback(area, shape)
    assert value == area(shape)

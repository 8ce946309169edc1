"""`del` of items and of names: specialised, and right."""

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right

X = np.array([0.5, 1.2, -0.3, 0.8])


def items(x: Any) -> Any:
    squares = [v * v for v in x]
    del squares[1]
    del squares[-1], squares[0]
    return sum(squares) * x[1]


def first_of_a_queue(x: Any) -> Any:
    left, total = list(x), 0.0
    while len(left) > 1:
        total += left[0] * left[1]
        del left[0]
    return total * len(left)


def name(x: Any) -> Any:
    y = np.sin(x)
    z = y * x
    del y
    y = z * x
    return np.sum(y)


def part(x: Any) -> Any:
    left = list(x)
    del left[1:3]
    return left[0] * left[1]


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for i in range(3):
        y = x * i
        total += np.sum(y)
        del y
    return total * x[0]


@pytest.mark.parametrize("f", [items, first_of_a_queue, name])
def test_right_and_specialised(f: Any) -> None:
    assert is_right(f, X)
    hold_directions(f, X)


@pytest.mark.parametrize("f", [part, in_a_loop])
def test_right_whether_specialised_or_not(f: Any) -> None:
    is_right(f, X)

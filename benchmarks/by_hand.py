"""Functions with pullbacks written by hand in NumPy, for what an adapter costs beside an engine's own way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class ByHand(NamedTuple):
    """One function at one size; `back` makes the arguments' cotangents of that of the value, it, and them."""

    name: str
    f: Callable[..., Any]
    back: Callable[..., tuple[Any, ...]]
    x: tuple[Any, ...]


def cases() -> list[ByHand]:
    """From calls that cost next to nothing, where an adapter costs most, to middling ones."""
    numbers = np.random.default_rng(0)
    small, matrix = (numbers.normal(size=(n, n)) + 8 * np.eye(n) for n in (8, 60))
    return [
        ByHand("sin, 10 numbers", np.sin, _sin, (numbers.normal(size=10),)),
        ByHand("sin, 1000 numbers", np.sin, _sin, (numbers.normal(size=1000),)),
        ByHand("matmul, 8 × 8", np.matmul, _matmul, (small, small + 1)),
        ByHand("solve, 60 × 60", np.linalg.solve, _solve, (matrix, numbers.normal(size=(60, 4)))),
        ByHand("inverse, 60 × 60", np.linalg.inv, _inv, (matrix,)),
    ]


def _sin(y_bar: Any, y: Any, x: Any) -> tuple[Any, ...]:
    return (y_bar * np.cos(x),)


def _matmul(y_bar: Any, y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    return y_bar @ b.T, a.T @ y_bar


def _solve(y_bar: Any, y: Any, a: Any, b: Any) -> tuple[Any, ...]:
    b_bar = np.linalg.solve(a.T, y_bar)
    return -b_bar @ y.T, b_bar


def _inv(y_bar: Any, y: Any, a: Any) -> tuple[Any, ...]:
    return (-y.T @ y_bar @ y.T,)

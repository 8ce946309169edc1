"""Calls that write into an array, as stores: `out=` and `where=`, `copyto`, `fill`, `put` and the like."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import hold_directions, is_right

X = np.array([0.7, -0.4, 1.3, 0.2, -1.1, 0.5])
PROGRAMS: list[Any] = []


def program(f: Any) -> Any:
    """Collect a program."""
    PROGRAMS.append(f)
    return f


@program
def rows(p: Any) -> Any:
    out = np.empty((4, 6))
    out[0] = p
    for i in range(1, 4):
        np.multiply(out[i - 1], p, out=out[i])
        out[i] += 1.0
        np.sin(out[i], out=out[i])
    return np.sum(out)


@program
def a_slice(p: Any) -> Any:
    y = np.zeros(6)
    np.add(p[:3], p[3:], out=y[:3])
    np.exp(y, out=y)
    return np.sum(y * p)


@program
def overlapping(p: Any) -> Any:
    y = p * 1.5
    np.multiply(y, y[::-1], out=y)
    return np.sum(y**2)


@program
def by_position(p: Any) -> Any:
    y = np.zeros(6)
    np.multiply(p, 2.0, y)
    return np.sum(y * p)


@program
def the_value_too(p: Any) -> Any:
    y = np.zeros(6)
    z = np.multiply(p, p, out=y) * 2.0
    y[0] = 3.0
    return np.sum(z * p) + np.sum(y)


@program
def in_one_object(p: Any) -> Any:
    y = np.zeros(6)
    z = np.square(p, out=y)
    y[1] = 0.0
    return np.sum(z * p)


@program
def of_functions(p: Any) -> Any:
    y, z = np.zeros(6), np.empty((2, 3))
    np.dot(np.outer(p, p), p, out=y)
    np.clip(y, -0.5, 0.5, out=y)
    np.cumsum(y, out=y)
    np.sum(np.outer(p, y).reshape(6, 2, 3), axis=0, out=z)
    return np.sum(y * p) + np.sum(z**2)


class Buffers:
    def __init__(self) -> None:
        self.y = np.zeros(6)

    def run(self, p: Any) -> Any:
        np.subtract(p, 1.0, out=self.y)
        np.tanh(self.y, self.y)
        return np.sum(self.y * p)


@program
def a_field(p: Any) -> Any:
    return Buffers().run(p)


@program
def safely(p: Any) -> Any:
    q = p[::-1]
    ratio = np.divide(p, q, out=np.zeros_like(p), where=q > 0)
    logs = np.full(6, 0.5)
    np.log(p, out=logs, where=p > 0)
    return np.sum(ratio * logs * p)


@program
def at_zero(p: Any) -> Any:
    q = np.maximum(p, 0.0)
    root = np.sqrt(q, out=np.zeros(6), where=q > 0)
    return np.sum(np.divide(root, q, out=np.ones(6), where=q > 0))


@program
def broadcast(p: Any) -> Any:
    return np.sum(np.multiply(p, 2.0, out=np.zeros((3, 6))) * np.arange(18.0).reshape(3, 6))


@program
def copied(p: Any) -> Any:
    y, z = np.zeros(6), np.zeros((2, 6))
    np.copyto(y, p * 2.0)
    np.copyto(z[1], y)
    np.copyto(z[0, :3], p[0])
    np.copyto(z[0], p**2, where=p > 0.0)
    np.copyto(y, 3.0, where=p < 0.0)
    return np.sum(z**2 * p) + np.sum(y**2)


@program
def filled(p: Any) -> Any:
    y = np.zeros((2, 3))
    y.fill(p[0])
    y[1].fill(p[1] * 2.0)
    return np.sum(y**3)


@program
def diagonals(p: Any) -> Any:
    a, b, c = np.outer(p, p), np.zeros((6, 3)), np.zeros((6, 7))
    np.fill_diagonal(a, 1.0)
    np.fill_diagonal(b, p[:3])
    np.fill_diagonal(c, p * p)
    return np.sum(a @ b) + np.sum(c @ np.arange(7.0))


@program
def put(p: Any) -> Any:
    y = np.zeros(6)
    np.put(y, [1, 4], p[:2])
    np.put(y, np.array([2, -1]), p[0] * p[1])
    return np.sum(y * p)


@program
def taken_away(p: Any) -> Any:
    y = np.zeros(3)
    np.subtract.at(y, [0, 1, 1, 2, 0, 2], p)
    np.add.at(y, [0, 0], p[:2] * 2.0)
    return np.sum(y**3)


@program
def counted(p: Any) -> Any:
    return np.sum(np.fromiter((v * v for v in p if v > 0), float) * p[0])


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_text_is_right(f: Any) -> None:
    assert is_right(f, X)


@pytest.mark.parametrize("f", PROGRAMS)
def test_directions(f: Any) -> None:
    hold_directions(f, X)


def test_an_array_that_is_given() -> None:
    def f(p: Any, y: Any) -> Any:
        np.multiply(p, 2.0, out=y)
        np.copyto(y[:2], p[:2])
        return np.sum(y**2)

    with specialised_after(1):
        for _ in range(3):
            y = np.ones(6)
            found = cr.grad(f)(X, y)
            np.testing.assert_allclose(found, np.where(np.arange(6) < 2, 2.0, 8.0) * X)
            np.testing.assert_allclose(y, np.where(np.arange(6) < 2, 1.0, 2.0) * X)


class Tank:
    def __init__(self) -> None:
        self.level = 1.0

    def fill(self, v: Any) -> None:
        self.level = self.level * v

    def __setitem__(self, key: Any, v: Any) -> None:
        raise AssertionError("nothing is stored")


def test_a_method_of_that_name() -> None:
    def f(p: Any) -> Any:
        tank = Tank()
        tank.fill(p[0])
        tank.fill(p[1])
        return tank.level * p[2]

    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(X)[:3], [X[1] * X[2], X[0] * X[2], X[0] * X[1]])

"""What pullbacks keep of arrays that change later: masks and places too, changed by what is written in C."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr

CHANGES: dict[str, Callable[[Any], object]] = {
    "a ufunc": lambda c: np.logical_not(c, out=c),
    "putmask": lambda c: np.putmask(c, [True, True, True], False),
    "copyto": lambda c: np.copyto(c, False),
    "fill": lambda c: c.fill(False),
    "sort": lambda c: c.sort(),
    "an operator": lambda c: c.__ior__(True),
    "a store": lambda c: c.__setitem__(slice(None), True),
    "shuffling": lambda c: np.random.default_rng(1).shuffle(c),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_mask_that_is_changed_after_it_was_read(name: str) -> None:
    change = CHANGES[name]

    def f(x: Any) -> Any:
        c = np.array([True, False, True])
        y = np.where(c, x, 2.0 * x)
        change(c)
        return np.sum(y)

    def inside(x: Any) -> Any:
        c = [np.array([True, False, True])]
        y = np.where(c[0], x, 2.0 * x)
        change(c[0])
        return np.sum(y)

    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(cr.grad(f)(x), [1.0, 2.0, 1.0])
    np.testing.assert_array_equal(cr.grad(inside)(x), [1.0, 2.0, 1.0])
    np.testing.assert_array_equal(cr.jvp(f, (x,), (np.eye(3)[1],))[1], 2.0)


def test_places_that_are_changed_after_they_were_read() -> None:
    def f(x: Any) -> Any:
        i = np.array([0, 0, 1, 2])
        y = np.take(x, i) * x[i] * np.arange(4.0)
        np.copyto(i, 2)
        np.negative(i, out=i)
        return np.sum(y)

    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(cr.grad(f)(x), 2 * x * [1.0, 2.0, 3.0])


def test_what_is_read_by_places_adds_up_in_an_array_of_its_own() -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s = s + x[i] * x[-1 - i] + x[i : i + 1][0] + x[None, i][0]
        return s

    x = np.arange(1.0, 6.0)
    y, pullback = cr.vjp(f, x)
    for scale in (1.0, 2.0):
        (t,) = pullback(scale)
        seen.append(t.copy())
        t[:] = 99.0  # what a pullback gave belongs to its caller
    np.testing.assert_array_equal(seen[0], 2 * x[::-1] + 2)
    np.testing.assert_array_equal(seen[1], 2 * seen[0])
    assert y == np.sum(x * x[::-1]) + 2 * np.sum(x)


def square(x: Any) -> Any:
    return x * x


def cube(x: Any) -> Any:
    return x**3


@cr.rrule(square)
def square_rrule(x: np.ndarray) -> Any:
    def square_pullback(y_bar: Any, *, x: Any = x) -> Any:
        return (2 * x * y_bar,)

    return square(x), square_pullback


@cr.rrule(cube)
def cube_rrule(x: np.ndarray) -> Any:
    def cube_pullback(y_bar: Any) -> Any:
        return (3 * cube_pullback.x**2 * y_bar,)  # type: ignore[attr-defined]

    cube_pullback.x = x  # type: ignore[attr-defined]
    return cube(x), cube_pullback


def test_what_a_pullback_has_by_name() -> None:
    def f(x: Any) -> Any:
        u = x * 1.0
        y = np.sum(square(u)) + np.sum(cube(u))
        u[:] = 7.0
        return y + np.sum(u)

    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(cr.grad(f)(x), 2 * x + 3 * x**2)

"""Slopes of small states by single numbers: the same as by arrays, which answer where these do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate

import chainrules as cr
from chainrules.engines.specialised.running import variation

from .compared import differences

P = np.array([1.1, 0.4, 0.7, 0.3])


def solved(f: Any, args: Any = (), method: str = "RK45") -> Any:
    return integrate.solve_ivp(
        f, (0.0, 2.0), [1.0, 0.5], args=args, method=method, rtol=1e-9, atol=1e-11, t_eval=[0.7, 2.0]
    ).y.sum()


def by_unpacking(p: Any) -> Any:
    def f(t: Any, y: Any, a: Any, b: Any) -> Any:
        u, v = y
        return [a * u - b * u * v, -v + b * u * v]

    return solved(f, (p[0], p[1]))


def by_indices(p: Any) -> Any:
    return solved(lambda t, y: np.array([p[0] * y[1], -p[1] * y[0] - p[2] * y[-1] * t]))


def of_a_whole_vector(p: Any) -> Any:
    return solved(lambda t, y: [np.sum(p * p) * y[1], -p[3] * y[0]])


def of_the_whole_state(p: Any) -> Any:
    return solved(lambda t, y: [-p[0] * y[0], np.sum(y * y) * -p[1]])


def by_odeint(p: Any) -> Any:
    def f(y: Any, t: Any, a: Any, b: Any) -> Any:
        u, v = y
        return [a * v, -b * u]

    return np.sum(integrate.odeint(f, [1.0, p[2]], np.linspace(0.0, 2.0, 9), args=(p[0], p[1])))


def of_what_does_not_move(p: Any) -> Any:
    return solved(lambda t, y: [p[0] * y[1], -1.0])


PROGRAMS: list[Callable[[Any], Any]] = [
    by_unpacking, by_indices, of_a_whole_vector, of_the_whole_state, by_odeint, of_what_does_not_move,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients_are_right(f: Any) -> None:
    for x in (P, P, P, P, 1.3 * P[::-1]):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("f", [by_unpacking, by_indices, of_a_whole_vector, by_odeint])
def test_the_numbers_answer(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(4):
        expected = cr.grad(f)(P)

    def asked(self: Any, *x: Any) -> Any:
        raise AssertionError("the arrays were asked")

    monkeypatch.setattr(variation.Varied, "__call__", asked)
    assert np.allclose(cr.grad(f)(P), expected, rtol=1e-12)


def test_a_power_that_is_complex_in_python_is_left_to_the_arrays() -> None:
    def f(p: Any) -> Any:
        def slope(t: Any, y: Any) -> Any:
            rate = np.nan_to_num((y[0] - p[0]) ** 1.5) if t > 5.0 else p[1]
            return [-rate * y[0], p[0] * y[1]]

        return solved(slope)

    for _ in range(5):
        assert np.allclose(cr.grad(f)(P), differences(f, P, 1e-5), rtol=1e-5, atol=1e-6)


def test_what_grows_without_bound_ends_as_ever() -> None:
    def f(a: Any) -> Any:
        found = integrate.solve_ivp(lambda t, y: [a * y[0] ** 2, 1.0 / (1.0 - a * t)], (0.0, 0.9), [1.0, 0.0])
        return found.y[0, -1]

    for _ in range(5):
        assert np.isclose(cr.grad(f)(1.0), 0.9 / (1.0 - 0.9) ** 2, rtol=0.05)

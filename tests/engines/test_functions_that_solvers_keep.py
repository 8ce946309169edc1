# ruff: noqa: B023  the functions capture variables of loops
"""Functions that are handed to solvers and integrals, and capture what is bound anew or changed later.

A rule of a library calls such a function again in its pullback, after the program has gone on. It has to
find what was there when it was handed on.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings

AT = np.array([1.5, 2.0, 0.7])
ALONG = np.array([1.0, -0.5, 0.3])
CLOSE = {"rtol": 1e-9, "atol": 1e-11}


class Decay:
    """A rate that is bound anew."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def __call__(self, x: Any) -> Any:
        return np.exp(-self.a * x * self.b)

    def along(self, x: Any) -> Any:
        return np.exp(-self.a * x * self.b)


def an_integral_in_each_turn(p: Any) -> Any:
    total = 0.0
    for i in range(3):
        total = total + integrate.quad(lambda x: np.exp(-p[0] * x * (i + 1)), 0.0, p[1])[0]
    return total


def an_integral_of_the_last_one(p: Any) -> Any:
    c = p[1]
    for _ in range(3):
        c = integrate.quad(lambda x: np.exp(-p[0] * x * c), 0.0, 1.0)[0]
    return c


def an_equation_in_each_turn(p: Any) -> Any:
    total = 0.0
    for i in range(3):
        found = integrate.solve_ivp(
            lambda t, y: -p[0] * (i + 1) * y * y, (0.0, 1.0), np.array([p[1]]), **CLOSE
        )
        total = total + found.y[0, -1]
    return total


def an_equation_by_odeint(p: Any) -> Any:
    c = p[1]
    for i in range(3):
        c = integrate.odeint(lambda y, t: -p[0] * (i + 1) * y, np.array([c]), np.array([0.0, 1.0]), **CLOSE)[
            -1, 0
        ]
    return c


def a_root_in_each_turn(p: Any) -> Any:
    x = 1.0
    for i in range(3):
        x = optimize.brentq(lambda v: v**3 + p[0] * v - p[1] * (i + 1) - 0.1 * x, 0.0, 5.0)
    return x


def a_system_in_each_turn(p: Any) -> Any:
    total = 0.0
    for i in range(3):
        total = total + np.sum(optimize.root(lambda x: x**3 + p[0] * x - p[1] * (i + np.ones(2)), AT[:2]).x)
    return total


def a_minimum_in_each_turn(p: Any) -> Any:
    total = 0.0
    for i in range(3):
        start = np.ones(2)
        total = total + np.sum(
            optimize.minimize(lambda x: np.sum((x - p[0] * i) ** 2 + x**4), start, tol=1e-9).x
        )
    return total


def a_constraint_in_each_turn(p: Any) -> Any:
    total = 0.0
    for i in range(2):
        held = {"type": "eq", "fun": lambda x: np.sum(x) - p[0] * (i + 1)}
        found = optimize.minimize(lambda x: np.sum((x - p) ** 2), np.ones(3), constraints=[held], tol=1e-10)
        total = total + np.sum(found.x**2)
    return total


def a_solution_of_ones_own(p: Any) -> Any:
    total = 0.0
    for i in range(3):
        x = float(np.cbrt(cr.stop_gradient(p[0] * (i + 1))))
        total = total + cr.implicit.root(lambda x: x**3 - p[0] * (i + 1), x)
    return total


def a_function_in_a_function(p: Any) -> Any:
    k = 2.0

    def rate(x: Any) -> Any:
        return -p[0] * x * k

    def decay(x: Any) -> Any:
        return np.exp(rate(x))

    y = integrate.quad(decay, 0.0, p[1])[0]
    k = 5.0
    return y * k


def a_function_that_counts(p: Any) -> Any:
    calls, k = 0, 2.0

    def decay(x: Any) -> Any:
        nonlocal calls
        calls += 1
        return np.exp(-p[0] * x * k)

    y = integrate.quad(decay, 0.0, p[1])[0]
    k = 5.0
    return y * k if calls else y


def what_is_differentiated(p: Any) -> Any:
    q = p
    y = integrate.quad(lambda x: np.exp(-q[0] * x), 0.0, q[1])[0]
    q = q * 2.0
    return y * q[1]


def an_implicit_step(p: Any) -> Any:
    y = np.array([1.0, 0.5])
    for _ in range(4):
        y = optimize.fsolve(lambda z: z - y + 0.1 * p[0] * z**3 + 0.1 * p[1] * np.roll(z, 1), y, xtol=1e-12)
    return np.sum(y**2)


def an_implicit_step_by_root(p: Any) -> Any:
    y = np.array([1.0, 0.5])
    for _ in range(4):
        y = optimize.root(lambda z: z - y + 0.1 * p[0] * z**3 + 0.1 * p[1] * np.roll(z, 1), y, tol=1e-12).x
    return np.sum(y**2)


def a_list_of_steps(p: Any) -> Any:
    every = [p[2]]
    for _ in range(4):
        every.append(optimize.brentq(lambda z: z - every[-1] + 0.1 * p[0] * z**3 + 0.1 * p[1], -9.0, 9.0))
    return sum(every)


def an_array_of_steps(p: Any) -> Any:
    y = np.zeros(5)
    y[0] = p[2]
    for k in range(4):
        y[k + 1] = optimize.brentq(lambda z: z - y[k] + 0.1 * p[0] * z**3 + 0.1 * p[1], -9.0, 9.0)
    return np.sum(y**2)


def a_field_that_is_set(p: Any) -> Any:
    held, total = Decay(p[0], p[1]), 0.0
    for _ in range(3):
        held.b = integrate.quad(lambda x: np.exp(-held.a * x * held.b), 0.0, 1.0)[0]
        total = total + held.b
    return total


def an_array(p: Any) -> Any:
    k = np.array([2.0])
    y = integrate.quad(lambda x: np.exp(-p[0] * x * k[0]), 0.0, p[1])[0]
    k[0] = 5.0
    return y * k[0]


def an_object(p: Any) -> Any:
    decay = Decay(p[0], 2.0)
    y = integrate.quad(decay, 0.0, p[1])[0]
    decay.b = 5.0
    return y * decay.b


def a_method(p: Any) -> Any:
    decay = Decay(p[0], 2.0)
    y = integrate.quad(decay.along, 0.0, p[1])[0]
    decay.b = 5.0
    return y * decay.b


PROGRAMS = [
    *(an_integral_in_each_turn, an_integral_of_the_last_one, an_equation_in_each_turn, an_equation_by_odeint),
    *(a_root_in_each_turn, a_system_in_each_turn, a_minimum_in_each_turn, a_constraint_in_each_turn),
    *(a_solution_of_ones_own, a_function_in_a_function, a_function_that_counts, what_is_differentiated),
    *(an_implicit_step, an_implicit_step_by_root, a_list_of_steps, an_array_of_steps, a_field_that_is_set),
    *(an_array, an_object, a_method),
]


def differences(f: Callable[[Any], Any], h: float = 1e-4) -> Any:
    """The gradient by central differences."""
    return np.array([(f(AT + e) - f(AT - e)) / (2 * h) for e in h * np.eye(len(AT))])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_the_derivative_is_that_of_what_was_handed_on(f: Callable[[Any], Any]) -> None:
    expected = differences(f)
    for _ in range(1 + Settings.runs):
        np.testing.assert_allclose(cr.grad(f)(AT), expected, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(cr.jvp(f, (AT,), (ALONG,))[1], expected @ ALONG, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    "f",
    [an_integral_in_each_turn, an_equation_in_each_turn, a_root_in_each_turn, a_function_in_a_function],
    ids=lambda f: str(f.__name__),
)
def test_second_derivatives(f: Callable[[Any], Any]) -> None:
    h = 1e-5
    expected = (cr.grad(f)(AT + h * ALONG) - cr.grad(f)(AT - h * ALONG)) / (2 * h)
    np.testing.assert_allclose(cr.hvp(f, AT, ALONG), expected, rtol=1e-3, atol=1e-5)
    twice = cr.grad(lambda p: np.dot(cr.grad(f)(p), ALONG))(AT)
    np.testing.assert_allclose(twice, expected, rtol=1e-3, atol=1e-5)


def counted(solve: Callable[[Any, Any], Any], body: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """A program that hands on a function which counts its calls, and takes the count times what comes out."""

    def f(p: Any) -> Any:
        calls = 0

        def counting(x: Any) -> Any:
            nonlocal calls
            calls += 1
            return body(x, p)

        return solve(counting, p) * calls

    return f


def decayed(x: Any, p: Any) -> Any:
    return np.exp(-p[0] * x)


COUNTED = {
    "an integral": counted(lambda g, p: integrate.quad(g, 0.0, p[1])[0], decayed),
    "a root": counted(lambda g, p: optimize.bisect(g, 0.0, 5.0), lambda x, p: x**3 + p[0] * x - p[1]),
    "a sum": counted(lambda g, p: integrate.fixed_quad(g, 0.0, p[1])[0], decayed),
    "an axis": counted(
        lambda g, p: np.sum(np.apply_along_axis(g, 1, np.outer(p, p))), lambda row, p: row * p[0]
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_calls_are_counted_once(name: str) -> None:
    f = COUNTED[name]
    expected = differences(f)
    for _ in range(1 + Settings.runs):
        value, gradient = cr.value_and_grad(f)(AT)
        np.testing.assert_allclose(value, f(AT), rtol=1e-12)
        np.testing.assert_allclose(gradient, expected, rtol=1e-3, atol=1e-4)
    value, tangent = cr.jvp(f, (AT,), (ALONG,))
    np.testing.assert_allclose(value, f(AT), rtol=1e-12)
    np.testing.assert_allclose(tangent, expected @ ALONG, rtol=1e-3, atol=1e-4)


def test_what_was_appended_is_appended_once_forward() -> None:
    def f(p: Any) -> Any:
        trace = []

        def decay(x: Any) -> Any:
            trace.append(x)
            return np.exp(-p[0] * x)

        return integrate.quad(decay, 0.0, p[1])[0] * len(trace)

    value, tangent = cr.jvp(f, (AT,), (ALONG,))
    np.testing.assert_allclose(value, f(AT), rtol=1e-12)
    np.testing.assert_allclose(tangent, differences(f) @ ALONG, rtol=1e-3)

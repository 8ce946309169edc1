# ruff: noqa: B023  some functions capture variables of loops
"""Programs with solvers: calls that are given functions stand in specialised texts."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings, specialised_after
from chainrules.engines.specialised.running.shown import text_of

P = np.array([1.5, 2.0, 0.7])
T = np.linspace(0.0, 2.0, 20)


@dataclass
class Rates:
    a: Any
    b: Any


class Pair(NamedTuple):
    a: Any
    b: Any


class Model:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def residual(self, x: Any) -> Any:
        return x**3 + self.a * x - self.b

    def root(self) -> Any:
        return optimize.brentq(lambda x: self.residual(x), 0.0, 5.0)


def cubic(x, a, b):
    return x**3 + a * x - b


def decay(t, a, b):
    return a * np.exp(-b * t)


def predators(t, y, a, b):
    return np.array([a * y[0] - b * y[0] * y[1], y[0] * y[1] - y[1]])


def by_arguments(p):
    return optimize.brentq(cubic, 0.0, 5.0, args=(p[0], p[1])) * p[2]


def by_capture(p):
    return optimize.brentq(lambda x: x**3 + p[0] * x - p[1], 0.0, 5.0) * p[2]


def by_functions_in_functions(p):
    a, b, c = p

    def line(x):
        return a * x + b

    def residual(x):
        return x**3 + line(x) - 3 * c

    return optimize.brentq(residual, -10.0, 10.0) * b


def by_a_dictionary(p):
    q = {"a": p[0], "b": p[1]}

    def residual(x):
        return np.array([x[0] ** 2 + q["a"] * x[1] - q["b"] - 3.0, x[1] - x[0] * p[2]])

    return np.sum(optimize.fsolve(residual, np.array([1.0, 1.0]), xtol=1e-12) ** 2)


def by_a_dataclass(p):
    rates = Rates(p[0], p[1])
    found = optimize.root(
        lambda x: np.array([x[0] ** 3 + rates.a * x[0] - rates.b, x[1] - x[0] * p[2]]),
        np.array([1.0, 1.0]),
        tol=1e-12,
    )
    if not found.success:
        raise ValueError(found.message)
    return np.sum(found.x * np.array([1.0, 2.0]))


def by_a_named_tuple(p):
    return optimize.newton(lambda x, pair: x**3 + pair.a * x - pair.b, 1.0, args=(Pair(p[0], p[1]),)) * p[2]


def by_an_object(p):
    return Model(p[0], p[1]).root() * p[2]


def in_each_turn(p):
    total, x = 0.0, 1.0
    for i in range(4):
        x = optimize.brentq(lambda v: v**3 + p[0] * v - p[1] * (i + 1) - 0.1 * x, 0.0, 10.0)
        total = total + x * p[2]
    return total


def implicit_steps(p):
    y = np.array([1.0, 0.5])
    for _ in range(4):
        y = optimize.root(lambda z: z - y + 0.1 * p[0] * z**3 + 0.1 * p[1] * np.roll(z, 1), y, tol=1e-12).x
    return np.sum(y**2) * p[2]


def implicit_steps_by_name(p):
    y = np.array([1.0, 0.5])
    for _ in range(4):

        def residual(z):
            return z - y + 0.1 * p[0] * z**3 + 0.1 * p[1] * np.roll(z, 1)

        before = residual(y)
        y = optimize.fsolve(residual, y, xtol=1e-12) + 0.01 * before
    return np.sum(y**2) * p[2]


def a_branch_inside(p):
    def residual(x):
        if x < 0.5:
            return x - p[0]
        return x**3 + p[0] * x - p[1]

    return optimize.brentq(residual, 0.0, 5.0) * p[2]


def a_bracket_by_name(p):
    return optimize.root_scalar(cubic, args=(p[0], p[1]), bracket=[0.0, 5.0], xtol=1e-13).root * p[2]


def a_minimum(p):
    found = optimize.minimize(lambda x: np.sum((x - p) ** 2) + 0.1 * np.sum(x**4), np.zeros(3), tol=1e-7)
    return found.fun + found.x[0] * p[1]


def a_fit(p):
    y = decay(T, p[0], p[1]) + 0.01 * p[2] * np.sin(5.0 * T)
    found, _ = optimize.curve_fit(decay, T, y, p0=np.array([1.0, 1.0]), ftol=1e-13, xtol=1e-13)
    return found[0] * 2.0 + found[1]


def least_squares(p):
    def residual(x):
        return np.concatenate([decay(T, x[0], x[1]) - decay(T, p[0], p[1]), 0.1 * p[2] * x])

    found = optimize.least_squares(residual, np.array([1.0, 1.0]), xtol=1e-14, ftol=1e-14, gtol=1e-14)
    return found.x[0] + 2.0 * found.x[1] + found.cost


def a_minimum_within_bounds(p):
    found = optimize.minimize_scalar(
        lambda x: (x - p[0]) ** 2 + p[1] * np.cos(x), bounds=(0.0, 4.0), options={"xatol": 1e-11}
    )
    return found.x * p[2] + found.fun


def a_fit_with_errors(p):
    y = decay(T, p[0], p[1]) + 0.01 * p[2] * np.sin(5.0 * T)
    found, _ = optimize.curve_fit(decay, T, y, p0=[1.0, 1.0], sigma=0.1 + T, ftol=1e-13, xtol=1e-13)
    return found[0] * 2.0 + found[1]


def a_fixed_point(p):
    found = optimize.fixed_point(lambda x: np.cos(x) * p[0] / 4 + p[1], np.array([0.5, 0.7]), xtol=1e-12)
    return np.sum(found) * p[2]


def differences(f: Callable[[Any], Any], h: float = 1e-4) -> Any:
    """The gradient by central differences, over steps that are long beside what solvers leave."""
    return np.array([(f(P + e) - f(P - e)) / (2 * h) for e in h * np.eye(len(P))])


PROGRAMS = [
    *(by_arguments, by_capture, by_functions_in_functions, by_a_dictionary, by_a_dataclass, by_a_named_tuple),
    *(
        by_an_object,
        in_each_turn,
        implicit_steps,
        implicit_steps_by_name,
        a_branch_inside,
        a_bracket_by_name,
        a_minimum,
        a_fit,
        least_squares,
    ),
    *(a_minimum_within_bounds, a_fit_with_errors, a_fixed_point),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f):
    with specialised_after(1, compared=True):
        for k in range(3):
            cr.grad(f)(P + 0.01 * k)
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(P)
        assert text_of(f)
    np.testing.assert_allclose(found, differences(f), rtol=2e-3, atol=1e-4)


READ = [
    *(by_a_named_tuple, a_minimum_within_bounds, a_fit, a_fit_with_errors, least_squares, a_fixed_point),
    *(by_capture, by_a_dictionary, by_a_dataclass),
]


@pytest.mark.parametrize("f", READ, ids=lambda f: f.__name__)
def test_rules_of_solvers_are_read(f):
    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(2):
            cr.grad(f)(P)
        assert re.search("as_tuple|refuse_unconverged|found_1_", text_of(f))  # of the rule's own program
    assert met == []


@pytest.mark.parametrize("f", [by_arguments, by_a_dataclass, a_minimum], ids=lambda f: f.__name__)
def test_directions(f):
    v, h = np.array([1.0, -0.5, 0.3]), 1e-4
    with specialised_after(1):
        for _ in range(3):
            _, dy = cr.jvp(f, (P,), (v,))
            hv = cr.hvp(f, P, v)
    np.testing.assert_allclose(dy, differences(f) @ v, rtol=2e-3, atol=1e-4)
    slope = (cr.grad(f)(P + h * v) - cr.grad(f)(P - h * v)) / (2 * h)
    np.testing.assert_allclose(hv, slope, rtol=5e-3, atol=1e-3)


def called_later(p):
    y = p * 1.0

    def residual(z):
        return z - y + 0.1 * p[0] * z**3

    y = optimize.fsolve(residual, y, xtol=1e-12)
    return np.sum(residual(y) ** 2)


def called_in_a_loop(p):
    total, y = 0.0, p[0]

    def residual(z):
        return z**3 + z - y

    for i in range(3):
        total = total + optimize.brentq(residual, -5.0, 5.0)
        y = y + p[1] * i
    return total


@pytest.mark.parametrize("f", [called_later, called_in_a_loop], ids=lambda f: f.__name__)
def test_what_is_called_after_a_variable_changed_is_left_to_the_ordinary_program(f):
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(P)
        assert not text_of(f)
    np.testing.assert_allclose(found, differences(f), rtol=1e-3)


def counted(calls: list[float]) -> Callable[[Any], Any]:
    """A program whose function notes its calls outside of it."""

    def f(p):
        def residual(x):
            calls.append(x)
            return x**3 + p[0] * x - p[1]

        return optimize.bisect(residual, 0.0, 5.0) * p[2]

    return f


def counted_seldom(calls: list[float]) -> Callable[[Any], Any]:
    """The same, in a branch that the first runs do not take."""

    def f(p):
        def residual(x):
            if p[2] > 100.0:
                calls.append(x)
            return x**3 + p[0] * x - p[1]

        return optimize.bisect(residual, 0.0, 5.0) * p[2]

    return f


def counted_by_what_is_not_called(calls: list[float]) -> Callable[[Any], Any]:
    """The same, in a derivative that the solver's method does not ask for."""

    def f(p):
        def slope(x):
            calls.append(x)
            return 3.0 * x**2 + p[0]

        found = optimize.root_scalar(
            cubic, args=(p[0], p[1]), fprime=slope, bracket=(0.0, 5.0), method="bisect"
        )
        return found.root * p[2]

    return f


@pytest.mark.parametrize("make", [counted, counted_seldom, counted_by_what_is_not_called])
def test_functions_with_effects_are_left_to_the_ordinary_program(make):
    calls: list[float] = []
    met: list[str] = []
    f = make(calls)
    with specialised_after(1, met=met):
        for _ in range(1 + Settings.runs):
            calls.clear()
            try:
                cr.grad(f)(P)
            except cr.AliasedMutationError:
                assert make is counted
    assert met or make is counted
    first = [*calls]
    calls.clear()
    f(P)
    assert first == calls


def test_a_solver_that_prints_prints_once(capsys):
    def f(p):
        found = optimize.minimize(lambda x: np.sum((x - p) ** 2), np.zeros(3), options={"disp": True})
        return np.sum(found.x**2)

    f(P)
    once = capsys.readouterr().out
    with specialised_after(1):
        for _ in range(3):
            cr.grad(f)(P)
            assert capsys.readouterr().out == once


def test_entries_without_derivative_are_refused():
    def f(p):
        found = optimize.minimize(lambda x: np.sum((x - p) ** 2 + x**4), np.zeros(3))
        return np.sum(found.hess_inv)

    with specialised_after(1):
        for _ in range(3):
            with pytest.raises(cr.NoRuleError, match="hess_inv"):
                cr.grad(f)(P)

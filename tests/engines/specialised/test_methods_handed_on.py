"""Methods, and functions of which some arguments are given, that a function hands to a solver."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize
from scipy.interpolate import CubicSpline

import chainrules as cr

from .compared import differences, refuse_solvers_the_ordinary_program

X, ELSEWHERE = np.array([1.3, 0.7]), np.array([0.9, 1.1])
V = np.array([0.3, -0.8])
SITES = np.linspace(0.0, 1.0, 5)


class Model:
    """Has two parameters."""

    scale = 2.0

    def __init__(self, k: Any, m: Any) -> None:
        self.k, self.m = k, m

    def at(self, t: Any) -> Any:
        return self.scale * self.k * np.exp(-self.m * t)

    def times(self, t: Any, c: Any) -> Any:
        return self.at(t) * c

    def slope(self, t: Any, y: Any) -> Any:
        return [-self.k * y[0] + self.m * y[1], self.k * y[0] - 2 * self.m * y[1]]

    def cubic(self, z: Any) -> Any:
        return z**3 + self.k * z - self.m

    def system(self, z: Any) -> Any:
        return np.array([z[0] ** 3 + self.k * z[1] - self.m, z[1] - self.m * z[0] ** 2])

    def cost(self, z: Any) -> Any:
        return (z[0] - self.k) ** 2 + (z[1] - self.m * z[0]) ** 2

    def total(self) -> Any:
        return area(self.at)


class Steeper(Model):
    """Asks the class above."""

    def at(self, t: Any) -> Any:
        return super().at(t) + t * self.k


class Curved:
    """Holds a spline."""

    def __init__(self, x: Any) -> None:
        self.curve, self.k = CubicSpline(SITES, x[0] * SITES**2 + x[1]), x[0]

    def at(self, t: Any) -> Any:
        return self.curve(t) ** 2 * self.k


def area(f: Any, *args: Any) -> Any:
    return integrate.quad(f, 0.0, 1.0, args=args, epsabs=1e-12)[0]


def decay(p: Any, t: Any, c: Any = 1.0, *, d: Any = 2.0) -> Any:
    return p["k"] * np.exp(-p["m"][0] * t) * c * d


def a_method(x: Any) -> Any:
    return area(Model(x[0], x[1]).at)


def of_two_classes(x: Any) -> Any:
    return area(Model(x[0], x[1]).at) * area(Steeper(x[1], x[0]).at)


def with_arguments(x: Any) -> Any:
    return area(Model(x[0], x[1]).times, x[0])


def by_a_method(x: Any) -> Any:
    return Model(x[0], x[1]).total() * Steeper(x[0], x[1]).total()


def changed_before(x: Any) -> Any:
    model = Model(x[0], x[1])
    f = model.at
    model.k = x[1] ** 2
    return area(f)


def changed_after(x: Any) -> Any:
    model = Model(x[0], x[1])
    y = area(model.at)
    model.k = 7.0 * x[1]
    return y * model.k


def of_a_spline(x: Any) -> Any:
    return area(Curved(x).at)


def called_and_handed_on(x: Any) -> Any:
    f = Model(x[0], x[1]).at
    return area(lambda t: f(t) ** 2) * f(0.5)


def an_equation(x: Any) -> Any:
    f = Model(x[0], x[1]).slope
    return np.sum(integrate.solve_ivp(f, (0.0, 1.0), [1.0, 0.5], rtol=1e-9, atol=1e-11).y[:, -1])


def a_crossing(x: Any) -> Any:
    return optimize.brentq(Model(x[0], x[1]).cubic, 0.0, 5.0, xtol=1e-13)


def a_root(x: Any) -> Any:
    return np.sum(optimize.root(Model(x[0], x[1]).system, [0.5, 0.5], tol=1e-12).x)


def a_minimum(x: Any) -> Any:
    return np.sum(optimize.minimize(Model(x[0], x[1]).cost, np.array([0.5, 0.5]), tol=1e-8).x)


def a_partial(x: Any) -> Any:
    return area(partial(decay, {"k": x[0], "m": [x[1]]}))


def by_name(x: Any) -> Any:
    return area(partial(decay, {"k": x[0], "m": [x[1]]}, d=x[0]), x[1])


def of_a_lambda(x: Any) -> Any:
    return area(partial(lambda a, b, t: a * np.exp(-b * t), x[0], x[1]))


def of_an_array_that_changes(x: Any) -> Any:
    w = 2.0 * x
    y = area(partial(lambda w, t: np.sum(w * t) ** 2, w))
    w[0] = 5.0
    return y + w[0] * x[1]


def a_partial_equation(x: Any) -> Any:
    f = partial(lambda p, t, y: [-p["k"] * y[0] + p["m"] * t], {"k": x[0], "m": x[1]})
    return integrate.solve_ivp(f, (0.0, 1.0), [1.0], rtol=1e-9, atol=1e-11).y[0, -1]


PROGRAMS: list[Callable[[Any], Any]] = [
    a_method, of_two_classes, with_arguments, by_a_method, changed_before, changed_after, of_a_spline,
    called_and_handed_on, an_equation, a_crossing, a_root, a_minimum, a_partial, by_name, of_a_lambda,
    of_an_array_that_changes, a_partial_equation,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_a_program_answers(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for x in (X, X, X, X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=5e-5, atol=5e-6)
    refuse_solvers_the_ordinary_program(monkeypatch)
    for x in (X, ELSEWHERE):
        assert np.allclose(cr.grad(f)(x), differences(f, x, 1e-5), rtol=5e-5, atol=5e-6)


@pytest.mark.parametrize("f", [of_two_classes, changed_after, an_equation, a_crossing, by_name])
def test_derivatives_of_these_derivatives(f: Any) -> None:
    for _ in range(4):
        gradient = cr.grad(f)(X)
        assert np.allclose(cr.jvp(f, (X,), (V,))[1], gradient @ V, rtol=1e-5)
    moved = [cr.grad(f)(X + h * V) for h in (1e-3, -1e-3)]
    for _ in range(3):
        assert np.allclose(cr.hvp(f, X, V), (moved[0] - moved[1]) / 2e-3, rtol=2e-3, atol=2e-4)


def test_an_object_that_is_an_argument() -> None:
    def f(model: Any) -> Any:
        return area(model.at)

    expected = differences(a_method, X)
    for _ in range(5):
        found = cr.grad(f)(Model(X[0], X[1]))
        assert np.allclose([found.k, found.m], expected, rtol=1e-6)


def test_a_method_that_another_one_replaces(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(4):
        assert np.allclose(cr.grad(a_method)(X), differences(a_method, X), rtol=1e-6)
    monkeypatch.setattr(Model, "at", lambda self, t: self.k * t)
    assert np.allclose(cr.grad(a_method)(X), [0.5, 0.0], rtol=1e-6)


def test_a_method_that_counts_does_so_once() -> None:
    met = []

    class Counting:
        def __init__(self, k: Any) -> None:
            self.k, self.n = k, 0

        def at(self, t: Any) -> Any:
            self.n += 1
            return self.k * t

    def f(x: Any) -> Any:
        counting = Counting(x[0])
        y = area(counting.at)
        met.append(counting.n)
        return y

    f(X)
    for _ in range(5):
        assert np.allclose(cr.grad(f)(X), [0.5, 0.0])
    assert {*met} == {met[0]}

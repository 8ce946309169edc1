"""Objects and methods that count their calls: a derivative counts those of the program alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.n = 0

    def one_more(self) -> None:
        self.n += 1


class Residual:
    """Counts its calls."""

    def __init__(self, a: Any) -> None:
        self.a, self.n = a, 0

    def __call__(self, x: Any) -> Any:
        self.n += 1
        return x * x - self.a

    def at(self, x: Any, a: Any) -> Any:
        self.n += 1
        return x * x - a


class WithAnother:
    """Has another object count its calls."""

    def __init__(self, a: Any, counter: Counter) -> None:
        self.a, self.counter = a, counter

    def residual(self, x: Any) -> Any:
        self.counter.one_more()
        return x**3 - self.a


class ByProperty:
    """Counts what is read of it."""

    def __init__(self, a: Any) -> None:
        self.level, self.n = a, 0

    @property
    def a(self) -> Any:
        self.n += 1
        return self.level

    def __call__(self, x: Any) -> Any:
        return x * x - self.a


def by_property(a: Any) -> Any:
    f = ByProperty(a)
    return optimize.brentq(f, 0.0, 3.0), f.n


def called(a: Any) -> Any:
    f = Residual(a)
    return optimize.brentq(f, 0.0, 3.0), f.n


def by_method(a: Any) -> Any:
    f = Residual(0.0)
    return optimize.newton(f.at, 1.0, args=(a,)), f.n


def by_another(a: Any) -> Any:
    counter = Counter()
    f = WithAnother(a, counter)
    return optimize.bisect(f.residual, 0.0, 3.0), counter.n


def captured(a: Any) -> Any:
    f = Residual(a)
    return optimize.brentq(lambda x: f(x) * 2.0, 0.0, 3.0), f.n


def by_partial(a: Any) -> Any:
    f = Residual(0.0)
    return optimize.brentq(partial(f.at, a=a), 0.0, 3.0), f.n


def integrated(a: Any) -> Any:
    f = Residual(a)
    return integrate.quad(f, 0.0, 2.0)[0], f.n


def lowest(a: Any) -> Any:
    f = Residual(0.0)
    return optimize.minimize_scalar(lambda x: f.at(x - a, 0.0), bounds=(0.0, 5.0), method="bounded").x, f.n


PROGRAMS: list[Callable[[Any], Any]] = [
    called, by_method, by_another, captured, by_partial, integrated, lowest, by_property,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS)
def test_calls_are_counted_once(f: Callable[[Any], Any]) -> None:
    for a in (2.0, 2.0, 2.0, 2.0, 1.7):
        y, n = f(a)
        slope = (f(a + 1e-5)[0] - f(a - 1e-5)[0]) / 2e-5
        (value, counted), g = cr.value_and_grad(f, has_aux=True)(a)
        assert (value, counted) == (y, n)
        assert np.isclose(g, slope, rtol=1e-4)
        (value, counted), dy = cr.jvp(f, (a,), (1.0,))
        assert (value, counted) == (y, n)
        assert np.isclose(dy[0], slope, rtol=1e-4)


def test_an_object_from_outside_counts_once() -> None:
    f = Residual(0.0)

    def root(a: Any) -> Any:
        return optimize.brentq(f.at, 0.0, 3.0, args=(a,))

    root(2.0)
    plain = f.n
    for ask in (cr.grad(root), lambda a: cr.jvp(root, (a,), (1.0,)), lambda a: cr.hvp(root, a, 1.0)):
        for _ in range(4):
            f.n = 0
            ask(2.0)
            assert f.n == plain


LOG = [0]
NOTES = Residual(0.0)


def note() -> None:
    LOG[0] += 1


def by_variable(a: Any) -> Any:
    def residual(x: Any) -> Any:
        LOG[0] += 1
        return x * x - a

    return optimize.brentq(residual, 0.0, 3.0)


def by_a_function(a: Any) -> Any:
    def residual(x: Any) -> Any:
        note()
        return x * x - a

    return optimize.brentq(residual, 0.0, 3.0)


def by_an_object(a: Any) -> Any:
    def slope(t: Any, y: Any) -> Any:
        return -a * y + 0.0 * NOTES.at(t, a)

    return integrate.solve_ivp(slope, (0.0, 1.0), [1.0], rtol=1e-8).y[0, -1]


@pytest.mark.parametrize("f", [by_variable, by_a_function, by_an_object])
def test_variables_of_modules_are_counted_in_once(f: Callable[[Any], Any]) -> None:
    def counted(run: Callable[[], Any]) -> int:
        LOG[0] = NOTES.n = 0
        run()
        return LOG[0] + NOTES.n

    plain = counted(lambda: f(2.0))
    slope = (f(2.0 + 1e-5) - f(2.0 - 1e-5)) / 2e-5
    for _ in range(5):
        assert counted(lambda: cr.grad(f)(2.0)) == plain
        assert counted(lambda: cr.jvp(f, (2.0,), (1.0,))) == plain
        assert np.isclose(cr.grad(f)(2.0), slope, rtol=1e-4)

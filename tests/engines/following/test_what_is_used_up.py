"""What changes as it is used, in functions that a solver calls: generators, iterators, counters."""

from __future__ import annotations

import random
import sys
from collections import deque
from typing import Any, ClassVar

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import chainrules as cr

DRAWN = np.random.default_rng(1)
CALLS = 0


def numbers_of_numpy(p):
    rng = np.random.default_rng(0)

    def residual(x):
        return x**3 - p + 0.0 * rng.normal()

    return brentq(residual, 0.0, 5.0) + rng.normal()


def numbers_of_python(p):
    rng = random.Random(0)
    return quad(lambda x: p * x + 0.0 * rng.random(), 0.0, 1.0)[0] + rng.random()


def a_generator_that_is_handed_on(p):
    rng = np.random.default_rng(0)

    def residual(x, rng):
        return x**3 - p + 0.0 * rng.normal()

    return brentq(residual, 0.0, 5.0, args=(rng,)) + rng.normal()


def a_generator_of_the_module(p):
    global DRAWN
    DRAWN = np.random.default_rng(1)

    def residual(x):
        return x**3 - p + 0.0 * DRAWN.normal()

    return brentq(residual, 0.0, 5.0) + DRAWN.normal()


def an_iterator(p):
    items = iter(range(1000))

    def residual(x):
        next(items)
        return x**3 - p

    return brentq(residual, 0.0, 5.0) + next(items)


def an_iterator_that_is_handed_on(p):
    items = iter(range(1000))

    def residual(x, items):
        next(items)
        return x**3 - p

    return brentq(residual, 0.0, 5.0, args=(items,)) + next(items)


def a_variable_of_the_module(p):
    global CALLS
    CALLS = 0

    def residual(x):
        global CALLS
        CALLS += 1
        return x**3 - p

    return brentq(residual, 0.0, 5.0) + CALLS


def an_attribute_of_the_function(p):
    def residual(x):
        residual.calls += 1  # type: ignore[attr-defined]
        return x**3 - p

    residual.calls = 0  # type: ignore[attr-defined]
    return brentq(residual, 0.0, 5.0) + residual.calls  # type: ignore[attr-defined]


def a_set(p):
    seen = set()

    def residual(x):
        seen.add(float(x))
        return x**3 - p

    return brentq(residual, 0.0, 5.0) + len(seen)


EVERY = (
    *(numbers_of_numpy, numbers_of_python, a_generator_that_is_handed_on, a_generator_of_the_module),
    *(
        an_iterator,
        an_iterator_that_is_handed_on,
        a_variable_of_the_module,
        an_attribute_of_the_function,
        a_set,
    ),
)


@pytest.mark.parametrize("f", EVERY)
def test_a_derivative_uses_what_the_program_does(f):
    y = f(2.0)
    slope = 0.5 if f is numbers_of_python else 2.0 ** (-2 / 3) / 3
    for _ in range(4):
        assert cr.value_and_grad(f)(2.0) == (pytest.approx(y), pytest.approx(slope))
        assert cr.jvp(f, (2.0,), (1.0,)) == (pytest.approx(y), pytest.approx(slope))
        assert cr.jvp(cr.value_and_grad(f), (2.0,), (1.0,))[0] == (pytest.approx(y), pytest.approx(slope))


def printed(p):
    def residual(x):
        print("residual", file=sys.stdout)  # noqa: T201
        return noted(x**3 - p)

    return brentq(residual, 0.0, 5.0)


def noted(y):
    print("noted")  # noqa: T201
    return y


def test_what_is_printed_is_printed_once(capsys):
    printed(2.0)
    expected = capsys.readouterr().out
    assert expected.count("residual") == expected.count("noted") > 1
    for ask in (cr.grad(printed), cr.derivative(printed), cr.grad(cr.grad(printed))):
        for _ in range(3):
            ask(2.0)
            assert capsys.readouterr().out == expected


class Total:
    calls = 0

    def __init__(self, p):
        self.p = p

    def __call__(self, x):
        Total.calls += 1
        return x**3 - self.p


def in_the_class_of_an_object(p):
    return brentq(Total(p), 0.0, 5.0)


def in_a_class(p):
    def residual(x):
        Total.calls += 1
        return x**3 - p

    return brentq(residual, 0.0, 5.0)


def from_a_generator(p):
    items = (k for k in range(1000))

    def residual(x):
        next(items)
        return x**3 - p

    return brentq(residual, 0.0, 5.0)


class Steps(Total):
    def __call__(self, x):
        return self.step(x)

    def step(self, x):
        Total.calls += 1
        return x**3 - self.p


def in_a_method_of_it(p):
    return brentq(Steps(p), 0.0, 5.0)


def in_a_bound_method(p):
    return brentq(Steps(p).step, 0.0, 5.0)


class Registered(Total):
    seen: ClassVar[list[Any]] = []

    def register(self):
        Registered.seen.append(self)

    def __call__(self, x):
        return x**3 - self.p


def of_a_class_that_another_method_changes(p):
    return brentq(Registered(p), 0.0, 5.0)


def by_the_method_of_a_class_in_c(p):
    items: deque[int] = deque()

    def residual(x):
        deque.append(items, 1)
        return x**3 - p

    return brentq(residual, 0.0, 5.0) + len(items)


@pytest.mark.parametrize("f", [of_a_class_that_another_method_changes, by_the_method_of_a_class_in_c])
def test_what_changes_no_class_is_not_refused(f):
    for ask in (cr.value_and_grad(f), lambda p: cr.jvp(f, (p,), (1.0,))):
        assert ask(2.0) == (pytest.approx(f(2.0)), pytest.approx(2.0 ** (-2 / 3) / 3))


OF_CLASSES = [in_the_class_of_an_object, in_a_method_of_it, in_a_bound_method]


@pytest.mark.parametrize("f", [*OF_CLASSES, in_a_class, from_a_generator])
def test_what_has_no_copy_is_refused(f):
    f(2.0)
    for derivative in (cr.grad(f), cr.derivative(f)):
        with pytest.raises(cr.AliasedMutationError, match=r"changes the class Total|takes from a generator"):
            derivative(2.0)

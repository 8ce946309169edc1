# ruff: noqa: B023  a function captures the variable of a comprehension
"""Functions that are returned by what made them, and capture what is bound anew before they are called."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

AT = np.array([1.5, 2.0, 0.7])


def from_a_comprehension(p: Any) -> Any:
    q = p[0]
    every = [lambda x: x * q for _ in range(2)]
    q = p[1] * 2.0
    return every[0](3.0)


def from_a_dictionary(p: Any) -> Any:
    q = p[0]
    every = {name: (lambda x: x * q) for name in "ab"}
    q = p[1] * 2.0
    return every["a"](3.0)


def from_a_function(p: Any) -> Any:
    q = p[0]

    def made() -> Any:
        return lambda x: x * q

    f = made()
    q = p[1] * 2.0
    return f(3.0)


def from_a_function_that_has_it(p: Any) -> Any:
    q = p[0]

    def scaled(x: Any) -> Any:
        return x * q

    def found() -> Any:
        return scaled

    f = found()
    q = p[1] * 2.0
    return f(3.0)


@pytest.mark.parametrize(
    "f",
    [from_a_comprehension, from_a_dictionary, from_a_function, from_a_function_that_has_it],
    ids=lambda f: str(f.__name__),
)
def test_they_are_right_in_both_modes(f: Callable[[Any], Any]) -> None:
    rightly.grad(f)(AT)
    rightly.jvp(f, (AT,), (AT,))


def called_at_once(p: Any) -> Any:
    q = p[0]

    def made() -> Any:
        return lambda x: x * q

    y = made()(3.0)
    q = p[1] * 2.0
    return y * q


def bound_once(p: Any) -> Any:
    q = p[0]
    every = [lambda x: x * q * (i + 1) for i in range(3)]
    return every[0](3.0) + every[1](p[1])


@pytest.mark.parametrize("f", [called_at_once, bound_once], ids=lambda f: str(f.__name__))
def test_others_are_not(f: Callable[[Any], Any]) -> None:
    h = 1e-6
    expected = np.array([(f(AT + e) - f(AT - e)) / (2 * h) for e in h * np.eye(3)])
    for _ in range(4):
        np.testing.assert_allclose(cr.grad(f)(AT), expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(cr.jvp(f, (AT,), (AT,))[1], expected @ AT, rtol=1e-6)

"""The forward rule of a scalar rule: of one, two and several arguments, with zeros and gaps."""

from typing import Any

import numpy as np
import pytest
from tests.core.calls import pushed

import chainrules as cr
from chainrules import NotImplementedTangent, Zero


def one(x):
    return np.sin(x)


def two(x, y):
    return x * y


def three(x, y, z):
    return x * y + z


CALLS: dict[Any, list[str]] = {one: [], two: [], three: []}


def noted(f, name, partial):
    CALLS[f].append(name)
    return partial


cr.scalar_rule(one, lambda y, x: np.cos(x))
cr.scalar_rule(two, lambda z, x, y: noted(two, "x", y), lambda z, x, y: noted(two, "y", x))
cr.scalar_rule(three, lambda w, x, y, z: noted(three, "x", y), lambda w, x, y, z: noted(three, "y", x), 1)


@pytest.mark.parametrize("f", [one, two, three])
def test_the_tangent_is_that_of_differences(f) -> None:
    x = (np.array([0.3, 0.7]), np.array([2.0, -1.0]), np.array([0.5, 0.1]))[: f.__code__.co_argcount]
    cr.testing.check_frule(f, *x)


@pytest.mark.parametrize(("f", "asked"), [(two, ["y"]), (three, ["y"])])
def test_what_does_not_move_is_not_computed(f, asked: list[str]) -> None:
    CALLS[f].clear()
    x = (2.0, 3.0, 4.0)[: f.__code__.co_argcount]
    tangents = (Zero(), 1.0, Zero())[: len(x)]
    assert pushed(f, x, tangents)[1] == 2.0
    assert CALLS[f] == asked


@pytest.mark.parametrize("f", [two, three])
def test_an_unknown_tangent_makes_that_of_the_value_unknown(f) -> None:
    x = (2.0, 3.0, 4.0)[: f.__code__.co_argcount]
    for place in (0, 1):
        tangents: list[Any] = [1.0] * len(x)
        tangents[place] = NotImplementedTangent("a gap")
        assert isinstance(pushed(f, x, tuple(tangents))[1], NotImplementedTangent)


def test_nothing_moves() -> None:
    assert pushed(two, (2.0, 3.0), (Zero(), Zero()))[1] is Zero()

"""Members of enumerations, the `else` of a loop, and loops over tuples of whole numbers."""

import enum
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .compared import hold_directions, is_right

AT = np.array([0.7, 1.3, -0.4])


class Way(enum.Enum):
    UP = 1.0
    DOWN = -2.0


class Mode(enum.Enum):
    FAST = enum.auto()
    SLOW = "slow"


def which_member(x: Any) -> Any:
    t = 0.0
    for way, v in zip([Way.UP, Way.DOWN, Way.UP], x, strict=True):
        t += v * v if way is Way.UP else 2 * v
    return t


def values_of_members(x: Any) -> Any:
    return x[0] * Way.UP.value + x[1] * Way.DOWN.value


def done(z: Any, mode: Mode) -> Any:
    if mode is Mode.FAST:
        return z * z
    return np.tanh(z) if mode == Mode.SLOW else z


def a_member_that_is_handed_on(x: Any) -> Any:
    return done(x[0], Mode.FAST) * done(x[1], Mode.SLOW)


class Layer:
    def __init__(self, w: Any, mode: Mode = Mode.FAST) -> None:
        self.w = w
        self.mode = mode

    def forward(self, z: Any) -> Any:
        match self.mode:
            case Mode.FAST:
                return self.w * z
            case Mode.SLOW:
                return np.tanh(z * self.w)


def a_member_in_a_field(x: Any) -> Any:
    z = 1.0
    for layer in [Layer(x[0]), Layer(x[1], Mode.SLOW), Layer(x[2])]:
        z = layer.forward(z)
    return z


def until_it_is_large(x: Any) -> Any:
    s, n = x[0], 0
    while n < 10:
        s = s * 0.9 + np.cos(s) * x[1]
        n += 1
        if s > 5:
            break
        if n % 3 == 0:
            continue
        s = s + x[2]
    else:
        s = s * 2
    return s


def left_before_its_end(x: Any) -> Any:
    t = 0.0
    for v in x:
        t = t + v * v
        if t > 1.5:
            break
    else:
        t = t * 3
    return t * x[0]


def loops_in_loops(x: Any) -> Any:
    t = x[0]
    for i in range(3):
        for j in range(3):
            t = t + 0.1 * x[j] * x[i]
            if t > 1.5 * (i + 1):
                break
        else:
            t = t * 1.1
            continue
        if i == 2:
            break
        t = t - 0.2 * x[1]
    else:
        t = t**2
    return t


def a_root_by_newton(x: Any) -> Any:
    y = x[0]
    for _ in range(20):
        step = (y * y - x[1]) / (2 * y)
        y = y - step
        if abs(step) < 1e-12:
            break
    else:
        raise RuntimeError("it does not converge")
    return y * x[2]


def places_that_are_written_out(x: Any) -> Any:
    b, y = x * 1.0, np.zeros(3)
    for k in range(3):
        for i in range(k + 1, 3):
            b[i] -= 0.3 * b[k]
    for k in (2, 1, 0):
        y[k] = b[k] - y[k + 1 :] @ y[k + 1 :]
    return y @ y


PROGRAMS = [
    *(which_member, values_of_members, a_member_that_is_handed_on, a_member_in_a_field),
    *(until_it_is_large, left_before_its_end, loops_in_loops, a_root_by_newton),
    places_that_are_written_out,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_it_is_right_and_specialised(f: Callable[[Any], Any]) -> None:
    assert is_right(f, AT)
    hold_directions(f, AT)


def one_value_or_another(x: Any) -> Any:
    t = 0.0
    for way, v in zip(Way, x, strict=False):
        t += way.value * v * v
    return t


def test_values_that_change_from_turn_to_turn_are_left_to_the_ordinary_program() -> None:
    assert not is_right(one_value_or_another, AT)

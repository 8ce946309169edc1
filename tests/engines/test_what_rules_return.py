"""A rule's pullback may read what the rule returned, whatever the program does with that afterwards."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import Compared

import chainrules as cr


@dataclass
class State:
    w: Any


def exponential(x: Any) -> Any:
    return np.exp(x)


def state(x: Any) -> Any:
    return State(np.exp(x))


def entry(x: Any) -> Any:
    return {"k": np.exp(x), "n": 2}


def pair(x: Any) -> Any:
    return [np.exp(x), State(x * 2.0)]


class Holder:
    def __init__(self, w: Any) -> None:
        self.w = w


@cr.rrule(exponential)
def _(x: np.ndarray) -> Any:
    y = np.exp(x)

    def pullback(g: Any) -> Any:
        return (g * y,)

    return y, pullback


@cr.rrule(state)
def _(x: np.ndarray) -> Any:
    y = State(np.exp(x))

    def pullback(g: Any) -> Any:
        return (g.w * y.w,)

    return y, pullback


@cr.rrule(entry)
def _(x: np.ndarray) -> Any:
    y = {"k": np.exp(x), "n": 2}

    def pullback(g: Any) -> Any:
        return (g["k"] * y["k"],)

    return y, pullback


@cr.rrule(pair)
def _(x: np.ndarray) -> Any:
    first, second = np.exp(x), State(x * 2.0)
    y = [first, second]

    def pullback(g: Any) -> Any:
        return (g[0] * y[0] + 2.0 * g[1].w,)

    return y, pullback


@cr.rrule(Holder)
def _(w: np.ndarray) -> Any:
    def pullback(g: Any) -> Any:
        return (g.w * 1.0,)

    return Holder(w), pullback


NAMES = {"np": np, "exponential": exponential, "state": state, "entry": entry, "pair": pair, "Holder": Holder}
PROGRAMS = {
    "array": "y = exponential(x); y[0] = x[1]; m = np.sum(y)",
    "array of another name": "y = exponential(x); z = y; z *= x; m = np.sum(y)",
    "arrays of a list": """\
m = 0.0
    for y in [exponential(x), exponential(x * x)]:
        y[0] = x[1]; m += np.sum(y)""",
    "an entry of a field": "y = state(x); y.w[0] = x[1]; m = np.sum(y.w)",
    "a field": "y = state(x); y.w = y.w * x; m = np.sum(y.w)",
    "a field in place": "y = state(x); y.w *= x; m = np.sum(y.w * y.w)",
    "an entry of a dict": "y = entry(x); y['k'] *= x; y['k'][1] = x[0]; m = np.sum(y['k']) * y['n']",
    "a key": "y = entry(x); y['k'] = x * y['k']; m = np.sum(y['k'])",
    "items of a list": "y = pair(x); y[0][0] = x[1]; y[1].w[1] = y[0][2]; m = np.sum(y[0]) * np.sum(y[1].w)",
    "an item of a list": "y = pair(x); y[0] = y[0] * x; y[1].w = x + y[1].w; m = np.sum(y[0] * y[1].w)",
    "what an object was made of": "a = x * 1.0; y = Holder(a); a[0] = x[1]; m = np.sum(y.w * y.w)",
    "an object by its class": "y = Holder(x * 1.0); y.w[0] = x[1]; m = np.sum(y.w * y.w)",
}


def compared(lines: str) -> Compared:
    return Compared(f"def program(x):\n    {lines}\n    return m * x[2]\n", NAMES)


@pytest.mark.parametrize("lines", PROGRAMS.values(), ids=PROGRAMS)
def test_first_derivatives(lines: str) -> None:
    compared(lines).first_order()


@pytest.mark.parametrize("lines", PROGRAMS.values(), ids=PROGRAMS)
def test_second_derivatives(lines: str) -> None:
    assert {"forward of reverse", "reverse of reverse"} <= set(compared(lines).second_order())

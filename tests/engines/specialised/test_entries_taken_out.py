"""Dictionaries whose entries are taken out, by `pop` and `del`."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of


def popped(w: Any) -> Any:
    d = {"a": w[0], "b": w[1], "c": w[2]}
    first = d.pop("b")
    d["b"] = first * d["a"]
    return sum(v * i for i, v in enumerate(d.values())) * d["b"]


def deleted(w: Any) -> Any:
    d = {"a": w[0], "b": w[1], "c": w[2]}
    del d["a"]
    d["c"] = d["c"] * d["b"]
    return sum(d.values()) * len(d)


def queue_by_names(w: Any) -> Any:
    waiting = {"0": w[0], "1": w[1], "2": w[2]}
    total = 0.0
    for turn in range(5):
        name = str(turn % 3)
        if name in waiting:
            v = waiting.pop(name)
            total = total * 0.5 + v * v
            if v > 0.0:
                waiting[name] = v - 1.0
    return total + sum(waiting.values())


PROGRAMS: list[Callable[[Any], Any]] = [popped, deleted, queue_by_names]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients_are_those_of_differences(f: Callable[[Any], Any]) -> None:
    rng = np.random.default_rng(0)
    with specialised_after(1):
        for _ in range(5):
            w, step = rng.uniform(0.2, 0.9, 3), 1e-6
            slopes = [(f(w + step * e) - f(w - step * e)) / (2 * step) for e in np.eye(3)]
            value, gradient = cr.value_and_grad(f)(w)
            assert value == f(w)
            np.testing.assert_allclose(gradient, slopes, rtol=1e-6, atol=1e-8)
            np.testing.assert_allclose(cr.jvp(f, (w,), (w,))[1], gradient @ w)
    assert text_of(f)


def missing(w: Any) -> Any:
    d = {"a": w[0], "b": w[1]}
    d.pop("a")
    return d["a"] if w[1] > 0.0 else d["b"] ** 2


def test_an_entry_that_is_gone_is_missed() -> None:
    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_array_equal(cr.grad(missing)(np.array([1.0, -2.0])), [0.0, -4.0])
        for _ in range(3):
            with pytest.raises(KeyError, match="a"):
                cr.grad(missing)(np.array([1.0, 2.0]))


def twice(w: Any) -> Any:
    d = {"a": w[0], "b": w[1]}
    d.pop("a")
    if w[1] > 0.0:
        d.pop("a")
    return d["b"] ** 2


def test_nor_can_it_be_taken_out_twice() -> None:
    with specialised_after(1):
        for second in (-2.0, -1.0, 2.0, -3.0, 1.0):
            w = np.array([1.0, second])
            if second > 0.0:
                with pytest.raises(KeyError, match="a"):
                    cr.grad(twice)(w)
            else:
                np.testing.assert_array_equal(cr.grad(twice)(w), [0.0, 2 * second])

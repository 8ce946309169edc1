"""Whole numbers and texts beside what is differentiated: in dictionaries, tuples and objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings, known_of, specialised_after


class Layer:
    def __init__(self, w: Any, n: Any, name: str = "layer") -> None:
        self.w, self.n, self.name = w, n, name
        self.dims = (2, 1)


def has_text(f: Any) -> bool:
    known = known_of(f)
    return known is not None and any(v.program is not None for v in known.values())


def scaled(o):
    return np.sum(o.w) * o.n


def counted(o):
    y = 0.0
    for i in range(o.n):
        y = y + o.w[i % 2] * o.w[o.n - 2]
    return y


def chosen(o):
    return np.sum(o.w) if o.n > 2 and o.name == "layer" else np.prod(o.w)


def shaped(o):
    return np.sum(o.w.reshape(o.dims)[:, 0] * np.ones(o.dims[0]))


def handed(o):
    return by_count(o.w, o.n)


def by_count(w, n):
    return np.sum(w[: n - 1] ** 2)


def handed_on(o):
    return by_value(o.w, o.n)


def by_value(w, n):
    return np.sum(w) * (n + 1)


def halved(o):
    return np.sum(o.w) * (o.n // 2) / 3.0


def collected(o):
    found = [o.n, 2.0]
    return np.sum(o.w) * found[0]


def iterated(o):
    y = 0.0
    for d in o.dims:
        y = y + o.w[0] * d
    return y


def listed(o):
    found = list(o.dims)
    return np.sum(o.w) * found[0]


def to_float(o):
    return np.sum(o.w) * float(o.n)


def powers(o):
    return np.sum(o.w**o.n)


def extreme(o):
    return np.sum(o.w) * max(o.n, 1)


def stored(o):
    kept = np.zeros(2)
    kept[0] = o.n
    return np.sum(o.w) * np.sum(kept)


def set_in_a_list(o):
    found = [1.0, 2.0]
    found[0] = o.n
    return np.sum(o.w) * found[0]


def set_in_a_field(o):
    other = Layer(o.w, 1.0)
    other.n = o.n
    return np.sum(other.w) * other.n


def captured(o):
    n = o.n

    def g(v):
        return v * n

    return g(np.sum(o.w))


def in_an_array(o):
    return np.sum(o.w) * np.sum(np.array([o.n, 1.0]))


PROGRAMS = [stored, set_in_a_list, set_in_a_field, captured, in_an_array]
PROGRAMS += [scaled, counted, chosen, shaped, handed, handed_on, halved, collected, iterated, listed]
PROGRAMS += [to_float, powers, extreme]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("at_first", [0.0, 1.5])
def test_gradients_are_those_of_the_ordinary_program(program, at_first):
    """Where the numbers are zero at first, so is the derivative by a whole number, if it has one."""
    gradient = cr.grad(program)
    for k in range(7):
        w = np.array([1.0 + k, 0.5 * k]) * (at_first if k < 4 else 1.0)
        made = gradient(Layer(w, 3))
        Settings.on = False
        try:
            wanted = cr.grad(program)(Layer(w, 3))
        finally:
            Settings.on = True
        for name in ("w", "n", "dims"):
            np.testing.assert_allclose([*np.ravel(getattr(made, name))], [*np.ravel(getattr(wanted, name))])


@pytest.mark.parametrize("program", [counted, chosen, shaped, handed])
def test_numbers_that_count_and_choose_leave_the_text(program):
    with specialised_after(2):
        for k in range(4):
            cr.grad(program)(Layer(np.array([1.0, 2.0]) + k, 3))
        assert has_text(program)


def regularised(p):
    fit = np.sum((p["w"] @ np.ones(2) + p["b"]) ** 2)
    return fit + p["how"]["rate"] * np.sum(p["w"] ** 2) if p["how"]["name"] == "ridge" else fit


def test_texts_in_dictionaries_that_are_differentiated():
    gradient = cr.grad(regularised)
    with specialised_after(2):
        for k in range(5):
            w = np.array([1.0, 2.0]) * k
            for name, rate in (("ridge", 0.1), ("none", 0.1)):
                p = {"w": w, "b": 0.5, "how": {"name": name, "rate": rate, "steps": 3}}
                made = gradient(p)
                slope = 2.0 * (np.sum(w) + 0.5)
                ridge = name == "ridge"
                np.testing.assert_allclose(made["w"], slope + 2.0 * rate * w * ridge)
                np.testing.assert_allclose(made["b"], slope)
                np.testing.assert_allclose(made["how"]["rate"], np.sum(w**2) * ridge)
                assert made["how"]["steps"] == 0.0
        assert has_text(regularised)


def test_a_part_that_takes_no_part_at_first():
    class Outer:
        def __init__(self, inner: Any, w: Any) -> None:
            self.inner, self.w = inner, w

    def f(o, both):
        y = np.sum(o.w)
        if both:
            y = y + np.sum(o.inner.w)
        return y

    gradient = cr.grad(f)
    for both in (False,) * 5 + (True,) * 5 + (False,):
        made = gradient(Outer(Layer(np.ones(2), 3), np.ones(2)), both)
        np.testing.assert_array_equal(made.inner.w, np.ones(2) * both)

"""Objects of a class with rules that hold no number themselves: a place in a C library, or memory of one."""

import ctypes
import gc
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import chainrules as cr

X = np.array([1.0, 2.0])
STORE: dict[int, Any] = {}
FREED: list[int] = []


class Handle:
    """A number that stands for what is kept elsewhere, and freed in the end."""

    def __init__(self, data):
        self.place = len(STORE) + len(FREED)
        STORE[self.place] = np.array(data)

    def __del__(self):
        FREED.append(self.place)
        del STORE[self.place]

    def values(self):
        return STORE[self.place].copy()


class Buffer:
    """Memory as C has it."""

    def __init__(self, data):
        self.memory = (ctypes.c_double * len(data))(*data)

    def values(self):
        return np.array(self.memory[:])

    def first(self):
        return self.memory[0]


def with_rules(P):
    """Rules for making an object of P, and for what it holds."""

    @cr.rrule(P)
    def made_rrule(data: np.ndarray):
        return P(data), lambda p_bar: p_bar.data

    @cr.frule(P)
    def made_frule(tangents, data: np.ndarray):
        return P(data), cr.Composite[P](data=tangents[0])

    @cr.rrule(P.values)
    def values_rrule(p: P):  # type: ignore[valid-type]
        return p.values(), lambda y_bar: cr.Composite[P](data=y_bar)  # type: ignore[attr-defined]

    @cr.frule(P.values)
    def values_frule(tangents, p: P):  # type: ignore[valid-type]
        return p.values(), tangents[0].data  # type: ignore[attr-defined]


with_rules(Handle)
with_rules(Buffer)


@pytest.mark.parametrize("P", [Handle, Buffer])
def test_the_rules_of_its_class_carry_the_derivative(P):
    def f(x):
        p = P(x * x)
        held = {"p": [p]}
        return np.sum(held["p"][0].values() ** 2) + np.sum(p.values())

    for _ in range(5):
        np.testing.assert_allclose(cr.grad(f)(X), 4 * X**3 + 2 * X)
        np.testing.assert_allclose(cr.jvp(f, (X,), (np.ones(2),))[1], np.sum(4 * X**3 + 2 * X))


def test_what_it_frees_is_freed_once():
    FREED.clear()
    for derivative in (
        cr.grad(lambda x: np.sum(Handle(x).values())),
        cr.jacobian(lambda x: Handle(x).values()),
    ):
        for _ in range(5):
            derivative(X)
    gc.collect()
    assert len(FREED) == len(set(FREED)) and not STORE


def test_a_derivative_through_what_it_holds_is_refused():
    for derivative in (cr.grad, cr.jacobian):
        with pytest.raises(cr.NoRuleError, match="no reverse rule"):
            derivative(lambda x: Buffer(x).first() * 2.0)(X)


class Open:
    """An argument that is closed once."""

    closed = 0

    def __init__(self, w):
        self.w = w

    def __del__(self):
        Open.closed += 1

    def counted(self):
        self.calls = 1
        return np.sum(self.w)


def test_an_argument_is_not_closed_by_its_derivative():
    argument = Open(X)
    for _ in range(5):
        assert np.array_equal(cr.grad(lambda r, x: np.sum(r.w * x))(argument, X).w, X)
    with pytest.raises(cr.AliasedMutationError, match=r"`calls` of Open is assigned, .* has a `__del__`"):
        cr.grad(Open.counted)(argument)
    gc.collect()
    assert Open.closed == 0


def test_an_array_that_an_object_of_a_library_holds_may_be_given_as_well():
    spline = CubicSpline(np.linspace(0.0, 1.0, 5), np.arange(5.0) ** 3)
    for _ in range(5):
        gradient = cr.grad(lambda s, c: np.sum(s.c * c))(spline, spline.c)
        np.testing.assert_array_equal(gradient.c, spline.c)
        np.testing.assert_array_equal(
            cr.grad(lambda s, c: np.sum(s.c * c[0]))(spline, [spline.c]).c, spline.c
        )

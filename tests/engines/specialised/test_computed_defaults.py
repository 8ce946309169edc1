"""Functions inside whose defaults are computed, and operators that leave it to those of others."""

import functools

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.random.default_rng(4).normal(size=6) * 0.7


def of_this_turn(x):
    steps = [lambda t, k=k: t * x[k] + k for k in range(3)]
    return functools.reduce(lambda a, f: f(a), steps, x[3])


def by_place_and_by_name(x):
    def scaled(t, factor=2.0 * x[0], power=2, *, shift=x[1] ** 3, plain=1.5):
        return (factor * t + shift) ** power * plain

    return scaled(x[2]) + scaled(x[3], x[4]) + scaled(x[2], shift=x[5], power=3) + scaled(x[1], plain=x[0])


def of_what_changes(x):
    w = x[0]

    def early(t, w=w):
        return t * w

    w = x[1] * x[2]

    def late(t, w=w):
        return t * w

    return early(x[3]) * late(x[4]) + early(1.0, x[5]) * w


def one_list(x):
    def added(v, all_=[x[0] * 2.0]):  # noqa: B006  each call finds what others put there
        all_.append(v * len(all_))
        return sum(all_)

    return added(x[1]) * added(x[2]) + added(x[3], [x[4]]) * added(x[5])


def made_in_a_loop(x):
    total = 0.0
    for i in range(len(x)):

        def term(t, i=i, w=x[i] * 0.5):
            return w * t**i

        total = total + term(1.3) + term(x[0], w=2.0)
    return total


def of_arrays(x):
    y = x * 2.0

    def shifted(k, y=y, z=np.cumsum(x)):  # noqa: B008  computed once
        return y[k] * z[-k]

    y = y + 1.0
    return shifted(1) + shifted(2) * shifted(3, y)


@pytest.mark.parametrize(
    "f", [of_this_turn, by_place_and_by_name, of_what_changes, made_in_a_loop, of_arrays]
)
def test_defaults_are_computed_once_where_a_function_is_defined(f):
    assert is_right(f, X)
    hold_directions(f, X)


def of_what_another_sets(x):
    total = x[0]

    def add(v):
        nonlocal total
        total = total + v

    def scaled(t, w=total):
        return t * w

    add(x[1])
    return scaled(x[2]) + total**2


@pytest.mark.parametrize("f", [one_list, of_what_another_sets])
def test_others_are_right_without(f):
    with specialised_after(1, compared=True):
        for k in range(4):
            x = X + 0.01 * k
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-5, atol=1e-7)


class Turn:
    def __init__(self, w, z):
        self.w, self.z = w, z

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            return Turn(self.w * other, self.z * other)
        if not isinstance(other, Turn):
            return NotImplemented
        return Turn(self.w * other.w - self.z * other.z, self.w * other.z + self.z * other.w)


class Scale:
    def __init__(self, s):
        self.s = s

    def __rmul__(self, other):
        return Turn(other.w * self.s, other.z * self.s)


def turned(x):
    q = Turn(1.0, 0.0)
    for v in x:
        q = q * Turn(v, 0.3) * 0.9
    return q.w * q.z + q.w


def left_to_the_other(x):
    q = Turn(x[0], x[1]) * Scale(x[2])
    return q.w * q.z


def test_operators_that_leave_it_to_others():
    assert is_right(turned, X)
    hold_directions(turned, X)
    for _ in range(5):
        np.testing.assert_allclose(
            cr.grad(left_to_the_other)(X), differences(left_to_the_other, X), rtol=1e-6
        )

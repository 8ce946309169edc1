"""A new text is held against the ordinary program where no number is zero by chance."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.pushing import expressions
from chainrules.engines.specialised.running import directions, entry
from chainrules.engines.specialised.running.entry import known_of
from chainrules.engines.specialised.running.moved import has_zeros, moved


class Pair(NamedTuple):
    a: Any
    b: Any


def test_floats_move_and_what_else_there_is_stays():
    shared = SimpleNamespace(w=np.zeros(3), n=2)
    x = (1.0, np.float64(0.0), np.arange(3), [np.ones(2), "a"], {"k": None}, Pair(2.0, True), shared, shared)
    number, double, whole, items, named, pair, one, other = moved(x)
    assert type(number) is float
    assert type(double) is np.float64
    assert number != 1.0
    assert double != 0.0
    assert items[1] == "a"
    assert named == {"k": None}
    assert type(pair) is Pair
    assert pair.a != 2.0
    assert pair.b is True
    np.testing.assert_array_equal(whole, np.arange(3))
    assert one is other
    assert one is not shared
    assert one.n == 2
    assert np.all(one.w != 0.0)
    np.testing.assert_array_equal(shared.w, np.zeros(3))


def kept_before_it_changes(x, w):
    y = x * 2.0
    z = y + 1.0
    y[0] = y[0] * w
    return np.sum(z * z) + np.sum(y)


def test_a_wrong_text_is_not_kept_although_a_factor_is_one_at_first(monkeypatch):
    monkeypatch.setattr(expressions.PushExpressions, "apart", lambda self, e, p: p)
    x, v = np.array([1.5, 2.0, 3.0]), np.array([1.0, 0.5, 0.25])
    for w in (1.0, 1.0, 1.0, 1.0, 3.0):
        value, along = cr.jvp(kept_before_it_changes, (x, w), (v, 0.0))
        (product,) = cr.hvp(kept_before_it_changes, (x, w), (v,), argnums=(0,))
    assert value == np.sum((2.0 * x + 1.0) ** 2) + np.sum(2.0 * x) + 2.0 * 2.0 * x[0]
    assert np.isclose(along, np.sum(4.0 * (2.0 * x + 1.0) * v) + 2.0 * np.sum(v) + 4.0 * v[0])
    np.testing.assert_allclose(product, 8.0 * v)


ANSWERS = [((1.0, np.ones(2)), False), ((1.0, np.eye(2)), True), ((0.0, (2.0,)), True), (cr.Zero(), True)]


@pytest.mark.parametrize(("answer", "zeros"), ANSWERS)
def test_zeros_are_seen(answer, zeros):
    assert has_zeros(answer) is zeros


def test_a_wrong_text_is_not_kept_although_all_is_zero_at_first(monkeypatch):
    written: Any = vars(entry)["Specialised"]

    def wrong(*given: Any, **options: Any) -> Any:
        made = written(*given, **options)
        run = made.run
        made.run = lambda *x: (2.0 * run(*x)[0], 2.0 * run(*x)[1])
        return made

    def f(x):
        return np.sum(x**2)

    monkeypatch.setattr(entry, "Specialised", wrong)
    for k in range(8):
        x = np.array([1.0, 2.0]) * (k >= 4)
        np.testing.assert_array_equal(cr.grad(f)(x), 2.0 * x)
    known: Any = known_of(cast(FunctionType, f))
    assert all(v.program is None for v in known.values())


def test_a_place_out_of_the_domain_says_nothing():
    def f(x):
        if x[0] != 0.0:
            raise ValueError("not there")
        return np.sum(x * x[1])

    for _ in range(6):
        np.testing.assert_array_equal(cr.grad(f)(np.array([0.0, 2.0])), [2.0, 4.0])


def test_a_wrong_pushforward_is_not_kept_although_all_is_zero_at_first(monkeypatch):
    written: Any = vars(directions)["forward"]

    def wrong(*given: Any) -> Any:
        made = written(*given)
        run = made.run

        def doubled(*x: Any) -> Any:
            y, dy = run(*x)
            return y, (2.0 * dy[0],)

        made.run = doubled
        return made

    def f(x):
        return np.sum(x**2)

    monkeypatch.setitem(directions._BUILDERS, "value", wrong)
    for k in range(8):
        x = np.array([1.0, 2.0]) * (k >= 4)
        assert cr.jvp(f, (x,), (np.ones(2),))[1] == 2.0 * np.sum(x)


def test_a_loop_that_would_not_end_nearby():
    def f(x, t):
        y = 0.0
        while t != 3.0:  # of any other start than whole numbers there is no end
            y, t = y + x[0] * t, t + 1.0
        return y + x[1] * 0.0

    for _ in range(6):
        np.testing.assert_array_equal(cr.grad(f)(np.array([1.0, 2.0]), 0.0), [3.0, 0.0])
        assert cr.jvp(f, (np.array([1.0, 2.0]), 0.0), (np.array([0.0, 1.0]), cr.Zero()))[1] == 0.0


def test_second_derivatives_of_a_loop_that_would_not_end_nearby():
    """y = b³ t (t + 1)"""

    def f(x):
        y, t = x[1] ** 3, x[0]
        while t != 3.0:
            y, t = y * t, t + 1.0
        return y

    for _ in range(3):
        product = cr.hvp(f, np.array([1.0, 2.0]), np.array([1.0, 1.0]))
        np.testing.assert_allclose(product, [52.0, 60.0])

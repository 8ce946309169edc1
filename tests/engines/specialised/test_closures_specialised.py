# ruff: noqa: B023  some functions capture variables of comprehensions
"""Functions inside that call themselves, and that set variables of the function around them."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import is_right

X = np.random.default_rng(3).normal(size=12) * 0.5


def by_name_alone(x):
    k = x[0] * 2.0

    def scaled(v, w=1.5, *, shift=1.0, power):
        return k * (v * w + shift) ** power

    def plain(v, *, times=3):
        return v * times

    return sum(scaled(v, power=2) + plain(v) for v in x) + scaled(x[1], 0.5, power=3, shift=x[2]) * plain(k)


def horner(x):
    def go(i):
        return x[i] + 0.7 * go(i + 1) if i < len(x) - 1 else x[i]

    return go(0) ** 2


def halves(x):
    def build(lo, hi):
        if hi - lo == 1:
            return x[lo]
        m = (lo + hi) // 2
        return np.tanh(build(lo, m) * 1.1 + build(m, hi))

    return build(0, len(x))


def by_lambda(x):
    power: Any = lambda b, n: 1.0 if n == 0 else b * power(b, n - 1)  # noqa: E731  # it calls itself
    return power(x[0], 3) + power(x[1], 2)


def adaptive(x):
    f = lambda t: np.exp(-x[0] * t) + x[1] * t  # noqa: E731  # what is integrated

    def simpson(a, b, fa, fm, fb):
        return (b - a) / 6 * (fa + 4 * fm + fb)

    def refine(a, b, fa, fm, fb, whole, depth):
        m = (a + b) / 2
        fl, fr = f((a + m) / 2), f((m + b) / 2)
        left, right = simpson(a, m, fa, fl, fm), simpson(m, b, fm, fr, fb)
        if depth <= 0 or abs(left + right - whole) < 1e-6:
            return left + right + (left + right - whole) / 15
        return refine(a, m, fa, fl, fm, left, depth - 1) + refine(m, b, fm, fr, fb, right, depth - 1)

    fa, fm, fb = f(0.0), f(0.5), f(1.0)
    return refine(0.0, 1.0, fa, fm, fb, simpson(0.0, 1.0, fa, fm, fb), 6)


def two_scopes(x):
    def outer(a):
        def go(n):
            return a if n == 0 else go(n - 1) * x[n]

        return go(3)

    return outer(x[5]) + outer(x[6] * 2.0)


def counted(x):
    total = 0.0
    n = 0

    def add(v):
        nonlocal total, n
        total += v * v
        n += 1

    for v in x:
        add(v)
    return total / n


def read_between(x):
    n = 0.0

    def bump():
        nonlocal n
        n += x[0]
        return n

    return n + bump() * n + n * bump() + n


def state(x):
    h = np.zeros(3)

    def step(v):
        nonlocal h
        h = np.tanh(h * 0.5 + v)
        return np.sum(h)

    s = 0.0
    for i in range(0, 12, 3):
        s += step(x[i : i + 3])
    return s + h[0]


def parameter(x):
    def scale():
        nonlocal x
        x = x * 1.5

    for _ in range(3):
        scale()
    return np.sum(x**2)


def two_levels(x):
    c = 0.0

    def outer(v):
        d = 0.0

        def inner(w):
            nonlocal c, d
            c = c + w * v
            d += w

        for i in range(3):
            inner(v + i)
        return d

    t = 0.0
    for v in x:
        t += outer(v) * 0.1
    return t + c * c


def never_called(x):
    best = x[0]

    def better(v):
        nonlocal best
        best = v

    for v in x:
        if v > 10.0:
            better(v)
    return best * 2.0


def in_each_turn(x):
    return sum(optimize.brentq(lambda v: v**3 + v - k * x[0] ** 2, 0.0, 9.0) for k in range(1, 4)) * x[1]


def in_a_list(x):
    roots = [optimize.brentq(lambda v: v**3 + v - k * w**2, 0.0, 9.0) for k in (1.0, 2.0) for w in x[:2]]
    return np.sum(np.array(roots) ** 2)


def in_a_condition(x):
    return sum(v * x[0] for v in x if (lambda w: w * v)(2.0) > 0.0)


def kept(x):
    scaled = [lambda v: v * k * x[0] for k in range(3)]
    return sum(f(x[1]) for f in scaled)


@pytest.mark.parametrize("f", [in_each_turn, in_a_list, in_a_condition])
def test_that_capture_what_a_comprehension_sets(f):
    assert is_right(f, X)
    assert is_right(kept, X) is False


@pytest.mark.parametrize("f", [horner, by_name_alone, halves, by_lambda, adaptive, two_scopes])
def test_that_call_themselves(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", [counted, read_between, state, parameter, two_levels, never_called])
def test_that_set_a_variable(f):
    assert is_right(f, X)


def test_what_changes_between_calls_is_not_taken_for_fixed():
    def f(x):
        k = 1.0

        def go(n):
            return x[n] * k if n == 0 else go(n - 1) + x[n]

        a = go(2)
        k = 3.0
        return a + go(2)

    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(X)
        assert not text_of(f)
    np.testing.assert_allclose(found[:4], [4.0, 2.0, 2.0, 0.0])


def test_pushforwards_go_through():
    with specialised_after(1):
        for _ in range(3):
            _, dy = cr.jvp(counted, (X,), (np.ones(12),))
            hv = cr.hvp(horner, X, np.ones(12))
    np.testing.assert_allclose(dy, 2 * np.sum(X) / 12)
    e = 1e-5
    slope = (cr.grad(horner)(X + e) - cr.grad(horner)(X - e)) / (2 * e)
    np.testing.assert_allclose(hv, slope, rtol=1e-5, atol=1e-7)


def test_a_lambda_of_what_is_bound_by_its_own_statement():
    def f(x):
        if x[0] > -10.0:
            scale: Any = (lambda v: v * len(scale), 2.0)
        return scale[0](x[1]) * scale[1]

    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(X)
    np.testing.assert_allclose(found[:3], [0.0, 4.0, 0.0])


def test_a_variable_that_a_pattern_sets_is_left_to_the_ordinary_program():
    def f(x):
        m = x[1]

        def add(v):
            nonlocal m
            m = m + v

        match x[0] * 2.0:
            case m:
                pass
        add(x[2])
        return m

    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(np.array([0.5, 1.0, 2.0])), [2.0, 0.0, 1.0])
    assert "set by a pattern" in met[0]

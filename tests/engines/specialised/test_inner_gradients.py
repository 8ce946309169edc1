# ruff: noqa: T201, B023  some functions print, or capture variables of loops
"""Gradients that a function asks for while it is differentiated."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions, is_right

X = np.array([0.7, -0.3, 1.4, 0.2])
POINTS = np.linspace(0.1, 1.0, 5)


def field(p, t):
    return p[0] * np.tanh(p[1] * t + p[2]) + p[3] * t**3


def potential(q, k):
    return np.sum(np.cos(q) * k) + np.sum(q**2 * k[0])


force = cr.grad(potential)


def equation(p):
    return sum((cr.grad(field, 1)(p, t) - np.cos(t)) ** 2 for t in POINTS.tolist())


def slopes(p):
    total = 0.0
    for t in POINTS.tolist():
        total = total + (cr.derivative(lambda z: field(p, z))(t) - t) ** 2
    return total


def descent(x):
    w = np.zeros(4)
    for _ in range(4):
        w = w - 0.1 * np.exp(x[0]) * cr.grad(lambda w: np.sum((w - x) ** 2) + np.sum(w**4))(w)
    return np.sum(w**2)


def leapfrog(x):
    energy = lambda q: potential(q, x)  # noqa: E731
    pull = cr.grad(energy)
    q, v = x * 0.5, np.ones(4)
    for _ in range(3):
        v = v - 0.1 * pull(q)
        q = q + 0.1 * v
    return np.sum(q**2) + v[0]


def of_the_module(x):
    q = x * 2.0
    for _ in range(3):
        q = q - 0.1 * force(q, x)
    return np.sum(q)


def by_keyword(x):
    return np.sum(cr.grad(potential, argnums=1)(x[:2], x[2:]) ** 2)


def in_branches(x):
    def piecewise(q):
        return np.sum(q**3) * x[0] if q[0] > 0.5 else np.sum(np.abs(q) ** 1.5)

    return np.sum(cr.grad(piecewise)(x)) + np.sum(cr.grad(piecewise)(x * 0.3))


def with_values(x):
    asked = cr.value_and_grad(lambda q: potential(q, x))
    q, total = x * 0.5, 0.0
    for _ in range(3):
        value, slope = asked(q)
        q = q - 0.1 * slope
        total = total + value
    return total + cr.value_and_grad(potential, 1)(q, x)[1][0]


def of_tasks(x):
    total = 0.0
    for k in range(3):
        A = np.outer(x, np.arange(4.0) + k) * 0.1
        inner = lambda t: np.sum((A @ t - x) ** 2)  # noqa: E731
        total = total + inner(x - 0.05 * cr.grad(inner)(x))
    return total


@pytest.mark.parametrize(
    "f",
    [with_values, of_tasks, equation, slopes, descent, leapfrog, of_the_module, by_keyword, in_branches],
    ids=lambda f: f.__name__,
)
def test_gradients_inside(f):
    assert is_right(f, X)
    hold_directions(f, X)
    with specialised_after(1):
        for k in (1.0, -0.6, 0.5, 0.8, 1.0):
            np.testing.assert_allclose(cr.grad(f)(k * X), differences(f, k * X), rtol=2e-6, atol=1e-7)


def told(x):
    def energy(q):
        print("asked")
        return np.sum(q**2 * x)

    return np.sum(cr.grad(energy)(x))


def of_a_vector(x):
    try:
        return np.sum(cr.grad(lambda q: q * x)(x))
    except cr.NonScalarOutputError:
        return np.sum(x**2)


def kept(x):
    makers = [cr.grad(lambda q: np.sum(q**2) * x[k]) for k in range(2)]
    return sum(np.sum(g(x)) for g in makers)


def third(x):
    return np.sum(cr.grad(lambda q: np.sum(cr.grad(lambda r: np.sum(r**4))(q) * x))(x))


@pytest.mark.parametrize("f", [told, of_a_vector, kept, third])
def test_others_are_right(f, capsys):
    with specialised_after(1, compared=True):
        for k in range(4):
            x = X + 0.1 * k
            np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-7)


def test_another_function_by_the_name(monkeypatch):
    with specialised_after(1):
        for _ in range(3):
            cr.grad(of_the_module)(X)
        assert "gradient_at" in text_of(of_the_module) or "handed" in text_of(of_the_module)
        monkeypatch.setitem(globals(), "force", cr.grad(lambda q, k: np.sum(q**4) * k[1]))
        for _ in range(4):
            np.testing.assert_allclose(cr.grad(of_the_module)(X), differences(of_the_module, X), rtol=1e-6)

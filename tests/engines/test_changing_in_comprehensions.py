"""Comprehensions, and `any`, `all` and `next`, that change the objects that they go over."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

X = np.array([0.7, -0.4, 1.3])


class Layer:
    def __init__(self, w: float) -> None:
        self.w, self.y = w, np.zeros(3)

    def __call__(self, x: Any) -> Any:
        self.y = np.tanh(self.w * x)
        return self.y

    def forward(self, x: Any) -> Any:
        self.y = np.sin(self.w * x)
        return self.y


class Model:
    def __init__(self) -> None:
        self.named = {"a": Layer(0.5), "b": Layer(0.8)}
        self.rows = list(self.named.values())


def values(x: Any, m: Any) -> Any:
    ys = [layer.forward(x) for layer in m.named.values()]
    return np.sum(ys[0] * ys[1]) + np.sum(m.named["a"].y)


def values_held(x: Any, m: Any) -> Any:
    shown = m.named.values()
    ys = [layer(x) for layer in shown]
    return np.sum(ys[0] * ys[1]) + np.sum(m.rows[0].y * x)


def entries(x: Any, m: Any) -> Any:
    ys = {name: layer(x) for name, layer in m.named.items()}
    return np.sum(ys["a"] * m.rows[1].y)


def keys(x: Any, m: Any) -> Any:
    ys = [m.named[name](x) for name in m.named]
    return np.sum(ys[0] * m.rows[1].y)


def counted(x: Any, m: Any) -> Any:
    ys = [layer.forward(x) * i for i, layer in enumerate(m.rows, start=1)]
    return np.sum(ys[0] * ys[1]) + np.sum(m.named["b"].y)


def paired(x: Any, m: Any) -> Any:
    total = sum(np.sum(layer(x)) * i for layer, i in zip(m.rows, [1.0, 2.0], strict=True))
    return total * np.sum(m.named["a"].y)


def from_the_end(x: Any, m: Any) -> Any:
    return np.sum(np.stack([layer(x) for layer in reversed(m.rows)]) * x) + np.sum(m.named["a"].y)


def every(x: Any, m: Any) -> Any:
    return all(np.sum(layer(x)) > -9.0 for layer in m.named.values()) * np.sum(m.rows[0].y)


def every_counted(x: Any, m: Any) -> Any:
    return all(np.sum(layer(x)) > -9.0 for _, layer in enumerate(m.rows)) * np.sum(m.rows[0].y)


def every_held(x: Any, m: Any) -> Any:
    shown = m.named.values()
    return all(np.sum(layer(x)) > -9.0 for layer in shown) * np.sum(m.rows[0].y)


def some(x: Any, m: Any) -> Any:
    found = any(layer.forward(x)[0] > 9.0 for layer, _ in zip(m.rows, range(2), strict=True))
    return np.sum(m.named["b"].y) if not found else 0.0


def the_first(x: Any, m: Any) -> Any:
    found = next((layer for layer in m.rows if layer.forward(x)[0] > 0.4), None)
    return np.sum(m.named["a"].y * x) + np.sum(found.y if found is not None else x)


def of_a_test(x: Any, m: Any) -> Any:
    count = len([1 for layer in m.named.values() if np.sum(layer.forward(x)) > -9.0])
    return np.sum(m.rows[1].y) * count


PROGRAMS = [values, values_held, entries, keys, counted, paired, from_the_end, every, every_counted, some]
PROGRAMS += [every_held]
PROGRAMS += [the_first, of_a_test]


@pytest.mark.parametrize("f", PROGRAMS)
def test_they_agree_with_differences(f: Any) -> None:
    numeric = np.array([(f(X + e, Model()) - f(X - e, Model())) / 2e-6 for e in 1e-6 * np.eye(3)])
    plain = Model()
    f(X, plain)
    for runs in (10**9, 1):
        with specialised_after(runs):
            for _ in range(3):
                given = Model()
                np.testing.assert_allclose(cr.grad(f)(X, given), numeric, rtol=1e-6, atol=1e-9)
                np.testing.assert_array_equal(given.rows[1].y, plain.rows[1].y)
    _, moved = cr.jvp(f, (X, Model()), (X, cr.tangents.ZERO))
    assert moved == pytest.approx(numeric @ X, rel=1e-6)


@pytest.mark.parametrize("f", PROGRAMS)
def test_second_derivatives(f: Any) -> None:
    gradient = cr.grad(lambda x: f(x, Model()))
    curvature = [(gradient(X + e) - gradient(X - e)) / 2e-5 for e in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(cr.hessian(lambda x: f(x, Model()))(X), curvature, rtol=1e-5, atol=1e-8)

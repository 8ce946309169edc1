"""Entries whose keys are computed: by a number that a loop counts, or that is the same in each run."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import hold_directions, is_right

X = np.random.default_rng(0).normal(size=(6, 3))
SIZES = (3, 2, 1)


def unpacked(v):
    """The weights of layers by name, set in a loop."""
    params, k = {}, 0
    for i in range(1, len(SIZES)):
        m, n = SIZES[i - 1], SIZES[i]
        params["W" + str(i)] = v[k : k + m * n].reshape(m, n)
        params["b" + str(i)] = v[k + m * n : k + m * n + n]
        k += m * n + n
    return params


def counted_by_its_own_length(v):
    params, h = unpacked(v), X
    for i in range(1, len(params) // 2 + 1):
        h = np.tanh(h @ params[f"W{i}"] + params[f"b{i}"])
    return np.mean((h - 0.3) ** 2)


def last_after_the_loop(v):
    params, h = unpacked(v), X
    last = len(params) // 2
    for i in range(1, last):
        h = np.maximum(h @ params["W" + str(i)] + params["b" + str(i)], 0.1 * h[:, :1])
    return np.mean((h @ params["W" + str(last)] + params["b" + str(last)] - 0.3) ** 2)


class Layers:
    """Layers whose weights are set by name as they are made."""

    def __init__(self, v):
        self.params, k = {}, 0
        for i in range(1, len(SIZES)):
            m, n = SIZES[i - 1], SIZES[i]
            self.params["W" + str(i)] = v[k : k + m * n].reshape(m, n)
            k += m * n
        self.last = len(SIZES) - 1

    def __call__(self, x):
        for i in range(1, self.last + 1):
            x = x @ self.params["W" + str(i)]
            if i < self.last:
                x = np.sin(x)
        return x


def of_an_object(v):
    return np.mean((Layers(v)(X) - 0.3) ** 2)


def backwards(v):
    """Back-propagation by hand, one step, and the loss after it."""
    params, last = unpacked(v), len(SIZES) - 1
    cache, grads, new = {"A0": X}, {}, {}
    for i in range(1, last + 1):
        cache["Z" + str(i)] = cache["A" + str(i - 1)] @ params["W" + str(i)] + params["b" + str(i)]
        cache["A" + str(i)] = np.tanh(cache["Z" + str(i)])
    slope = 2 * (cache["A" + str(last)] - 0.3) / len(X)
    for i in reversed(range(1, last + 1)):
        inner = slope * (1 - cache["A" + str(i)] ** 2)
        grads["dW" + str(i)] = cache["A" + str(i - 1)].T @ inner
        slope = inner @ params["W" + str(i)].T
    for i in range(1, last + 1):
        new["W" + str(i)] = params["W" + str(i)] - 0.1 * grads["dW" + str(i)]
    h = X
    for i in range(1, last + 1):
        h = np.tanh(h @ new["W" + str(i)] + params["b" + str(i)])
    return np.mean((h - 0.3) ** 2)


V = np.linspace(-0.7, 0.9, 11)


@pytest.mark.parametrize("f", [counted_by_its_own_length, last_after_the_loop, of_an_object, backwards])
def test_computed_keys_are_specialised_and_right(f):
    assert is_right(f, V)
    hold_directions(f, V)


WHICH: dict[str, Any] = {"key": "b", "place": 0}


def test_another_key_than_was_seen_gives_the_text_up():
    def f(v):
        parts, pair = {"a": v[0] * v[1], "b": v[0] ** 3}, (v[1] ** 2, np.sum(v))
        return parts[WHICH["key"]] * pair[WHICH["place"]]

    x = np.array([0.5, 2.0])
    with specialised_after(1):
        for _ in range(3):
            cr.grad(f)(x)
        assert text_of(f)
        for key, place in (("b", 0), ("a", 0), ("a", -1), ("b", 1)):
            WHICH.update(key=key, place=place)
            slope = [(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(2)]
            np.testing.assert_allclose(cr.grad(f)(x), slope, rtol=1e-7)
        WHICH["key"] = "c"
        with pytest.raises(KeyError):
            cr.grad(f)(x)
    WHICH.update(key="b", place=0)

"""Loops over things of several kinds in specialised programs: parameters by name, layers, optimisers."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, is_right

X = np.random.default_rng(3).normal(size=12) * 0.5


def made(x):
    return {"w": x[:6].reshape(2, 3), "b": x[6:8], "s": x[8:9]}


def cost(p):
    return np.sum(np.tanh(p["w"] @ np.ones(3) + p["b"]) ** 2) * np.sum(p["s"])


def moved(v, g):
    return v - 0.1 * g


def squares(v):
    return np.sum(v**2)


def relu(v):
    return np.maximum(v, 0.0)


def a_function_of_each(x):
    return cost({k: moved(v, v**2) for k, v in made(x).items()})


def penalties(x):
    ws = [x[:6].reshape(2, 3), x[6:8], x[8:9]]
    out = []
    for w in ws[:2]:
        out.append(squares(w))
    return sum(squares(v) for v in made(x).values()) * out[0] + out[1] + sum(squares(w) for w in ws)


def steps(x):
    p = made(x)
    m = {k: np.zeros_like(v) for k, v in p.items()}

    def step(p, m):
        m = {k: 0.9 * m[k] + 0.1 * p[k] ** 2 for k in p}
        return {k: moved(p[k], m[k]) for k in p}, m

    for _ in range(3):
        p, m = step(p, m)
    return cost(p)


class Optimiser:
    def __init__(self, p):
        self.m = {k: np.zeros_like(v) for k, v in p.items()}
        self.t = 0

    def step(self, p, g):
        self.t += 1
        out = {}
        for k in p:
            self.m[k] = 0.9 * self.m[k] + 0.1 * g[k]
            out[k] = p[k] - 0.1 * self.m[k] / (1 - 0.9**self.t)
        return out


def optimised(x):
    p = made(x)
    optimiser = Optimiser(p)
    for _ in range(3):
        p = optimiser.step(p, {k: 2 * v for k, v in p.items()})
    return cost(p)


def layers(x):
    h = x[:3]
    for w, b, activation in ((x[:6].reshape(2, 3), x[6:8], np.tanh), (x[8:12].reshape(2, 2), x[:2], relu)):
        h = activation(w @ h + b)
    return np.sum(h)


def nested(x):
    every = {"a": {"w": x[:4].reshape(2, 2), "b": x[4:6]}, "c": {"w": x[6:8], "b": x[8:9]}}
    return sum(squares(v) * (i + 1) for p in every.values() for i, v in enumerate(p.values()))


@pytest.mark.parametrize("f", [a_function_of_each, penalties, steps, optimised, layers, nested])
def test_gradients(f):
    assert is_right(f, X)


R = np.random.default_rng(0)
DATA, WANTED = R.normal(size=(20, 3)), R.normal(size=20)
NAMED = {"w1": R.normal(size=(3, 4)), "b1": np.zeros(4), "w2": R.normal(size=4), "b2": 0.2}
LISTED = [R.normal(size=(3, 4)), R.normal(size=(4, 2)), R.normal(size=2)]


def by_number(p):
    h = DATA
    for i in (1, 2):
        h = h @ p[f"w{i}"] + p[f"b{i}"]
        if i < 2:
            h = np.maximum(h, 0.0)
    return np.mean((h - WANTED) ** 2)


def of_other_values(p):
    return by_number({k: np.tanh(v) for k, v in p.items()})


def by_the_beginning_of_the_name(p):
    return by_number(p) + 1e-3 * sum(np.sum(p[k] ** 2) for k in p if k.startswith("w"))


def last_of_another_kind(ws):
    h = DATA
    for i, w in enumerate(ws):
        h = h @ w
        if i < len(ws) - 1:
            h = np.maximum(h, 0.0)
    return np.mean((h - WANTED) ** 2) + 0.1 * sum(np.sum(w**2) for w in ws)


@pytest.mark.parametrize(
    ("f", "p"),
    [
        *((f, NAMED) for f in (by_number, of_other_values, by_the_beginning_of_the_name)),
        (last_of_another_kind, LISTED),
        (last_of_another_kind, tuple(LISTED)),
    ],
)
def test_parameters_that_are_given(f, p):
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for _ in range(3):
            cr.grad(f)(p)
    with specialised_after(1):
        for _ in range(3):
            found = cr.grad(f)(p)
        assert text_of(f)
    assert not met
    for k in p if isinstance(p, dict) else range(len(p)):
        direction = R.normal(size=np.shape(p[k]))

        def along(t, k=k, direction=direction):
            q = dict(p) if isinstance(p, dict) else list(p)
            q[k] = q[k] + t * direction
            return f(q)

        slope = (along(1e-6) - along(-1e-6)) / 2e-6
        np.testing.assert_allclose(np.sum(found[k] * direction), slope, rtol=1e-6, atol=1e-9)


class Double:
    k = 2.0

    def run(self, v):
        return v * 2.0

    def __add__(self, v):
        return v * 2.0

    def __getitem__(self, v):
        return v * 2.0

    @property
    def rate(self):
        return 2.0


class Triple(Double):
    k = 3.0

    def run(self, v):
        return v * 3.0

    def __add__(self, v):
        return v * 3.0

    def __getitem__(self, v):
        return v * 3.0

    @property
    def rate(self):
        return 3.0


class Pair:
    def __init__(self, v):
        self.v = v * 2.0


class Other:
    def __init__(self, v):
        self.v = v * 3.0


def double(v):
    return v * 2.0


def triple(v):
    return v * 3.0


def test_turns_that_no_run_has_seen():
    """The first runs take one turn of two; what the other does is another thing."""

    def by_function(x):
        return sum(f(v) for f, v in zip((double, triple), x, strict=True) if v > 0)

    def by_closure(x):
        fs = [lambda v: v * 2.0, lambda v: v * 3.0]
        return sum(f(v) for f, v in zip(fs, x, strict=True) if v > 0)

    def by_method(x):
        return sum(o.run(v) for o, v in zip([Double(), Triple()], x, strict=True) if v > 0)

    def by_operator(x):
        return sum(o + v for o, v in zip([Double(), Triple()], x, strict=True) if v > 0)

    def by_item(x):
        return sum(o[v] for o, v in zip([Double(), Triple()], x, strict=True) if v > 0)

    def by_property(x):
        return sum(o.rate * v for o, v in zip([Double(), Triple()], x, strict=True) if v > 0)

    def by_constant(x):
        return sum(o.k * v for o, v in zip([Double(), Triple()], x, strict=True) if v > 0)

    def by_class(x):
        classes: tuple[Any, ...] = (Pair, Other)
        return sum(P(v).v for P, v in zip(classes, x, strict=True) if v > 0)

    def by_library(x):
        fs: tuple[Any, ...] = (np.positive, triple)
        return sum(f(v) for f, v in zip(fs, x, strict=True) if v > 0)

    def by_keys(x):
        ds = ({"a": 2.0}, {"a": 2.0, "b": 1.0})
        return sum(sum(c * v for c in d.values()) for d, v in zip(ds, x, strict=True) if v > 0)

    def by_merged_keys(x):
        ds = ({"a": 2.0}, {"a": 2.0, "b": 1.0})
        total = 0.0
        for d, v in zip(ds, x, strict=True):
            if v > 0:
                e = {**d, "c": 0.0}
                total = total + len(e) * v
        return total

    programs = [by_function, by_closure, by_method, by_operator, by_item, by_property, by_constant]
    programs += [by_class, by_library, by_keys, by_merged_keys]
    for f in programs:
        for first in ([-1.0, 1.0], [1.0, -1.0]):
            f.__dict__.clear()
            with specialised_after(1):
                for given in (first, first, [1.0, 2.0], [2.0, -1.0], [-1.0, 2.0], [1.0, 1.0]):
                    x = np.array(given)
                    np.testing.assert_allclose(cr.grad(f)(x), differences(f, x), rtol=1e-6, atol=1e-9)

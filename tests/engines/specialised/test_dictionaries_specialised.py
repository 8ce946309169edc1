"""Specialised programs with dictionaries: as arguments, of parameters foremost, and in between."""

import copy

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

X = np.linspace(-1.0, 2.0, 12).reshape(4, 3)
PARAMS = {
    "in": {"w": np.linspace(0.3, 1.0, 6).reshape(3, 2), "b": np.array([0.1, -0.2])},
    "out": (np.array([0.5, -0.7]), 0.3),
    "unused": np.ones(2),
}


def predict(p, x):
    h = np.tanh(x @ p["in"]["w"] + p["in"]["b"])
    w, b = p["out"]
    return h @ w + b


def loss(p, x):
    return np.mean((predict(p, x) - 1.0) ** 2) + 0.1 * np.sum(p["in"]["w"] ** 2)


def parts(x):
    return {"sum": np.sum(x, axis=0), "first": x[0]}


def between(p, x):
    found = parts(x * p["out"][1])
    both = {"a": found["sum"], "b": {"c": found["first"] * 2.0}}
    return both["a"] @ both["b"]["c"] + len(both)


def carried(p, x):
    state = {"y": p["out"][0], "n": 0.0}
    for row in range(3):
        state = {"y": np.sin(state["y"]) * p["out"][1], "n": state["n"] + x[row, 0]}
    return np.sum(state["y"]) * state["n"]


@pytest.mark.parametrize("f", [loss, between, carried])
def test_the_answers_of_the_ordinary_program(f):
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for k in range(4):
            cr.grad(f)(PARAMS, X + 0.1 * k)
    assert met == []
    expected = cr.grad(f, engine="tape")(PARAMS, X)
    with specialised_after(1):
        for _ in range(3):
            got = cr.grad(f)(PARAMS, X)
    assert list(got) == list(PARAMS)
    assert isinstance(got["out"][1], float)
    np.testing.assert_allclose(got["out"][0], expected["out"][0], rtol=1e-12)
    np.testing.assert_allclose(got["out"][1], expected["out"][1], rtol=1e-12)
    if f is loss:
        np.testing.assert_allclose(got["in"]["w"], expected["in"]["w"], rtol=1e-12)
    assert got["unused"].tolist() == [0.0, 0.0]


def test_other_keys_are_another_kind():
    def f(p):
        return sum(p[k] for k in sorted(p)) if len(p) > 2 else p["a"] * p["b"]

    with specialised_after(1):
        for _ in range(3):
            two = cr.grad(f)({"a": 2.0, "b": 3.0})
            turned = cr.grad(f)({"b": 3.0, "a": 2.0})
            three = cr.grad(f)({"a": 2.0, "b": 3.0, "c": 4.0})
    assert dict(two) == {"a": 3.0, "b": 2.0}
    assert list(turned) == ["b", "a"]
    assert dict(turned) == {"a": 3.0, "b": 2.0}
    assert dict(three) == {"a": 1.0, "b": 1.0, "c": 1.0}


def test_a_dictionary_that_is_changed_is_left_to_the_ordinary_program():
    def f(p):
        p["a"] = p["a"] * p["b"]
        p.update(b=1.0)
        return p["a"] ** 2

    met: list[str] = []
    with specialised_after(1, met=met):
        for _ in range(3):
            got = cr.grad(f)(copy.copy({"a": 2.0, "b": 3.0}))
    assert len(met) == 1
    assert dict(got) == {"a": 36.0, "b": 24.0}


def test_a_number_that_is_whole_is_left_to_the_ordinary_program():
    with specialised_after(1):
        for _ in range(3):
            got = cr.grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 3})
    assert dict(got) == {"a": 3.0, "b": 2.0}

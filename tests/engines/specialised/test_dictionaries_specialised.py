"""Specialised programs with dictionaries: as arguments, of parameters foremost, and in between."""

import copy

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import is_right

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


def made(x):
    return {"w": x[:6].reshape(2, 3), "b": x[6:8], "s": x[8:9]}


def cost(p):
    return np.sum(np.tanh(p["w"] @ np.ones(3) + p["b"]) ** 2) * np.sum(p["s"])


def scaled(x):
    return cost({k: 2.0 * v for k, v in made(x).items()})


def scaled_and_chosen(x):
    p = made(x)
    return cost({k: 2.0 * p[k] for k in p if k != "s"} | {"s": x[9:10]})


def filled(x):
    p, q = made(x), {}
    for k in p:
        q[k] = p[k] * 2.0
    for k, v in q.items():
        q[k] = v - 0.1 * p[k] ** 2
    return cost(q)


def momentum(x):
    p = made(x)
    m = {k: np.zeros_like(v) for k, v in p.items()}
    for _ in range(3):
        g = {k: 2.0 * v for k, v in p.items()}
        m = {k: 0.9 * m[k] + g[k] for k in p}
        p = {k: p[k] - 0.1 * m[k] for k in p}
    return cost(p)


def one_in_the_place_of_another(x):
    p = made(x)
    q = {**p, "s": x[9:10] * x[8]}
    r = p.copy()
    r.update(b=x[9:11])
    r.update({"s": r["s"] * 2.0})
    return cost(q) + cost(r) + cost(dict(p)) + cost(dict(r, s=x[:1]))


def by_name(x):
    p = {f"l{i}": x[4 * i : 4 * i + 4] for i in range(3)}
    q = dict(zip(("a", "b"), (x[:2], x[2:4]), strict=True))
    r = dict([("a", x[0]), ("b", x[1])])  # noqa: C406  # what is read here
    n = len(dict()) + len(dict(a=x[0]))  # noqa: C408  # and here
    h = np.ones(4)
    for i in range(3):
        h = np.tanh(h * p[f"l{i}"])
    return np.sum(h) * q["a"] @ q["b"] + r["a"] * r["b"] + n


@pytest.mark.parametrize(
    "f", [scaled, scaled_and_chosen, filled, momentum, one_in_the_place_of_another, by_name]
)
def test_dictionaries_that_are_made_of_others(f):
    assert is_right(f, np.random.default_rng(3).normal(size=12) * 0.5)


def test_a_dictionary_of_the_caller_is_not_changed_twice():
    def f(p, x):
        p.update(a=p["a"] * 2.0)
        return np.sum(x) * p["a"]

    with specialised_after(1):
        for _ in range(3):
            given = {"a": 1.0}
            np.testing.assert_allclose(cr.grad(f, 1)(given, X), np.full(X.shape, 2.0))
            assert given == {"a": 2.0}


def test_keys_that_change_from_run_to_run():
    def f(x):
        names = ["a", "b"] if x[0] > 0 else ["b", "a"]
        p = dict(zip(names, x, strict=True))
        return p["a"] * 2.0 + p["b"]

    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(np.array([1.0, 2.0])), [2.0, 1.0])
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(np.array([-1.0, 2.0])), [1.0, 2.0])


def kept_records(p):
    records = [{"t": 0.0, "x": 1.0}]  # of Python's floats, those that follow are NumPy's
    for _ in range(4):
        last = records[-1]
        records.append({"t": last["t"] + 0.1, "x": last["x"] * (1.0 - p[0] * 0.1) + p[1]})
    return sum(r["x"] * r["t"] for r in records)


def kept_pairs(p):
    pairs = [(0, 1.0)]
    for k in range(4):
        n, x = pairs[-1]
        pairs.append((n + k, x * p[0] + p[1]))
    return sum(x * n for n, x in pairs)


@pytest.mark.parametrize("f", [kept_records, kept_pairs])
def test_lists_of_what_holds_several_kinds_of_numbers(f):
    assert is_right(f, np.array([0.5, 0.1]))


REACTIONS = [({"A": 1}, {"B": 1}), ({"B": 2}, {"C": 1, "A": 1}), ({"A": 1, "C": 1}, {"B": 2})]
GRAPH = {0: {1: 0.5, 2: 3.0}, 1: {0: 2.0}, 2: {}}


def mass_action(k):
    y = {"A": 1.0, "B": 0.4, "C": 0.1}
    for _ in range(2):
        dy = dict.fromkeys(y, 0.0)
        for rate, (left, right) in zip(k, REACTIONS, strict=True):
            v = rate * 0.1
            for s, n in left.items():
                v = v * y[s] ** n
            for s, n in left.items():
                dy[s] = dy[s] - n * v
            for s, n in right.items():
                dy[s] = dy[s] + n * v
        y = {s: y[s] + dy[s] for s in y}
    return y["A"] * y["B"] + y["C"]


def along_a_graph(k):
    total = k[0]
    for i, row in GRAPH.items():
        for j, weight in row.items():
            total = total + k[i] * weight * np.sin(k[j])
    return total


def keys_of_several(k):
    total = 0.0
    for left, right in REACTIONS:
        total = total + k[len(left)] * len(right) + sum(k[0] * n for n in right.values())
    return total


@pytest.mark.parametrize("f", [mass_action, along_a_graph, keys_of_several])
def test_dictionaries_with_keys_of_their_own_in_a_list(f):
    assert is_right(f, np.array([0.7, 1.2, 0.4]))


def test_other_keys_outside_in_a_later_call():
    x = np.array([0.7, 1.2, 0.4])
    with specialised_after(1):
        for _ in range(3):
            before = cr.grad(along_a_graph)(x)
        GRAPH[2] = {0: 1.5}
        try:
            for _ in range(3):
                found = cr.grad(along_a_graph)(x)
        finally:
            GRAPH[2] = {}
        np.testing.assert_allclose(found - before, [x[2] * 1.5 * np.cos(x[0]), 0.0, 1.5 * np.sin(x[0])])
        np.testing.assert_allclose(cr.grad(along_a_graph)(x), before)

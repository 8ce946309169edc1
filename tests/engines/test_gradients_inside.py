"""Gradients that are lists, tuples or dicts, used inside another derivative."""

import math

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.tangents import Composite, Zero
from chainrules.testing import check_grads

table = Table()


def of_list(p):
    return p[0] * p[1] * p[1]


def of_dict(p):
    return p["a"] * p["b"] * p["b"]


def of_arrays(p):
    return np.sum(p[0] * p[1] * p[1])


def by_list(x):
    return cr.grad(of_list)([x, x * 2.0])


def by_tuple(x):
    return cr.grad(of_list)((x, x * 2.0))


def by_dict(x):
    return cr.grad(of_dict)({"a": x, "b": x * 2.0})


@table(2.0)
def arrays_of_them(x):
    return np.sum(np.array(by_list(x))) * np.prod(np.asarray(by_tuple(x))) + np.sum(np.stack(by_list(x)))


@table(2.0)
def reductions(x):
    return np.sum(by_list(x)) + np.mean(by_tuple(x)) + np.max(by_list(x)) * x


@table(2.0)
def norms(x):
    return np.linalg.norm(by_list(x)) + np.linalg.norm(by_tuple(x), ord=1)


@table(2.0)
def products(x):
    return np.dot(by_list(x), np.array([1.0, 2.0])) + sum(by_list(x)) + math.fsum(by_tuple(x))


@table(2.0)
def joined(x):
    def arrays():
        return cr.grad(of_arrays)([x * np.ones(2), x * 2.0 * np.ones(2)])

    return (
        np.sum(np.concatenate(arrays()))
        + np.sum(np.hstack(arrays()) * np.arange(4))
        + np.sum(np.vstack(arrays()))
    )


@table(2.0)
def lists_in_lists(x):
    nested = cr.grad(lambda p: p[0][0] * p[0][1] * p[1][0] * p[1][1])([[x, x * 2.0], [x, 3.0 * x]])
    return np.sum(np.array(nested)) + np.linalg.norm(nested)


@table(2.0)
def entries_of_dicts(x):
    g = by_dict(x)
    return g["a"] * g.get("b") + g.get("c", x) * len(g)


@table(2.0)
def views_of_dicts(x):
    g = by_dict(x)
    total = sum(g.values()) * np.linalg.norm(list(g.values()))
    for key, v in g.items():
        total = total + v * v * (2.0 if key == "a" else 1.0)
    return total + sum(g[key] for key in g.keys())  # noqa: SIM118  the method is meant


@table(2.0)
def steps_of_descent(x):
    p, q = {"a": x, "b": x * 2.0}, [x, x * 2.0]
    for _ in range(2):
        g, h = cr.grad(of_dict)(p), cr.grad(of_list)(q)
        p = {key: p[key] - 0.01 * g[key] for key in p}
        q = [a - 0.01 * b for a, b in zip(q, h, strict=True)]
    return of_dict(p) * of_list(q)


@table(2.0)
def what_a_pullback_gives(x):
    _, back = cr.vjp(of_list, [x, x * 2.0])
    (bar,) = back(1.0)
    return np.sum(np.array(bar)) + sum(cr.grad(lambda a, b: a * b * b, argnums=(0, 1))(x, x * 2.0))


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_gradients_that_are_containers_agree_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize("f", [arrays_of_them, norms, entries_of_dicts, views_of_dicts])
def test_their_second_derivatives_agree_with_differences(f):
    check_grads(f, 2.0, order=2)


def test_numpy_takes_the_tangent_of_a_list_for_its_items():
    t = Composite[list](1.0, Zero(), 2.0)
    assert (np.sum(t), np.max(t), np.linalg.norm(t), np.concatenate([t, t]).shape) == (
        3.0,
        2.0,
        np.sqrt(5.0),
        (6,),
    )

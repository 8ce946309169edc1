"""A store into an array that nothing else sees tells nobody; where something may see it, it is told."""

import ast
import textwrap

import numpy as np
import pytest

import chainrules as cr
from chainrules.core.loading import load_for
from chainrules.engines.source.analysis.sharing import Sharing
from chainrules.engines.source.analysis.unshared import alone
from chainrules.engines.source.reading.resolver import Resolver
from chainrules.engines.source.syntax.scopes import own, own_statements
from chainrules.testing import check_grads


def stores(text: str) -> list[str]:
    """The names that are alone at each statement that stores."""
    body = ast.parse(textwrap.dedent(text)).body
    names = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name)}
    known = {"np": np, "helper": lambda x: x}
    resolver = Resolver(known, names - {*known, "len", "range"}, load_for)
    statements = own_statements(body)
    Sharing(resolver, body, statements, frozenset())
    found = alone(body, statements, resolver)
    return [" ".join(sorted(found.get(s, ()))) for s in statements if own(s).stores]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a = np.zeros(3)\na[0] = x\na[1] = y", ["a", "a"]),
        ("a = np.zeros(3)\na[1] = 2.0 * a[0] + np.sin(a[2])", ["a"]),
        ("a = np.zeros(3)\nfor i in range(len(a)):\n    if np.sum(a) < x:\n        a[i] = x", ["a"]),
        ("for i in x:\n    a = np.zeros(3)\n    a[0] = i\n    b = a", ["a"]),
        ("for i in x:\n    a = np.zeros(3)\n    b = a\n    a[0] = i", [""]),
        ("a = np.zeros(3)\nfor i in x:\n    a[0] = i\n    b = a[1:]", [""]),
        ("a = np.zeros(3)\nfor i in a:\n    a[0] = i", [""]),
        ("a = np.zeros(3)\nb.append(a)\na[0] = x", [""]),
        ("a = np.zeros(3)\na[0] = helper(a)", [""]),
        ("a = np.zeros(3)\nb = helper(a) + 1\na[0] = x", [""]),
        ("a = np.zeros(3)\nb[0], c = a, a * 2\na[0] = x", ["", ""]),
        ("a = b = np.zeros(3)\na[0] = x", [""]),
        ("def f():\n    return a\na = np.zeros(3)\na[0] = x", [""]),
        ("f = lambda: a\na = np.zeros(3)\na[0] = x", [""]),
        ("a = np.zeros(3)\na = x\na[0] = y", [""]),
        ("a = np.zeros(3)\na[0][1] = y", [""]),
        ("a = np.zeros(3)\na[0], b = x, a\na[1] = y", ["", ""]),
        ("global a\na = np.zeros(3)\na[0] = y", [""]),
        ("a = np.zeros(3)\nb = (c := a)\na[0] = y", [""]),
        ("a = np.zeros(3, object)\na[0] = y", [""]),
    ],
)
def test_who_is_alone(text, found):
    assert stores(text) == found


def steps(x):
    """Each round's array is another, though all of them share their names."""
    state = np.zeros(3)
    state[0] = x[0]
    state[1] = x[1] * state[0]
    seen = 0.0
    for _ in range(2):
        first, rest = state[0], state[1:]
        following = np.zeros(3)
        following[0] = first * x[2]
        following[1:] = rest * first
        seen = seen + np.sum(rest * rest)
        state = following
    return seen + np.sum(state * x)


def views(x):
    """A view that was taken before sees the store, one of another round's does not."""
    total, last = 0.0, x
    for i in range(3):
        a = np.zeros(3)
        a[0] = x[i]
        view = a[:2]
        a[1] = x[0] * x[i]
        total = total + np.sum(view * view * last[0])
        last = view
    return total


def held(x):
    """What a list holds changes with the array."""
    a, rows = np.zeros(3), []
    for i in range(3):
        rows.append(a)
        a[i] = x[i] * x[0]
    return np.sum(rows[0] * rows[2])


def passed(x):
    """A function may give back what it is given."""
    a = np.zeros(3)
    b = whole(a)
    a[1] = x[0] * x[1]
    return np.sum(b * x)


def whole(a):
    return a[:]


@pytest.mark.parametrize("f", [steps, views, held, passed])
def test_derivatives(f):
    check_grads(f, np.array([0.5, -1.2, 0.8]), order=1)


def test_nobody_is_asked_who_cannot_see_it():
    x = np.ones(3)
    assert "may_show" not in cr.derivative_source(steps, x)
    assert "may_show" in cr.derivative_source(views, x)

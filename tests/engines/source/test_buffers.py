"""Which names hold arrays that copy what is stored into them."""

import ast
import textwrap

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.source.analysis.buffers import arrays_of_numbers
from chainrules.engines.source.reading.resolver import Resolver
from chainrules.engines.source.syntax.scopes import own_statements


def arrays(text: str) -> frozenset[str]:
    body = ast.parse(textwrap.dedent(text)).body
    local = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name)} - {"np", "float"}
    return arrays_of_numbers(body, own_statements(body), Resolver({"np": np}, local, lambda names: True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a = np.empty(3)\na[0] = x", {"a"}),
        ("a = b = np.zeros((2, 3), dtype=float)\nb[0] = x", {"a", "b"}),
        ("a = np.full(3, 0.0)\na = np.ones(3)", {"a"}),
        ("a[0] = x\na = np.empty(3)", set()),
        ("a = np.empty(3, object)", set()),
        ("a = np.empty(3, dtype=kind)", set()),
        ("a = np.full(3, x)", set()),
        ("if x:\n    a = np.empty(3)", set()),
        ("a = np.empty(3)\nfor a in x:\n    pass", set()),
        ("a = np.empty(*x)", set()),
        ("a = np.empty(3)\ndef f():\n    nonlocal a\n    a = []", set()),
        ("a = np.empty_like(x)", set()),
    ],
)
def test_arrays_of_numbers(text, found):
    assert arrays(text) == found


def stepped(y0):
    ys = np.empty((3, len(y0)))
    ys[0] = y0
    for n in range(2):
        y = ys[n]
        ys[n + 1] = y * y
    return ys


def test_what_was_copied_into_one_is_not_changed_with_it():
    x, dx = np.array([0.6, -0.2]), np.ones(2)

    def change(s):
        return cr.jvp(lambda s: stepped(s)[-1].sum(), (s,), (dx,))[1]

    y, dy = cr.jvp(change, (x,), (dx,))
    np.testing.assert_allclose([y, dy], [np.sum(4 * x**3), np.sum(12 * x**2)])

"""A pullback that a program keeps is that of the values at its call, whatever changes later."""

import functools
import operator
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import X, dense, function_of, slopes

import chainrules as cr


class Node:
    y: Any
    b: Any


NAMES = {"np": np, "cr": cr, "functools": functools, "operator": operator, "Node": Node}
MAPS = {
    "method by name": "operator.methodcaller('dot', {a})",
    "partial": "functools.partial(np.dot, {a})",
    "partial by name": "functools.partial(np.dot, b={a})",
    "method of an array": "{a}.dot",
    "lambda": "(lambda v, a={a}: np.sum(a * v * v))",
}
KEPT = {
    "variable": ("y, b = cr.vjp({f}, {w})", "b(x[0])[0]"),
    "field": ("h = Node(); h.y, h.b = cr.vjp({f}, {w}); y = h.y", "h.b(x[0])[0]"),
    "list": ("h = [cr.vjp({f}, {w})]; y = h[0][0]", "h[0][1](x[0])[0]"),
    "dict": ("h = {{'k': cr.vjp({f}, {w})[1]}}; y = w[0]", "h['k'](x[0])[0]"),
    "linear map": ("y, b = cr.linearize({f}, {w})", "b(x)"),
    "linear map in a field": ("h = Node(); h.y, h.b = cr.linearize({f}, {w}); y = h.y", "h.b(x)"),
    "function": ("y, b = cr.vjp({f}, {w}); h = lambda q: b(q)[0]", "h(x[0])"),
}
CHANGES = {
    "what it was given": "w[1] = y",
    "what it holds": "a[1] = y",
    "both, whole": "w *= y; a += w",
    "in a loop": "\n    for i in range(2): a[i] = w[i] * y; w[i] = a[2]",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("f", MAPS.values(), ids=MAPS)
def test_first_derivatives(f: str, kept: str, change: str) -> None:
    """As of the program that gives `cr.vjp` copies, for which its plain run tells the same."""
    made, used = KEPT[kept]

    def program(a: str, w: str) -> Any:
        call = made.format(f=f.format(a=a), w=w)
        lines = f"    a = x * 1.5; w = x * x\n    {call}\n    {change}\n    m = y * np.sum({used})\n"
        return function_of(f"def program(x):\n{lines}    return np.sum(w * a) * m\n", NAMES)

    copied, itself = program("np.array(a)", "np.array(w)"), program("a", "w")
    y, back = cr.vjp(itself, X)
    expected = slopes(copied, 1e-6)
    np.testing.assert_allclose(y, copied(X), 1e-12)
    np.testing.assert_allclose(dense(back(1.0)[0], X), expected, 1e-5)
    forward = [dense(cr.jvp(itself, (X,), (e,))[1], 0.0) for e in np.eye(3)]
    np.testing.assert_allclose(forward, expected, 1e-5)

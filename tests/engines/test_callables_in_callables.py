"""Callables made of callables, each holding what varies, called and differentiated by every operator.

A partial of a method of an object that holds a lambda that captured …: what each layer holds has its
part in the derivative, in both modes. `CHAINRULES_FUZZ=100` draws a hundred times as many programs.
"""

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import NAMED, PAIRS, SCALE, Compared, Untold

import chainrules as cr

BATCHES, COUNT = 6, 12


class Box:
    def __init__(self, k: Any) -> None:
        self.k = k

    def method(self, v: Any) -> Any:
        return np.sum(self.k * v * v)

    def __call__(self, v: Any) -> Any:
        return np.sum(self.k * v**3)


class Wrap:
    def __init__(self, g: Callable[..., Any], k: Any) -> None:
        self.g, self.k = g, k

    def __call__(self, v: Any) -> Any:
        return self.g(v) * self.k

    def go(self, v: Any) -> Any:
        return self.g(v) * self.k

    def by(self, k: Any, v: Any) -> Any:
        return self.g(v) * self.k * k

    @property
    def read(self) -> Any:
        return lambda v: self.g(v) * self.k

    @staticmethod
    def static(g: Any, k: Any, v: Any) -> Any:
        return g(v) * k

    @classmethod
    def made(cls, g: Any, k: Any, v: Any) -> Any:
        return cls(g, k)(v)


def apply(g: Any, k: Any, v: Any) -> Any:
    return g(v) * k


def named(v: Any, *, g: Any, k: Any) -> Any:
    return g(v) * k


def starred(g: Any, *rest: Any) -> Any:
    return g(rest[-1]) * rest[0]


def decorated(k: Any) -> Any:
    return lambda g: lambda *rest: g(*rest) * k


NAMES = {
    "np": np, "cr": cr, "functools": functools, "Box": Box, "Wrap": Wrap, "apply": apply, "named": named,
    "starred": starred, "decorated": decorated,
}  # fmt: skip
INNERMOST = (
    "(lambda v: np.sum(v * v * z))", "inner", "Box(z).method", "Box(z)", "z.dot", "np.sum", "o.method",
    "functools.partial(np.dot, z)", "functools.partial(Box.method, Box(z))", "o",
    "(lambda z: lambda v: np.dot(z, v))(z)",
    "functools.partial(lambda q, v: np.sum(v * q * z), z)",
)  # fmt: skip
LAYERS = (
    "functools.partial(lambda k, v: {g}(v) * k, {k})", "functools.partial(lambda v, k: {g}(v) * k, k={k})",
    "lambda v: {g}(v) * {k}", "Wrap({g}, {k})", "Wrap({g}, {k}).go", "functools.partial(Wrap({g}, {k}))",
    "functools.partial(Wrap({g}, {k}).go)", "functools.partial(apply, {g}, {k})", "[{g}][0]",
    "Wrap({g}, {k}).read",
    "functools.partial(named, g={g}, k={k})", "lambda v, g={g}, k={k}: g(v) * k", "decorated({k})({g})",
    "functools.partial(Wrap({g}, {k}).by, {k})", "functools.partial(Wrap.static, {g}, {k})",
    "functools.partial(Wrap.made, {g}, {k})", "functools.partial(starred, {g}, {k})",
    "functools.partial(functools.partial(apply, {g}), {k})", "(lambda g: lambda v: g(v) * {k})({g})",
)  # fmt: skip
HELD = ("c", "z[0]", "h[1]", "o.k[1]", "d['k']", "2.0")
CALLS = (
    "{g}(w)", "sum(map({g}, [w, z]))", "functools.reduce(lambda p, q: p * {g}(q), [w, z], 1.0)",
    "np.sum(cr.grad({g})(w) * x)", "cr.value_and_grad({g})(w)[0] * x[1]", "cr.jvp({g}, (w,), (x,))[1]",
    "cr.vjp({g}, w)[0] * x[0]", "np.sum(cr.vjp({g}, w)[1](x[0])[0] * x)", "np.sum(cr.hvp({g}, w, x))",
    "cr.linearize({g}, w)[1](z)", "np.sum(cr.jacobian({g})(w) * x)",
    "(lambda k: np.sum(cr.grad(k)(w) * z))({g})", "np.sum(cr.grad(lambda u: {g}(u * u))(w) * x)",
)  # fmt: skip
CHANGES = ("pass", "z[1] = m * c", "o.k = x * m", "c = m", "h[1] = m", "b = z; b *= m")


def program(draw: random.Random) -> str:
    """The text of one program."""
    g = draw.choice(INNERMOST)
    for _ in range(draw.choice((1, 2, 2, 3))):
        g = f"({draw.choice(LAYERS).format(g=g, k=draw.choice(HELD))})"
    lines = (
        "w = x * x", "c = np.sum(x) * 0.4", "z = x * c", "o = Box(x * 2.0)", "h = [w, c * c]",
        "d = {'k': x[1] * c}", "def inner(v): return np.sum(v * v * z) * c",
        f"m = {draw.choice(CALLS).format(g=g)}", draw.choice(CHANGES),
        "return m * c * np.sum(z * o.k) * h[1]",
    )  # fmt: skip
    return "def program(x):\n" + "".join(f"    {line}\n" for line in lines)


UNNAMED = {
    "a class that a parameter holds": "m = Wrap.made(lambda v: np.dot(z, v), z[0], w)",
    "one in a partial": "k = functools.partial(Wrap.made, o, z[1]); m = k(w)",
    "one in a list": "k = [Box, z]; m = k[0](k[1])(w)",
    "one in a field": "h = Box(z); h.c = Box; m = h.c(h.k)(w)",
    "`getattr` in a partial": "k = functools.partial(getattr, Wrap(o, z[0]), 'read'); m = k()(w)",
    "`getattr` in a field": "h = Box(z); h.c = getattr; m = h.c(h, 'k')[0]",
    "`partial` in a list": "k = [functools.partial, z]; m = k[0](np.dot, k[1])(w)",
    "`partial` in a field": "h = Box(z); h.c = functools.partial; m = h.c(np.dot, h.k)(w)",
    "`partial` in a partial": "k = functools.partial(functools.partial, np.dot); m = k(z)(w)",
    "a list's class in a field": "h = Box(z); h.c = list; m = h.c([h.k])[0][1]",
    "NumPy's in a field": "h = Box(z); h.c = np.dot; m = h.c(h.k, w)",
}


@pytest.mark.parametrize("lines", UNNAMED.values(), ids=UNNAMED)
def test_second_derivatives_of_what_is_called_by_another_name(lines: str) -> None:
    before, result = "w = x * x; z = x * 1.5; o = Box(x * 2.0)", "m * np.sum(w * z)"
    compared = Compared(f"def program(x):\n    {before}\n    {lines}\n    return {result}\n", NAMES)
    compared.first_order()
    assert compared.second_order() == list(PAIRS)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_first_derivatives(batch: int) -> None:
    told = refused = 0
    for seed in range(batch, COUNT * SCALE * BATCHES, BATCHES):
        try:
            Compared(program(random.Random(seed)), NAMES).first_order()
            told += 1
        except Untold:
            pass
        except NAMED:
            refused += 1
    assert told > 0.8 * COUNT * SCALE
    assert refused < 0.2 * COUNT * SCALE

"""Ways in which something that is called holds an array, and ways in which that is changed after the call.

A partial, a method, a function that captured it: `c` is called with `w`, by the program or by what it is
handed to, and a pullback that kept the array itself would read it as it is later. As the ways of ways.py:
some hundred thousand programs.
"""

import functools
import itertools
import operator
from typing import Any

import numpy as np

import chainrules as cr


class Node:
    a: Any
    c: Any
    go: Any


class Caller:
    """An object that is called, and that has methods and a property to call."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def __call__(self, w: Any) -> Any:
        return np.sum(self.a * w * w)

    def method(self, w: Any) -> Any:
        return np.sum(self.a * w)

    @property
    def read(self) -> Any:
        return functools.partial(np.dot, self.a)


class Passing:
    def __init__(self, c: Any) -> None:
        self.c = c

    def __call__(self, w: Any) -> Any:
        return self.c(w)

    def go(self, w: Any) -> Any:
        return self.c(w)


def product(a: Any, w: Any) -> Any:
    return np.sum(a * w)


def called(c: Any, w: Any) -> Any:
    return c(w)


def put(a: Any, v: Any) -> None:
    a[1] = v


NAMES: dict[str, Any] = {
    "np": np, "cr": cr, "functools": functools, "itertools": itertools, "operator": operator, "Node": Node,
    "Caller": Caller, "Passing": Passing, "product": product, "called": called, "put": put,
}  # fmt: skip
LEAST_TOLD, MOST_REFUSED, SECOND = 0.5, 0.3, 24
MADE = {
    "partial": ("", "functools.partial(np.dot, a)"),
    "partial by name": ("", "functools.partial(np.dot, b=a)"),
    "partial of sums": ("", 'functools.partial(np.einsum, "i,i", a)'),
    "partial of a function": ("", "functools.partial(product, a)"),
    "partial of a method": ("", "functools.partial(a.dot)"),
    "partial of a partial": ("", "functools.partial(functools.partial(np.inner), a)"),
    "method of the array": ("", "a.dot"),
    "method": ("o = Caller(a)", "o.method"),
    "object": ("o = Caller(a)", "o"),
    "property": ("o = Caller(a)", "o.read"),
    "field": ("o = Node(); o.a = a; o.go = functools.partial(np.dot, o.a)", "o.go"),
    "lambda": ("", "(lambda v: np.dot(a, v))"),
    "lambda of an object": ("o = Caller(a)", "(lambda v: o.method(v))"),
    "lambda of a list": ("o = [a]", "(lambda v: np.dot(o[0], v))"),
    "function": ("def o(v): return np.dot(a, v)", "o"),
    "default": ("", "(lambda v, a=a: np.dot(a, v))"),
    "getter": ("", 'operator.methodcaller("dot", a)'),
    "inner": ("", "(lambda b: lambda v: np.dot(b, v))(a)"),
}
"""What is to stand before, and what is called."""
HELD = {
    "itself": ("", "{c}"),
    "name": ("c = {c}", "c"),
    "other name": ("c = {c}; k = c", "k"),
    "field": ("h = Node(); h.c = {c}", "h.c"),
    "list": ("h = [{c}]", "h[0]"),
    "dict": ("h = {'k': {c}}", "h['k']"),
    "object": ("h = Passing({c})", "h"),
    "method": ("h = Passing({c})", "h.go"),
    "partial": ("h = functools.partial(called, {c})", "h"),
    "lambda": ("c = {c}", "(lambda v: c(v))"),
    "function": ("c = {c}\ndef h(v): return c(v)", "h"),
    "default": ("", "(lambda v, c={c}: c(v))"),
    "passed": ("", "(lambda k: lambda v: k(v))({c})"),
}
"""Where it is found."""
PLACES = {
    "called": "m = {k}(w)",
    "helper": "m = called({k}, w)",
    "star": "m = {k}(*[w])",
    "map": "m = sum(map({k}, [w, w * 2.0]))",
    "list of map": "m = list(map({k}, [w]))[0]",
    "reduce": "k = {k}\nm = functools.reduce(lambda p, q: p * k(q), [w, w], 1.0)",
    "comprehension": "m = [{k}(q) for q in [w, w * 2.0]][1]",
    "generator": "m = sum({k}(q) for q in [w, w * 2.0])",
    "loop": "m = 1.0\nfor q in [w, w]:\n    m = m * {k}(q)",
    "loop over it": "m = 0.0\nfor k in [{k}, {k}]:\n    m = m + k(w) ** 2",
    "sorted": "m = np.dot(sorted([w, w * 2.0], key={k})[0], w)",
    "accumulate": "k = {k}\nm = list(itertools.accumulate([1.0, 2.0], lambda p, q: p * k(w) * q))[1]",
    "applied": "m = np.sum(np.apply_along_axis({k}, 0, w))",
    "nested": "k = {k}\ndef run(): return k(w)\nm = run()",
    "conditional": "m = {k}(w) if w[0] < 9.0 else 0.0",
    "unpacked": "m, n = {k}(w), 1.0",
    "gradient": "m = np.sum(cr.grad({k})(w))",
    "gradient, kept": "g = cr.value_and_grad({k})\nm, n = g(w)\nm = m + np.sum(n * x)",
    "pushforward": "m = cr.jvp({k}, (w,), (x,))[1]",
    "pullback": "m = np.sum(cr.vjp({k}, w)[1](x[0])[0])",
    "jacobian": "m = np.sum(cr.jacobian({k})(w))",
    "curvature": "m = np.sum(cr.hessian({k})(w) @ x) + {k}(w)",
    "product": "m = np.sum(cr.hvp({k}, w, x)) + {k}(w)",
    "seed": "s = x * 1.0\nm = np.sum(cr.vjp(lambda v: v * {k}(v), w)[1](s)[0])\ns[0] = m\nm = m * s[0]",
    "linear": "m, n = cr.linearize({k}, w)\nm = m + n(x)",
    "twice": "m = np.sum(cr.grad(lambda v: np.sum(cr.grad({k})(v * v) * v))(w))",
}
"""Who calls it."""
CHANGED = {
    "entry": "a[2] = m * w[1]",
    "whole": "a *= m",
    "other name": "b = a\nb[1] = m",
    "function": "put(a, m)",
    "both": "w[0] = a[1] * m\na[0] = w[0]",
    "forgotten": "c = h = o = None\na[0] = m",
    "bound anew": "c = h = o = a\na = a * m\no[0] = m",
    "in a loop": "for i in range(2):\n    a[i] = m * a[i]",
    "given": "w[1] = m",
}
"""How it changes."""


def program(made: str, held: str, changed: str, place: str, computed: bool) -> str:
    """The text of a program; `computed`: it is called once more after the change."""
    before, what = MADE[made]
    keep, k = HELD[held]
    call = PLACES[place].replace("{k}", k.replace("{c}", what))
    text = "\n".join(["a = x * 1.5", "w = x * x", before, keep.replace("{c}", what), call, CHANGED[changed]])
    if computed and changed not in ("forgotten", "bound anew"):
        text += "\nn1 = m\n" + call + "\nm = m * n1"
    lines = [f"    {line}\n" for line in text.split("\n") if line]
    return "def program(x):\n" + "".join(lines) + "    return np.sum(w * a) * m\n"

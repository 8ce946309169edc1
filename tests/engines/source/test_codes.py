"""What is made of a function is forgotten with it."""

import gc
import linecache
import weakref
from typing import Any

import numpy as np

import chainrules as cr
from chainrules.engines.following import twins
from chainrules.engines.source.analysis import writers
from chainrules.engines.source.reading import locate
from chainrules.engines.source.syntax import where

TEXT = (
    "def f(x, y):\n    z = np.zeros(2)\n    for i in range(2):\n        z[i] = x * y\n    return np.sum(z)\n"
)
TABLES: tuple[Any, ...] = (
    *(twins._twins, twins._written, writers._known, where._programs, locate._known, locate._generated),
)


def loaded(i, text=TEXT):
    """A function from a text of its own."""
    name = f"<text {i}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {"np": np, "__name__": f"text_{i}"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def forgotten():
    """What goes in one collection may have held on to what goes in the next."""
    for _ in range(4):
        gc.collect()


def test_what_is_made_of_a_function_goes_with_it():
    def use(i):
        f = loaded(i)
        for _ in range(2):
            assert cr.grad(f)(3.0, 2.0) == 4.0
        cr.jvp(f, (3.0, 2.0), (1.0, 0.0))
        cr.grad(cr.grad(f))(3.0, 2.0)
        return weakref.ref(f.__code__)

    use(-2)
    use(-1)
    forgotten()
    before = [len(table) for table in TABLES]
    codes = [use(i) for i in range(4)]
    forgotten()
    assert [code() for code in codes] == [None] * 4
    # nothing is left of these; of what other tests left before, some may go meanwhile
    assert all(len(table) <= n for table, n in zip(TABLES, before, strict=True))

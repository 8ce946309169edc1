"""Context variables, queues and copies that objects make of themselves: what goes in comes out."""

import contextvars
import copy
import queue
from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
x = np.array([0.5, 1.5])
FACTOR = contextvars.ContextVar("FACTOR", default=1.0)


class Copied:
    """An object that says how it is copied."""

    def __init__(self, v):
        self.v = v

    def __deepcopy__(self, memo):
        return Copied(copy.deepcopy(self.v, memo) * 3.0)


@table(x)
def set_and_reset(x):
    token = FACTOR.set(x[0] * 2.0)
    y = FACTOR.get() * x[1] + token.old_value if token.old_value is not token.MISSING else FACTOR.get() * x[1]
    FACTOR.reset(token)
    return y * FACTOR.get() + x[0]


@table(x)
def run_in_a_context(x):
    FACTOR.set(x[1])
    y = contextvars.copy_context().run(lambda v: v * FACTOR.get(), x[0])
    FACTOR.set(1.0)
    return y * FACTOR.get()


@table(x)
def queues(x):
    simple: Any = queue.SimpleQueue()
    last: Any = queue.LifoQueue()
    simple.put(x[0])
    simple.put(x[1] * 2.0)
    last.put(simple.get())
    last.put(simple.get_nowait())
    return last.get() * last.get() * 3.0


@table(x)
def copied_by_their_own(x):
    one = Copied(x[0])
    copies = copy.deepcopy({"a": [one, one], "x": x})
    copies["x"][0] = 7.0
    assert copies["a"][0] is copies["a"][1]
    return copies["a"][0].v * x[1] + np.sum(copies["x"] ** 2) + one.v


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_goes_in_comes_out(f, x):
    for _ in range(5):
        cr.grad(f)(*x)
    check(f, x)
    assert FACTOR.get() == 1.0

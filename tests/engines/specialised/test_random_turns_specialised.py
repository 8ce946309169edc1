"""Random loops over objects, functions, dictionaries and tuples, whose turns are taken or not.

Which turns are taken depends on the signs of the numbers, so that later calls take turns that the first ones
did not. Gradients are held to differences.
"""

import random

import numpy as np
import pytest
from tests.engines.fuzzing import function_of
from tests.engines.specialised.compared import differences

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

HELPERS = """
class A:
    c = 2.0

    def __init__(self, v):
        self.v, self.n = v, 0

    def run(self, h):
        self.n += 1
        return h * self.v

    @property
    def q(self):
        return self.v * 2.0

    def __getitem__(self, i):
        return self.v * i

    def __add__(self, o):
        return self.v + o * 2.0

    def __len__(self):
        return 2

    def __call__(self, h):
        return h + self.v


class B(A):
    c = 3.0

    def run(self, h):
        return np.sin(h) * self.v

    @property
    def q(self):
        return self.v * self.v

    def __add__(self, o):
        return self.v * o


class C(A):
    c = -1.0

    def __getitem__(self, i):
        return self.v - i

    def __len__(self):
        return 3

    def __call__(self, h):
        return h * 0.5


def double(v):
    return v * 2.0


def bent(v, k=1.5):
    return np.tanh(v) * k
"""
MADE = {
    "objects": ("A(x[0])", "B(x[1])", "C(x[2])", "B(x[3])"),
    "functions": ("double", "bent", "np.sin", "lambda v: v * x[1]", "lambda v: v * x[2] + 1.0", "A(x[0])"),
    "dictionaries": ("{'a': x[0]}", "{'a': x[1], 'b': x[2]}", "{'b': x[3], 'a': 2.0}"),
    "tuples": ("(x[0],)", "(x[1], x[2])", "(x[3], 2.0, x[4])"),
}
DONE = {
    "objects": (
        *("s * 0.5 + o.run(s) * 0.3", "s + o.q * o.c", "s + o[i] * 0.2", "s * 0.5 + (o + s) * 0.2"),
        *("s + len(o) * x[0]", "s * 0.7 + o(x[i])", "s + o.v * o.n"),
        "s + (1.0 if isinstance(o, B) else x[1])",
    ),
    "functions": ("s * 0.5 + o(x[i]) * 0.3",),
    "dictionaries": (
        *("s + sum(o.values())", "s + len({**o, 'z': 1.0}) * x[2]"),
        "s * 0.9 + sum(len(k) * v * (j + 1) for j, (k, v) in enumerate(o.items()))",
    ),
    "tuples": ("s + sum(o)", "s + len(o) * x[1]", "s * 0.5 + bent(*o[:2])"),
}


def text(seed: int) -> str:
    """A program of several such loops."""
    r = random.Random(seed)
    lines = ["def program(x):", "    s = x[5] * 1.0"]
    for name, made in MADE.items():
        lines.append(f"    {name} = [{', '.join(r.choice(made) for _ in range(r.randint(2, 4)))}]")
    for _ in range(r.randint(1, 3)):
        name = r.choice(["objects", *MADE])
        lines.append(f"    for i, o in enumerate({name}):")
        lines += [f"        if x[i] {r.choice('<>')} 0.0:", f"            s = {r.choice(DONE[name])}"]
    return HELPERS + "\n\n" + "\n".join([*lines, "    return s"]) + "\n"


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_turns_that_are_taken_or_not(start: int) -> None:
    specialised = 0
    for seed in range(start, start + 20):
        f = function_of(text(seed), {"np": np})
        draw = np.random.default_rng(seed)
        first = draw.normal(size=6)
        with specialised_after(1):
            for x in (first, first * 1.01, *(draw.normal(size=6) for _ in range(6))):
                found, expected = cr.grad(f)(x), differences(f, x)
                np.testing.assert_allclose(found, expected, 1e-5, 1e-6, err_msg=text(seed))
            specialised += bool(text_of(f))
    assert specialised > 2

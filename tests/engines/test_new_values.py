"""Values that are changed in place after a pullback kept them: parts of results, items, what properties give.

The rule of each function here keeps its value. The expected values are differences of the program itself.
"""

import functools
import itertools

import numpy as np
import pytest
from tests.engines.fuzzing import Compared

import chainrules as cr


class Curve:
    """An object whose attributes and items are computed."""

    def __init__(self, x):
        self.x = x

    @property
    def values(self):
        return np.tanh(self.x)

    @property
    def both(self):
        return [np.tanh(self.x), self.x]

    @functools.cached_property
    def kept(self):
        return np.tanh(self.x)

    def __getitem__(self, k):
        return np.tanh(self.x * k)

    def __getattr__(self, name):
        if name == "absent":
            return np.exp(self.x)
        raise AttributeError(name)

    def __iter__(self):
        yield np.tanh(self.x)
        yield np.exp(self.x)


def two(x):
    return np.tanh(x), np.exp(x)


def change(c):
    c += 1.0
    return c


NAMES = {f.__name__: f for f in (Curve, two, change, functools, itertools)} | {"np": np}
MADE = [
    "c = np.tanh(x).T",
    "c = np.tanh(x)[::-1]",
    "c = np.tanh(x).reshape(3, 1)[:, 0]",
    "c = two(x)[0]",
    "c, e = two(x)",
    "c, *e = two(x); e[0][0] = 4.0",
    "c = [*two(x)][1][:]",
    "c = (np.tanh(x) if x[0] > 0 else x)[:]",
    "c = (None or np.exp(x)).T",
    "c = np.linalg.inv(np.outer(x, x) + np.eye(3))[0]",
    "c = (lambda v: np.exp(v).T)(x)[:]",
    "o = Curve(x); c = o.values",
    "o = Curve(x); c = o.both[0]",
    "o = Curve(x); c = o.both[1]; c[0] *= 2.0; c = c + o.x",
    "o = Curve(x); c = o[2]",
    "o = Curve(x); c = o.absent",
    "o = Curve(x); c, e = o",
    "o = Curve(x); c = change(o[2])",
    "o = Curve(x); q = [o.values]; q[0] += 1.0; c = q[0]",
    "o = Curve(x); q = []; q.append(o.values); q[0] += 1.0; c = q[0]",
    "o = Curve(x); o.y = o.values; o.y += 1.0; c = o.y",
    "for c in [np.tanh(x)]: c += 2.0",
    "for c in two(x): c += 2.0",
    "for c in np.tanh(np.outer(x, x)): c += 2.0",
    "for c in np.tanh(np.outer(x, x)).T: c *= x",
    "for k, c in enumerate(two(x)): c += 2.0 * k",
    "for c in itertools.chain([np.tanh(x)], [np.exp(x)]): c += 2.0",
    "for k, c in {'a': np.tanh(x)}.items(): c += 2.0",
    "m = np.tanh(np.outer(x, x)); w = np.sum(m * m)\n    for c in m: c += w\n    c = m[0]",
]


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("store", ["c += 1.0", "c[0] = 2.0", "c *= x", "c.sort()"])
def test_a_part_of_a_new_value(made, store):
    lines = made.replace("; ", "\n    ")
    Compared(f"def program(x):\n    {lines}\n    {store}\n    return np.sum(c * x)\n", NAMES).first_order()


@pytest.mark.parametrize("made", ["c = np.tanh(x)[::-1]", "o = Curve(x); c = o.values", "c = two(x)[0]"])
def test_twice(made):
    lines = made.replace("; ", "\n    ")
    text = f"def program(x):\n    {lines}\n    c *= x\n    return np.sum(c * c * x)\n"
    assert len(Compared(text, NAMES).second_order()) == 4


def test_what_an_object_holds_is_changed_there():
    def f(x):
        o = Curve(x * x)
        c = o.x
        c *= 2.0
        return np.sum(o.x)

    np.testing.assert_allclose(cr.grad(f)(np.array([1.0, 3.0])), [4.0, 12.0])


@pytest.mark.parametrize(
    "value",
    [
        "[x[i]] if i == 0 else list(map(np.sin, acc)) + [x[i]]",
        "np.zeros(3) if i == 0 else np.asarray(acc)",
        "acc if i > 0 else np.ones(3)",
        "i == 0 and [x[i]] or (acc + [x[i]])[:2]",
        "x * 1.0 if i == 0 else change(acc)",
    ],
)
def test_a_name_that_is_read_only_sometimes_may_have_no_value(value):
    text = f"""\
def program(x):
    for i in range(3):
        acc = {value}
        acc[0] = x[i] * acc[0]
    return sum(acc) * x[1]
"""
    Compared(text, NAMES).first_order()


@pytest.mark.parametrize("held", ["np.array([0.3, -0.4, 0.9])", "x * 2.0"])
def test_what_a_loop_goes_over_was_computed_from_what_the_loop_changes(held):
    text = f"""\
def program(x):
    c = {held}
    s = 0.0
    for v in np.outer(x, c)[1]:
        np.multiply(c, 0.5, out=c)
        s = s + v * v
    return s * c[0]
"""
    Compared(text, NAMES).first_order()


def test_arrays_of_memory_that_cannot_be_made_writeable_again_stay_as_they_are():
    outer = np.arange(3.0)
    inner = outer[1:]
    outer.flags.writeable = False
    constants = [inner, np.ones(2)]

    def look(rows):
        return rows[0][0] + rows[1][0]

    def f(x):
        y = constants[0] * x
        return np.sum(y * look(constants))

    np.testing.assert_allclose(cr.grad(f)(np.ones(2)), inner * 2.0)
    assert constants[1].flags.writeable
    assert inner.flags.writeable

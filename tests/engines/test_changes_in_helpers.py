"""What functions change by comprehensions, nested functions, `:=` and `match`: those who call them see it.

The expected values are differences of the program itself.
"""

import contextlib

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import Compared


def doubled(v):
    v *= 2.0
    return v


def picked(g):
    v = [r for r in g if len(r)][1]
    v *= 2.0


def by_list(g):
    [doubled(r) for r in g]


def by_generator(g):
    return sum(np.sum(doubled(r)) for r in g)


def by_test(g):
    any(doubled(r)[0] > 1e9 for r in g)


def by_dict(g):
    {k: doubled(r) for k, r in enumerate(g)}


def listed(g):
    for r in [v for v in g if len(v)]:
        r[0] = 1.0


def filtered(g):
    kept = [v for v in g if v[0] > 0]
    kept[1][0] = 1.0


def largest(g):
    v = max((r for r in g), key=np.sum)
    v[0] = 2.0


def nested(g):
    def f(v):
        v[0] = 3.0

    f(g[1])


def captured(g):
    def f():
        g[1][0] = 3.0

    f()


def captured_part(g):
    def f():
        r = g[1]
        r *= 3.0

    f()


def by_lambda(g):
    f = lambda v: doubled(v)  # noqa: E731  what is tested
    f(g[1])


def managed(g):
    with contextlib.nullcontext(g[1]) as r:
        r *= 2.0


def named(g):
    if (r := g[1])[0] > 0:
        r *= 2.0


def matched(g):
    match g[1]:
        case r:
            r *= 2.0


def sorted_in_place(g):
    [r.sort() for r in g]


def by_out(g):
    [np.multiply(r, 2.0, out=r) for r in g]


HELPERS = [
    picked, by_list, by_generator, by_test, by_dict, listed, filtered, largest, nested, captured,
    captured_part, by_lambda, managed, named, matched, sorted_in_place, by_out,
]  # fmt: skip
NAMES = {"np": np, "contextlib": contextlib} | {f.__name__: f for f in HELPERS}
ROWS = ["np.outer(x, x) + 0.5", "[x * 1.0, x * 2.0, x * 3.0]"]


class Held:
    """An object that holds rows."""

    def __init__(self, a):
        self.a = a


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("helper", HELPERS)
@pytest.mark.parametrize("held", [False, True])
def test_the_caller_sees_the_change(helper, rows, held):
    given = "o.a" if held else "g"
    text = f"""\
def program(x):
    g = {rows}
    o = Held(g)
    w = np.sum(np.sin(g[0]))
    {helper.__name__}({given})
    return w + np.sum({given}[0] * g[1] * x) + np.sum(g[1])
"""
    Compared(text, NAMES | {"Held": Held}).first_order()


@pytest.mark.parametrize("change", ["v = [r for r in self.a][1]; v *= 2.0", "[doubled(r) for r in self.a]"])
def test_a_nested_function_that_is_given_an_object(change):
    lines = change.replace("; ", "\n        ")
    text = f"""\
def program(x):
    o = Held(np.outer(x, x))
    def inner(self):
        {lines}
    inner(o)
    return np.sum(o.a * o.a[::-1])
"""
    Compared(text, {"np": np, "doubled": doubled, "Held": Held}).first_order()


def maker(g):
    def change():
        row = [r for r in g if len(r)][1]
        row *= 2.0

    return change


def test_a_function_made_elsewhere_that_changes_a_part_of_what_it_captured():
    def f(x):
        g = np.outer(x, x)
        maker(g)()
        return np.sum(g * g[::-1])

    rightly.grad(f)(np.ones(3))
    rightly.jvp(f, (np.ones(3),), (np.ones(3),))


class Scale:
    """A callable object, whose class has a method that changes its argument, too."""

    def __call__(self, g):
        [doubled(r) for r in g]

    @classmethod
    def rows(cls, g):
        [doubled(r) for r in g]


def mapped(g):
    list(map(doubled, g))


CALLS = {"scale": Scale(), "rows": Scale.rows, "mapped": mapped}
CONSTANTS = ["np.arange(9.0).reshape(3, 3) + 0.5", "[np.ones(3), np.arange(3) + 0.3, np.full(3, 2.0)]"]


@pytest.mark.parametrize("rows", CONSTANTS)
@pytest.mark.parametrize("name", CALLS)
def test_constants_that_a_pullback_kept_stay_as_they_were(name, rows):
    text = f"""\
def program(x):
    g = {rows}
    a = g[1] * x
    w = np.sum(g[0] * x * x) + np.dot(g[1], a)
    {name}(g)
    return w + np.sum(g[0] * g[1] * x) + np.sum(a)
"""
    program = Compared(text, CALLS | {"np": np})
    rightly.grad(program.f)(np.ones(3))

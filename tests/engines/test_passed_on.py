"""Callables that give back what they were given, or hold what is changed later: objects, partials, getters.

The expected values are differences of the program itself.
"""

import functools
import itertools
import operator

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import Compared


class Picks:
    """An object that is called, and gives a view of what it is given."""

    def __call__(self, a):
        return a[1]


NAMES = {"np": np, "functools": functools, "itertools": itertools, "operator": operator, "Picks": Picks}
NAMES |= {"pick": operator.itemgetter(1), "picks": operator.itemgetter(1, 0), "first": functools.partial(max)}
VIEWS = [
    "Picks()(g)",
    "operator.itemgetter(1)(g)",
    "pick(g)",
    "picks(g)[0]",
    "operator.attrgetter('T')(g)",
    "operator.methodcaller('view')(g)",
    "functools.partial(Picks())(g)",
    "functools.partial(lambda k, a: a[k], 1)(g)",
    "functools.reduce(lambda a, b: a, [g, g])",
    "functools.reduce(lambda a, b: b, g)",
    "tuple([g[k] for k in (1, 0)])[0]",
]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("store", ["v[...] = 0.5", "v *= x[0]", "v[0] = x[1]"])
def test_a_view_that_a_callable_gives(view, store):
    text = f"""\
def program(x):
    g = np.outer(x, x) + 1.0
    v = {view}
    w = np.sum(np.sin(g))
    {store}
    return np.sum(g * g[::-1]) + w + np.sum(v[0])
"""
    Compared(text, NAMES).first_order()


@pytest.mark.parametrize("held", ["x * 1.0", "np.ones(3)"])
@pytest.mark.parametrize("made", ["np.multiply, w", "np.dot, b=w", "lambda a, b: a * b, w"])
def test_what_a_partial_holds_is_changed_after_a_call(held, made):
    text = f"""\
def program(x):
    w = {held}
    f = functools.partial({made})
    z = f(x)
    w[0] = 5.0
    return np.sum(z * f(x))
"""
    Compared(text, NAMES).first_order()


def test_what_a_partial_gives_back_is_changed():
    def f(x):
        w = x * 1.0
        z = functools.partial(lambda a, b: a, w)(x)
        z[0] = 5.0
        return np.sum(w * x)

    rightly.grad(f)(np.ones(3))


@pytest.mark.parametrize("part", ["real", "imag"])
def test_a_part_of_a_complex_array_is_changed_before_its_entries(part):
    text = f"""\
def program(x):
    z = x * (1 + 2j)
    z.{part} += x
    z[0] *= 1j
    return np.sum(np.abs(z) ** 2) + z.imag[0] * z.real[1]
"""
    Compared(text, NAMES).first_order()


def test_functions_of_one_name_of_which_one_changes_what_it_captured():
    text = """\
def program(x):
    rows = [x[0]]
    def change(v):
        rows.append(v)
        return v
    s = change(x[1])
    def change(v):
        return v * s
    s = change(x[2])
    return sum(rows) + s
"""
    rightly.grad(Compared(text, NAMES).f)(np.ones(3))


def test_functions_of_one_name_of_which_one_changes_what_it_is_given():
    text = """\
def program(x):
    a = x * 1.0
    c = a
    def g():
        a[0] = x[1]
    g()
    def g(a):
        a[0] = c[1] * c[1]
        return a
    g(a)
    return np.sum(a * c)
"""
    rightly.grad(Compared(text, NAMES).f)(np.ones(3))


def test_a_parameter_of_a_lambda_is_named_like_a_variable_that_comes_later():
    text = """\
def program(x):
    a = x * 2.0
    def g():
        h = lambda q: np.copyto(q, q * x)
        h(a)
    g()
    if x[0] < 9.0:
        q = [a]
        q[0][0] = 5.0
    return np.sum(a * a)
"""
    Compared(text, NAMES).first_order()

"""Trees that are written as Python, with parts in the place of names."""

from __future__ import annotations

import ast
import functools
import itertools
from types import FunctionType

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.reading.quoted import expression, statements, target
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import hold_directions, is_right

AT = ast.parse("\n\nsomewhere(1)").body[0]


def test_names_and_expressions_are_put_in():
    e = expression("f(x, [y for x in rows])", AT, rows=ast.parse("a + b", mode="eval").body, y="z")
    assert ast.unparse(e) == "f(x, [z for x in a + b])"


def test_several_parts_are_put_in_the_place_of_one():
    items = [ast.Constant(1), ast.Constant(2)]
    assert ast.unparse(expression("f(items)", AT, items=items)) == "f(1, 2)"
    assert ast.unparse(expression("(items,)", AT, items=items)) == "(1, 2)"


def test_statements_are_put_in_the_place_of_a_line():
    loop = statements("for i in it:\n    body", AT, it="xs", body=ast.parse("a = i\nb = a").body)
    assert ast.unparse(loop[0]) == "for i in xs:\n    a = i\n    b = a"


def test_a_target():
    assert ast.unparse(target("a[i]", AT, a="y", i=ast.Slice())) == "y[:]"


def test_all_of_it_stands_where_the_origin_does():
    (s,) = statements("x = f(v)", AT, v=ast.Constant(2))
    assert {n.lineno for n in ast.walk(s) if hasattr(n, "lineno")} == {3}


def test_what_is_put_in_keeps_its_place():
    v = ast.parse("\n\n\n\n\nv", mode="eval").body
    assert expression("f(v)", AT, v=v).args[0].lineno == 6


def neighbours(x):
    y = 0.0
    for a, b in itertools.pairwise(x):
        y = y + a * b
    return y


@pytest.mark.parametrize("name", ["range", "len"])
def test_a_builtin_that_is_the_users_own(name):
    """What stands for the loop asks Python's own: where the program has another the ordinary program runs."""
    f = FunctionType(neighbours.__code__, {**globals(), name: lambda v: 2}, "neighbours")
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for _ in range(3):
            assert cr.grad(f)(np.array([1.0, 2.0, 4.0])).tolist() == [2.0, 5.0, 2.0]
    assert met and all(why.endswith(f": another {name}") for why in met)


def named_as_in_templates(x):
    """Arguments and variables with the names that stand in the texts of trees."""
    total, items = x[0], [x[1] * x[2], x[3]]
    y = sum(map(lambda call: call**3, items))  # noqa: C417  what it is written as is asked
    y = y + sum(map(lambda given, item0: given * item0**2, x, x[::-1]))
    y = (
        y
        + sum(filter(lambda given: given > 0.5, x))
        + functools.reduce(lambda item, own: item * own + own, x)
    )
    return y + sum(itertools.chain.from_iterable([items, [total]])) * total


def test_names_of_the_program_are_its_own():
    x = np.array([0.4, 1.2, 0.7, 0.9])
    assert is_right(named_as_in_templates, x)
    hold_directions(named_as_in_templates, x)


class Doubled:
    def __init__(self, v):
        self.v = v * 2.0


def with_a_type_of_its_own(x):
    type = Doubled
    return type(x[0]).__class__(x[1]).v * x[2]


def test_the_class_of_an_object_where_type_is_another():
    x = np.array([0.4, 1.2, 0.7])
    is_right(with_a_type_of_its_own, x)
    hold_directions(with_a_type_of_its_own, x)

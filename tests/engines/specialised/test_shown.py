"""Shown: what `explain` says of a function's specialised text, and of why it has none."""

import heapq
import math

import numpy as np
import pytest

import chainrules as cr


def lasting(x):
    return np.sum(np.sin(x) * x)


def slow(x):
    y = sorted(
        heapq.nlargest(2, x),
    )
    return y[0] * y[1]


def inner(values):
    first = next(iter(values))
    return first * values[1]


def outer(x):
    return inner([x, 2.0 * x])


def caught(x):
    try:
        return np.sqrt(x) * math.sqrt(-x)
    except ValueError:
        return x * x


def replaced(x):
    values = [x, x * x, x + 1.0]
    values[1:] = [x**3]
    return values[0] + values[1]


def line_of(text):
    first = slow.__code__.co_firstlineno
    with open(__file__) as file:
        return next(i for i, line in enumerate(file, start=1) if i > first and text in line)


def explained(f, x, calls=4):
    for _ in range(calls):
        cr.grad(f)(x)
    return cr.explain(f, x)


def test_a_text_is_shown_once_there_is_one():
    x = np.array([0.5, 1.0])
    before = cr.explain(lasting, x)
    assert before.text == ""
    assert before.why == "none is known for such arguments; grad writes one after 3 calls"
    assert before.why in str(before)
    after = explained(lasting, x)
    assert after.text == cr.derivative_source(lasting, x, mode="specialised")
    assert after.why == ""
    assert "def lasting_gradient(x):" in after.text
    said = f"a specialised text of {len(after.text.splitlines())} lines: derivative_source"
    assert said in str(after)
    assert said in after._repr_html_()


@pytest.mark.parametrize(
    ("f", "x", "why", "line"),
    [
        (slow, np.array([3.0, 1.0, 2.0]), "nlargest, of which it is not known", "heapq.nlargest"),
        (outer, 2.0, "iter, of which it is not known", "iter(values)"),
        (caught, 2.0, "a run in which something is raised and caught", "math.sqrt(-x)"),
        (replaced, 2.0, "items of a list that others take the place of", "values[1:] ="),
    ],
)
def test_what_stands_in_the_way_is_said_with_its_line(f, x, why, line):
    found = explained(f, x, 8)
    assert found.text == ""
    assert found.why.startswith(why)
    assert found.why.endswith(f"(line {line_of(line)})")
    assert f"no specialised text: {found.why}" in str(found)


def test_only_texts_for_such_arguments_are_shown():
    def f(x):
        return next(iter([x])) * x if isinstance(x, float) else np.sum(x * x)

    x = np.array([0.5, 1.0])
    assert explained(f, 2.0).why.startswith("iter, of which")
    assert cr.explain(f, x).why.startswith("none is known for such arguments")
    assert explained(f, x).text == cr.derivative_source(f, x, mode="specialised") != ""
    assert cr.explain(f, 2.0).text == cr.derivative_source(f, 2.0, mode="specialised") == ""
    assert cr.explain(f, 2.0).why.startswith("iter, of which")


def test_a_large_array_has_no_text():
    found = cr.explain(lasting, np.ones(1_000_000))
    assert found.why == "an array of 1,000,000 numbers or more"


def test_what_has_no_name_is_called_by_its_class():
    c = np.poly1d([1.0, 2.0, 3.0])

    def f(x):
        return c(x) * x

    assert explained(f, 2.0).why.startswith("an object of poly1d")


def test_items_of_a_list_that_others_replace_have_their_derivative():
    for _ in range(5):
        assert cr.grad(replaced)(2.0) == pytest.approx(1.0 + 3 * 2.0**2)

"""The first pullback of a program, which is run before there is a text of it."""

import numpy as np
import pytest

import chainrules as cr


def test_the_first_pullback_answers_as_all_others():
    def f(x, y):
        def inner(a):
            return a * y

        b, c = x * y, inner(x)
        while b < 10.0:
            b, c = b + c, b
        return {"sum": b + np.sin(c)}["sum"]

    first, second = cr.grad(f, (0, 1)), cr.grad(f, (0, 1))
    assert first(1.5, 0.7) == second(1.5, 0.7) == first(1.5, 0.7)


def once(x):
    yield x * x


def test_nor_is_that_of_a_generator_another():
    def f(x):
        total = 0.0
        for v in once(x):
            total = total + 3.0 * v
        return total

    assert [cr.grad(f)(1.5) for _ in range(3)] == [9.0] * 3


def test_a_pullback_that_is_called_again_answers_alike():
    _, back = cr.vjp(lambda x, y: np.sin(x * y) + x, 1.5, 0.7)
    assert back(1.0) == back(1.0) == back(1.0)
    assert back(2.0)[1] == 2.0 * back(1.0)[1]


def test_an_error_in_the_first_pullback_names_the_line():
    def root(x):
        return x

    @cr.rrule(root)
    def root_rrule(x):
        def root_pullback(y_bar):
            raise ZeroDivisionError("as it happens")

        return x, root_pullback

    def f(x):
        return root(x) + x

    with pytest.raises(ZeroDivisionError) as caught:
        cr.grad(f)(1.0)
    assert "return root(x) + x" in "".join(caught.value.__notes__)

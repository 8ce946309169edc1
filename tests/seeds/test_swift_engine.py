"""The cases of the document on Swift's implementation (SI), under its numbers.

SI22–SI24 ask for the sets of varied, useful and active values. They are read here from what `explain` notes:
the calls whose values vary, and those that were gone back over.
"""

from typing import NamedTuple

import numpy as np
import pytest

import chainrules as cr


def program(x):
    a = np.sin(x)
    b = np.cos(3.0)
    unused = np.tan(x)  # noqa: F841  # it does not reach the output
    print(end="")
    return a * b


def test_SI2_gradient_of_a_cube():
    assert cr.grad(lambda x: x * x * x)(4.0) == 48.0


def test_SI22_varied_values_depend_on_the_input():
    (function,) = cr.explain(program, 1.0).functions
    assert {n.callee for n in function.notes} == {"numpy.sin", "numpy.tan", "operator.mul"}


def test_SI23_useful_values_reach_the_output():
    (function,) = cr.explain(program, 1.0).functions
    assert {n.callee for n in function.notes if n.backward > 0.0} == {"numpy.sin", "operator.mul"}


def test_SI24_active_values_are_both_and_give_the_gradient(capsys):
    def f(x):
        a = np.sin(x)
        b = np.cos(3.0)
        c = a * b
        print("seen", a > 0)
        return c

    np.testing.assert_allclose(cr.grad(f)(1.0), -0.534895, rtol=1e-5)
    assert capsys.readouterr().out == "seen True\n"


def test_SI25_only_active_calls_are_looked_up(monkeypatch):
    """What does not vary is not resolved; what is not useful is not gone back over."""
    from chainrules.core import caches
    from chainrules.engines.following import looking

    looked_up, pulled = [], []
    resolve = looking.reverse_rule

    def counting(f, *rest):
        looked_up.append(f)
        rule = resolve(f, *rest)
        assert rule is not None

        def noting(*x):
            y, back = rule(*x)

            def noting_pullback(y_bar):
                pulled.append(f)
                return back(y_bar)

            return y, noting_pullback

        return noting

    monkeypatch.setattr(looking, "reverse_rule", counting)
    caches.invalidate()  # nothing is known from calls before

    def f(x):
        b = np.cosh(3.0)
        unused = np.arctanh(x / 2)  # noqa: F841  # it does not reach the output
        print(end="")
        return np.arcsinh(x) * b

    try:
        cr.grad(f)(1.0)
    finally:
        caches.invalidate()
    assert np.arcsinh in looked_up
    assert not {np.cosh, print} & set(looked_up)
    assert np.arcsinh in pulled
    assert np.arctanh not in pulled


def test_SI34_control_flow_follows_the_path_taken():
    def m(x):
        r = 2 * x
        if x < 5:  # noqa: SIM108  # the branches are the point
            r = r * r
        else:
            r = 3 * r
        return r + 1

    for x, expected in [(2.0, 16.0), (6.0, 6.0)]:
        assert cr.grad(m)(x) == expected
        assert cr.derivative(m)(x) == expected


def factorial(x):
    if x <= 1:
        return 1.0
    return x * factorial(x - 1)


def guard2(x, y):
    if x > 0:
        if y > 0:
            return x * y
        return x - y
    if y > 0:
        return -x * -y
    return y - x


def test_SI35_recursion_and_nested_conditions():
    assert cr.grad(factorial)(5.0) == 154.0
    assert cr.derivative(factorial)(5.0) == 154.0
    assert cr.grad(guard2, argnums=(0, 1))(-3.0, 2.0) == (2.0, -3.0)


def test_SI36_the_pullback_is_made_of_the_callees_pullbacks():
    np.testing.assert_allclose(cr.grad(lambda x: np.sin(x) * np.cos(x))(1.0), -0.416147, rtol=1e-5)


class Pair(NamedTuple):
    first: float
    second: float


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_SI39_structs_are_made_and_read(mode):
    def f(x):
        pair = Pair(x, second=x)
        return pair.first + pair.second

    assert (cr.grad(f)(3.0) if mode == "reverse" else cr.derivative(f)(3.0)) == 2.0


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_SI40_tuples_are_made_and_read(mode):
    def f(x):
        pair = (x, x * x)
        return pair[0] * pair[1]

    assert (cr.grad(f)(3.0) if mode == "reverse" else cr.derivative(f)(3.0)) == 27.0

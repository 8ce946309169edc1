"""Functions whose parameters have differentiated values by default, and that rules call."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, minimize

import chainrules as cr

START = np.array([1.0, 1.0])


def by_default(p):
    return quad(lambda x, p=p: np.sin(p * x), 0.0, 1.0)[0]


def by_keyword(p):
    def f(x, *, p=p):
        return np.sin(p * x)

    return quad(f, 0.0, 1.0)[0]


def in_a_dictionary(p):
    v = {"p": p, "name": "rate"}
    return quad(lambda x, v=v: np.sin(v["p"] * x), 0.0, 1.0)[0]


def beside_what_is_captured(p):
    q = p * p
    return quad(lambda x, p=p: np.sin(p * x) + q * x, 0.0, 1.0)[0]


def given_after_all(p):
    return quad(lambda x, p=p, k=2.0: p * x * k, 0.0, 1.0, args=(p * p,))[0]


def behind_any_number(p):
    def f(x, *others, p=p):
        return np.sin(p * x) + sum(others)

    return quad(f, 0.0, 1.0, args=(1.0, 2.0))[0]


def in_a_loop(p):
    integrands = [lambda x, k=k, w=p * k: w * x**k for k in range(3)]
    return sum(quad(f, 0.0, 1.0)[0] for f in integrands)


def of_a_root(p):
    return brentq(lambda x, p=p: x**3 - p, 0.0, 5.0)


def of_a_flow(p):
    y = np.array([1.0, 0.5])
    return solve_ivp(lambda t, y, p=p: -p * y, (0.0, 1.0), y, rtol=1e-10, atol=1e-12).y[0, -1]


def of_a_constraint(p):
    line = {"type": "eq", "fun": lambda x, p=p: x[0] + x[1] - p}
    return minimize(lambda x, p=p: x[0] ** 2 + p * x[1] ** 2, START, constraints=[line], tol=1e-12).x[0]


def beside_a_variable(p):
    k = p * 2.0
    return brentq(lambda z, a=p * p: z**3 + a * z - k, -5.0, 5.0)


def in_a_list(p):
    at, one = np.array([-1.0, 2.0]), lambda v: v
    scaled = lambda v, a=p * p: v * a * p  # noqa: E731
    return np.sum(np.piecewise(at, [at < 0.0, at >= 0.0], [scaled, one]))


EVERY = (
    *(by_default, by_keyword, in_a_dictionary, beside_what_is_captured, given_after_all, in_a_loop),
    behind_any_number,
    *(of_a_root, of_a_flow, of_a_constraint, beside_a_variable, in_a_list),
)


@pytest.mark.parametrize("f", EVERY)
def test_its_derivative_is_that_of_the_program(f):
    h = 1e-4
    difference = (f(1.3 + h) - f(1.3 - h)) / (2 * h)
    for _ in range(3):
        assert cr.grad(f)(1.3) == pytest.approx(difference, rel=1e-5)
        assert cr.jvp(f, (1.3,), (1.0,))[1] == pytest.approx(difference, rel=1e-5)


@pytest.mark.parametrize("f", [by_default, in_a_dictionary, beside_what_is_captured, of_a_root])
def test_second_derivatives(f):
    h = 1e-3
    difference = (f(1.3 + h) - 2 * f(1.3) + f(1.3 - h)) / h**2
    assert cr.grad(cr.grad(f))(1.3) == pytest.approx(difference, rel=1e-4)


def test_the_function_itself_is_called_by_the_solver():
    calls = []

    def found(p):
        def f(x, p=p):
            calls.append(1)
            return np.sin(p * x)

        return quad(f, 0.0, 1.0)[0]

    found(1.3)
    plain = len(calls)
    for ask in (cr.grad(found), lambda p: cr.jvp(found, (p,), (1.0,))):
        calls.clear()
        ask(1.3)
        assert len(calls) == plain


def test_a_function_around_it_stands_for_itself():
    def found(p):
        def f(x, p=p):
            return p * x

        @functools.wraps(f)
        def doubled(x, p=p):
            return 2.0 * f(x, p)

        return quad(doubled, 0.0, 1.0)[0]

    assert cr.value_and_grad(found)(1.3) == (pytest.approx(1.3), pytest.approx(1.0))


def test_what_is_positional_only_is_refused():
    def found(p):
        def f(x, p=p, /):
            return p * x

        return quad(f, 0.0, 1.0)[0]

    with pytest.raises(cr.NotDifferentiableError, match=r"function's defaults|not taken apart"):
        cr.grad(found)(1.3)

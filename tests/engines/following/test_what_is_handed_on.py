"""What a program hands on to the functions that a solver calls, and these write into."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, least_squares, minimize, root

import chainrules as cr
from chainrules.tangents import ZERO

START = np.array([1.0])
SOLVERS = {
    "quad": lambda f, v: quad(f, 0.0, 1.0, args=(v,))[0],
    "brentq": lambda f, v: brentq(f, -3.0, 5.0, args=(v,)),
    "root": lambda f, v: root(f, START, args=(v,)).x[0],
    "minimize": lambda f, v: minimize(lambda x, v: np.sum(f(x, v) ** 2), START, args=(v,)).x[0],
    "least_squares": lambda f, v: least_squares(f, START, args=(v,)).x[0],
    "solve_ivp": lambda f, v: solve_ivp(lambda t, y, v: f(y, v), (0.0, 1.0), START, args=(v,)).y[0, -1],
}


class Case:
    def __init__(self, p):
        self.p, self.calls = p, 0


def in_a_dict(p):
    def f(x, v):
        v["n"] += 1
        return x * v["p"] - 1.0 - 0.1 * x

    v = {"n": 0, "p": p}
    return f, v, lambda: v["n"]


def in_a_list(p):
    def f(x, v):
        count(v)
        return x * v[1] - 1.0 - 0.1 * x

    def count(v):
        v[0] += 1

    v = [0, p]
    return f, v, lambda: v[0]


def in_a_dict_inside(p):
    def f(x, v):
        v["log"]["n"] += 1
        return x * v["p"] - 1.0 - 0.1 * x

    v = {"log": {"n": 0}, "p": p}
    return f, v, lambda: v["log"]["n"]


def in_an_object(p):
    def f(x, v):
        v.calls += 1
        return x * v.p - 1.0 - 0.1 * x

    v = Case(p)
    return f, v, lambda: v.calls


def in_a_namespace(p):
    def f(x, v):
        v.n += 1
        return x * v.p - 1.0 - 0.1 * x

    v = SimpleNamespace(p=p, n=0)
    return f, v, lambda: v.n


def in_a_deque(p):
    def f(x, v):
        v[1].append(v[1].popleft() + 1)
        return x * v[0] - 1.0 - 0.1 * x

    v = (p, deque([0]))
    return f, v, lambda: v[1][0]


KEPT = {
    f.__name__: f for f in (in_a_dict, in_a_list, in_a_dict_inside, in_an_object, in_a_namespace, in_a_deque)
}


@pytest.mark.parametrize("made", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)
def test_what_a_function_counts_in_its_arguments_is_counted_once(solve, made):
    counts = []

    def found(p):
        f, v, count = made(p)
        y = solve(f, v)
        counts.append(count())
        return y

    found(2.0)
    difference = (found(2.0 + 1e-4) - found(2.0 - 1e-4)) / 2e-4
    counts[1:] = []
    for _ in range(3):
        assert cr.grad(found)(2.0) == pytest.approx(difference, rel=1e-4)
        assert cr.jvp(found, (2.0,), (1.0,))[1] == pytest.approx(difference, rel=1e-4)
    cr.grad(cr.grad(found))(2.0)
    assert len(counts) == 8
    assert set(counts) == {counts[0]}


@pytest.mark.parametrize("name", ["quad", "brentq", "minimize"])
def test_the_argument_may_be_the_programs_own(name):
    def f(x, v):
        v["n"] += 1
        return x * v["p"] - 1.0 - 0.1 * x

    def found(v):
        return SOLVERS[name](f, v)

    plain, v = {"n": 0, "p": 2.0}, {"n": 0, "p": 2.0}
    found(plain)
    for k in range(1, 4):
        cr.value_and_grad(found)(v)
        assert v == {"n": k * plain["n"], "p": 2.0}


def test_the_same_function_may_count_in_its_arguments_or_in_what_it_captured():
    def found(p, inside):
        v = {"n": 0, "p": p}

        def of_argument(x, v):
            v["n"] += 1
            return x * v["p"] - 1.0

        def of_captured(x, _):
            v["n"] += 1
            return x * v["p"] - 1.0

        y = SOLVERS["minimize"](of_argument if inside else of_captured, v if inside else 0)
        return y, v["n"]

    expected = found(2.0, True)[1]
    for inside in (True, False, True):
        (_, n), _ = cr.jvp(lambda p, inside=inside: found(p, inside), (2.0,), (1.0,))
        assert n == expected


def put_into_a_list(p):
    def f(x, v):
        y = v["p"] * x
        v["log"][0] = y
        return y

    v = {"p": p, "log": [0.0]}
    return quad(f, 0.0, 1.0, args=(v,))[0] + v["log"][0]


def put_into_an_object(p):
    def f(x, v):
        v.calls = v.p * x
        return v.calls

    v = Case(p)
    return quad(f, 0.0, 1.0, args=(v,))[0] + v.calls


def written_into_an_array(p):
    def f(x, p, last):
        last[0] = p * x
        return p * x

    last = np.zeros(2)
    return quad(f, 0.0, 1.0, args=(p, last))[0] + last[0]


@pytest.mark.parametrize("found", [put_into_a_list, put_into_an_object, written_into_an_array])
def test_a_derivative_does_not_pass_through_what_was_put_into_an_argument(found):
    for ask in (cr.grad(found), lambda p: cr.jvp(found, (p,), (1.0,)), cr.grad(cr.grad(found))):
        with pytest.raises(cr.ChainRulesError, match=r"a function put into|writes into an array"):
            ask(2.0)


@pytest.mark.parametrize("name", ["quad", "brentq", "minimize"])
@pytest.mark.parametrize("captured", [False, True])
def test_a_log_beside_the_parameters_is_refused_in_reverse(name, captured):
    def found(p, log):
        v = {"p": p, "log": log}

        def f(x, v):
            v["log"].append(1)
            return x * v["p"] - 1.0 - 0.1 * x

        if captured:
            return SOLVERS[name](lambda x, _: f(x, v), 0)
        return SOLVERS[name](f, v)

    plain: list[int] = []
    counted: list[int] = []
    found(2.0, plain)
    with pytest.raises(cr.AliasedMutationError, match="adds to list, or takes from it"):
        cr.grad(lambda p: found(p, []))(2.0)
    cr.jvp(lambda p: found(p, counted), (2.0,), (1.0,))
    assert counted == plain


def test_a_log_of_its_own_is_no_parameter():
    def found(p):
        log = []

        def f(x, p):
            log.append(x)
            return x * p

        return quad(f, 0.0, 1.0, args=(p,))[0], len(log)

    for _ in range(3):
        (_, count), (dy, _) = cr.jvp(found, (2.0,), (1.0,))
        assert count == found(2.0)[1]
        assert dy == pytest.approx(0.5)
        assert cr.grad(lambda p: found(p)[0])(2.0) == pytest.approx(0.5)


def solved(f, x, *args):
    for _ in range(40):
        y = f(x, *args)
        x = x - y * 1e-7 / (f(x + 1e-7, *args) - y)
    return x


@cr.rrule(solved)
def solved_rrule(f: object, x: float, *args: object, engine):
    """θ̄ = −f_θ x̄ / f_x"""
    x = solved(f, x, *args)
    _, back = engine.value_and_pullback(lambda f, x, *args: f(x, *args), f, x, *args)

    def solved_pullback(x_bar):
        of_f, _, *of_args = back(-x_bar / back(1.0)[1])
        return of_f, ZERO, *of_args

    return x, solved_pullback


def test_what_functions_do_in_a_rule_of_a_users_is_not_lost():
    def found(p):
        v = {"n": 0, "p": p}

        def f(x, v):
            v["n"] += 1
            return x**3 - v["p"]

        return solved(f, 1.0, v) + v["n"]

    value, slope = cr.value_and_grad(found)(2.0)
    assert value == pytest.approx(found(2.0) + 1)  # the rule itself calls it once more
    assert slope == pytest.approx(2.0 ** (-2 / 3) / 3)


@pytest.mark.parametrize("kept", ["in a dictionary", "in an array"])
def test_nor_does_a_derivative_pass_through_what_they_leave(kept):
    def found(p):
        last = np.zeros(2) if kept == "in an array" else {0: 0.0}

        def f(x, p, last):
            last[0] = x * p
            return x**3 - p

        return solved(f, 1.0, p, last) + last[0]

    with pytest.raises(cr.AliasedMutationError, match=r"a function put into|writes into an array"):
        cr.grad(found)(2.0)

"""What functions do that are handed to the library: each effect once, with its derivative or an error."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy import linalg, stats
from scipy.integrate import dblquad, nquad, quad
from scipy.optimize import brentq
from scipy.spatial.distance import cdist, pdist

import chainrules as cr

A = np.arange(1.0, 7.0).reshape(2, 3)
S = np.array([[2.0, 0.5], [0.5, 3.0]])


def ordered(f):
    by_value = functools.cmp_to_key(lambda a, b: f(a) - f(b))
    return sorted([3.0, 1.0, 2.0], key=by_value)[0] * f(1.0)


def a_solver_in_a_solver(f):
    return quad(lambda a: brentq(lambda x: f(x) - a - 1.0, -5.0, 5.0), 0.0, 1.0)[0]


CALLS = {
    "vectorize": lambda f: np.sum(np.vectorize(f)(A)),
    "vectorize, with types": lambda f: np.sum(np.vectorize(f, otypes=[float])(A)),
    "apply_along_axis": lambda f: np.sum(np.apply_along_axis(lambda row: f(np.sum(row)), 0, A)),
    "cmp_to_key": ordered,
    "cdist": lambda f: np.sum(cdist(A, A + 1, lambda u, v: f(np.sum((u - v) ** 2)))),
    "pdist": lambda f: np.sum(pdist(A, lambda u, v: f(np.sum((u - v) ** 2)))),
    "funm": lambda f: np.sum(linalg.funm(S, lambda v: f(v))),
    "gaussian_kde": lambda f: stats.gaussian_kde(A.ravel(), bw_method=lambda kde: f(0.3))(2.0)[0],
    "dblquad": lambda f: dblquad(lambda y, x: f(x * y), 0.0, 1.0, 0.0, 1.0, epsabs=0.1)[0],
    "nquad": lambda f: nquad(f, [[0.0, 1.0]])[0],
    "a solver in a solver": a_solver_in_a_solver,
}


def counting(p):
    box = {"n": 0}

    def f(r):
        box["n"] += 1
        return p * r

    return f, lambda: box["n"]


def logging(p):
    log = []

    def f(r):
        log.append(1)
        return p * r

    return f, lambda: len(log)


@pytest.mark.parametrize("made", [counting, logging])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_each_call_is_counted_once(call, made):
    counts = []

    def found(p):
        f, count = made(p)
        y = call(f)
        counts.append(count())
        return y

    h = 1e-5
    difference = (found(1.1 + h) - found(1.1 - h)) / (2 * h)
    found(1.1)
    counts[:-1] = []
    for _ in range(3):
        assert cr.grad(found)(1.1) == pytest.approx(difference, rel=1e-5)
        assert cr.jvp(found, (1.1,), (1.0,))[1] == pytest.approx(difference, rel=1e-5)
    cr.grad(lambda p: cr.jvp(found, (p,), (1.0,))[1])(1.1)
    assert len(counts) == 8
    assert set(counts) == {counts[0]}


def in_a_variable(p):
    last = p

    def f(r):
        nonlocal last
        last = last * p
        return last * r

    return f, lambda: last


def in_a_dictionary(p):
    box = {"last": p, "n": 0}

    def f(r):
        box["n"] += 1
        box["last"] = box["last"] * p
        return box["last"] * r

    return f, lambda: box["last"] * box["n"]


def in_a_list(p):
    log = []

    def f(r):
        log.append(p * r)
        return p * r

    return f, lambda: sum(log)


class Remembers:
    def __init__(self, p):
        self.last = self.p = p

    def __call__(self, r):
        self.last = self.last * self.p
        return self.last * r


def in_an_object(p):
    f = Remembers(p)
    return f, lambda: f.last


@pytest.mark.parametrize("made", [in_a_variable, in_a_dictionary, in_a_list, in_an_object])
@pytest.mark.parametrize("call", [CALLS["vectorize"], CALLS["vectorize, with types"], CALLS["cmp_to_key"]])
def test_what_they_leave_has_its_derivative(call, made):
    def found(p):
        f, left = made(p)
        return call(f) * left()

    h = 1e-6
    difference = (found(1.1 + h) - found(1.1 - h)) / (2 * h)
    for _ in range(3):
        assert cr.grad(found)(1.1) == pytest.approx(difference, rel=1e-5)
        assert cr.jvp(found, (1.1,), (1.0,))[1] == pytest.approx(difference, rel=1e-5)


def test_a_vectorized_function_finds_a_variable_outside():
    def found(p):
        SETTINGS["k"] = p
        return np.sum(np.vectorize(lambda v: v * SETTINGS["k"])(np.arange(3.0)))

    assert cr.grad(found)(2.0) == cr.derivative(found)(2.0) == 3.0


SETTINGS = {"k": 1.0}


@pytest.mark.parametrize("whole", [True, False])
def test_a_function_that_c_code_hides_is_refused(whole):
    def found(p):
        scaled = np.frompyfunc(lambda v: p * v, 1, 1)
        return np.sum(scaled(A).astype(float)) if whole else scaled(2.0)

    for derivative in (cr.grad(found), cr.derivative(found)):
        with pytest.raises(cr.NoRuleError, match=r"frompyfunc"):
            derivative(1.1)

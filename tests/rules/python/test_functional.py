"""Functions that call the function they are given."""

import functools
import itertools
import operator

import numpy as np
import pytest
from tests.rules.cases import case, held, normal
from tests.rules.python.test_iteration import made

import chainrules as cr
from chainrules.testing import check_rule


def product(a, b):
    return a * b


def positive(x):
    return x > 0


MAP, FILTER, FALSE, ACCUMULATE, STARMAP = map(
    made, (map, filter, itertools.filterfalse, itertools.accumulate, itertools.starmap)
)
F, TEST, NONE = held(product), held(positive), held(None)
CASES = [
    case(MAP, held(np.sin), normal(3)),
    case(MAP, F, [1.0, 2.0], (3.0, 4.0, 5.0), why="the shortest ends it"),
    case(MAP, held(np.sum), normal(2, 3), why="rows"),
    *(case(f, TEST, x) for f in (FILTER, FALSE) for x in ([1.0, -2.0, 3.0], normal(4), (1.0,))),
    case(FILTER, NONE, [1.0, 3.0]),
    case(functools.reduce, F, normal(4)),
    case(functools.reduce, F, [2.0, 3.0], 4.0),
    case(functools.reduce, F, (), 4.0, why="nothing but the initial value"),
    case(functools.reduce, held(np.matmul), normal(3, 2, 2)),
    case(ACCUMULATE, [1.0, 2.0, 3.0]),
    case(ACCUMULATE, normal(3), F),
    case(ACCUMULATE, (1.0, 2.0), held(operator.mul), initial=3.0),
    case(STARMAP, F, [(1.0, 2.0), (3.0, 4.0)]),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda w: sum(map(lambda v, u: w * v * u, [1.0, 2.0], [1.0, 2.0])), 5.0),
        (lambda w: functools.reduce(lambda a, v: a * w + v, [1.0, 2.0, 3.0]), 2 * 1.5 + 2),
        (lambda w: functools.reduce(lambda a, v: a * w + v, range(3), w), 4 * 1.5**3 + 1),
        (lambda w: functools.reduce(lambda a, v: a * w + v, {1.0: "a", 2.0: "b"}, w), 3 * 1.5**2 + 1),
        (lambda w: functools.reduce(lambda a, v: a * w + v, {"a": 1.0, "b": w}.values()), 2),
        (lambda w: functools.reduce(lambda a, v: a + w * len(v), "abc", w), 4),
        (
            lambda w: list(itertools.accumulate(range(3), lambda a, v: a * w + v, initial=w))[3],
            4 * 1.5**3 + 1,
        ),
        (lambda w: list(itertools.accumulate([w, w, w], lambda a, b: a * b))[-1], 3 * 1.5**2),
        (lambda w: sum(filter(lambda v: v > 2, [w, w * w])), 3.0),
    ],
)
def test_what_the_function_captured_has_its_derivative(f, expected):
    assert cr.grad(f)(1.5) == pytest.approx(expected)
    assert cr.derivative(f)(1.5) == pytest.approx(expected)


def test_second_order():
    f = cr.grad(lambda w: functools.reduce(lambda a, v: a * w * v, [w, 2.0, w]))
    assert cr.grad(f)(1.5) == pytest.approx(2 * 12 * 1.5**2)


made_runs: list[int] = []


def cube(v):
    made_runs.append(1)
    return v**3


RUNS = {
    "forward": lambda f, w: cr.jvp(f, (w,), (1.0,))[1],
    "reverse": lambda f, w: cr.grad(f)(w),
}


@pytest.mark.parametrize("inner", RUNS)
@pytest.mark.parametrize("outer", [None, *RUNS])
def test_the_function_runs_once_for_each_item(inner, outer):
    made_runs.clear()

    def first(w):
        return RUNS[inner](lambda x: sum(map(cube, [x, 2 * x])), w)

    slope = first(1.5) if outer is None else RUNS[outer](first, 1.5)
    assert len(made_runs) == 2
    assert slope == pytest.approx(27 * 1.5**2 if outer is None else 54 * 1.5)


def test_a_draw_has_the_derivative_of_the_same_draw():
    rng = np.random.default_rng(0)

    def drawn(v):
        return v * rng.standard_normal()

    y, dy = cr.jvp(lambda w: sum(map(drawn, [w, w])), (2.0,), (1.0,))
    assert dy == pytest.approx(y / 2)

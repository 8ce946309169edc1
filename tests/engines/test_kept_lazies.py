"""What `zip`, `map`, `iter` and their kin give, kept: each item once, and as it is when it is read."""

import functools
import itertools
import math
import operator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

from chainrules.testing import check_grads

table = Table()
refused = Table()
X = np.array([1.3, 0.7, -0.4])


def squared(v):
    return v * v


def total(items):
    s = 0.0
    for v in items:
        s = s + v
    return s


def twice(items):
    return sum(items) + 3.0 * sum(items)


def pairs(a, b):
    return zip(a, b, strict=True)


def squares(items):
    return map(squared, items)


class Model:
    def __init__(self, parameters):
        self.own = list(parameters)

    def parameters(self):
        return iter(self.own)


@table(X)
def read_a_second_time(x):
    kept = [zip([x[0], x[1]], [x[1], x[2]], strict=True), map(squared, x)]
    s = sum(p * q for p, q in kept[0]) + sum(kept[1])
    return s + sum(p * q * 5.0 for p, q in kept[0]) + 3.0 * sum(kept[1])


@table(X)
def read_a_second_time_by_a_function(x):
    return twice(map(squared, [x[0], x[1]])) + twice(iter([x[1], x[2]])) + twice(v * v for v in x)


@table(X)
def advanced_in_turn(x):
    kept = {"a": iter([x[0], x[1], x[2]]), "b": enumerate([x[1], x[2], x[0]], 1)}
    s = 0.0
    for _ in range(3):
        i, v = next(kept["b"])
        s = s * next(kept["a"]) + i * v
    return s


@table(X)
def one_iterator_by_two_names(x):
    entries = iter([x[0], x[1], x[2], x[0] * x[1]])
    kept = [entries, entries]
    return sum(a * b for a, b in zip(kept[0], kept[1], strict=True))


@table(X)
def returned(x):
    a = x * 1.0
    s = sum(p * q for p, q in pairs(a, x)) + sum(squares(squares(x)))
    a[0] = s
    return np.sum(a * x) + total(squares([s, x[0]]))


@table(X)
def given_to_functions(x):
    own = [x[0], x[1]]
    s = total(map(squared, own)) + total(itertools.starmap(operator.mul, enumerate(x)))
    own.append(s * s)
    s = s + total(filter(lambda t: t > 0, map(operator.neg, own)))
    return s + total(itertools.chain(own, [x[1] * x[2]])) * total(reversed(own)) + total(reversed(x))


@table(X)
def rows_of_a_matrix(x):
    m = np.outer(x, x)
    return total(map(np.sum, m)) + total(r[0] * r.sum() for r in m)


@table(X)
def methods_that_give_them(x):
    model = Model(map(squared, x))
    s = sum(p * p for p in model.parameters())
    model.own[0] = s
    return sum(model.parameters()) * total(model.parameters())


@table(X)
def taken_at_once(x):
    own: list[Any] = []
    own.extend(map(squared, x))
    own.extend(zip(x, x, strict=True))
    s = 0.0
    for i in range(3):
        k = x[i]
        s = s + sum(map(lambda v: v * k, x)) + total(filter(lambda v: v * k > 0, x))  # noqa: C417  at once
        items = itertools.filterfalse(lambda v: v * k > 0, x)  # noqa: B023  the same
        s = s + math.fsum(items) + functools.reduce(operator.mul, map(squared, x))
    return sum(own[:3]) + own[3][0] * own[3][1] + s


@table(X)
def without_derivatives(x):
    kept = [zip(range(3), "abc", strict=True)]
    names = iter("ab")
    d = {"a": x[0], "b": x[1]}
    return sum(x[i] for i, _ in kept[0]) * d[next(names)] * d[next(names)]


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_kept_lazies_agree_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize(
    "f", [read_a_second_time, returned, given_to_functions, rows_of_a_matrix, advanced_in_turn]
)
def test_their_second_derivatives_agree_with_differences(f):
    check_grads(f, X, order=2)


@refused(X)
def in_a_list(x):
    own = [x[0], x[1]]
    kept = [zip(own, [x[1], x[2]], strict=True)]
    own[0] = x[2] * x[2]
    return sum(p * q for p, q in kept[0])


@refused(X)
def in_a_dict(x):
    own = [x[0], x[1]]
    kept = {"squares": map(squared, own)}
    own[0] = x[2] * x[2]
    return sum(kept["squares"])


@refused(X)
def in_an_object(x):
    own = [x[0], x[1]]
    kept = SimpleNamespace(counted=enumerate(own))
    own[0] = x[2] * x[2]
    return sum(i * v + v for i, v in kept.counted)


@refused(X)
def in_a_field(x):
    own = [x[0], x[1]]
    kept = SimpleNamespace()
    kept.those = filter(lambda v: v > 0, own)
    own[0] = x[2] * x[2]
    return sum(kept.those)


@refused(X)
def that_grew(x):
    own = [x[0], x[1]]
    kept = pairs(own, own)
    own.append(x[1] * x[2])
    return sum(p * q for p, q in kept)


@refused(X)
def of_an_array(x):
    a = x * 1.0
    kept = [iter(a)]
    a[0] = x[1] * x[2]
    return sum(kept[0])


@refused(X)
def run_to_the_middle(x):
    own = [x[0], x[1], x[2]]
    kept = [itertools.accumulate(own, operator.mul)]
    s = next(kept[0])
    own[1] = x[2] * s
    return s + sum(kept[0])


@refused(X)
def copied_by_tee(x):
    own = [x[0], x[1], x[2]]
    a, b = itertools.tee(own)
    s = next(a)
    own[2] = x[0] * x[1]
    return s * sum(a) + sum(b)


@refused(X)
def given_to_what_keeps_it(x):
    own = [x[0], x[1]]
    kept = (lambda items: [items])(itertools.chain(own, own))
    own[0] = x[1] * x[2]
    return sum(kept[0])


def put(own, v):
    own[1] = v * 2.0
    return v


@refused(X)
def changed_by_a_comprehension(x):
    own = [x[0], x[1]]
    return sum([put(own, v) for v in map(squared, own)])


@refused(X)
def changed_by_a_comprehension_of_a_dict(x):
    own = [x[0], x[1]]
    d = {k: put(own, v) for k, v in enumerate(own)}
    return d[0] + 3.0 * d[1]


@refused(X)
def an_array_changed_by_a_comprehension(x):
    a = x * 1.0
    d = [put(a, p) * q for p, q in zip(a, a, strict=True)]
    return d[0] + 3.0 * d[1]


@table(X)
def something_else_changed_by_a_comprehension(x):
    own, other = [x[0], x[1]], [x[2], x[0]]
    d = {k: put(other, v) * other[1] for k, v in enumerate(own)}
    e = [put(other, v * v) for v in map(squared, own)]
    return d[0] + 3.0 * d[1] + sum(e) * other[1]


@pytest.mark.parametrize(("f", "x"), refused.rows)
def test_what_changed_before_it_was_read_is_right_or_refused(f, x):
    for run in (lambda: rightly.grad(f)(*x), lambda: rightly.jvp(f, x, x)):
        rightly.or_refused(run)


def late(x):
    k = x[0]
    items = map(lambda v: v * k, [x[1], x[2]])  # noqa: C417  that is asked
    k = x[1]
    return sum(items)


def test_a_function_that_runs_later_with_other_variables():
    def bound_anew(x):
        k = x[0]
        kept = [map(lambda v: v * k, [x[1], x[2]])]  # noqa: C417  that is asked
        k = x[1]
        return sum(kept[0])

    for f in (late, bound_anew):
        for run in (lambda f=f: rightly.grad(f)(X), lambda f=f: rightly.jvp(f, (X,), (X,))):
            run()

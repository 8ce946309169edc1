"""Local functions that remember what they gave, by `functools.cache` and in other ways."""

import functools

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

from chainrules.testing import check_grads

table = Table()
X = np.array([0.7, 1.3, 2.1])


@table(X)
def a_recurrence_of_thirty_terms(x):
    @functools.lru_cache(maxsize=64)
    def term(n):
        if n < 2:
            return x[n]
        return 0.5 * term(n - 1) + 0.3 * x[2] * term(n - 2)

    return term(30)


@table(X)
def an_alignment(x):
    a, b = x, 1.3 * x[::-1]

    @functools.cache
    def cost(i, j):
        here = (a[i] - b[j]) ** 2
        if i == 0 and j == 0:
            return here
        before = [cost(k, m) for k, m in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if k >= 0 and m >= 0]
        return here - np.log(sum(np.exp(-c) for c in before))

    return cost(2, 2)


@table(X)
def a_knapsack(x):
    weights = (1, 2, 3)

    @functools.cache
    def best(i, room):
        if i == 3:
            return 0.0
        without = best(i + 1, room)
        if weights[i] > room:
            return without
        return max(without, x[i] + best(i + 1, room - weights[i]))

    return best(0, 4) * x[0]


@table(X)
def counted_calls(x):
    calls = 0

    def energy(p):
        nonlocal calls
        calls += 1
        return np.sum((p - x[0]) ** 2)

    return sum([energy(x * e) for e in np.eye(3)]) * calls


@table(X)
def calls_that_run_once(x):
    ran = []

    @functools.cache
    def f(n):
        ran.append(n)
        return x[0] if n == 0 else f(n - 1) * f(n - 1)

    return f(3) * len(ran)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)
    check_grads(f, *x, order=2)


def calls_of_numbers_that_vary(x):
    """Equal numbers with different derivatives: 2.1 is x[2], and a number."""

    @functools.cache
    def power(v, n):
        return 1.0 if n == 0 else v * power(v, n - 1)

    return power(x[2], 3) * power(2.1, 2)


def test_what_varies_is_not_remembered():
    check(calls_of_numbers_that_vary, (X,))


def cache(function):
    """A decorator of another kind, by the name of Python's."""
    return lambda *args: 2.0 * function(*args)


def decorated_by_another_of_its_name(x):
    @cache
    def doubled(n):
        return x[0] if n == 0 else doubled(n - 1)

    return doubled(2)


def test_another_decorator_by_the_name_of_a_cache_is_not_taken_for_one():
    assert decorated_by_another_of_its_name(X) == 8.0 * X[0]
    rightly.grad(decorated_by_another_of_its_name)(X)

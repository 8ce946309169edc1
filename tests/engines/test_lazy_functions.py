"""Lazy functions of Python where what they go over is an iterator that runs meanwhile."""

import functools
import itertools
import operator
from typing import Any

import pytest
from tests.engines.table import Table, check

table = Table()


def steps(x, n=3):
    for i in range(1, n + 1):
        yield x * i
        x = x * 1.1


class Scaled:
    """Gone through by its subscripts."""

    def __init__(self, x):
        self.x = x

    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return self.x * i


scaled: Any = Scaled  # iterable, though no checker says so


@table(2.0)
def rows_and_tests(x):
    y = sum(itertools.starmap(operator.mul, ((v, x) for v in steps(x))))
    y += sum(itertools.filterfalse(lambda v: v > 5, steps(x)))
    return y + sum(itertools.filterfalse(None, (v - v for v in steps(x)))) + sum(filter(None, steps(x)))


@table(2.0)
def one_after_another(x):
    y = sum(itertools.chain.from_iterable((v, v * x) for v in steps(x)))
    return y + sum(itertools.chain.from_iterable([steps(x), [x * x]])) + sum(itertools.islice(steps(x), 0))


@table(2.0)
def sums_on_the_way(x):
    y = sum(itertools.accumulate(steps(x), operator.mul, initial=x))
    return y + max(itertools.accumulate(steps(x), max)) + sum(sum(g) for _, g in itertools.groupby(steps(x)))


@table(2.0)
def until_an_end(x):
    left = itertools.count(x, -0.5 * x)
    y = sum(v * x for v in iter(functools.partial(next, left), 0.0))
    for v in iter(steps(x)):
        y += v
    return y


@table(2.0)
def by_subscripts(x):
    y = sum(v * v for v in scaled(x)) * sum(map(operator.mul, scaled(x), steps(x)))
    a, b, c = scaled(x)
    it = iter(scaled(x))
    return y * b + c * next(it) + next(it) + a


@table(2.0)
def taken_from_by_turns(x):
    it = iter([x, x * x, 3.0])
    first = next(it)
    y = sum(v * first for v in it)
    both, again = steps(x, 4), steps(x, 3)
    y += sum(map(operator.mul, again, again))
    return y + sum(a * b for a, b in zip(both, both, strict=True))


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_they_agree_with_differences(f, x):
    check(f, x)

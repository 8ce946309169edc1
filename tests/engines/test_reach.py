"""Small programs that once were refused or failed, found by random ones."""

import contextlib

import pytest
from tests.engines.table import Table, check

table = Table()


def limited(v):
    if v > 0.6:
        raise ValueError("too large")
    return v * 1.5


@contextlib.contextmanager
def swallowing():
    try:
        yield
    except ValueError:
        return


class Ignoring:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is not None


@table(0.9, 0.3)
def managers_that_suppress(x, y):
    total = 1.0
    for k in range(3):
        with contextlib.suppress(ValueError):
            total = total * x
            total = total + limited(y * k)
            if k == 1:
                break
        with swallowing():
            total = total * limited(x * k)
        with Ignoring():
            total = total + x * y
            total = total / limited(x)
    return total


class Base:
    def __init__(self, w):
        self.w = w

    @property
    def total(self):
        return self.w * self.w


class Derived(Base):
    @property
    def total(self):
        return super().total * self.w


@table(0.9, 0.3)
def properties_through_super(x, y):
    return Derived(x * y).total + Derived(y).total * x


def countdown(v, n):
    while n > 0:
        yield v * n
        v = v * 0.5
        n -= 1


@table(0.9, 0.3)
def a_generator_that_counts_down(x, y):
    total = 0.0
    for v in countdown(x, 3):
        total += v * y
    return total + sum(countdown(y, 2))


@table(0.9, 0.3)
def beside_what_carries_nothing(x, y):
    xs, counts = [x, y, x * y], {"a": 1, "b": 2}
    total = sum(k * v for k, v in zip(range(1, 4), xs, strict=True))
    total += sum(len(k) * n * v for (k, n), v in zip(counts.items(), xs, strict=False))
    total += sum(n * v for n, v in zip(counts.values(), xs, strict=False)) + sum(
        map(lambda c, v: len(c) * v, "abc", xs)
    )
    return (
        total
        + sum(v for _, v in zip({1.0, 2.0}, xs, strict=False))
        + sum(b * v for b, v in zip(b"\x01\x02", xs, strict=False))
    )


@table(0.9, 0.3)
def functions_of_functions(x, y):
    """The inner parameter and the variables of the comprehension are named like variables outside."""
    v, k = x * 2.0, y

    def made(a):
        def inner(v):
            return v * a + t + sum(k * v for k in (1.0, 2.0))

        return inner

    t = x * y
    y = made(y)(x)
    t = v * k
    return y * t


def counter(x):
    def counting():
        count = 0.0

        def count_up():
            nonlocal count
            count = count + x
            return count

        return count_up() + count_up()

    count = x * 3.0
    return counting() * count


table(0.9)(counter)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_programs(f, x):
    check(f, x)

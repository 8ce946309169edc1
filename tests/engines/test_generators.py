"""Generators and other iterators: what they yield is differentiated, as far as they are asked."""

import functools
import itertools
import operator
from functools import partial

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.testing import check_grads

table = Table()


def steps(x, n=3):
    for i in range(n):
        yield x * i
        x = x * 1.1


def endless(x):
    while True:
        yield x
        x = x * x * 0.7


@table(2.0)
def in_a_loop(x):
    s = 0.0
    for v in steps(x):
        s += v * x
    return s


@table(2.0)
def consumed_at_once(x):
    a, b, c = steps(x)
    return sum(steps(x)) * max(*steps(x)) + np.sum(np.array(list(steps(a + x)))) * b * c


@table(2.0)
def of_constants_beside_what_varies(x):
    signs = filter(None, [0.3, 0.0, 2.0])
    return sum(map(abs, [0.5, -0.4]), x) * functools.reduce(lambda p, q: p * q + x, signs, x)


@table(2.0)
def with_a_lambda_of_the_same_name(x):
    s = 0.0
    for t in (v * (lambda v: v * x)(3.0) for v in [x, x * x]):
        s += t
    return s


@table(2.0)
def asked_for_one_item_after_another(x):
    g = endless(x)
    a, b = next(g), next(g)
    for v in g:
        if v > 5:
            break
    return a * b + v * next(g) + next(iter([x]), 1.0) * next(steps(x, 0), x * x)


@table(2.0)
def left_in_the_middle(x):
    s = 0.0
    for v in endless(x):
        s += v
        if s > 10.5:
            break
    return s + sum(itertools.islice(endless(x), 4))


@table(2.0)
def in_step_with_others(x):
    s = sum(a * b for a, b in zip(endless(x), [1.0, 2.0, x], strict=False))
    s += sum(i * v for i, v in enumerate(steps(x), 2))
    return s + sum(a * b for a, b in itertools.zip_longest(steps(x), [x], fillvalue=x * x))


def nested(y):
    yield y
    yield from steps(y)
    yield y * y


@table(2.0)
def generators_of_generators(x):
    def outer(y):
        yield from nested(y)
        for v in nested(x):
            if v > 3:
                return
            yield v * y

    return sum(outer(x)) * x


class Tree:
    def __init__(self, value, kids=()):
        self.value = value
        self.kids = kids

    def __iter__(self):
        yield self.value
        for kid in self.kids:
            yield from kid


@table(2.0)
def objects_that_iterate(x):
    s = 0.0
    for v in Tree(x, [Tree(x * x), Tree(2.0, [Tree(x)])]):
        s = s * 1.5 + v
    return s + sum(Tree(x, [Tree(x * x)]))


@table(2.0)
def generator_expressions_in_variables(x):
    def total(items):
        return sum(items) * x

    g = (x * i for i in itertools.count(1))
    a, b = next(g), next(g)
    first, _, last = (x * i for i in range(1, 4))
    return a * b + total(v * v for v in [x, 2.0]) + first * last


@table(np.array([0.5, -1.2, 2.0]))
def rows_of_arrays(x):
    def squares(a):
        for row in a:
            yield row * row

    s = 0.0
    for r in squares(np.outer(x, x)):
        s = s + np.sum(r * x)
    return s


@table(2.0)
def functions_of_itertools(x):
    three = [x, 2.5, x * x]
    y = sum(itertools.chain([x], (x * x, 2.0))) * sum(a * b for a, b in itertools.pairwise(three))
    y += sum(a * b for a, b in itertools.product([x, 2.0], repeat=2))
    y += sum(a * b for a, b in itertools.combinations(three, 2))
    y += sum(a * b * b for a, b in itertools.permutations(three, 2))
    y += sum(a * b for a, b in itertools.combinations_with_replacement(three, 2))
    y += sum(itertools.takewhile(lambda v: v < 3, three)) * sum(itertools.dropwhile(lambda v: v < 2.2, three))
    y += sum(itertools.compress(three, [1, 0, 1])) + sum(itertools.repeat(x, 3))
    y += sum(map(pow, three, itertools.repeat(2)))
    y += sum(v * i for i, v in zip(range(5), itertools.cycle(three)))
    y += sum(
        sum(v for _, v in g) * (k + 1) for k, g in itertools.groupby([(0, x), (1, x * x)], lambda t: t[0])
    )
    return y + sum(itertools.takewhile(lambda v: v < 20.5, itertools.count(x, x * 0.5)))


@table(2.0)
def lazy_functions_of_endless_iterators(x):
    s = 0.0
    for v in map(partial(operator.mul, x), itertools.count(1)):
        if v > 9:
            break
        s += v
    s += sum(itertools.islice(filter(lambda v: v > 3, endless(x)), 2))
    return s + sum(itertools.islice(itertools.accumulate(endless(x)), 3))


@table(2.0)
def lazy_functions_in_variables(x):
    pairs = zip([x, 2.0], [x * x, x], strict=True)
    first = list(pairs)
    again = list(pairs)
    products = map(partial(operator.mul, x), [x, 2.0, 3.0])
    a = next(products)
    return sum(p * q for p, q in first) + len(again) * x + a * sum(products)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_is_yielded_agrees_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize("differentiate", [cr.grad, cr.derivative])
def test_effects_interleave_as_they_do_in_python(differentiate):
    def program(x, said):
        def g():
            try:
                for i in range(3):
                    said.append(f"yield {i}")
                    yield x * i
            finally:
                said.append("end")

        s = 0.0
        for v in g():
            said.append("take")
            s = s + v * v
            if v > x:
                break
        return s

    plain: list[str] = []
    differentiated: list[str] = []
    program(2.0, plain)
    assert differentiate(lambda x: program(x, differentiated))(2.0) == 20.0
    assert sorted(differentiated) == sorted(plain)
    assert differentiated[:-1] == plain[:-1] == ["yield 0", "take", "yield 1", "take", "yield 2", "take"]


def test_a_pullback_of_a_generator_runs_twice():
    def f(x):
        return sum(v * v for v in steps(x))

    y, back = cr.vjp(f, 2.0)
    assert back(1.0) == back(1.0)
    assert y == f(2.0)


def test_forward_derivatives_of_long_runs_keep_nothing():
    def f(x):
        s = 0.0
        for v in itertools.islice(endless(x), 1000):
            s += v * 1e-3
        return s

    assert np.isfinite(cr.derivative(f)(1.2))


def yields_what_it_changes(a):
    a = a * 1.0
    while True:
        yield a
        a *= 2.0


def rows_of(a):
    yield from a


def changed_items(x):
    s = 0.0
    for row in rows_of(np.outer(x, x)):
        row += 1.0
        s = s + np.sum(row)
    return s


def changed_meanwhile(x):
    values = [x[0]]

    def last():
        for _ in range(3):
            yield values[-1]

    s = 0.0
    for v in last():
        values.append(v * x[1])
        s += v
    return s


def changes_its_argument(a):
    for i in range(len(a)):
        a[i] = a[i] * 2.0
        yield a[i]


def kept_by_the_generator(x):
    return sum(np.sum(a) for a in itertools.islice(yields_what_it_changes(x), 3))


def given_for_writing(x):
    a = x * 1.0
    return sum(v for v in changes_its_argument(a)) + a[0]


def uses_what_yield_gives(x):
    def g():
        y = yield x[0]
        yield y

    return sum(g())


@pytest.mark.parametrize("f", [kept_by_the_generator, changed_items, changed_meanwhile, given_for_writing])
def test_what_is_shared_with_a_generator_and_changed(f):
    check_grads(f, np.array([1.0, 2.0]), order=2)


def test_third_derivatives():
    for order in ((cr.grad,) * 3, (cr.derivative, cr.grad, cr.derivative)):
        second = functools.reduce(lambda f, d: d(f), order[:2], in_a_loop)
        expected = (second(2.0 + 1e-5) - second(2.0 - 1e-5)) / 2e-5
        found = functools.reduce(lambda f, d: d(f), order, in_a_loop)(2.0)
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    "f", [asked_for_one_item_after_another, generators_of_generators, objects_that_iterate]
)
def test_second_derivatives(f):
    check_grads(f, 2.0, order=2)


def read_after_a_change(x):
    a = x.copy()
    both = zip(a, x, strict=True)
    a[1] = x[0] ** 3
    return sum(u * v for u, v in both)


def asked_after_a_change(x):
    a = [x[0], x[1]]
    items = iter(a)
    first = next(items)
    a[1] = x[0] ** 3
    return first * next(items)


def filtered_while_it_changes(x):
    a, s = x.copy(), 0.0
    for v in filter(None, a):
        s += v
        a[1] = x[0] ** 3
    return s


def iterated_while_it_changes(x):
    a, s = x.copy(), 0.0
    for v in Tree(a[0], [a]):
        s += v
        a[1] = x[0] ** 3
    return s


@pytest.mark.parametrize(
    "f",
    [read_after_a_change, asked_after_a_change, filtered_while_it_changes, iterated_while_it_changes],
)
def test_what_is_read_step_by_step_and_changed_meanwhile(f):
    check_grads(f, np.array([1.2, 0.7]), order=2)


def mapped_while_it_changes(x):
    a, s = x.copy(), 0.0
    for i, v in enumerate(map(lambda u, w: u * w, a, x)):
        s += v * v
        a[1] = x[0] ** 3 * i
    return s


def used_up_before_a_change(x):
    a = x.copy()
    s = sum(u * v for u, v in zip(a, x, strict=True))
    views = enumerate(a)
    for i, v in views:
        s += v * i
    a[1] = x[0] ** 3
    return s * a[1]


@pytest.mark.parametrize("f", [mapped_while_it_changes, used_up_before_a_change])
def test_what_is_read_before_it_changes_is_differentiated(f):
    check(f, (np.array([1.2, 0.7]),))


def test_explain_shows_what_runs_step_by_step():
    assert "steps(x)" in str(cr.explain(in_a_loop, 2.0))

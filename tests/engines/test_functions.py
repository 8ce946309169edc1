"""Functions: calls, recursion, closures, lambdas, decorators, and arguments of every kind."""

import functools
import math
from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

FACTOR = 3.0
WEIGHTS = np.array([1.0, 2.0, 3.0])

table = Table()


@table(2.0)
def globals_are_constants(x):
    return x * FACTOR + math.pi * x + np.sum(WEIGHTS * x)


@table(2.5)
@table(5.0)
def factorial_like(x):
    return 1.0 if x <= 1.2 else x * factorial_like(x - 1)


@table(1.3)
def a_closure_over_a_variable_that_changes(x):
    y = x

    def g(v):
        return v * y

    a = g(2.0)
    y = x * x
    b = g(x)
    y = 1.0
    return a + b + g(x)


@table(1.3)
def closures_in_a_loop(x):
    t = 0.0
    for i in range(3):
        k = x * i
        g = lambda v: v * k + x  # noqa: B023, E731  # called before k changes
        t = t + g(x)
    return t


@table(1.3)
def a_closure_of_what_is_defined_later(x):
    h: Any = lambda a: g(a)  # noqa: E731  # g is not there yet
    g: Any = lambda a: a * x  # noqa: E731
    return h(2.0)


@table(1.3)
def recursive_closures(x):
    def power(n):
        if n == 0:
            return 1.0
        return x * power(n - 1)

    again: Any = lambda n: 1.0 if n == 0 else x * again(n - 1)  # noqa: E731
    return power(4) * again(3)


@table(1.3)
def closures_in_closures(x):
    def a(u):
        def b(v):
            def c(w):
                return u * v * w * x

            return c(u + v)

        return b(u * x)

    return a(x)


@table(1.3)
def several_lambdas_on_one_line(x):
    f, g = lambda a: a * a, lambda a: a + x
    return g(f(x)) + (lambda q: q * 3)(x) + (lambda q: q * 5)(x) + (lambda: (lambda: x)())()  # fmt: skip


@table(1.3)
def functions_in_containers_and_results(x):
    def make(k):
        return lambda a: a * k * x

    both = (lambda a: a * x, make(2.0))
    named = {"f": make(x)}
    return both[0](2.0) * both[1](x) + named["f"](3.0)


@table(1.3)
@table(0.7)
def a_function_chosen_at_run_time(x):
    g = (lambda a: a * x) if x > 1 else (lambda a: a)
    if x > 1:

        def h(a):
            return a * x
    else:

        def h(a):
            return a

    return g(x) * h(x)


@table(1.3)
def shadowed_names(x):
    def g(x):
        return x * x

    h = lambda x=2.0: x * x  # noqa: E731
    return g(3.0) * x + h() * x + h(x)


def doubling(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2 * f(*args, **kwargs)

    return wrapper


@doubling
def power(x, p=2):
    return x**p


@functools.lru_cache
def remembered(x):
    return x * x


@table(1.3)
def decorated_functions(x):
    return power(x) + power(x, p=3) + functools.partial(power, p=4)(x) + remembered(x)


def many(a, *rest, b=2.0, **named):
    s = a * b
    for i, v in enumerate(rest):
        s = s + v * (i + 1)
    for n in named:
        s = s + named[n] * len(n)
    return s


@table(1.3, 0.4)
def stars(x, y):
    t, d = (x, y, x * y), {"b": y, "zz": x}
    plain = many(*t, **d) + many(x, b=x) + many(*t, *t) + many(x, y, qq=y) + many(x, *[y, y], zz=3.0)
    return plain + many(*range(3), x) + many(*iter([3.0, 2.0]), y) + many(**{"a": x, "qq": y})


@table(np.array([1.0, 2.0, 3.0]))
def a_starred_array(x):
    return many(*x) * many(1.0, *x[1:])


@table(1.3)
def positions_and_keywords(x):
    def g(a, /, b, *, c):
        return a * b**2 * c**3

    def h(a, b=3.0, *, c=2.0):
        return a / b * c

    values = g(x, c=2.0, b=x) + g(x, x, c=x) + h(x) + h(x, x * x) + h(x, c=x) + h(b=x * x, a=2.0)
    return values + (lambda *a, **k: a[0] * a[-1] * k.get("z", 1.0))(x, 2.0, x, z=x)


@table(1.3)
def results_that_are_tuples_or_unused(x):
    def g(v):
        return v, v * v

    g(x)
    a, b = g(x)
    return a * b


@table(np.array([0.3, 0.7, 1.1]))
def two_functions_of_one_name(x):
    s = x[0] * x[1]

    def deeper(v, n):
        return v if n == 0 else deeper(v * 0.5 + s, n - 1) * x[2]

    u = deeper(x[1], 2)

    def deeper(v, n):  # type: ignore[no-redef]  # what is tested
        return v if n == 0 else deeper(v * 0.5 + u, n - 1) * x[0]

    u = deeper(u, 2)
    return u * s


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)


same, halves, first = (lambda x: x * x if x > 1 else x), (lambda x: x * x if x > 1 else x * 0.5), lambda x: x
LAMBDAS = [
    (same, 3.0),
    (halves, 3.0),
    (first, 1.0),
    (lambda x: x and x * x, 3.0),
    (lambda x: (lambda x: x)(x) + (lambda x: x)(x * 2), 3.0), (lambda x: x * 7, 7.0),
    (functools.wraps(power)(lambda x: -x), -1.0),
    (lambda x: (
        x * x
        if x > 1
        else x
    ), 3.0),
    (lambda x: 3.0 + 0 * x, 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("f", "expected"), LAMBDAS)
def test_lambdas_are_found_wherever_they_stand(f, expected):
    assert cr.grad(f)(1.5) == expected
    assert cr.derivative(f)(1.5) == expected


def test_recursion_like_a_factorial():
    def f(x):
        return 1.0 if x <= 1 else x * f(x - 1)

    assert cr.grad(f)(5.0) == 154.0
    assert cr.derivative(f)(5.0) == 154.0


def test_defaults_and_keyword_arguments_of_the_function_are_constants():
    def f(x, y=2.0, *, z=3.0):
        return x * y * z

    assert cr.grad(f)(5.0) == 6.0
    assert cr.grad(f)(5.0, y=10.0, z=1.0) == 10.0
    assert cr.grad(f, argnums=1)(5.0, 2.0) == 15.0


def test_a_library_may_be_an_argument():
    def smallest(library, x):
        return library.sort(x)[0]

    assert cr.grad(lambda x: smallest(np, x))(np.array([3.0, 2.0])).tolist() == [0.0, 1.0]

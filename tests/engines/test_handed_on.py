"""Functions that change what they captured and are handed on: callbacks that log, caches, objectives."""

import functools
import itertools

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

import chainrules as cr

table = Table()


def minimised(f, x):
    best = f(x)
    for _ in range(3):
        x = x - 0.1 * x
        best = best + f(x)
    return x, best


@table(np.array([1.0, -0.5]))
def an_objective_that_logs(x0):
    history, calls = [], 0

    def objective(p):
        nonlocal calls
        calls += 1
        history.append(p.copy())
        return np.sum(p**2) * calls

    x, best = minimised(objective, x0)
    return best + np.sum(history[1] ** 3) + len(history) * np.sum(history[-1]) + calls * np.sum(x)


@table(1.3)
def the_best_so_far(x):
    best, lowest = 0.0, np.inf

    def objective(p):
        nonlocal best, lowest
        v = (p - 3.0) ** 2
        if v < lowest:
            best, lowest = p, v
        return v

    minimised(objective, x)
    return best * lowest


def recording(f):
    calls: list[int] = [0]
    trace: list[float] = []

    def recorded():
        return trace

    def wrapper(*args, **kwargs):
        calls[0] += 1
        y = f(*args, **kwargs)
        trace.append(y)
        return y

    return wrapper, recorded


@table(np.array([1.0, -0.5]))
def made_by_a_global_function(x0):
    g, recorded = recording(lambda p: np.sum(p**2))
    _, best = minimised(g, x0)
    return best * recorded()[1]


@table(1.3)
def made_by_a_local_function(x):
    def accumulating(f):
        total = 0.0

        def inner(p):
            nonlocal total
            total = total + f(p)
            return total

        return inner

    def two():
        t = 0.0

        def add(v):
            nonlocal t
            t += v

        return add, lambda: t

    h = accumulating(lambda p: p * p)
    add, get = two()
    add(h(x))
    add(x)
    return get() * h(2 * x)


@table(1.3)
def a_cache_for_a_recursion(x):
    memo = {}

    def fib(n):
        if n not in memo:
            memo[n] = x * n if n < 2 else fib(n - 1) + fib(n - 2) * x
        return memo[n]

    def twice(f, n):
        return f(n) * f(n - 1)

    return twice(fib, 5) + len(memo) * x


@table(1.3)
def kept_in_a_list_and_a_dict(x):
    out, state = [], {"s": x}
    hooks = [lambda v: out.append(v), lambda v: out.append(v * v)]

    def grow(v):
        state["s"] = state["s"] * v

    def shrink(v):
        state["s"] = state["s"] - v

    table = {"grow": grow, "shrink": shrink}
    for h in hooks:
        h(3 * x)
    for k in ("grow", "shrink", "grow"):
        table[k](x)
    return sum(out) * state["s"]


class Solver:
    def __init__(self, f):
        self.f = f
        self.history = []

    def step(self, x):
        v = self.f(x)
        self.history.append(v)
        return x - 0.1 * v


class Counter:
    def __init__(self, f):
        self.f, self.total = f, 0.0

    def __call__(self, p):
        v = self.f(p)
        self.total += v
        return v


@table(0.8)
def kept_in_objects(x):
    log = []

    def rhs(v):
        log.append(v * v)
        return v**3

    solver, counter = Solver(rhs), Counter(lambda p: p * p)
    for _ in range(2):
        x = solver.step(x)
    x, best = minimised(counter, x)
    x, more = minimised(solver.step, x)
    return x * best * more + sum(log) + counter.total * sum(solver.history)


@table(np.array([1.0, -0.5]))
def an_array_that_is_changed_after_it_was_logged(x0):
    history = []

    def solve(x, callback=None):
        x = x.copy()
        for _ in range(3):
            x -= 0.3 * x * x
            if callback is not None:
                callback(x)
        return x

    x = solve(x0, callback=lambda p: history.append(p))
    return np.sum(x) + sum(np.sum(h**2) for h in history)


def called_by_functions_of_libraries(xs):
    log = []

    def f(v):
        log.append(np.sum(v))
        return v * v

    def key(v):
        log.append(v)
        return -v

    def positive(v):
        log.append(v)
        return v > 0

    total = sum(map(f, xs)) * sum(filter(positive, [*xs, -xs[0]]))
    total = total + functools.reduce(lambda a, b: f(a) * b, xs)
    total = total + np.sum(np.apply_along_axis(f, 0, xs)) + sorted(xs, key=key)[0] * max(xs, key=key)
    return total + sum(f(v) for v in xs) * sum(log)


def called_on_nothing_and_on_whole_numbers(x):
    log = []

    def f(v):
        log.append(np.sum(v))
        return 3 if len(log) == 1 else v[0]

    def key(v):
        log.append(v)
        return v

    total = max([], key=key, default=x[0]) * min([], key=key, default=x[1])
    whole = np.apply_along_axis(f, 1, np.array([[1.2, 0.3], [2.7, 0.4]]) * x[0])
    return total + sum(log) + np.sum(whole)


@table(1.3)
def bound_anew_beside_it(x):
    log = []
    s = x

    def f(v):
        log.append(v * s)
        return v * s

    a = minimised(f, 2.0)[1]
    s = x * x
    log[0] = log[1] * 2
    return a + minimised(f, s)[1] + sum(log)


@table(np.array([0.4, 0.8]))
def beside_what_counts_and_draws(x):
    rng, numbers = np.random.default_rng(1), itertools.count(1)
    costs, evaluations = [], 0

    def residual(p):
        nonlocal evaluations
        evaluations += 1
        costs.append(p[0] * next(numbers))
        return p * x

    def jump(p, target):
        return p + 0.1 * rng.normal(size=2), np.sum(target(p))

    p, total = jump(x, residual)
    p, more = jump(p, residual)
    a = np.zeros((2, 2))
    for (i, j), v in np.ndenumerate(a):
        a[i, j] = v + p[i] * x[j]
    return total * more + sum(costs) * evaluations + np.sum(a**2)


@pytest.mark.parametrize("f", [called_by_functions_of_libraries, called_on_nothing_and_on_whole_numbers])
def test_what_a_function_puts_elsewhere_while_a_rule_calls_it_is_right_or_refused(f):
    x = np.array([1.3, 0.4])
    rightly.or_refused(lambda: rightly.grad(f)(x))
    rightly.or_refused(lambda: rightly.jvp(f, (x,), (x,)))


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_it_changes_agrees_with_differences(f, x):
    check(f, x)


def test_nothing_to_reduce_is_the_error_that_python_raises():
    def program(x):
        log = []

        def f(a, b):
            log.append(a)
            return a * b

        return functools.reduce(f, x) + sum(log)

    with pytest.raises(TypeError, match="no initial value"):
        cr.grad(program)(np.ones(0))


def as_a_test(x):
    log = []

    def positive(v):
        log.append(v)
        return v > 0

    total = 0.0
    for v in filter(positive, [x, -x]):
        total += v * len(log)
    return total


def as_a_key_in_place(x):
    log = []
    items = [x, 2 * x]

    def key(v):
        log.append(v)
        return -v

    items.sort(key=key)
    return items[0] * sum(log)


def in_a_generator(x):
    log = []

    def f(v):
        log.append(v)
        return v * v

    def squares(f):
        for i in range(3):
            yield f(x * i)

    return sum(squares(f)) + sum(log)


def beside_one_that_reads_it(x):
    def make():
        t = 0.0

        def get():
            return t

        def add(v):
            nonlocal t
            t += v
            return get()

        return add

    return make()(x)


@pytest.mark.parametrize("mode", [rightly.grad, rightly.derivative])
@pytest.mark.parametrize("f", [as_a_test, as_a_key_in_place, in_a_generator, beside_one_that_reads_it])
def test_what_nobody_could_foresee_is_right_or_refused(f, mode):
    rightly.or_refused(lambda: mode(f)(2.0))


def counter():
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v
        return total

    return add


def test_a_second_derivative_of_what_is_bound_anew_elsewhere():
    def counted(x):
        add = counter()
        return minimised(add, x)[1] * x

    assert np.isclose(cr.grad(counted)(1.3), cr.derivative(counted)(1.3))
    gradient = cr.grad(counted)
    expected = (gradient(1.3 + 1e-5) - gradient(1.3 - 1e-5)) / 2e-5
    assert np.isclose(cr.grad(cr.grad(counted))(1.3), expected)


def test_a_function_that_only_counts_has_second_derivatives():
    def counted(x):
        calls = 0

        def cube(v):
            nonlocal calls
            calls += 1
            return v**3

        return minimised(cube, x)[1] * calls

    h = 1e-4
    expected = (cr.grad(counted)(1.3 + h) - cr.grad(counted)(1.3 - h)) / (2 * h)
    assert np.isclose(cr.grad(cr.grad(counted))(1.3), expected, rtol=1e-6)

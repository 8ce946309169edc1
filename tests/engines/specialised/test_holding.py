"""When a specialised program holds, and what runs where it does not."""

import threading
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.cluster.vq import kmeans2

import chainrules as cr
from chainrules.engines.specialised.running.entry import RUNS, specialised_after
from chainrules.testing import check_grads

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])
SCALE = 3.0
POINTS = np.array([[0.0, 0.1], [1.0, 1.2], [0.1, 0.0], [1.1, 1.0], [0.9, 1.1]])
KERNELS = stats.gaussian_kde(VECTOR)


def polynomial(x):
    return x * x * 2.0 - x / 3.0 + x**3


def early(x):
    if x[0] > 0.0:
        return np.sum(x * x)
    return np.sum(x)


def helper(a, b, scale=2.0):
    return a * scale + np.exp(-b), b


def calls(x):
    p, q = helper(x, x[1:3].sum())
    r, _ = helper(q, x[0], scale=0.5)
    return np.sum(p * r)


def reads_a_global(x):
    return np.sum(x) * SCALE


def loop(x):
    s = 0.0
    for i in range(x.shape[0]):
        s = s + x[i] * x[i] * np.sin(x[i - 1])
    return s


def test_a_program_run_a_few_times_is_specialised_and_one_run_once_is_not() -> None:
    def f(x):
        return x * x

    g = cr.grad(f)
    for _ in range(RUNS - 1):
        g(2.0)
    assert not cr.derivative_source(f, 2.0, mode="specialised")
    assert g(2.0) == g(2.0) == 4.0
    assert cr.derivative_source(f, 2.0, mode="specialised")


def test_a_branch_that_no_run_took_is_no_silent_zero() -> None:
    with specialised_after(1):
        g = cr.grad(early)
        for x in (VECTOR, -VECTOR, VECTOR, -VECTOR, VECTOR):
            np.testing.assert_array_equal(g(x), 2 * x if x[0] > 0 else np.ones(4))


def test_a_new_branch_is_learnt() -> None:
    with specialised_after(1):
        g = cr.grad(early)
        for x in (VECTOR, -VECTOR, VECTOR, -VECTOR):
            g(x)
        text = cr.derivative_source(early, VECTOR, mode="specialised")
        assert "if t" in text
        assert text.count("raise") == 1  # a gradient of a million entries


def test_shapes_that_differ_from_those_seen() -> None:
    def f(a, b):
        return np.sum(a * b)

    with specialised_after(1):
        g = cr.grad(f, (0, 1))
        for n in (4, 1, 4, 1):
            a, b = np.arange(4.0), np.arange(1.0, 1.0 + n)
            da, db = g(a, b)
            np.testing.assert_array_equal(da, np.broadcast_to(b, (4,)))
            np.testing.assert_array_equal(db, a if n == 4 else [6.0])


def test_kinds_that_differ_from_those_seen() -> None:
    with specialised_after(1):
        g = cr.grad(polynomial)
        for _ in range(3):
            assert g(2.0) == pytest.approx(8.0 - 1 / 3 + 12.0)
            assert g(np.float32(2.0)).dtype == np.float32
            assert g(np.float64(2.0)) == pytest.approx(8.0 - 1 / 3 + 12.0)


def test_a_global_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    with specialised_after(1):
        g = cr.grad(reads_a_global)
        for value in (3.0, 5.0, 2, np.array([2.0, 1.0, 1.0, 1.0])):
            monkeypatch.setitem(globals(), "SCALE", value)
            if np.ndim(value) == 0:
                np.testing.assert_array_equal(g(VECTOR), np.full(4, value))
                np.testing.assert_array_equal(g(VECTOR), np.full(4, value))


def test_a_function_that_is_called_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    with specialised_after(1):
        g = cr.grad(calls)
        before = g(VECTOR)
        np.testing.assert_allclose(g(VECTOR), before)
        monkeypatch.setitem(globals(), "helper", lambda a, b, scale=2.0: (a * scale, b))
        assert not np.allclose(g(VECTOR), before)
        check_grads(calls, VECTOR, modes=("rev",), order=1)


def test_a_rule_that_is_registered_later() -> None:
    def inner(x):
        return x * 2.0

    def f(x):
        return inner(x) * x

    with specialised_after(1):
        g = cr.grad(f)
        assert g(3.0) == g(3.0) == 12.0

        @cr.rrule(inner)
        def inner_rrule(x: float):
            def inner_pullback(y_bar):
                return y_bar * 100.0

            return inner(x), inner_pullback

        assert g(3.0) == g(3.0) == 6.0 + 300.0


def test_effects_happen_once_and_in_order() -> None:
    seen: list[Any] = []

    def f(x):
        seen.append(1)
        y = x * x
        seen.append(2)
        return y

    with specialised_after(1):
        for _ in range(4):
            seen.clear()
            assert cr.grad(f)(3.0) == 6.0
            assert seen == [1, 2]


def test_errors_are_the_users_own() -> None:
    def f(x):
        if x > 2.0:
            raise LookupError("too large")
        return 1.0 / x

    with specialised_after(1):
        g = cr.grad(f)
        assert g(1.0) == g(1.0) == -1.0
        with pytest.raises(LookupError, match="too large") as info:
            g(3.0)
        assert info.traceback[-1].name == "f"
        with pytest.raises(ZeroDivisionError):
            g(0.0)
        assert g(1.0) == -1.0


def test_a_zero_meets_an_infinite_partial() -> None:
    def f(x):
        return np.sum(np.sqrt(x) * np.array([0.0, 1.0]))

    with specialised_after(1), warnings.catch_warnings():
        warnings.simplefilter("error")
        g = cr.grad(f)
        for _ in range(3):
            np.testing.assert_array_equal(g(np.array([0.0, 4.0])), [0.0, 0.25])


def test_ties_share() -> None:
    def f(x):
        return np.max(x) * 2.0

    with specialised_after(1, compared=True):
        for _ in range(3):
            np.testing.assert_array_equal(cr.grad(f)(np.array([1.0, 3.0, 3.0])), [0.0, 1.0, 1.0])


def test_derivatives_of_derivatives_go_through_the_ordinary_program() -> None:
    with specialised_after(1):
        for _ in range(4):
            assert cr.grad(polynomial)(2.0) == pytest.approx(8.0 - 1 / 3 + 12.0)
            assert cr.grad(cr.grad(polynomial))(2.0) == pytest.approx(4.0 + 12.0)


def test_gradients_share_no_memory() -> None:
    def f(a, b):
        return np.sum(a + b)

    with specialised_after(1):
        for _ in range(3):
            a, b = cr.grad(f, (0, 1))(VECTOR, VECTOR.copy())
            assert not np.shares_memory(a, b)
            a[:] = 7.0
            np.testing.assert_array_equal(b, np.ones(4))


def test_a_tuple_of_arrays() -> None:
    def f(p):
        (a, b), c = p
        return np.sum(a * b) * c

    with specialised_after(1, compared=True):
        for _ in range(3):
            t = cr.grad(f)(((VECTOR, VECTOR + 1.0), 2.0))
            np.testing.assert_allclose(t[0][0], 2.0 * (VECTOR + 1.0))
            assert type(t[1]) is float


def test_threads_differentiate_at_once() -> None:
    def f(x):
        return loop(x) + np.sum(np.exp(-x))

    expected = cr.grad(f)(VECTOR)
    wrong: list[Any] = []

    def work() -> None:
        g = cr.grad(f)
        for _ in range(30):
            if not np.allclose(g(VECTOR), expected, rtol=1e-12):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_operands_that_may_be_stretched_share_no_cotangent() -> None:
    def f(a, b):
        c = a + b
        return np.sum(c * c) + a[0] * 5.0 + np.sum(b.T[1:] * 2.0) + b[0]

    with specialised_after(1, compared=True):
        for n in (4, 4, 1, 4):
            cr.grad(f, (0, 1))(VECTOR, np.arange(1.0, 1.0 + n))
            cr.grad(f, (1, 0))(np.arange(1.0, 1.0 + n), VECTOR)


def test_lists_that_are_given_are_not_changed() -> None:
    def f(x, lists):
        inner = lists[0]
        inner.append(x)
        return x * len(inner)

    with specialised_after(1):
        given = ([1.0], 2.0)
        for _ in range(3):
            before = len(given[0])
            cr.grad(f)(3.0, given)
            assert len(given[0]) <= before + 1


def test_a_function_whose_code_is_replaced() -> None:
    def f(x):
        return x * x

    def g(x):
        return x * 5.0

    with specialised_after(1):
        assert cr.grad(f)(3.0) == cr.grad(f)(3.0) == 6.0
        f.__code__ = g.__code__
        assert cr.grad(f)(3.0) == cr.grad(f)(3.0) == 5.0


def rhs(y, k):
    return np.array([y[1], -k * np.sin(y[0])])


def runge_kutta(f, k):
    y = np.array([1.0, 0.0])
    ys = [y]
    for _ in range(4):
        k1 = f(y, k)
        k2 = f(y + 0.05 * k1, k)
        y = y + 0.1 * k2
        ys.append(y)
    return ys[-1][0] + np.linalg.norm(ys[2])


def test_a_function_that_is_an_argument() -> None:
    with specialised_after(1, compared=True):
        for k in (1.5, 2.0):
            cr.grad(runge_kutta, 1)(rhs, k)
        assert cr.derivative_source(runge_kutta, rhs, 1.5, mode="specialised")


def a_sample(x: Any) -> Any:
    return x * np.sum(stats.norm.rvs(0.3, 1.0, size=3))


def a_sample_that_moves(x: Any) -> Any:
    return np.sum(stats.norm.rvs(x, 1.0, size=3))


def a_resample(x: Any) -> Any:
    return x * np.sum(KERNELS.resample(2))


def clusters(x: Any) -> Any:
    return x * np.sum(kmeans2(POINTS, 2, minit="points")[0])


@pytest.mark.parametrize("f", [a_sample, a_sample_that_moves, a_resample, clusters])
def test_what_is_drawn_is_drawn_once(f: Any) -> None:
    np.random.seed(1)
    with specialised_after(1):
        for _ in range(4):
            cr.grad(f)(0.5)
    after = np.random.random()
    np.random.seed(1)
    for _ in range(4):
        f(0.5)
    assert after == np.random.random()

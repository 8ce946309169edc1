"""Programs that write into arrays have specialised texts, which are right and keep no more than needed."""

import linecache
import tracemalloc
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.testing import check_grads

VECTOR = np.array([0.4, -1.3, 2.2, 0.7, 1.1])
KEPT = np.array([1.0, 2.0, 3.0])


def filled(x):
    y = np.zeros(5)
    y[0] = x[0]
    for i in range(1, 5):
        y[i] = y[i - 1] * 0.9 + x[i] * x[i]
    return np.sum(y * y)


def table(x):
    n = x.shape[0]
    t = np.zeros((n, n))
    t[0, :] = x
    for i in range(1, n):
        t[i, 0] = t[i - 1, 0] * x[i]
        for j in range(1, n):
            t[i, j] = np.sin(t[i - 1, j]) * x[j] + t[i, j - 1] * 0.5
    return t[n - 1, n - 1]


def swaps(x):
    a = x * 2.0
    for i in range(3):
        a[i], a[i + 1] = a[i + 1], a[i] * x[i]
    return np.sum(a * np.arange(5.0))


def overlapping(x):
    a = x * 1.0
    a[1:] = a[:-1] * x[1:]
    a[::-1][:2] += a[:2]
    a[1:4] *= a[0:3]
    return np.sum(a * a)


def two_names(x):
    a = x * x
    b, v = a, a[1:4]
    y = np.sin(v)
    b[2] = 3.0
    v *= 2.0
    a += x[0]
    return np.sum(y * v) + np.sum(b)


def read_after_overwriting(x):
    a = x * 2.0
    y = a * a
    a[:] = x[::-1]
    z = y * a
    a[0] = 0.0
    return np.sum(z) + np.sum(a**3)


def own_result(x):
    y = np.exp(x)
    y[0] = 3.0
    z = exponential(x)
    z[1] = y[2]
    return np.sum(y * y * z)


def exponential(x):
    y = np.exp(x * 0.5)
    return y


def broadcast(x):
    m = np.zeros((3, 5))
    m[...] = x
    m[1] *= x[0]
    m[:, 1:3] = x[4]
    m[2:, :] = x[None, :] * m[1:2]
    return np.sum(m * m)


def picked(x):
    a = x * 1.0
    n = np.array([3, 0])
    mask = x > 1.0
    a[n] = x[1:3] * 2.0
    y = a[n] * x[:2]
    n[0] = 1
    a[mask] *= 3.0
    mask[2] = False
    return np.sum(a * np.where(mask, a, x)) + np.sum(y)


def on_the_diagonal(x):
    y, i = np.zeros((5, 5)), np.arange(5)
    y[i, i] = x
    y[i, i[::-1]] = x * x
    return np.sum((y @ y) * x)


def filled_by_functions(x):
    y = np.empty(5)
    np.multiply(x, x[::-1], out=y)
    np.add(y, x, out=y)
    return np.sum(y**3)


def a_copy_of_a_copy(x):
    y = np.array(np.asarray(x, dtype=float), dtype=float, copy=True)
    y[1:] = y[:-1] * x[0]
    return y @ y


def lends(x):
    a = x * 1.0
    s = 0.0
    for i in range(4):
        s = s + np.sum(scaled(a, x[i]))
        a[i] = s * 0.1
    return s + np.sum(a)


def scaled(u, w):
    return u * w * u[0]


def rows(x):
    m = np.zeros((3, 5))
    for row in m:
        row[1:] = x[1:] * x[0]
        row += x
    previous, now = m[0], m[1]
    for _ in range(3):
        previous[1:-1] = now[2:] * now[:-2] * 0.3
        previous, now = now, previous
    return np.sum(now * previous)


PROGRAMS = (
    filled,
    table,
    swaps,
    overlapping,
    two_names,
    read_after_overwriting,
    own_result,
    broadcast,
    picked,
    on_the_diagonal,
    filled_by_functions,
    a_copy_of_a_copy,
    lends,
    rows,
)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_stores_are_specialised_and_right(f: Any) -> None:
    with specialised_after(1, compared=True):
        for x in (VECTOR, VECTOR * 0.5, VECTOR[::-1] * 0.7):
            cr.grad(f)(x)
    with specialised_after(1):
        cr.grad(f)(VECTOR)
        assert text_of(f)
        check_grads(f, VECTOR, modes=("rev",))
        check_grads(f, VECTOR * 0.6 + 0.3, modes=("rev",))
        assert text_of(f)


def heat(u, c, n):
    for _ in range(n):
        u[1:-1] = u[1:-1] + c * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def test_an_argument_that_is_written_into_is_left_as_the_ordinary_program_leaves_it() -> None:
    answers = []
    for runs in (10**9, 1):
        with specialised_after(runs):
            for _ in range(3):
                u = VECTOR.copy()
                answers.append((cr.grad(heat, (0, 1))(u, 0.1, 4), u))
            assert bool(text_of(heat)) is (runs == 1)
    for (g, h), u in answers:
        np.testing.assert_allclose(g, answers[0][0][0], rtol=1e-12)
        np.testing.assert_allclose(h, answers[0][0][1], rtol=1e-12)
        np.testing.assert_array_equal(u, answers[0][1])


def test_arguments_that_share_memory_are_left_to_the_ordinary_program() -> None:
    def f(u, v):
        u[0] = v[1] * 2.0
        return np.sum(u * v)

    with specialised_after(10**9):
        base = VECTOR.copy()
        right = cr.grad(f, (0, 1))(base, base[::1])
    with specialised_after(1):
        for _ in range(3):
            cr.grad(f, (0, 1))(VECTOR.copy(), VECTOR * 0.5)
        assert text_of(f)
        base = VECTOR.copy()
        found = cr.grad(f, (0, 1))(base, base[::1])
    for a, b in zip(found, right, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "line", ["KEPT[0] = x[0]", "v = KEPT[1:]; v[0] = x[1]", "KEPT += x[0]", "np.asarray(KEPT)[0] = x[0]"]
)
def test_what_others_can_see_is_not_written_into(line: str) -> None:
    namespace: dict[str, Any] = {"np": np, "KEPT": KEPT}
    name = f"<{line}>"
    text = f"def f(x):\n    {line}\n    return np.sum(x * x)\n"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), namespace)
    before = KEPT.copy()
    met: list[str] = []
    with specialised_after(1, met=met):
        try:
            cr.grad(namespace["f"])(VECTOR.copy())
        except Exception as refused:
            met.append(str(refused))
    KEPT[:] = before
    assert met
    assert not text_of(namespace["f"])


def test_a_table_of_whole_numbers_has_no_text_where_it_would_cut_a_derivative_off() -> None:
    def f(x):
        n = np.arange(5)
        n[0] = x[0]
        return np.sum(n * x)

    met: list[str] = []
    with specialised_after(1, met=met):
        try:
            cr.grad(f)(VECTOR)
        except Exception as refused:
            met.append(str(refused))
    assert met
    assert not text_of(f)


def test_stores_keep_only_what_is_overwritten() -> None:
    u = np.linspace(0.0, 1.0, 20_000) ** 2
    with specialised_after(1):
        for _ in range(2):
            cr.grad(heat)(u.copy(), 0.1, 50)
        given = u.copy()
        tracemalloc.start()
        cr.grad(heat)(given, 0.1, 50)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 10 * u.nbytes  # 50 steps, of which none keeps a copy

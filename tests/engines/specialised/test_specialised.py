"""Specialised programs: what they are written for, and that they are right."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.testing import check_grads

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])
MATRIX = np.linspace(-1.0, 2.0, 12).reshape(3, 4)
SCALE = 3.0


def polynomial(x):
    return x * x * 2.0 - x / 3.0 + x**3


def loop(x):
    s = 0.0
    for i in range(x.shape[0]):
        s = s + x[i] * x[i] * np.sin(x[i - 1])
    return s


def carried(x):
    y = x
    z = np.zeros(4)
    for i in range(3):
        y, z = z + y * x, y
        if i == 1:
            z = z * 2.0
    return np.sum(y * z)


def swapped(x):
    a, b = x[0], x[1]
    for _ in range(3):
        a, b = b * a, a
    return a + b


def until(x):
    s, n = x[0], 0
    while s < 50.0:
        s = s * s + 1.5
        n += 1
        if n == 7:
            break
    return s + n


def skipped(x):
    s = 0.0
    for i in range(4):
        if i % 2:
            continue
        s += x[i] ** 2
    return s


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


def minor(a, rows, columns):
    if len(columns) == 1:
        return a[rows[0], columns[0]]
    s, sign = 0.0, 1.0
    for j in range(len(columns)):
        s = s + sign * a[rows[0], columns[j]] * minor(a, rows[1:], columns[:j] + columns[j + 1 :])
        sign = -sign
    return s


def determinant(a):
    return minor(a[:, :3], (0, 1, 2), (0, 1, 2))


def states(x):
    state = [x[i : i + 2] for i in range(3)]
    other = state
    for t in range(5):
        other[t % 3] = np.tanh(state[t % 3] + state[(t + 1) % 3])
        state.append(state[-1] * 0.5)
    return np.sum(np.concatenate((state[0], state[1], other[-1], other[-2])))


def broadcast(a):
    row = np.mean(a, axis=0)
    column = np.sum(a, axis=1, keepdims=True)
    return np.sum((a - row) * column / (1.0 + a * a)) + np.max(a) * np.min(a, axis=0).sum()


def products(a):
    m = a @ a.T
    return np.sum(np.dot(m, a[:, 0]) * np.reshape(a, (4, 3))[0]) + a[0] @ a[1]


def cross(x):
    return np.sum(np.cross(x[:3], x[1:4] * 2.0) ** 2)


def picked(x):
    index = np.array([0, 1, 1, 3])
    return np.sum(x[index] ** 2) + np.sum(x[x > 0.0] * 3.0)


def flat(x):
    n = x.shape[0]
    return np.sum(x) * n + np.sum(np.sign(x) * x) + len(x)


def items(x):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, x * 2.0)):  # noqa: B905
        total += a * b * (i + 1)
    return total if total > 1.0 and x[0] > -9.0 else -total


def reads_a_global(x):
    return np.sum(x) * SCALE


PROGRAMS: list[tuple[Any, Any]] = [
    (polynomial, 1.7),
    *((f, VECTOR) for f in (loop, carried, swapped, until, skipped, early, calls, states, cross)),
    *((f, VECTOR) for f in (flat, items, reads_a_global)),
    *((f, MATRIX) for f in (determinant, broadcast, products)),
]


@pytest.mark.parametrize(("f", "x"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_the_specialised_program_is_written_and_right(f: Any, x: Any) -> None:
    declined: list[str] = []
    with specialised_after(1, met=declined):
        first = cr.value_and_grad(f)(x)
        assert not declined
        assert cr.derivative_source(f, x, mode="specialised")
        again = cr.value_and_grad(f)(x)
        assert again[0] == pytest.approx(first[0], rel=1e-13)
        np.testing.assert_allclose(again[1], first[1], rtol=1e-12, atol=1e-14)
        assert type(again[1]) is type(first[1])
        check_grads(f, x, modes=("rev",), order=1)


def test_an_index_that_names_entries_twice() -> None:
    with specialised_after(1, compared=True):
        for _ in range(2):
            np.testing.assert_allclose(cr.grad(picked)(VECTOR), [3.8, -5.2, 3.0, 4.4])
            check_grads(picked, VECTOR, modes=("rev",), order=1)


ORDERS = [
    lambda x, w: np.sum(np.reshape(x, (3, 2), order="F").ravel() * w),
    lambda x, w: np.sum(np.reshape(x, (3, 2), "F").ravel() * w),
    lambda x, w: np.sum(x.reshape(3, 2, order="F").ravel() * w),
    lambda x, w: np.sum(np.ravel(x, "F") * w),
    lambda x, w: np.sum(x.ravel(order="F") * w),
    lambda x, w: np.sum(x.flatten("F") * w),
    lambda x, w: np.sum(x.T.ravel("K") * w),
    lambda x, w: np.sum(np.reshape(x, (6,)) * w),
]


@pytest.mark.parametrize("place", range(len(ORDERS)))
def test_entries_in_another_order(place):
    """Also where all weights were one when the text was written, and the order did not show."""
    x = np.arange(6.0).reshape(2, 3) / 3
    with specialised_after(1):
        for w in [np.ones(6)] * 3 + [np.arange(6.0)] * 2:
            expected = [ORDERS[place](e.reshape(2, 3), w) for e in np.eye(6)]
            np.testing.assert_allclose(cr.grad(ORDERS[place])(x, w).ravel(), expected)

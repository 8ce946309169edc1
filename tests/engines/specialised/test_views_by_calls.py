"""Stores into what `reshape`, `ravel` and the like give: into the array itself where that is a view of it."""

from typing import Literal

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .compared import differences, hold_directions, is_right

X = np.random.default_rng(7).normal(size=6)


def of_a_copy(x):
    y = x.copy()
    c = y.reshape(2, -1)
    c[1] = c[0] * y[-1]
    return np.sum(y**2 * x)


def of_zeros(x):
    y = np.zeros(6)
    c = y.reshape((2, 3))
    c[0] = x[:3] * 2.0
    c[1] = c[0] * x[3]
    return np.sum(np.sin(y)) + np.sum(c * c) * y[0]


def made_at_once(x):
    y = np.zeros(6).reshape(2, 3)
    y[0] = x[:3]
    y[1] = np.sin(y[0]) * x[4]
    return np.sum(y**3)


def flat(x):
    A = np.outer(x, x)
    v = A.ravel()
    v[::7] += x
    for k in range(3):
        np.ravel(A)[k] = A[k, k] * v[k + 1]
    return np.sum(A * A[0])


def in_a_loop(x):
    A = np.zeros((3, 4))
    for k in range(4):
        row = A.T.reshape(4, 3) if k > 9 else np.transpose(A)[k]
        row[:] = x[:3] * x[k] + k
        B = A.swapaxes(0, 1)
        B[k, 0] = B[k, 1] * 2.0
    return np.sum(A**2)


def chained(x):
    y = np.asarray(x * 2.0)
    z = np.flip(np.expand_dims(y, 0).squeeze())[1:].reshape(1, 5)
    z[0, :2] = x[0] * z[0, 3:]
    z *= 1.5
    return np.sum(y * x)


def read_later(x):
    y = x * 1.0
    a = y * x
    c = y.reshape(3, 2)
    b = np.exp(c) * 0.1
    c[:, 0] = b[:, 1]
    c[1] = 0.0
    return np.sum(a) + np.sum(y**2) + np.sum(b * c)


@pytest.mark.parametrize(
    "f", [of_a_copy, of_zeros, made_at_once, flat, in_a_loop, chained, read_later], ids=lambda f: f.__name__
)
def test_views_that_are_written_into(f):
    assert is_right(f, X)
    hold_directions(f, X)


def test_a_copy_is_no_view():
    def copied(x):
        A = np.outer(x, x).T
        v = A.reshape(-1)
        v[0] = x[1] * 3.0
        return np.sum(A**2) + np.sum(np.sin(v))

    assert_right_each_time(copied)


def test_what_is_given_and_written_by_another_name():
    def scaled(A, w):
        v = A.reshape(-1)
        v[1:] = v[:-1] * w
        v[0] = w * w
        return np.sum(A**2)

    orders: tuple[Literal["C", "F"], ...] = ("C", "F", "C", "C", "C", "C")
    for order in orders:
        for _ in range(4):
            A = np.array(np.arange(6.0).reshape(2, 3), order=order)
            plain = A.copy("K")
            value = scaled(plain, 0.7)
            found = cr.value_and_grad(scaled, 1)(A, 0.7)
            assert found[0] == value
            np.testing.assert_array_equal(A, plain)
            near = [
                scaled(np.array(np.arange(6.0).reshape(2, 3), order=order), 0.7 + e) for e in (1e-6, -1e-6)
            ]
            np.testing.assert_allclose(found[1], (near[0] - near[1]) / 2e-6, rtol=1e-6)
    assert text_of(scaled)


def test_an_argument_by_another_name():
    def written(x):
        np.asarray(x)[0] = 2.0
        y = np.atleast_1d(x)
        y[1:3] = x[3] * y[4]
        return np.sum(x * x)

    for k in range(1, 7):
        x = X * k
        found = cr.grad(written)(x)
        x3, x4 = X[3] * k, X[4] * k
        np.testing.assert_allclose(x[:3], [2.0, x3 * x4, x3 * x4])
        expected = [0.0, 0.0, 0.0, 2.0 * x3 + 4.0 * x3 * x4**2, 2.0 * x4 + 4.0 * x3**2 * x4, 2.0 * k * X[5]]
        np.testing.assert_allclose(found, expected)
    assert text_of(written)


def assert_right_each_time(f):
    with specialised_after(1):
        for k in range(5):
            np.testing.assert_allclose(
                cr.grad(f)(X + k * 0.1), differences(f, X + k * 0.1), rtol=1e-6, atol=1e-8
            )

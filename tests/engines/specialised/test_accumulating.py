"""`np.add.at` in specialised programs, where places are named twice and arrays have two names."""

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.test_idioms_specialised import VECTOR, hold_specialised

import chainrules as cr
from chainrules.engines.specialised.reading.places import accumulated
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.testing import check_grads, check_rule

PLACES = np.array([0, 2, 2, 1])
SENT, RECEIVED = np.array([0, 1, 2, 3, 3]), np.array([1, 1, 0, 2, 1])


@pytest.mark.parametrize(
    ("a", "b", "indices"),
    [
        (np.arange(3.0), np.arange(4.0) + 1, PLACES),
        (np.arange(3.0), 2.0, PLACES),
        (np.ones((3, 2)), np.arange(4.0), (PLACES, PLACES % 2)),
        (np.ones((3, 2)), np.arange(2.0), PLACES),
    ],
)
def test_rule(a: Any, b: Any, indices: Any) -> None:
    check_rule(accumulated, a, b, indices)


def messages(x):
    H = np.outer(x, x)
    for _ in range(2):
        received = np.zeros_like(H)
        np.add.at(received, RECEIVED, H[SENT])
        H = np.tanh(received - H)
    return np.sum(H**2)


def two_names(x):
    A = np.zeros(3)
    np.add.at(A, PLACES, x * x)
    B = A
    np.add.at(B, [0, 0], x[1])
    A[1] *= x[0]
    np.add.at(A, 1, x[2])
    return np.sum(A * A) + B[2]


def a_row_and_what_is_added(x):
    A = np.zeros((3, 4))
    row = A[1]
    for k in range(3):
        np.add.at(A, (PLACES[:3], PLACES[:3]), x[k] * A[PLACES[:3], k] + x[:3])
        np.add.at(row, PLACES, x)
    return np.sum(np.sin(A))


@pytest.mark.parametrize("f", [messages, two_names, a_row_and_what_is_added])
def test_programs(f: Any) -> None:
    hold_specialised(f)


def test_second_order() -> None:
    with specialised_after(1, compared=True):
        check_grads(messages, VECTOR)


def changes_its_argument(x, y):
    np.add.at(y, PLACES, x)
    return np.sum(y**2)


def test_the_callers_array_is_changed_once() -> None:
    with specialised_after(1):
        for _ in range(4):
            y = np.ones(3)
            gradient = cr.grad(changes_its_argument)(VECTOR, y)
            np.testing.assert_allclose(y, accumulated(np.ones(3), VECTOR, PLACES))
            np.testing.assert_allclose(gradient, 2 * y[PLACES])

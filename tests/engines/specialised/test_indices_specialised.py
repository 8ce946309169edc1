"""Indices that are named lists, ranges and slices, rows that are swapped in place: specialised, and right."""

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import by_ordinary, hold_directions
from tests.engines.specialised.test_idioms_specialised import VECTOR, hold_specialised

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

INNER = np.s_[1:-1]


def added_at_lists(x):
    y, K, k = np.zeros(5), np.zeros((5, 5)), np.array([[1.0, -1.0], [-1.0, 1.0]])
    for e in range(4):
        d = [e, e + 1]
        y[d] += x[e] ** 2
        K[np.ix_(d, d)] += x[e] * k
        r = np.r_[e : e + 2]
        K[r[:, None], r] += np.sin(x[e]) * k
    return np.sum(y**2) + np.sum(K**2)


def set_at_lists(x):
    i, j = [0, 2, 1] * 2, [3] * 2 + [0]
    y = np.outer(x, x)
    y[j, i[:3]] = x[:3] * 2
    y[range(3), range(1, 4)] = x[3]
    y[1, [0, 3]] = x[0]
    return np.sum(x[i] ** 2) + np.sum(y**3)


def at_diagonals(x):
    K = np.outer(x, x)
    K[np.diag_indices_from(K)] += x[0]
    K[np.diag_indices(4)] *= x[1]
    i, j = np.triu_indices_from(K, 1)
    K[j, i] = K[i, j] * 2
    return np.sum(K**2)


def by_named_slices(x):
    y, i, k = np.outer(x, x), np.s_[1:-1, ::2], np.index_exp[2]
    y[i] = y[i] * x[0]
    for side in (np.s_[:, 0], np.s_[..., -1]):
        y[side] = x[1] * 2
    return np.sum(y[k] ** 2) + np.sum(y * y.T) + np.sum(x[INNER] ** 3)


def counted_by_an_index(x):
    grid = np.r_[0:1:4j]
    return (
        np.sum(np.r_[0:3, x, 5.0] ** 2)
        + np.sum(x[np.r_[0:2, 3]] ** 3)
        + np.sum(grid * x)
        + x[np.r_[3, 1:3]][1]
    )


def rows_swapped(x):
    A = np.outer(x, np.sin(x)) + np.diag(x)
    for k in range(3):
        p = k + int(np.argmax(np.abs(A[k:, k])))
        A[[k, p], :] = A[[p, k], :]
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    A[:, [0, -1]] = A[:, [-1, 0]]
    return np.sum(A**2 * np.arange(4))


def stored_twice(x):
    y, d = x * 2, [1, 2, 1, -3]
    y[d] = x**2
    y[[0, 0]] = x[2]
    A = np.outer(x, x)
    A[:, [2, 2]] = np.outer(np.sin(x), x[:2])
    A[[0, 3, 0], [1, 1, 1]] = x[1:]
    A[1, [3, 3]] = x[2:] ** 2
    return np.sum(y**2) + np.sum(A**3)


PROGRAMS = [
    added_at_lists,
    set_at_lists,
    at_diagonals,
    by_named_slices,
    counted_by_an_index,
    rows_swapped,
    stored_twice,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_indices(f: Any) -> None:
    hold_specialised(f)


@pytest.mark.parametrize("f", PROGRAMS)
def test_their_directions(f: Any) -> None:
    hold_directions(f, VECTOR)


def test_hessians_of_what_is_stored_twice() -> None:
    with specialised_after(1):
        for f in (stored_twice, rows_swapped):
            found = [cr.hessian(f)(VECTOR) for _ in range(3)][-1]
            np.testing.assert_allclose(found, by_ordinary(f, VECTOR, of=cr.hessian), rtol=1e-9)


def swapped_in_place(A, k, p):
    A[[k, p]] = A[[p, k]]
    A[1:] *= A[0, 0]
    return np.sum(A * A[::-1])


def test_rows_of_an_argument_that_are_one_and_the_same_or_two() -> None:
    A = np.outer(VECTOR, np.cos(VECTOR)) + np.eye(4)
    with specialised_after(1):
        for k, p in [(0, 1), (0, 1), (0, 1)]:
            cr.grad(swapped_in_place)(A.copy(), k, p)
        assert cr.derivative_source(swapped_in_place, A.copy(), 0, 1, mode="specialised")
        for k, p in [(0, 2), (2, 2), (3, 0), (1, 1), (0, 0), (0, -4), (0, 1)]:
            found = cr.grad(swapped_in_place)(A.copy(), k, p)
            expected = by_ordinary(swapped_in_place, A.copy(), k, p)
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def stored_at(x, places):
    y, d = x * 2, list(places)
    y[d] = x[: len(d)] ** 2
    return np.sum(y**2)


def test_lists_of_places_that_are_others_in_a_later_call() -> None:
    with specialised_after(1):
        for places in [(0, 2), (1, 2), (1, 1), (3, -1), (2, 0)]:
            for _ in range(2):
                found = cr.grad(stored_at)(VECTOR, places)
                expected = by_ordinary(stored_at, VECTOR, places)
                np.testing.assert_allclose(found, expected, rtol=1e-12)
        with pytest.raises(IndexError):
            cr.grad(stored_at)(VECTOR, (0, 7))


def multiplied(x, places):
    y = x[places]
    return np.sum(y @ y)


def test_lists_of_lists_and_of_truths_in_a_later_call() -> None:
    with specialised_after(1):
        for places in [[0, 2], [0, 2], [[0, 1], [1, 2]], [True, False, True, True], [0, 1], [], [3, 3]]:
            found = cr.grad(multiplied)(VECTOR, places)
            np.testing.assert_allclose(found, by_ordinary(multiplied, VECTOR, places), rtol=1e-12)

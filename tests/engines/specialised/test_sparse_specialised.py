"""Sparse arrays in a text: those from outside, and those that a program makes of their entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import linalg

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .test_idioms_specialised import differences, hold_specialised

X = np.array([0.3, -0.75, 1.1, 0.2, -1.43, 0.6])
B = np.array([1.0, -2.0, 0.5])
ROWS, COLUMNS = np.array([0, 1, 2, 0, 2, 1]), np.array([0, 1, 2, 1, 0, 1])  # the last a place that is taken
OUTSIDE = sparse.csr_array(np.array([[2.0, 0.0, 1.0], [0.0, 3.0, -1.0], [0.5, 0.0, 4.0]]))
LAPLACE = sparse.diags([-np.ones(5), 2.0 * np.ones(6), -np.ones(5)], [-1, 0, 1], format="csr")


def energy(x: Any) -> Any:
    return x @ (LAPLACE @ x) + np.sum((x[:3] @ OUTSIDE) ** 2)


def steps(x: Any) -> Any:
    for _ in range(3):
        x = x - 0.1 * LAPLACE.dot(x)
    return np.sum(x**3)


def times(a: Any, x: Any) -> Any:
    return a @ x


def by_a_helper(x: Any) -> Any:
    return np.sum(times(OUTSIDE, x[:3]) ** 2) * np.sum(times(2.0 * OUTSIDE, x[3:]))


def of_entries(x: Any) -> Any:
    a = sparse.csr_array((x, (ROWS, COLUMNS)), shape=(3, 3))
    return np.sum((a @ B) ** 2) * a.shape[0] + a.sum() ** 2


def in_other_formats(x: Any) -> Any:
    a = sparse.coo_array((np.exp(x), (ROWS, COLUMNS)), shape=(3, 3)).tocsc()
    return np.sum((a @ np.stack((B, B**2), axis=1)) ** 2) + np.sum(a.toarray()[0] ** 2)


def arithmetic(x: Any) -> Any:
    a = sparse.csr_array((x, (ROWS, COLUMNS)), shape=(3, 3))
    return np.sum(((2.0 * a - OUTSIDE @ a) @ B) ** 3)


def graph(x: Any) -> Any:
    w = sparse.csr_array((np.exp(x), (ROWS, COLUMNS)), shape=(3, 3))
    return np.sum(((sparse.diags(w.sum(axis=1)) - w) @ B) ** 2)


def system(x: Any) -> Any:
    a = sparse.diags([x, x[1:], x[:-1]], [0, 1, -1], format="csc") + 5.0 * sparse.eye(6, format="csc")
    return np.sum(linalg.spsolve(a, np.arange(6.0)) ** 2)


def known_system(x: Any) -> Any:
    return np.sum(linalg.spsolve(OUTSIDE.tocsc(), x[:3]) ** 3)


PROGRAMS: list[Callable[[Any], Any]] = [
    *(energy, steps, by_a_helper, of_entries, in_other_formats, arithmetic, graph, system, known_system),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_sparse_arrays_are_what_they_store(f: Any) -> None:
    hold_specialised(f, X)


@pytest.mark.parametrize("f", PROGRAMS)
def test_zeros_and_directions(f: Any) -> None:
    v = np.array([0.2, -1.0, 0.4, 0.6, -0.3, 0.5])
    with specialised_after(1):
        for x in (X, X, X * (np.arange(6) != 2), np.zeros(6), X[::-1].copy()):
            expected = differences(f, x)
            np.testing.assert_allclose(cr.grad(f)(x), expected, rtol=1e-5, atol=1e-7)
            np.testing.assert_allclose(cr.jvp(f, (x,), (v,))[1], expected @ v, rtol=1e-5, atol=1e-7)


def test_other_places_later() -> None:
    def placed(x: Any, rows: Any, columns: Any) -> Any:
        a = sparse.csr_array((x, (rows, columns)), shape=(4, 4)) + sparse.eye_array(4, format="csr")
        return np.sum((a @ np.arange(1.0, 5.0)) ** 2)

    with specialised_after(1):
        for rows, columns in ((ROWS, COLUMNS), (ROWS, COLUMNS), (COLUMNS + 1, ROWS), (ROWS, ROWS)):
            found = cr.grad(placed)(X, rows, columns)
            expected = differences(lambda x, r=rows, c=columns: placed(x, r, c), X)
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_a_matrix_from_outside_that_changes_between_calls() -> None:
    a = OUTSIDE.copy()

    def product(x: Any) -> Any:
        return np.sum((a @ x[:3]) ** 2)

    with specialised_after(1):
        for k in range(5):
            np.testing.assert_allclose(cr.grad(product)(X), differences(product, X), rtol=1e-6, atol=1e-7)
            a.data[k] += 1.5
        a = sparse.csc_array(a)
        np.testing.assert_allclose(cr.grad(product)(X), differences(product, X), rtol=1e-6, atol=1e-7)


def test_what_changes_a_matrix_happens_once() -> None:
    a = sparse.lil_array(np.eye(3))

    def counted(x: Any) -> Any:
        a[0, 0] = a[0, 0] + 1.0
        return np.sum((OUTSIDE @ x[:3]) ** 2)

    def changed(x: Any) -> Any:
        m = OUTSIDE.copy()
        m.setdiag(np.array([5.0, 6.0, 7.0]))
        m *= 2.0
        return np.sum((m @ x[:3]) ** 2)

    with specialised_after(1):
        for k in range(4):
            cr.grad(counted)(X)
            assert a[0, 0] == 2.0 + k
            np.testing.assert_allclose(cr.grad(changed)(X), differences(changed, X), rtol=1e-6, atol=1e-7)
    assert OUTSIDE[0, 0] == 2.0

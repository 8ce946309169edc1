"""Sparse arrays in followed functions: known by which object they are, changed as the function does it."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse as sp
from scipy.sparse.linalg import aslinearoperator

import chainrules as cr
from chainrules.testing import check_grads

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
X = np.array([0.3, -0.8, 1.2, 0.5, 0.9, -0.4])
CLASSES = [sp.csr_array, sp.csc_array, sp.coo_array, sp.lil_array, sp.dok_array]


@pytest.mark.parametrize("made", CLASSES)
def test_an_argument_that_is_also_captured_counts_once(made: Any) -> None:
    a = made(D)
    g = cr.grad(lambda b: (b - a).sum() + np.sum(b.toarray() * a.toarray()))(a)
    np.testing.assert_allclose(g.toarray(), (1.0 + D) * (D != 0))


@pytest.mark.parametrize("made", CLASSES)
def test_a_change_of_an_argument_is_had_once(made: Any) -> None:
    def changing(a: Any) -> Any:
        a.setdiag([9.0, 8.0, 7.0])
        return np.sum(a.toarray() ** 2)

    a, b = made(D), made(D)
    changing(b)
    g = cr.grad(changing)(a)
    np.testing.assert_array_equal(a.toarray(), b.toarray())
    np.testing.assert_allclose(g.toarray(), 2.0 * (D - np.diag(np.diag(D))))


GIVEN_BACK: dict[str, Any] = {
    "tocsr": lambda a: a.tocsr(),
    "asformat": lambda a: a.asformat("csr"),
    "reshape": lambda a: a.reshape(2, 2),
    "conj": lambda a: a.conj(copy=False),
    "astype": lambda a: a.astype(float, copy=False),
}


@pytest.mark.parametrize("of", GIVEN_BACK.values(), ids=GIVEN_BACK)
def test_what_scipy_gives_back_itself_stays_itself(of: Any) -> None:
    def f(x: Any) -> Any:
        a = sp.csr_array((x[:4] * 1.0, np.array([0, 1, 0, 1]), np.array([0, 2, 4])), shape=(2, 2))
        b = of(a)
        assert b is a
        a.setdiag(x[4:])
        return np.sum((b @ np.array([1.0, 2.0])) ** 2)

    check_grads(f, X, order=1)


def by_an_operator(a: Any) -> Any:
    operator = aslinearoperator(a)
    return np.sum((operator @ X[:3]) ** 3) + np.sum(operator.rmatvec(X[3:]) ** 3)


def in_a_list(a: Any) -> Any:
    held = {"a": [a * 2.0]}
    return np.sum((held["a"][0] @ X[:3]) ** 3)


@pytest.mark.parametrize("f", [by_an_operator, in_a_list])
def test_second_order_by_what_holds_a_sparse_array(f: Any) -> None:
    check_grads(f, sp.csc_array(D), order=2)


def test_places_that_were_given_and_change_later() -> None:
    def f(x: Any) -> Any:
        a = sp.csr_array((x * (X > 0), np.array([0, 1, 2, 0, 1, 2]), np.array([0, 3, 4, 6])), shape=(3, 3))
        a.eliminate_zeros()  # which moves the indices that it was given
        return np.sum((a @ np.array([1.0, 2.0, 3.0])) ** 3)

    check_grads(f, X, order=1)

"""Cholesky's factor by the three nested loops of Golub and Van Loan (Matrix Computations, 4.2), in place."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


def cholesky(A):
    n = A.shape[0]
    L = np.tril(A)
    for k in range(n):
        L[k, k] = np.sqrt(L[k, k])
        for i in range(k + 1, n):
            L[i, k] /= L[k, k]
        for j in range(k + 1, n):
            for i in range(j, n):
                L[i, j] -= L[i, k] * L[j, k]
    return L


def overwritten(A):
    """The same in the caller's own array, as in LAPACK."""
    n = len(A)
    for j in range(n):
        A[j, j] = (A[j, j] - sum(A[j, k] * A[j, k] for k in range(j))) ** 0.5
        for i in range(j + 1, n):
            s = A[i, j]
            for k in range(j):
                s -= A[i, k] * A[j, k]
            A[i, j] = s / A[j, j]
    return 2 * sum(np.log(A[i, i]) for i in range(n))


A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.3], [0.5, 0.3, 2.0]])


def test_the_factor():
    check_grads(cholesky, A)


def test_the_log_determinant_in_place():
    given, plain = A.copy(), A.copy()
    overwritten(plain)
    np.testing.assert_allclose(cr.grad(overwritten)(given).trace(), np.linalg.inv(A).trace())
    np.testing.assert_array_equal(given, plain)
    check_grads(lambda A: overwritten(A.copy()), A)


def test_the_derivative_of_the_log_determinant_is_the_inverse():
    gradient = cr.grad(lambda a: overwritten(a + np.tril(a, -1).T))(np.tril(A))
    inverse = np.linalg.inv(A)
    np.testing.assert_allclose(gradient, 2 * np.tril(inverse) - np.diag(np.diag(inverse)), atol=1e-14)

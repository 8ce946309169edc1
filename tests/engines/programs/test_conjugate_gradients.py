"""Conjugate gradients (Hestenes, Stiefel 1952), in place and until the residual is small."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


def cg(A, b, tol=1e-10):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    while np.sqrt(rs) > tol:
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rs, old = r @ r, rs
        p *= rs / old
        p += r
    return x


A = np.array([[4.0, 1.0, 0.2], [1.0, 3.0, 0.5], [0.2, 0.5, 2.0]])
B = np.array([1.0, -2.0, 0.5])


def test_it_differentiates_as_a_solver_does():
    def energy(b):
        return b @ cg(A, b)

    np.testing.assert_allclose(cr.grad(energy)(B), 2 * np.linalg.solve(A, B), rtol=1e-8)
    np.testing.assert_allclose(cr.hessian(energy)(B), 2 * np.linalg.inv(A), rtol=1e-6, atol=1e-9)


def test_by_matrix_and_right_side():
    def f(A, b):
        return np.sum(np.sin(cg((A + A.T) / 2, b)))

    check_grads(f, A, B, order=1)

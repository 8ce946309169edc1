"""Factorisations, solvers and sweeps written out, most of them in place."""

from __future__ import annotations

from typing import Any

import numpy as np


def cholesky_by_hand(A: Any) -> Any:
    """The logarithm of a determinant by a factor that is filled in."""
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j] - L[i, :j] @ L[j, :j]
            if i == j:
                L[i, i] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return 2 * np.sum(np.log(np.diag(L)))


def lu_in_place(A: Any, b: Any) -> Any:
    """Elimination with pivots, in place, and substitution."""
    A, b = A.copy(), b.copy()
    n = len(b)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            A[i, k + 1 :] -= A[i, k] * A[k, k + 1 :]
            b[i] -= A[i, k] * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return np.sum(x**2)


def conjugate_gradients(A: Any, b: Any, tol: float = 1e-10) -> Any:
    """A system of equations, until the residual is small."""
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for it in range(len(b)):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        if np.sqrt(new) < tol:
            break
        p = r + (new / rs) * p
        rs = new
    return np.dot(x, b)


def gram_schmidt(V: Any) -> Any:
    """An orthonormal basis, vector by vector, as a list."""
    basis: list[Any] = []
    for v in V.T:
        w = v - sum(np.dot(v, u) * u for u in basis)
        basis.append(w / np.linalg.norm(w))
    Q = np.column_stack(basis)
    return np.sum(Q[0] * np.arange(1.0, Q.shape[1] + 1))


def thomas(a: Any, b: Any, c: Any, d: Any) -> Any:
    """A system with three diagonals, solved in place."""
    n = d.shape[0]
    b, d = np.array(b), np.array(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x = np.empty(n)
    x[-1] = d[-1] / b[-1]
    for i in reversed(range(n - 1)):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return np.sum(np.sin(x))


def smooth(u: Any, f: Any, h: float, sweeps: int) -> Any:
    """Sweeps of Jacobi's method, in place."""
    for _ in range(sweeps):
        u[1:-1] = u[1:-1] + 0.66 * 0.5 * (u[2:] + u[:-2] - 2 * u[1:-1] + h * h * f[1:-1])
    return u


def v_cycle(u: Any, f: Any, h: float) -> Any:
    """One cycle of a multigrid method."""
    if len(u) <= 3:
        u[1] = 0.5 * h * h * f[1]
        return u
    u = smooth(u, f, h, 2)
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] + (u[2:] - 2 * u[1:-1] + u[:-2]) / (h * h)
    coarse = r[::2].copy()
    e = v_cycle(np.zeros_like(coarse), coarse, 2 * h)
    fine = np.zeros_like(u)
    fine[::2] = e
    fine[1::2] = 0.5 * (e[:-1] + e[1:])
    return smooth(u + fine, f, h, 2)


def multigrid(f: Any, cycles: int) -> Any:
    """Poisson's equation by recursion over grids."""
    n = f.shape[0]
    u = np.zeros(n)
    for _ in range(cycles):
        u = v_cycle(u, f, 1.0 / (n - 1))
    return np.sum(u**2)


def gauss_seidel(rhs: Any, n: int, sweeps: int) -> Any:
    """Sweeps over a grid, entry by entry."""
    u = np.zeros((n, n))
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] + rhs[i, j])
    return float(0.0) + (u * u).sum()


def power_iteration(A: Any, n: int = 15) -> Any:
    """The largest eigenvalue."""
    v = np.ones(A.shape[0]) / np.sqrt(A.shape[0])
    for _ in range(n):
        v = A @ v
        v /= np.linalg.norm(v)
    return v @ A @ v


def householder(A: Any) -> Any:
    """A triangular factor by reflections, in place."""
    R = np.array(A, dtype=float)
    m, n = R.shape
    for k in range(n):
        x = R[k:, k].copy()
        alpha = -np.sign(x[0]) * np.sqrt(np.sum(x**2))
        x[0] -= alpha
        x /= np.linalg.norm(x)
        R[k:, k:] -= 2.0 * np.outer(x, x @ R[k:, k:])
    return np.sum(np.log(np.abs(np.diagonal(R))))


def sinkhorn(C: Any, eps: float = 0.1, iters: int = 20) -> Any:
    """The cost of a transport that is smoothed."""
    n, m = C.shape
    K = np.exp(-C / eps)
    u, v = np.ones(n) / n, np.ones(m) / m
    a, b = np.ones(n) / n, np.ones(m) / m
    for _ in range(iters):
        u = a / K.dot(v)
        v = b / K.T.dot(u)
    P = np.diag(u) @ K @ np.diag(v)
    return np.sum(P * C)


def cases() -> list[tuple[Any, tuple[Any, ...]]]:
    """Each program with its arguments; the first is differentiated."""
    r = np.random.default_rng(4)
    M = r.normal(size=(8, 8))
    S = M @ M.T + 8.0 * np.eye(8)
    return [
        (cholesky_by_hand, (S,)),
        (lu_in_place, (M + 2.0 * np.eye(8), r.normal(size=8))),
        (conjugate_gradients, (S, r.normal(size=8))),
        (gram_schmidt, (r.normal(size=(6, 4)),)),
        (thomas, (r.random(19), 3.0 + r.random(20), r.random(19), r.normal(size=20))),
        (multigrid, (r.normal(size=33), 2)),
        (gauss_seidel, (r.normal(size=(8, 8)), 8, 5)),
        (power_iteration, (S,)),
        (householder, (r.normal(size=(7, 4)),)),
        (sinkhorn, (r.random((8, 9)),)),
    ]

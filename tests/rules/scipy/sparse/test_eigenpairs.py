"""A few eigenpairs and singular triplets: against dense solvers and differences; refusals."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import linalg

import chainrules as cr
from chainrules.testing import check_grads, exempt

N = 8
LINE = sp.diags_array(
    [np.arange(1.0, N + 1.0) ** 1.5, -0.7 * np.ones(N - 1), -0.7 * np.ones(N - 1)], offsets=[0, 1, -1]
).tocsr()
START = np.cos(np.arange(N)) + 1.5
WIDE = sp.csr_array((np.arange(N * 6.0).reshape(N, 6) % 5 + np.eye(N, 6) * np.arange(1.0, 7.0)) * 1.0)
W = np.sin(np.arange(N) + 1.0)
EXEMPT = [
    exempt(f, why="takes the symmetric part, or starts at random; each has programs below")
    for f in (linalg.eigsh, linalg.lobpcg, linalg.svds)
]


def chosen(d: Any, off: Any) -> Any:
    a = sp.diags_array([d, off, off], offsets=[0, 1, -1]).tocsr()
    values, vectors = linalg.eigsh(a, k=2, which="LA", v0=START)
    return np.sum(values**2) + (W @ vectors[:, 0]) ** 2 + (W @ vectors[:, 1]) ** 4


def dense(d: Any, off: Any) -> Any:
    values, vectors = np.linalg.eigh(np.diag(d) + np.diag(off, 1) + np.diag(off, -1))
    return np.sum(values[-2:] ** 2) + (W @ vectors[:, -2]) ** 2 + (W @ vectors[:, -1]) ** 4


HERE = (np.arange(1.0, N + 1.0) ** 1.5, -0.7 * np.ones(N - 1))


def test_pairs_are_those_of_a_dense_solver() -> None:
    got, want = cr.grad(chosen, argnums=(0, 1))(*HERE), cr.grad(dense, argnums=(0, 1))(*HERE)
    assert np.allclose(got[0], want[0], rtol=1e-9, atol=1e-11)
    assert np.allclose(got[1], want[1], rtol=1e-9, atol=1e-11)


def test_pairs_to_second_order() -> None:
    check_grads(chosen, *HERE, order=2)


def test_values_alone_and_near_a_shift() -> None:
    f = lambda a: np.sum(  # noqa: E731
        linalg.eigsh(a, k=2, sigma=5.1, v0=START, return_eigenvectors=False) * np.array([1.0, 3.0])
    )
    values, vectors = linalg.eigsh(LINE, k=2, sigma=5.1, v0=START)
    alone = linalg.eigsh(LINE, k=2, sigma=5.1, v0=START, return_eigenvectors=False)
    weights = np.where(np.isclose(values, alone[0]), 1.0, 3.0)
    want = (vectors * weights) @ vectors.T * (LINE.toarray() != 0)
    a_bar = cr.grad(f)(LINE)
    assert a_bar.nnz == LINE.nnz
    assert np.allclose(a_bar.toarray(), want, rtol=1e-9, atol=1e-11)


def test_lobpcg_finds_the_same() -> None:
    def loss(d: Any) -> Any:
        a = sp.diags_array([d, HERE[1], HERE[1]], offsets=[0, 1, -1]).tocsr()
        values, vectors = linalg.lobpcg(a, np.eye(N)[:, 7:] + 0.1, tol=1e-9, maxiter=200)
        return np.sum(values**2) + np.sum((W @ vectors) ** 2)

    def exact(d: Any) -> Any:
        values, vectors = np.linalg.eigh(np.diag(d) + np.diag(HERE[1], 1) + np.diag(HERE[1], -1))
        return np.sum(values[-1:] ** 2) + np.sum((W @ vectors[:, -1:]) ** 2)

    assert np.allclose(cr.grad(loss)(HERE[0]), cr.grad(exact)(HERE[0]), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("vectors", [True, False])
def test_triplets(vectors: bool) -> None:
    def loss(a: Any) -> Any:
        if not vectors:
            return np.sum(linalg.svds(a, k=2, v0=START[:6], return_singular_vectors=False) ** 3)
        u, s, vt = linalg.svds(a, k=2, v0=START[:6])
        return np.sum(s**2) + np.sum((W @ u) * (vt @ W[:6]))

    def exact(a: Any) -> Any:
        u, s, vt = np.linalg.svd(a, full_matrices=False)
        if not vectors:
            return np.sum(s[:2] ** 3)
        return np.sum(s[:2] ** 2) + np.sum((W @ u[:, :2]) * (vt[:2] @ W[:6]))

    got, want = cr.grad(loss)(WIDE), cr.grad(exact)(WIDE.toarray())
    assert got.nnz == WIDE.nnz
    assert np.allclose(got.toarray(), want * (WIDE.toarray() != 0), rtol=1e-9, atol=1e-10)
    if vectors:
        check_grads(lambda d: loss(WIDE * d), 1.1, order=2)


def test_what_is_refused() -> None:
    twice = sp.csr_array(np.diag([1.0, 2.0, 3.0, 5.0, 5.0]))
    with pytest.raises(cr.NotDifferentiableError, match="not simple"):
        cr.grad(lambda a: np.sum(linalg.eigsh(a, k=1, v0=np.ones(5))[0]))(twice)
    with pytest.raises(cr.NotDifferentiableError, match="not simple"):
        cr.grad(lambda a: np.sum(linalg.svds(a, k=1, v0=np.ones(5))[1]))(twice)
    with pytest.raises(cr.UnsupportedArgument, match="M"):
        cr.grad(lambda a: np.sum(linalg.eigsh(a, k=1, M=LINE)[0]))(LINE)
    with pytest.raises(cr.UnsupportedArgument, match="real"):
        cr.grad(lambda a: np.sum(linalg.eigsh(a * 1j, k=1)[0]))(LINE)


@pytest.mark.parametrize("which", ["LA", "SA"])
def test_a_rule_in_both_modes(which: str) -> None:
    def values(d: Any) -> Any:
        a = sp.diags_array([d, HERE[1], HERE[1]], offsets=[0, 1, -1]).tocsr()
        return linalg.eigsh(a, k=2, which=which, v0=START)[0]

    check_grads(values, HERE[0])

"""Derivatives beside those of JAX and PyTorch where they have the function, and ten inside them."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import normal

import chainrules as cr

jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
torch = pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")
jnp, jsp, tl = jax.numpy, jax.scipy.linalg, torch.linalg

A, B, V = normal(3, 3) + 4 * np.eye(3), normal(3, 2, seed=1), normal(3, seed=2)
TALL = normal(4, 2)


def whole(a: Any) -> Any:
    """A positive definite matrix of any."""
    return a @ a.T


def of_whole(f: Any) -> Any:
    return lambda a: f(whole(a))


def factor(a: Any) -> Any:
    return linalg.cholesky(a @ a.T, lower=True)


def spectrum(a: Any) -> Any:
    return linalg.eigvalsh(a @ a.T)


def projector(a: Any) -> Any:
    u = linalg.eigh(a @ a.T, driver="evd")[1][:, :2]
    return u @ u.T


def rotation(a: Any) -> Any:
    u, _, vh = linalg.svd(a, full_matrices=False)
    return u @ vh


TEN: list[tuple[Any, Any, tuple[Any, ...]]] = [
    (linalg.solve, jsp.solve, (A, B)),
    (linalg.inv, jsp.inv, (A,)),
    (linalg.det, jsp.det, (A,)),
    (linalg.solve_triangular, jsp.solve_triangular, (A, B)),
    (factor, of_whole(lambda a: jsp.cholesky(a, lower=True)), (A,)),
    (spectrum, of_whole(jnp.linalg.eigvalsh), (A,)),
    (projector, of_whole(lambda a: (lambda u: u @ u.T)(jnp.linalg.eigh(a)[1][:, :2])), (A,)),
    (linalg.expm, jsp.expm, (A / 4,)),
    (linalg.toeplitz, jsp.toeplitz, (V, V * V)),
    (linalg.block_diag, jsp.block_diag, (A, B)),
    (linalg.svdvals, lambda a: jnp.linalg.svd(a, compute_uv=False), (A,)),
]
MORE: list[tuple[Any, Any, tuple[Any, ...]]] = [
    (rotation, lambda a: (lambda y: y[0] @ y[2])(jnp.linalg.svd(a, full_matrices=False)), (A,)),
    (lambda a: linalg.lu(a, permute_l=True), lambda a: jsp.lu(a, permute_l=True), (A,)),
    (lambda a: linalg.qr(a, mode="economic"), lambda a: tuple(jsp.qr(a, mode="economic")), (TALL,)),
    (lambda b: linalg.cho_solve((A, True), b), lambda b: jsp.cho_solve((jnp.asarray(A), True), b), (B,)),
    (linalg.expm_frechet, jsp.expm_frechet, (A / 4, normal(3, 3, seed=3))),
]
TORCH: list[tuple[Any, Any, tuple[Any, ...]]] = [
    (linalg.solve, tl.solve, (A, B)),
    (linalg.inv, tl.inv, (A,)),
    (linalg.det, tl.det, (A,)),
    (factor, of_whole(tl.cholesky), (A,)),
    (spectrum, of_whole(tl.eigvalsh), (A,)),
    (linalg.svdvals, tl.svdvals, (A,)),
    (linalg.expm, tl.matrix_exp, (A / 4,)),
    (linalg.pinv, tl.pinv, (TALL,)),
    (linalg.norm, tl.norm, (A,)),
    (rotation, lambda a: (lambda y: y[0] @ y[2])(tl.svd(a, full_matrices=False)), (A,)),
]


def near(got: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-9, atol=1e-10)


def seed_of(y: Any) -> Any:
    shape = tuple(y.shape)
    return np.cos(np.arange(np.prod(shape), dtype=float)).reshape(shape)


@pytest.mark.parametrize(("f", "native", "x"), [*TEN, *MORE])
def test_jax_agrees(f: Any, native: Any, x: Any) -> None:
    with jax.enable_x64(True):
        y, back = jax.vjp(native, *map(jnp.asarray, x))
        ours, pullback = cr.vjp(f, *x)
        seeds = jax.tree.map(seed_of, y)
        mine = type(ours)(seeds) if isinstance(ours, tuple | list) else seeds
        for one, two, value in zip(pullback(mine), back(jax.tree.map(jnp.asarray, seeds)), x, strict=True):
            near(one + np.zeros_like(value), two)


@pytest.mark.parametrize(("f", "native", "x"), TEN)
def test_inside_jax(f: Any, native: Any, x: Any) -> None:
    with jax.enable_x64(True):
        inside = cr.to_jax(f)
        y, back = jax.vjp(native, *map(jnp.asarray, x))
        z, ours = jax.vjp(inside, *map(jnp.asarray, x))
        near(z, y)
        for one, two in zip(ours(jnp.asarray(seed_of(y))), back(jnp.asarray(seed_of(y))), strict=True):
            near(one, two)
        moved = jax.jvp(jax.jit(inside), tuple(map(jnp.asarray, x)), tuple(map(jnp.asarray, x)))
        near(moved[1], jax.jvp(native, tuple(map(jnp.asarray, x)), tuple(map(jnp.asarray, x)))[1])


@pytest.mark.parametrize(("f", "native", "x"), TORCH)
def test_inside_torch(f: Any, native: Any, x: Any) -> None:
    given = [torch.tensor(v, requires_grad=True) for v in x]
    theirs = [torch.tensor(v, requires_grad=True) for v in x]
    y, z = cr.to_torch(f)(*given), native(*theirs)
    near(y.detach(), z.detach())
    y.backward(torch.tensor(seed_of(y.detach())))
    z.backward(torch.tensor(seed_of(z.detach())))
    for one, two in zip(given, theirs, strict=True):
        near(one.grad, two.grad)

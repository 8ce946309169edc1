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
BY_JAX: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "circulant": (linalg.circulant, jsp.circulant, (V,)),
    "companion": (linalg.companion, jsp.companion, (V + 3,)),
    "convolution_matrix": (
        lambda v: linalg.convolution_matrix(v, 4),
        lambda v: jsp.convolution_matrix(v, 4),
        (V,),
    ),
    "fiedler": (linalg.fiedler, jsp.fiedler, (V,)),
    "fiedler_companion": (linalg.fiedler_companion, jsp.fiedler_companion, (V + 3,)),
    "hankel": (linalg.hankel, jsp.hankel, (V, V + 1)),
    "leslie": (linalg.leslie, jsp.leslie, (V, V[:2])),
    "lu": (linalg.lu, jsp.lu, (A,)),
    "lu_factor": (lambda a: linalg.lu_factor(a)[0], lambda a: jsp.lu_factor(a)[0], (A,)),
    "lu_solve": (
        lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b),
        lambda a, b: jsp.lu_solve(jsp.lu_factor(a), b),
        (A, B),
    ),
    "cho_factor": (
        lambda a, b: linalg.cho_solve(linalg.cho_factor(a @ a.T), b),
        lambda a, b: jsp.cho_solve(jsp.cho_factor(a @ a.T), b),
        (A, B),
    ),
    "svd": (linalg.svdvals, lambda a: jsp.svd(a, compute_uv=False), (A,)),
    "eigh": (spectrum, of_whole(lambda a: jsp.eigh(a, eigvals_only=True)), (A,)),
}
BY_TORCH: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "eigvals": (
        lambda a: np.sort(np.real(linalg.eigvals(a))),
        lambda a: torch.sort(tl.eigvals(a).real).values,
        (A,),
    ),
    "eig": (
        lambda a: np.sort(np.real(linalg.eig(a)[0])),
        lambda a: torch.sort(tl.eig(a)[0].real).values,
        (A,),
    ),
    "eigh": (lambda a: linalg.eigh(a @ a.T)[0], lambda a: tl.eigh(a @ a.T)[0], (A,)),
    "lstsq": (
        lambda a, b: linalg.lstsq(a, b)[0],
        lambda a, b: tl.lstsq(a, b)[0],
        (TALL, normal(4, 2, seed=3)),
    ),
    "lu": (
        lambda a: linalg.lu(a, permute_l=True),
        lambda a: (lambda p, low, up: (p @ low, up))(*tl.lu(a)),
        (A,),
    ),
    "lu_factor": (lambda a: linalg.lu_factor(a)[0], lambda a: tl.lu_factor(a)[0], (A,)),
    "lu_solve": (
        lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b),
        lambda a, b: tl.lu_solve(*tl.lu_factor(a), b),
        (A, B),
    ),
    "qr": (lambda a: linalg.qr(a, mode="economic"), lambda a: tuple(tl.qr(a)), (TALL,)),
    "solve_triangular": (linalg.solve_triangular, lambda a, b: tl.solve_triangular(a, b, upper=True), (A, B)),
}
INSIDE = {
    "jax": "block_diag cho_solve cholesky det expm expm_frechet inv qr solve solve_triangular toeplitz",
    "torch": "cholesky det eigvalsh inv norm pinv solve svd svdvals",
}
"""Compared above, in `TEN`, `MORE` and `TORCH`."""

MISSING: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "eigh_tridiagonal": (lambda d, e: jsp.eigh_tridiagonal(d, e, eigvals_only=True), (V, V[:2])),
    "funm": (lambda a: jsp.funm(a, jnp.exp), (A,)),
    "hessenberg": (jsp.hessenberg, (normal(4, 4),)),
    "polar": (jsp.polar, (A,)),
    "qr_multiply": (lambda a: jsp.qr_multiply(a, a)[0], (A,)),
    "rsf2csf": (lambda a: jsp.rsf2csf(*jsp.schur(a))[0].real, (A,)),
    "schur": (jsp.schur, (A,)),
    "solve_sylvester": (jsp.solve_sylvester, (A, A, A)),
    "sqrtm": (lambda a: jsp.sqrtm(a).real, (A,)),
}
"""What JAX has and gives no gradient of: nothing can be compared."""

CONSTANT = {"dft", "hadamard", "helmert", "hilbert", "invhilbert", "invpascal", "pascal"}


def near(got: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-9, atol=1e-10)


def seed_of(y: Any) -> Any:
    shape = tuple(y.shape)
    return np.cos(np.arange(np.prod(shape), dtype=float)).reshape(shape)


@pytest.mark.parametrize(("f", "native", "x"), [*TEN, *MORE, *BY_JAX.values()])
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


@pytest.mark.parametrize("name", BY_TORCH)
def test_torch_agrees(name: str) -> None:
    f, native, x = BY_TORCH[name]
    theirs = [torch.tensor(v, requires_grad=True) for v in x]
    z = native(*theirs)
    z = z if isinstance(z, tuple) else (z,)
    seeds = tuple(seed_of(part.detach()) for part in z)
    torch.autograd.backward(z, [torch.tensor(seed) for seed in seeds])
    y, pullback = cr.vjp(f, *x)
    for one, two in zip(pullback(seeds if isinstance(y, tuple) else seeds[0]), theirs, strict=True):
        near(one + np.zeros(two.shape), two.grad)


@pytest.mark.parametrize("name", MISSING)
def test_what_jax_does_not_differentiate(name: str) -> None:
    native, x = MISSING[name]

    def pulled() -> Any:
        y, back = jax.vjp(native, *map(jnp.asarray, x))
        return back(y)

    with jax.enable_x64(True), pytest.raises((NotImplementedError, ValueError), match="ifferentiation"):
        pulled()


def test_nothing_that_is_shared_is_left_out() -> None:
    def shared(library: Any) -> set[str]:
        names = {name for name in dir(library) if name[0] != "_"}
        return {name for name in names if callable(getattr(linalg, name, None))} - {"LinAlgError"}

    assert shared(jsp) == {*BY_JAX, *MISSING, *CONSTANT, *INSIDE["jax"].split()}
    assert shared(tl) == {*BY_TORCH, *INSIDE["torch"].split()}

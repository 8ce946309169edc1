"""Derivatives of sparse programs by their numbers beside those of JAX and PyTorch, and five inside them."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import linalg
from tests.rules.cases import normal
from tests.rules.elsewhere import agrees_with_jax, agrees_with_torch, jax, near, torch

import chainrules as cr

experimental = pytest.importorskip("jax.experimental.sparse", reason="JAX is not installed: chainrules[jax]")
D = np.array([[4.0, 1.0, 0.0], [0.3, 3.0, 0.5], [1.3, 0.0, 5.0]])
A = sp.csr_array(D)
ROW, COLUMN = A.tocoo().coords
V, X, M = A.data, normal(3), normal(3, 2)
TIGHT: dict[str, Any] = {"rtol": 1e-13, "atol": 0.0}


def made(v: Any) -> Any:
    return sp.csr_array((v, (ROW, COLUMN)), shape=(3, 3))


def of_jax(v: Any) -> Any:
    places = np.stack([ROW, COLUMN], axis=1)
    return experimental.BCOO((v, jax.numpy.asarray(places)), shape=(3, 3))


def dense_of_jax(v: Any) -> Any:
    return jax.numpy.zeros((3, 3)).at[ROW, COLUMN].add(v)


def of_torch(v: Any) -> Any:
    return torch.sparse_coo_tensor(np.stack([ROW, COLUMN]), v, (3, 3), check_invariants=True)


def symmetric(v: Any) -> Any:
    a = made(v)
    return a @ a.T + sp.eye_array(3)


def symmetric_of_jax(v: Any) -> Any:
    a = dense_of_jax(v)
    return a @ a.T + jax.numpy.eye(3)


def solver(name: str, sym: bool = False) -> tuple[Any, Any]:
    """A Krylov solver of both libraries, by the numbers of the matrix and the right-hand side."""

    def ours(v: Any, b: Any) -> Any:
        return getattr(linalg, name)(symmetric(v) if sym else made(v), b, **TIGHT)[0]

    def native(v: Any, b: Any) -> Any:
        a = symmetric_of_jax(v) if sym else dense_of_jax(v)
        return getattr(jax.scipy.sparse.linalg, name)(a, b, tol=1e-13, atol=0.0)[0]

    return ours, native


def exact(v: Any, b: Any) -> Any:
    return jax.numpy.linalg.solve(dense_of_jax(v), b)


JAX: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "cg": (*solver("cg", sym=True), (V, X)),
    "gmres": (*solver("gmres"), (V, X)),
    "bicgstab": (*solver("bicgstab"), (V, X)),
    "spsolve": (lambda v, b: linalg.spsolve(made(v).tocsc(), b), exact, (V, X)),
    "splu": (lambda v, b: linalg.splu(made(v).tocsc()).solve(b), exact, (V, X)),
    "matvec": (lambda v, x: made(v) @ x, lambda v, x: of_jax(v) @ x, (V, X)),
    "matmat": (lambda v, x: made(v) @ x, lambda v, x: of_jax(v) @ x, (V, M)),
    "rmatvec": (lambda v, x: x @ made(v), lambda v, x: x @ of_jax(v), (V, X)),
    "todense": (lambda v: made(v).todense(), lambda v: of_jax(v).todense(), (V,)),
    "transpose": (lambda v: made(v).T.toarray(), lambda v: of_jax(v).T.todense(), (V,)),
    "sum": (lambda v: made(v).sum(axis=0), lambda v: of_jax(v).sum(axis=0).todense(), (V,)),
    "multiply": (lambda v: made(v).multiply(D).toarray(), lambda v: (of_jax(v) * D).todense(), (V,)),
    "slice": (lambda v: made(v)[1:].toarray(), lambda v: of_jax(v)[1:].todense(), (V,)),
    "reshape": (
        lambda v: made(v).reshape((1, 9)).toarray(),
        lambda v: of_jax(v).reshape(1, 9).todense(),
        (V,),
    ),
    "expm_multiply": (
        lambda v, b: linalg.expm_multiply(made(v) / 4, b),
        lambda v, b: jax.scipy.linalg.expm(dense_of_jax(v) / 4) @ b,
        (V, X),
    ),
    "eigsh": (
        lambda v: linalg.eigsh(symmetric(v), k=1, v0=X, return_eigenvectors=False),
        lambda v: jax.numpy.linalg.eigvalsh(symmetric_of_jax(v))[-1:],
        (V,),
    ),
    "max": (lambda v: made(v).max(axis=1).toarray(), lambda v: jax.numpy.max(dense_of_jax(v), axis=1), (V,)),
}
TORCH: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "mm": (lambda v, x: made(v) @ x, lambda v, x: torch.sparse.mm(of_torch(v), x), (V, M)),
    "addmm": (
        lambda v, x: M + made(v) @ x,
        lambda v, x: torch.sparse.addmm(torch.tensor(M), of_torch(v), x),
        (V, M),
    ),
    "sum": (lambda v: made(v).sum(), lambda v: torch.sparse.sum(of_torch(v)), (V,)),
    "product": (
        lambda v: (made(v) @ made(v)).toarray(),
        lambda v: torch.sparse.mm(of_torch(v), of_torch(v)).to_dense(),
        (V,),
    ),
    "spsolve": (
        lambda v, b: linalg.spsolve(made(v).tocsc(), b),
        lambda v, b: torch.linalg.solve(of_torch(v).to_dense(), b),
        (V, X),
    ),
    "norm": (lambda v: linalg.norm(made(v)), lambda v: torch.linalg.norm(of_torch(v).to_dense()), (V,)),
    "lobpcg": (
        lambda v: linalg.eigsh(symmetric(v), k=1, v0=X, return_eigenvectors=False),
        lambda v: torch.linalg.eigvalsh(
            of_torch(v).to_dense() @ of_torch(v).to_dense().T + torch.eye(3, dtype=torch.float64)
        )[-1:],
        (V,),
    ),
}
INSIDE = ("spsolve", "splu", "matvec", "rmatvec", "expm_multiply")


@pytest.mark.parametrize("name", JAX)
def test_jax_agrees(name: str) -> None:
    f, native, x = JAX[name]
    agrees_with_jax(f, native, *x)


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
@pytest.mark.parametrize("name", TORCH)
def test_torch_agrees(name: str) -> None:
    f, native, x = TORCH[name]
    agrees_with_torch(f, native, *x)


@pytest.mark.parametrize("name", INSIDE)
def test_inside_jax(name: str) -> None:
    f, native, x = JAX[name]
    with jax.enable_x64(True):
        given = tuple(map(jax.numpy.asarray, x))
        y, back = jax.vjp(cr.to_jax(f), *given)
        z, theirs = jax.vjp(native, *given)
        near(y, z)
        for one, two in zip(back(z), theirs(z), strict=True):
            near(one, two)
        near(jax.jvp(jax.jit(cr.to_jax(f)), given, given)[1], jax.jvp(native, given, given)[1])


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
@pytest.mark.parametrize("name", ["mm", "sum", "product", "spsolve", "norm"])
def test_inside_torch(name: str) -> None:
    f, native, x = TORCH[name]
    ours, theirs = ([torch.tensor(v, requires_grad=True) for v in x] for _ in range(2))
    y, z = cr.to_torch(f)(*ours), native(*theirs)
    near(y.detach(), z.detach())
    y.backward(z.detach())
    z.backward(z.detach())
    for one, two in zip(ours, theirs, strict=True):
        near(one.grad, two.grad)

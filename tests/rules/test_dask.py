"""Gradients of programs over Dask's arrays: lazy until they are computed, and NumPy's numbers then."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import normal

import chainrules as cr

da = pytest.importorskip("dask.array")
dask = pytest.importorskip("dask")

X, W = normal(6, 4), normal(4, 3)
PROGRAMS: dict[str, Callable[..., Any]] = {
    "sum": lambda x, w: np.sum(x**2) + w.sum(),
    "mean": lambda x, w: np.mean(np.exp(x)) * np.mean(w),
    "axes": lambda x, w: np.sum(x.sum(axis=0, keepdims=True) ** 2) + np.sum(np.mean(w, axis=1) ** 3),
    "extrema": lambda x, w: np.max(x * 2.0, axis=1).sum() - np.min(w),
    "product": lambda x, w: np.sum(np.prod(x, axis=0)) + np.prod(w),
    "spread": lambda x, w: np.sum(np.var(x, axis=0)) + w.std(),
    "running sum": lambda x, w: np.sum(np.cumsum(x, axis=0) ** 2) + np.sum(w),
    "layer": lambda x, w: np.sum(np.tanh(x @ w + 0.5) ** 2),
    "matmul": lambda x, w: np.sum(np.matmul(x.T, x) ** 2) + np.sum(w),
    "dot": lambda x, w: np.sum(np.dot(x, w) ** 2),
    "tensordot": lambda x, w: np.sum(np.tensordot(x, w, axes=((1,), (0,))) ** 3),
    "vdot": lambda x, w: np.vdot(x, x) * np.sum(w),
    "vectors": lambda x, w: np.sum(x.reshape(24) ** 3) + np.sum(np.ravel(w) ** 2),
    "moved axes": lambda x, w: np.sum(np.swapaxes(x, 0, 1) ** 3) + np.sum(np.moveaxis(w, 0, 1).T ** 2),
    "axes of one": lambda x, w: np.sum(np.squeeze(np.expand_dims(x, 0)) ** 3) + np.sum(w),
    "broadcast": lambda x, w: np.sum(np.broadcast_to(x, (2, 6, 4)) ** 3) + np.sum((w - w.mean()) ** 2),
    "branches": lambda x, w: np.sum(np.where(x > 0, x**2, 0.0)) + np.sum(np.maximum(w, 0.1)),
    "bounds": lambda x, w: np.sum(np.clip(x, -0.5, 0.5) ** 2) + np.sum(abs(w)),
    "quotients": lambda x, w: np.sum(1.0 / (1.0 + x * x)) + np.sum(np.log(w * w + 1.0) / w.shape[0]),
    "powers": lambda x, w: np.sum((x * x + 1.0) ** x) + np.sum(np.sqrt(np.hypot(w, 2.0))),
    "parts": lambda x, w: np.sum(x[1:4, 0] ** 3) + np.sum(x[-1] * x[0]) + sum(row.sum() for row in w),
    "itself": lambda x, w: (da if isinstance(x, da.Array) else np).exp(x).sum() + np.sum(w),
}


def never(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("something was computed")


def chunked() -> tuple[Any, Any]:
    return da.from_array(X, chunks=(2, 2)), da.from_array(W, chunks=(2, 3))


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_lazy_and_numpys(name: str) -> None:
    f = PROGRAMS[name]
    with dask.config.set(scheduler=never):
        got = cr.grad(f, (0, 1))(*chunked())
        pushed = cr.jvp(f, chunked(), chunked())[1]
    assert all(isinstance(g, da.Array) for g in (*got, pushed))
    for g, expected in zip(got, cr.grad(f, (0, 1))(X, W), strict=True):
        np.testing.assert_allclose(g.compute(scheduler="sync"), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(pushed.compute(scheduler="sync"), cr.jvp(f, (X, W), (X, W))[1], rtol=1e-12)


def test_second_derivatives() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.tanh(x) ** 2)

    def along(x: Any) -> Any:
        return np.sum(cr.grad(f)(x) * x)

    np.testing.assert_allclose(cr.grad(along)(chunked()[0]).compute(scheduler="sync"), cr.grad(along)(X))

    def along_parts(x: Any) -> Any:
        return np.sum(cr.grad(lambda x: np.sum(x[1:3] ** 3))(x) * x)

    found = cr.grad(along_parts)(chunked()[0]).compute(scheduler="sync")
    np.testing.assert_allclose(found, cr.grad(along_parts)(X))


def loss(x: Any, w: Any) -> Any:
    return np.mean(np.sum(np.tanh(x @ w) ** 2, axis=1))


ROWS = normal(4_000, 8, seed=3)
WEIGHTS = normal(8, 5, seed=4)


def gradient() -> Any:
    """Of 200 chunks of rows."""
    return cr.grad(loss, 1)(da.from_array(ROWS, chunks=(20, 8)), da.from_array(WEIGHTS))


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_many_chunks_by_schedulers(scheduler: str) -> None:
    found = gradient().compute(scheduler=scheduler, num_workers=2)
    np.testing.assert_allclose(found, cr.grad(loss, 1)(ROWS, WEIGHTS), rtol=1e-10)


@pytest.mark.filterwarnings("ignore")
def test_many_chunks_by_a_cluster() -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        found = gradient().compute()
    np.testing.assert_allclose(found, cr.grad(loss, 1)(ROWS, WEIGHTS), rtol=1e-10)


def test_precision_and_kinds() -> None:
    x = da.from_array(X.astype(np.float32), chunks=2)
    assert cr.grad(lambda x: np.sum(x * 2.0))(x).dtype == np.float32
    z = da.from_array(X + 1j * X[::-1], chunks=2)
    expected = cr.grad(lambda z: np.sum(np.abs(z * z)))(X + 1j * X[::-1])
    np.testing.assert_allclose(
        cr.grad(lambda z: np.sum(np.abs(z * z)))(z).compute(scheduler="sync"), expected
    )
    assert isinstance(cr.grad(lambda c: np.sum(c * x))(2.0), float)  # a number's gradient is computed


def test_what_is_computed_in_memory_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="by numbers and slices"):
        cr.grad(lambda x: np.sum(x[[0, 1]]))(chunked()[0])
    with pytest.raises(cr.NoRuleError, match="inv"):
        cr.grad(lambda x: np.sum(np.linalg.inv(x.T @ x)))(chunked()[0])


def test_dask_is_not_imported_for_others() -> None:
    code = (
        "import sys, numpy as np, chainrules as cr; cr.grad(lambda x: np.sum(x * x))(np.ones(2)); "
        "assert 'dask' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["persist", "compute", "rechunk"])
def test_methods_without_rules_are_refused_by_name(name):
    x = da.from_array(np.ones(3), chunks=2)
    for call in (cr.grad, lambda f: lambda x: cr.jvp(f, (x,), (x,))):
        with pytest.raises(cr.NoRuleError, match=f"dask.array.Array.{name} has no rule"):
            call(lambda x: getattr(x, name)().sum())(x)

"""Values and cotangents beside those that JAX and PyTorch have of the same function."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr

jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
torch = pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")


def near(got: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=1e-9, atol=1e-10)


def seed_of(y: Any) -> Any:
    """Numbers of the kind of a value, all different."""
    angles = np.arange(np.size(y), dtype=float).reshape(np.shape(y))
    return np.cos(angles) + 1j * np.sin(3 * angles) if np.iscomplexobj(y) else np.cos(angles)


def agrees_with_jax(f: Any, native: Any, *x: Any) -> None:
    """The value, and the cotangents of all arguments; JAX has them conjugated."""
    ours, pullback = cr.vjp(f, *x)
    with jax.enable_x64(True):
        y, back = jax.vjp(jax.jit(native), *map(jax.numpy.asarray, x))  # compiled at once, not call by call
        near(ours, y)
        seed = seed_of(np.asarray(y))
        theirs = back(jax.numpy.asarray(np.conj(seed)))
    for one, two, value in zip(pullback(seed), theirs, x, strict=True):
        near(one + np.zeros_like(value), np.conj(two))


def agrees_with_torch(f: Any, native: Any, *x: Any) -> None:
    """The value, and the cotangents of all arguments."""
    given = [torch.tensor(v, requires_grad=True) for v in x]
    y = native(*given)
    ours, pullback = cr.vjp(f, *x)
    value = y.detach().resolve_conj().numpy()
    near(ours, value)
    seed = seed_of(value)
    y.backward(torch.tensor(seed))
    for one, two in zip(pullback(seed), given, strict=True):
        near(one + np.zeros(two.shape), two.grad.resolve_conj())

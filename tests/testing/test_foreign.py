"""Derivatives of other libraries: JAX's eigh and a custom function of PyTorch pass, wrong ones are found."""

from typing import Any

import numpy as np
import pytest

from chainrules.testing import Derivatives, check_derivatives, from_jax, from_torch

X = np.array([0.5, -1.2, 2.0])
A = np.array([[2.0, 0.3, -0.1], [0.3, -1.0, 0.4], [-0.1, 0.4, 0.5]])


def wrong(**changes: Any) -> Derivatives:
    right: dict[str, Any] = {
        "vjp": lambda x: (x**3, lambda g: (3 * g * x**2,)),
        "jvp": lambda x, dx: (x[0] ** 3, 3 * x[0] ** 2 * dx[0]),
    }
    return Derivatives(lambda x: x**3, **(right | changes))


@pytest.mark.parametrize(
    ("derivatives", "check"),
    [
        (wrong(vjp=lambda x: (x**3, lambda g: (3 * g * x,))), "reverse against differences"),
        (wrong(vjp=lambda x: (x**2, lambda g: (3 * g * x**2,))), "reverse value"),
        (wrong(vjp=lambda x: (x**3, lambda g: (g, g))), "reverse arity"),
        (wrong(vjp=lambda x: (x**3, lambda g: (3 * abs(g) * x**2,))), "reverse linear"),
        (wrong(jvp=lambda x, dx: (x[0] ** 3, 3 * x[0] * dx[0])), "forward against differences"),
    ],
)
def test_wrong_derivatives_are_found(derivatives, check):
    check_derivatives(wrong(), X)
    check_derivatives(wrong(vjp=None), X)
    with pytest.raises(AssertionError, match=check):
        check_derivatives(derivatives, X)


def test_none_at_all():
    with pytest.raises(ValueError, match="vjp="):
        check_derivatives(Derivatives(np.sin), X)


@pytest.fixture
def jax() -> Any:
    jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield jax
    jax.config.update("jax_enable_x64", before)


def test_eigh_of_jax(jax):
    check_derivatives(from_jax(jax.numpy.linalg.eigh), A)


def test_complex_and_containers_of_jax(jax):
    check_derivatives(from_jax(lambda z, d: (z * z * d["a"], {"s": jax.numpy.abs(z)})), X + 1j, {"a": 2.0})


def test_a_wrong_custom_vjp_of_jax(jax):
    f = jax.custom_vjp(lambda x: x**2)
    f.defvjp(lambda x: (x**2, x), lambda x, g: (g * x,))
    derivatives = from_jax(f)
    with pytest.raises(AssertionError, match="reverse against differences, argument 0"):
        check_derivatives(Derivatives(derivatives.f, derivatives.vjp), X)


# PyTorch's forward mode loads a module of its own that its compiler now warns about
quiet = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")


def cube(torch: Any, factor: float) -> Any:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            ctx.x, ctx.y = x, y
            return x**3 * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return 3 * g * x**2 * y, factor * g * x**3

        @staticmethod
        def jvp(ctx, dx, dy):
            return 3 * ctx.x**2 * ctx.y * dx + factor * ctx.x**3 * dy

    return Cube.apply


@quiet
def test_a_custom_function_of_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")
    check_derivatives(from_torch(cube(torch, 1.0), forward=True), X, X + 1)
    for forward in (False, True):
        with pytest.raises(AssertionError, match="reverse against differences, argument 1"):
            check_derivatives(from_torch(cube(torch, 1.001), forward=forward), X, X + 1)


@quiet
def test_complex_of_torch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")
    check_derivatives(from_torch(lambda z: (z * z, torch.abs(z)), forward=True), X + 1j)

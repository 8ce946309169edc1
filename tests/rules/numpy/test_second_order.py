"""The gradient of a gradient: every pullback is itself made of functions that have rules."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import normal

import chainrules as cr

REGULAR = normal(3, 3) + 3 * np.eye(3)
POSITIVE = REGULAR @ REGULAR.T


def one_by_one(x: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        total = total + x[i] * x[i] * x[i]
    return total


def in_two(x: Any) -> Any:
    a, b = np.split(x, 2)
    return a * b**2


def on_a_grid(x: Any) -> Any:
    a, b = np.meshgrid(x, x**2)
    return a * b


PROGRAMS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "sum": (lambda x: np.sum(x**3, axis=0), normal(2, 3)),
    "mean": (lambda x: np.mean(x**3), normal(2, 3)),
    "prod": (lambda x: np.prod(x), normal(3)),
    "prod with a zero": (lambda x: np.prod(x), np.array([0.0, 2.0, 3.0])),
    "cumprod": (lambda x: np.cumprod(x), normal(3)),
    "cumprod with a zero": (lambda x: np.cumprod(x), np.array([2.0, 0.0, 3.0])),
    "cumsum": (lambda x: np.cumsum(x) ** 2, normal(3)),
    "max": (lambda x: np.max(x, axis=1) ** 2, normal(2, 3)),
    "var": (lambda x: np.var(x, axis=1), normal(2, 3)),
    "std": (lambda x: np.std(x, axis=1), normal(2, 3)),
    "mean of some": (lambda x: np.mean(x**3, axis=1, where=x > 0), np.abs(normal(2, 3))),
    "prod of some": (lambda x: np.prod(x, where=x > 0), normal(4)),
    "std of some": (lambda x: np.std(x, axis=1, where=x > -9, correction=1), normal(2, 3)),
    "max over a value": (lambda x: np.max(x, axis=1, initial=0.5) ** 3, normal(2, 3)),
    "reshape": (lambda x: np.reshape(x, (3, 2)) ** 2, normal(2, 3)),
    "method": (lambda x: x.reshape(3, 2) ** 2, normal(2, 3)),
    "attribute": (lambda x: x.T**2, normal(2, 3)),
    "tile": (lambda x: np.tile(x, (2, 2)) ** 2, normal(2, 3)),
    "repeat": (lambda x: np.repeat(x, 2) ** 2, normal(2, 3)),
    "broadcast_to": (lambda x: np.broadcast_to(x, (2, 3)) ** 2, normal(3)),
    "entries": (lambda x: x[0] * x[1] ** 2, normal(3)),
    "slices": (lambda x: x[1:] ** 2 * x[0], normal(3)),
    "places named twice": (lambda x: x[[0, 0, 1]] ** 2, normal(3)),
    "a loop": (one_by_one, normal(4)),
    "take": (lambda x: np.take(x, [0, 1, 1]) ** 2, normal(3)),
    "concatenate": (lambda x: np.concatenate([x, x**2]) ** 2, normal(3)),
    "stack": (lambda x: np.stack((x, x**2), axis=1) ** 2, normal(3)),
    "append": (lambda x: np.append(x, x**2) ** 2, normal(3)),
    "array": (lambda x: np.array([x[0] ** 2, x[1] * x[2]]) ** 2, normal(3)),
    "split": (in_two, normal(4)),
    "meshgrid": (on_a_grid, normal(2)),
    "linspace": (lambda x: np.linspace(x[0], x[1] ** 2, 4) ** 2, normal(2)),
    "matmul": (lambda x: x @ x.T @ x, normal(2, 3)),
    "dot": (lambda x: np.dot(x, x) ** 2, normal(3)),
    "einsum": (lambda x: np.einsum("ij,kj->ik", x, x) ** 2, normal(2, 3)),
    "einsum of a diagonal": (lambda x: np.einsum("ii->i", x) ** 2, normal(3, 3)),
    "tensordot": (lambda x: np.tensordot(x, x, ((0,), (0,))), normal(2, 3)),
    "inner": (lambda x: np.inner(x, x), normal(2, 3)),
    "outer": (lambda x: np.outer(x, x), normal(3)),
    "kron": (lambda x: np.kron(x, x), normal(2)),
    "cross": (lambda x: np.cross(x, x[::-1] ** 2), normal(3)),
    "diag": (lambda x: np.diag(x) ** 2, normal(3, 3)),
    "trace": (lambda x: np.trace(x @ x), normal(3, 3)),
    "tril": (lambda x: np.tril(x) ** 2, normal(3, 3)),
    "solve": (lambda x: np.linalg.solve(x, x[0]), REGULAR),
    "inv": (lambda x: np.linalg.inv(x), REGULAR),
    "det": (lambda x: np.linalg.det(x), REGULAR),
    "slogdet": (lambda x: np.linalg.slogdet(x)[1], REGULAR),
    "cholesky": (lambda x: np.linalg.cholesky(x), POSITIVE),
    "norm": (lambda x: np.linalg.norm(x), normal(3)),
    "norm of order 3": (lambda x: np.linalg.norm(x, 3), normal(3)),
    "matrix_power": (lambda x: np.linalg.matrix_power(x, 3), normal(2, 2)),
    "pinv": (lambda x: np.linalg.pinv(x), normal(2, 3)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradient_of_a_gradient(name: str) -> None:
    f, x = PROGRAMS[name]
    w, v = normal(*np.shape(f(x)), seed=5), normal(*x.shape, seed=6)
    gradient = cr.grad(lambda x: np.sum(w * f(x)))
    found = cr.grad(lambda x: np.sum(gradient(x) * v))(x)
    step = 1e-5
    expected = (gradient(x + step * v) - gradient(x - step * v)) / (2 * step)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.max(np.abs(expected)))

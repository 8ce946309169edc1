"""Products with one matrix: what does not depend on the vector is computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running import linear_at, minima, roots, ways
from chainrules.engines.specialised.running.entry import Settings, specialised_after

N = 9
POINTS = [np.random.default_rng(k).normal(size=N) for k in range(3)]
LOADS = np.linspace(-1.0, 1.0, N)


def inner(u: Any, b: Any) -> Any:
    return np.sinh(u * b) + np.roll(u, 1) ** 3


def plain(u: Any, b: Any) -> Any:
    d = u[1:] - u[:-1]
    return 0.5 * np.sum(d * d) + np.sum(np.cosh(u * b)) / (1.0 + np.sum(u**2))


def called(u: Any, b: Any) -> Any:
    return np.sum(inner(u, b) * inner(b, u)) + np.sum(inner(u, u[::-1]))


def stored(u: Any, b: Any) -> Any:
    r = np.zeros(len(u))
    r[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2] - 0.1 * u[1:-1] ** 3 + b[1:-1]
    r[:1] = u[:1] - b[:1]
    r[-1:] = np.sin(b[-1:]) * u[:1]
    return np.sum(r**2) + np.sum(np.cosh(u * b))


def branching(u: Any, b: Any) -> Any:
    if u[0] > b[0]:
        y = np.exp(0.3 * u)
        z = y * u
    else:
        y = u**4 - b
        z = u
    return np.sum(y * np.tanh(z))


def looping(u: Any, b: Any) -> Any:
    y = u
    for _ in range(3):
        y = np.sin(y) * b + u
    return np.sum(y**2)


def changed_behind(u: Any, b: Any) -> Any:
    y = np.sin(u)
    z = np.sum(y * u)
    y[0] = 3.0
    return z * np.sum(y * b)


def popped(u: Any, b: Any) -> Any:
    ys = [np.sin(u), u * b, u**3]
    last = ys.pop()
    first = ys.pop()
    ys.append(first * last)
    return np.sum(ys.pop() * ys.pop()) + np.sum(last)


PARTED = [plain, called, stored, branching]


@pytest.mark.parametrize("f", [*PARTED, looping, changed_behind, popped])
def test_products_with_a_hessian(f: Any) -> None:
    for _ in range(Settings.runs + 2):
        cr.hvp(f, (POINTS[0], LOADS), (np.cos(LOADS),), (0,))
    program = ways.program_at(f, ("gradient", (0,)), (POINTS[0], LOADS))
    product: Any
    for x in POINTS:

        def asked(v: Any) -> Any:
            with specialised_after(10**6):
                return cr.hvp(f, (x, LOADS), (v,), (0,))[0]  # noqa: B023

        product = linear_at.product_at(program, (x, LOADS), x, asked)
        elsewhere = f is branching and (x[0] > LOADS[0]) != (POINTS[0][0] > LOADS[0])
        assert (product is None) == (f in (looping, changed_behind, popped) or elsewhere)
        for v in POINTS if product is not None else ():
            np.testing.assert_allclose(product(v), asked(v), rtol=1e-10, atol=1e-10)


def of_stores(u: Any, b: Any) -> Any:
    r = np.zeros(len(u))
    r[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2] + np.sin(b[1:-1] * u[1:-1])
    r[0] = u[0] - b[0]
    r[-1] = u[-1] * u[-2]
    return r


def of_stores_weighted(w: Any, u: Any, b: Any) -> Any:
    r = np.zeros(len(u))
    r[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2] + np.sin(b[1:-1] * u[1:-1])
    r[0] = u[0] - b[0]
    r[-1] = u[-1] * u[-2]
    return np.sum(w * r)


def sum_of_inner(w: Any, u: Any, b: Any) -> Any:
    return np.sum(w * inner(u, b))


def sum_of_stores(w: Any, u: Any, b: Any) -> Any:
    return np.sum(w * of_stores(u, b))


WEIGHTED = {inner: sum_of_inner, of_stores: sum_of_stores}


@pytest.mark.parametrize("f", [inner, of_stores])
@pytest.mark.parametrize("nested", [False, True])
def test_products_with_a_jacobian(f: Any, nested: bool) -> None:
    made = of_stores_weighted if f is of_stores and not nested else WEIGHTED[f]
    gradient = cr.grad(made, 1)
    for _ in range(Settings.runs + 2):
        gradient(LOADS, POINTS[0], LOADS)
    program = ways.program_at(made, 1, (LOADS, POINTS[0], LOADS))
    product: Any
    for x in POINTS:
        jacobian = cr.jacobian(f)(x, LOADS)
        product = linear_at.product_at(program, (x, LOADS), x, lambda v: v @ jacobian)  # noqa: B023
        assert (product is None) == (f is of_stores and nested)
        for v in POINTS if product is not None else ():
            np.testing.assert_allclose(product(v), v @ jacobian, rtol=1e-10, atol=1e-10)


def bent(x: Any, loads: Any) -> Any:
    return 3.0 * x + x**3 - 0.5 * (np.roll(x, 1) + np.roll(x, -1)) - loads


def energy(x: Any, loads: Any) -> Any:
    return np.sum(1.5 * x**2 + x**4 / 4 - 0.5 * x * np.roll(x, 1) - loads * x)


def root(loads: Any) -> Any:
    return np.sum(optimize.root(bent, np.zeros(len(loads)), args=(loads,), method="krylov", tol=1e-11).x ** 2)


def minimum(loads: Any) -> Any:
    start = np.zeros(len(loads))
    found = optimize.minimize(energy, start, args=(loads,), jac=bent, method="L-BFGS-B", tol=1e-13)
    return np.sum(found.x**2)


@pytest.mark.parametrize("f", [root, minimum])
def test_many_unknowns(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 240
    whole: list[Any] = []
    kind: Any
    for kind in (minima.OfMinimum, roots.OfRoot):
        right = kind.whole_product

        def noted(self: Any, v: Any, right: Any = right) -> Any:
            whole.append(v)
            return right(self, v)

        monkeypatch.setattr(kind, "whole_product", noted)
    for loads in [np.random.default_rng(1).normal(size=n)] * 6 + [np.linspace(0.5, 1.0, n)]:
        del whole[:]
        gradient = cr.grad(f)(loads)
        x = optimize.fsolve(bent, np.zeros(n), args=(loads,), xtol=1e-13)
        matrix = np.diag(3.0 + 3.0 * x**2) - 0.5 * (np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0))
        np.testing.assert_allclose(gradient, np.linalg.solve(matrix, 2.0 * x), rtol=1e-4, atol=1e-6)
    assert not whole

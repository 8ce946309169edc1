"""Jacobians and Hessians that a user gives: they save time, and are never trusted."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, sparse

import chainrules as cr
from chainrules import NotDifferentiableError, implicit
from chainrules.core import non_differentiable
from chainrules.core.residuals import Gradient
from chainrules.core.systems import DENSE, iterated
from chainrules.testing import check_grads

N = 12
LOADS = np.random.default_rng(3).normal(size=N)


def forces(x, loads):
    return 3.0 * x + x**3 - 0.5 * (np.roll(x, 1) + np.roll(x, -1)) - loads


def stiffness(x, loads):
    n = len(x)
    ring = np.eye(n, k=1) + np.eye(n, k=-1) + np.eye(n, k=n - 1) + np.eye(n, k=1 - n)
    return np.diag(3.0 + 3.0 * x**2) - 0.5 * ring


def energy(x, loads):
    return np.sum(1.5 * x**2 + x**4 / 4 - 0.5 * x * np.roll(x, 1) - loads * x)


def skewed(x, loads):
    return forces(x, loads) + 0.7 * np.roll(x, 2)


def skewed_stiffness(x, loads):
    return stiffness(x, loads) + 0.7 * np.roll(np.eye(len(x)), 2, axis=0)


def raising(x, loads):
    raise ValueError("no Jacobian today")


GIVEN = {
    "right": skewed_stiffness,
    "nearly": lambda x, loads: skewed_stiffness(x, loads) * 1.001,
    "twice": lambda x, loads: skewed_stiffness(x, loads) * 2.0,
    "transposed": lambda x, loads: skewed_stiffness(x, loads).T,
    "singular": lambda x, loads: np.zeros((len(x), len(x))),
    "not finite": lambda x, loads: np.full((len(x), len(x)), np.nan),
    "another shape": lambda x, loads: np.ones(3),
    "raising": raising,
    "sparse": lambda x, loads: sparse.csr_array(skewed_stiffness(x, loads)),
}


def solved(loads, jacobian=None):
    found = optimize.root(skewed, np.zeros(len(loads)), args=(cr.stop_gradient(loads),), tol=1e-13)
    x = implicit.root(skewed, cr.stop_gradient(found.x), loads, jacobian=jacobian)
    return np.sum(np.sin(x) * np.arange(len(loads)))


@pytest.mark.parametrize("name", GIVEN)
def test_a_wrong_jacobian_makes_no_wrong_number(name):
    given = GIVEN[name]
    expected = cr.grad(solved)(LOADS)
    for _ in range(5):  # the specialised program too
        np.testing.assert_allclose(cr.grad(lambda p: solved(p, given))(LOADS), expected, rtol=1e-10)
    np.testing.assert_allclose(cr.jvp(lambda p: solved(p, given), (LOADS,), (LOADS,))[1], expected @ LOADS)


def test_a_singular_jacobian_is_refused_whatever_is_given():
    """Of f the Jacobian is singular at the solution; a regular one is given."""

    def flat(x, a):
        return (x - a) ** 3

    with pytest.raises(NotDifferentiableError, match="singular"):
        cr.grad(
            lambda a: np.sum(implicit.root(flat, cr.stop_gradient(a), a, jacobian=lambda x, a: np.eye(5)))
        )(np.ones(5))


def test_the_residual_is_not_asked_for_differences() -> None:
    calls: list[int] = []

    def note() -> None:
        calls.append(1)

    non_differentiable(note, why="counts")

    def counted(x, loads):
        note()
        return forces(x, loads)

    def of(jacobian: Any) -> int:
        x = optimize.root(forces, np.zeros(N), args=(LOADS,), jac=stiffness).x
        calls.clear()
        cr.grad(lambda p: np.sum(implicit.root(counted, x, p, jacobian=jacobian) ** 2))(LOADS)
        return len(calls)

    assert of(stiffness) <= of(None) - N


def test_second_order():
    def loss(loads):
        return np.sum(optimize.root(forces, np.zeros(3), args=(loads,), jac=stiffness, tol=1e-13).x ** 2)

    def least(loads):
        found = optimize.minimize(
            energy, np.zeros(3), args=(loads,), jac=forces, hess=stiffness, method="trust-exact", tol=1e-8
        )
        return np.sum(found.x**2)

    for f in (loss, least):
        check_grads(f, LOADS[:3], order=2)


@pytest.mark.parametrize("form", [np.asarray, sparse.csc_array])
def test_many_unknowns(form):
    """By the factors of what is given, beyond the size at which the Jacobian is written down."""
    loads = np.random.default_rng(4).normal(size=DENSE + 50)
    x = optimize.root(forces, np.zeros(len(loads)), args=(loads,), jac=stiffness).x

    def given(x, loads):
        return form(stiffness(x, loads))

    def of(jacobian):
        return cr.grad(lambda p: np.sum(implicit.root(forces, x, p, jacobian=jacobian) ** 2))(loads)

    np.testing.assert_allclose(
        of(given), np.linalg.solve(stiffness(x, loads).T, 2 * x), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("turn", [1.0, -1.0, "saddle"])
def test_minima_of_many_unknowns(turn):
    """By conjugate gradients; of a maximum or saddle by what takes any symmetric matrix."""
    n = DENSE + 20
    signs = np.where(np.arange(n) % 3, 1.0, -1.0) if turn == "saddle" else turn
    loads = np.linspace(-1.0, 1.0, n)

    def bent(x, loads):
        return np.sum(signs * (1.5 * x**2 - 0.1 * x * np.roll(x, 1))) - np.sum(loads * x)

    each = np.broadcast_to(signs, n)
    H = np.diag(3.0 * each)
    for i in range(n):
        H[i, i - 1] -= 0.1 * each[i]
        H[i - 1, i] -= 0.1 * each[i]
    x = np.linalg.solve(H, loads)
    got = cr.grad(lambda p: np.sum(implicit.minimum(bent, x, p) ** 2))(loads)
    np.testing.assert_allclose(got, np.linalg.solve(H, 2 * x), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("scale", [1e-250, 1.0, 1e250])
@pytest.mark.parametrize("residual", [skewed, Gradient(energy)])
def test_iterations_do_not_depend_on_the_scale(residual, scale):
    matrix = (stiffness if isinstance(residual, Gradient) else skewed_stiffness)(np.zeros(N), LOADS)
    w = iterated(residual, lambda v: matrix @ v, LOADS * scale, None)
    np.testing.assert_allclose(w, np.linalg.solve(matrix, LOADS) * scale, rtol=1e-10)
    assert not iterated(residual, lambda v: matrix @ v, np.zeros(N), None).any()

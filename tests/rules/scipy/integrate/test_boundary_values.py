"""Boundary value problems against closed forms, in both modes; what is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate

import chainrules as cr

TOL = 1e-7
START = np.linspace(0.0, 1.0, 7)


def growth(t):
    """y″ = t² y, y(0) = 1, y(1) = t."""
    return integrate.solve_bvp(
        lambda x, y: np.stack([y[1], t * t * y[0]]),
        lambda a, b: np.array([a[0] - 1.0, b[0] - t]),
        START,
        np.zeros((2, 7)),
        tol=TOL,
    )


def string(t):
    """y″ = −p y on [0, t], y(0) = y(t) = 0, y′(0) = 1, and the p that this takes."""
    x = START * t
    return integrate.solve_bvp(
        lambda x, y, p: np.stack([y[1], -p[0] * y[0]]),
        lambda a, b, p: np.array([a[0], b[0], a[1] - 1.0]),
        x,
        np.stack([np.sin(x), np.cos(x)]),
        p=[6.0],
        tol=TOL,
    )


def bent(t):
    """y″ = 2 y³ with the ends of 1 / (x + t)."""
    return integrate.solve_bvp(
        lambda x, y: np.stack([y[1], 2.0 * y[0] ** 3]),
        lambda a, b: np.array([a[0] - 1.0 / t, b[0] - 1.0 / (1.0 + t)]),
        START,
        np.stack([0.7 - 0.4 * START, -0.4 + 0.0 * START]),
        tol=TOL,
    )


def rise(t):
    return (t - np.cosh(t)) / np.sinh(t)


# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "captured, and a boundary value": (
        lambda t: growth(t).sol(0.4)[0],
        lambda t: np.cosh(0.4 * t) + rise(t) * np.sinh(0.4 * t),
    ),
    "the solution at a node": (lambda t: growth(t).y[1, 0], lambda t: t * rise(t)),
    "its slope": (lambda t: growth(t).yp[1, -1], lambda t: t**3),
    "an unknown parameter, and an end that moves": (lambda t: string(t).p[0], lambda t: (np.pi / t) ** 2),
    "the same solution at a place that stays": (
        lambda t: string(t).sol(0.5)[0],
        lambda t: np.sin(0.5 * np.pi / t) * t / np.pi,
    ),
    "the mesh": (lambda t: string(t).x[-1] ** 2, lambda t: t * t),
    "a nonlinear one": (lambda t: bent(t).sol(0.3)[0], lambda t: 1.0 / (0.3 + t)),
    "a place that moves": (lambda t: bent(t).sol(t / 3)[0], lambda t: 0.75 / t),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    f, closed = PROGRAMS[name]
    assert f(1.3) == pytest.approx(closed(1.3), rel=10 * TOL)
    assert cr.grad(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=10 * TOL)
    assert cr.derivative(f)(1.3) == pytest.approx(cr.grad(closed)(1.3), rel=10 * TOL)


def test_second_order():
    f, closed = PROGRAMS["the solution at a node"]
    expected = cr.grad(cr.grad(closed))(1.3)
    assert cr.grad(cr.grad(f))(1.3) == pytest.approx(expected, rel=10 * TOL)
    assert cr.derivative(cr.grad(f))(1.3) == pytest.approx(expected, rel=10 * TOL)


def test_a_users_jacobian_serves_the_solver_alone():
    def f(t):
        return integrate.solve_bvp(
            lambda x, y: np.stack([y[1], t * t * y[0]]),
            lambda a, b: np.array([a[0] - 1.0, b[0] - t]),
            START,
            np.zeros((2, 7)),
            fun_jac=lambda x, y: np.tile(np.array([[0.0, 1.0], [t * t, 0.0]])[:, :, None], len(x)),
            tol=TOL,
        ).y[1, 0]

    assert cr.grad(f)(1.3) == pytest.approx(cr.grad(lambda t: t * rise(t))(1.3), rel=10 * TOL)


def test_a_solution_that_is_not_isolated_is_refused():
    def resonant(t):
        """y″ + π² y = t vanishing at 0 and 1: the sine may be added."""
        return integrate.solve_bvp(
            lambda x, y: np.stack([y[1], t - np.pi**2 * y[0]]),
            lambda a, b: np.array([a[0], b[0]]),
            START,
            np.zeros((2, 7)),
            tol=TOL,
        ).y[1, 0]

    assert resonant(0.0) == 0.0
    for derivative in (cr.grad, cr.derivative):
        with pytest.raises(cr.NotDifferentiableError, match="not isolated"):
            derivative(resonant)(0.0)


def test_what_is_refused():
    def f(t, **options):
        return integrate.solve_bvp(
            lambda x, y: np.stack([y[1], -t * np.exp(y[0])]),
            lambda a, b: np.array([a[0], b[0]]),
            START,
            np.zeros((2, 7)),
            **options,
        )

    with pytest.raises(cr.UnsupportedArgument, match="S"):
        cr.grad(lambda t: f(t, S=np.array([[0.0, 0.0], [0.0, -2.0]])).y[0, 1])(0.5)
    with pytest.raises(cr.NotDifferentiableError, match="did not converge"):
        cr.grad(lambda t: f(t, max_nodes=8, tol=1e-9).y[0, 1])(0.5)
    with pytest.raises(cr.ChainRulesError, match="rms_residuals"):
        cr.grad(lambda t: np.sum(f(t).rms_residuals))(0.5)

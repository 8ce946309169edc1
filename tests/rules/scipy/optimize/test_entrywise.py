"""Many roots and minima at once against closed forms, in both modes and orders."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize
from scipy.optimize import elementwise

import chainrules as cr
from chainrules.rules.scipy.optimize import entrywise

A = np.array([1.0, 2.0, 3.0])
LOW, HIGH = np.zeros(3), np.full(3, 5.0)


def cubic(x, a):
    return x**3 - a


def well(x, a):
    return np.cosh(x - a) - 1.0 + a


# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "roots, args": (
        lambda t: np.sum(elementwise.find_root(cubic, (LOW, HIGH), args=(A * t,)).x ** 2),
        lambda t: np.sum(np.cbrt(A * t) ** 2),
    ),
    "roots, captured": (
        lambda t: np.sum(elementwise.find_root(lambda x, a: cubic(x, a * t), (LOW, HIGH), args=(A,)).x),
        lambda t: np.sum(np.cbrt(A * t)),
    ),
    "one root": (
        lambda t: elementwise.find_root(cubic, (0.0, 5.0), args=(t,)).x,
        lambda t: np.cbrt(t),
    ),
    "roots in rows": (
        lambda t: np.sum(elementwise.find_root(cubic, (0.0, 5.0), args=(np.outer(A, A) * t,)).x),
        lambda t: np.sum(np.cbrt(np.outer(A, A) * t)),
    ),
    "newton's roots": (
        lambda t: np.sum(optimize.newton(cubic, np.ones(3), args=(A * t,), tol=1e-13) ** 2),
        lambda t: np.sum(np.cbrt(A * t) ** 2),
    ),
    "minima": (
        lambda t: np.sum(elementwise.find_minimum(well, (-9.0, 0.1, 9.0), args=(A * t,)).x ** 2),
        lambda t: np.sum((A * t) ** 2),
    ),
    "values of minima": (
        lambda t: np.sum(elementwise.find_minimum(well, (-9.0, 0.1, 9.0), args=(A * t,)).f_x ** 2),
        lambda t: np.sum((A * t) ** 2),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes_and_orders(name):
    f, closed = PROGRAMS[name]
    close = 1e-6 if "minima" in name else 1e-9
    assert f(1.3) == pytest.approx(closed(1.3), rel=close)
    first, second = cr.grad(closed)(1.3), cr.grad(cr.grad(closed))(1.3)
    assert cr.grad(f)(1.3) == pytest.approx(first, rel=close)
    assert cr.derivative(f)(1.3) == pytest.approx(first, rel=close)
    assert cr.derivative(cr.grad(f))(1.3) == pytest.approx(second, rel=close)
    assert cr.grad(cr.grad(f))(1.3) == pytest.approx(second, rel=close)


def test_one_product_gives_all_the_slopes():
    """No matrix of a thousand rows is made."""
    a = np.linspace(1.0, 2.0, 1000)
    calls = []

    def counted(x, a):
        calls.append(np.shape(x))
        return x**3 - a

    def roots(a):
        return np.sum(optimize.newton(counted, np.ones(1000), args=(a,), tol=1e-12))

    np.testing.assert_allclose(cr.grad(roots)(a), 1 / (3 * np.cbrt(a) ** 2), rtol=1e-9)
    alone = len(calls)
    calls.clear()
    roots(a)
    assert alone - len(calls) <= 12


def test_a_residual_that_mixes_entries_is_solved_as_a_system():
    """Newton's method finds it, too, though it takes the entries for independent."""

    def mixed(x, t):
        return 4.0 * x + 0.5 * np.roll(x, 1) - t

    def roots(t):
        return optimize.newton(mixed, np.ones(3), fprime=lambda x, t: np.full(3, 4.0), args=(t,), tol=1e-14)

    matrix = 4.0 * np.eye(3) + 0.5 * np.roll(np.eye(3), 1, axis=0)
    np.testing.assert_allclose(cr.jacobian(roots)(A), np.linalg.inv(matrix), rtol=1e-9)


@pytest.mark.parametrize("power", [2, 3])
def test_multiple_roots_are_refused(power):
    def roots(t):
        return np.sum(optimize.newton(lambda x: (x - 1.0) ** power * t, np.array([1.2, 1.3]), maxiter=200))

    with pytest.raises(cr.NotDifferentiableError, match="has no derivative"):
        cr.grad(roots)(1.0)
    solver = entrywise.Diagonal(lambda x, a: (x - 1.0) ** power - a, np.array([1.0 + 1e-7]), 0.0)
    with pytest.raises(cr.NotDifferentiableError, match="multiple one"):
        solver.refuse_multiple(power * np.array([1e-7]) ** (power - 1))


def test_what_did_not_converge_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match="did not converge"):
        cr.grad(lambda t: np.sum(elementwise.find_root(cubic, (LOW, HIGH), args=(A * t,)).x))(1000.0)

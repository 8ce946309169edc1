"""Roots of functions of one number against differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_rule


def cubic(x, t):
    return x**3 - t


def two(x, a, b):
    return np.exp(a * x) - b - x


def slope(x, t):
    return 3 * x**2


F, LOW, HIGH = held(cubic), held(0.0), held(5.0)
BRACKETED = (optimize.bisect, optimize.brentq, optimize.brenth, optimize.ridder, optimize.toms748)
CASES = [
    *(case(f, F, LOW, HIGH, (2.0,)) for f in BRACKETED),
    case(optimize.brentq, held(two), LOW, HIGH, (0.5, 3.0), why="two parameters"),
    case(optimize.newton, F, held(1.2), held(slope), (2.0,)),
    case(optimize.newton, F, held(1.2), held(None), (2.0,), tol=1e-13, why="the secant method"),
    case(optimize.newton, F, held(np.array([1.2, 1.4])), held(slope), (np.array([2.0, 3.0]),), tol=1e-13),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


TOLERANCE = 2e-12  # of the solvers that are given a bracket
TRUE = 2.0 ** (-2 / 3) / 3  # of the cube root at 2
SECOND = -(2.0 ** (-5 / 3)) * 2 / 9


def between(solver):
    return lambda t: solver(lambda x: x**3 - t, 0.0, 5.0)


WAYS: dict[str, Callable[[Any], Any]] = {
    **{f.__name__: between(f) for f in BRACKETED},
    "args": lambda t: optimize.brentq(cubic, 0.0, 5.0, args=t),
    "newton": lambda t: optimize.newton(lambda x: x**3 - t, 1.2),
    "newton at the root": lambda t: optimize.newton(lambda x: x**3 - t, 2.0 ** (1 / 3)),
    "halley": lambda t: optimize.newton(cubic, 1.2, slope, (t,), fprime2=lambda x, t: 6 * x),
    "full_output": lambda t: optimize.brentq(cubic, 0.0, 5.0, (t,), full_output=True)[1].root,
    "root_scalar": lambda t: optimize.root_scalar(cubic, args=(t,), bracket=(0.0, 5.0)).root,
    "root_scalar, item": lambda t: optimize.root_scalar(cubic, args=(t,), x0=1.0, x1=1.5)["root"],
    "root_scalar, fprime=True": lambda t: (
        optimize.root_scalar(lambda x: (x**3 - t, 3 * x**2), x0=1.0, fprime=True).root
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_root_moves_with_what_was_captured(way):
    f = WAYS[way]
    assert cr.grad(f)(2.0) == pytest.approx(TRUE, rel=10 * TOLERANCE)
    assert cr.derivative(f)(2.0) == pytest.approx(TRUE, rel=10 * TOLERANCE)
    assert cr.grad(cr.grad(f))(2.0) == pytest.approx(SECOND, rel=1e-7)
    assert cr.derivative(cr.grad(f))(2.0) == pytest.approx(SECOND, rel=1e-7)


def test_brackets_have_no_derivative():
    g = cr.grad(lambda a: optimize.brentq(cubic, a, 5.0, (2.0,)) + a)
    assert g(0.5) == 1.0


def test_counts_are_no_functions_of_the_parameters():
    def f(t):
        result = optimize.root_scalar(cubic, args=(t,), bracket=(0.0, 5.0))
        return t * result.iterations

    assert cr.grad(f)(2.0) == optimize.root_scalar(cubic, args=(2.0,), bracket=(0.0, 5.0)).iterations


def test_what_is_no_solution_is_refused_by_name():
    with pytest.raises(cr.NotDifferentiableError, match=r"newton did not converge.*"):
        cr.grad(lambda t: optimize.newton(lambda x: x**2 + t, 1.0, maxiter=3, disp=False))(2.0)
    with pytest.raises(cr.NotDifferentiableError, match="is singular at the solution"):
        cr.grad(lambda t: optimize.fsolve(lambda x: [x[0] + x[1] - t, 2 * (x[0] + x[1] - t)], [1.0, 1.0])[0])(
            2.0
        )
    with pytest.raises(cr.NotDifferentiableError, match="Newton step from it has length"):
        cr.grad(lambda t: optimize.bisect(lambda x: x**3 - t, 0.0, 5.0, xtol=0.5))(2.0)


def test_without_a_derivative_nothing_is_refused():
    assert (
        cr.grad(lambda t: t * optimize.newton(lambda x: x**2 + 1, 1.0, maxiter=3, disp=False) * 0 + t)(2.0)
        == 1.0
    )


@pytest.mark.parametrize("f", BRACKETED, ids=lambda f: str(f.__name__))
def test_a_solver_that_raises_by_itself_makes_no_record(f, monkeypatch):
    def refuse(**named):
        raise AssertionError("a record was made")

    monkeypatch.setattr("scipy.optimize._zeros_py.RootResults", refuse)
    assert cr.grad(lambda t: f(cubic, 0.0, 5.0, (t,)))(8.0) == pytest.approx(1 / 12)
    with pytest.raises(RuntimeError, match="converge"):
        cr.grad(lambda t: f(cubic, 0.0, 5.0, (t,), maxiter=2))(8.0)

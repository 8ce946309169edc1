"""Problems whose solutions depend on a parameter: both modes and orders against differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr

MATRIX = np.random.default_rng(0).normal(size=(6, 3))
RIGHT = MATRIX @ np.array([1.0, -1.0, 2.0])
STEPS = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 6.0])


def valley(x, t):
    return (x[0] - t) ** 2 + x[0] ** 4 + (x[1] - x[0] * t) ** 2


def slope(x, t):
    along = x[1] - x[0] * t
    return np.array([2 * (x[0] - t) + 4 * x[0] ** 3 - 2 * t * along, 2 * along])


def bowl(x, t):
    return (x - t) ** 2 + x**4


def system(x, t):
    return np.array([x[0] ** 2 + x[1] - t, x[1] - x[0] * t + 1])


def far(x):
    return (x[0] - 3) ** 2 + (x[1] + x[0]) ** 2


def far_slope(x):
    return np.array([2 * (x[0] - 3) + 2 * (x[1] + x[0]), 2 * (x[1] + x[0])])


def size(x):
    return np.sum(x**2)


def of(result):
    return size(result.x) + result.fun


def relaxed(solver):
    return lambda t: size(solver(lambda x: 0.3 * np.cos(t * x) - x, START, f_tol=1e-13, maxiter=300))


START = np.array([0.5, 0.5])
SQUARE = [(-2.0, 2.0), (-2.0, 2.0)]
LINE = np.array([[1.0, 2.0]])
SLSQP = {"method": "SLSQP", "tol": 1e-13}
Minimize = optimize.minimize
SYSTEMS = (optimize.broyden1, optimize.broyden2, optimize.diagbroyden, optimize.linearmixing,
           optimize.excitingmixing, optimize.newton_krylov)  # fmt: skip
EXACT: dict[str, Callable[[Any], Any]] = {
    "root": lambda t: size(optimize.root(system, [1.0, 0.0], (t,), tol=1e-13).x),
    "root, captured": lambda t: size(optimize.root(lambda x: system(x, t), [1.0, 0.0], method="lm").x),
    "root, jac=True": lambda t: size(
        optimize.root(
            lambda x: (system(x, t), np.array([[2 * x[0], 1.0], [-t, 1.0]])), [1.0, 0.0], jac=True, tol=1e-13
        ).x
    ),
    "root, Krylov": lambda t: size(
        optimize.root(system, [1.0, 0.0], (t,), "krylov", options={"fatol": 1e-12}).x
    ),
    "fixed point": lambda t: size(
        optimize.fixed_point(lambda x: np.cos(t * x), np.array([0.5, 0.6]), xtol=1e-13)
    ),
    **{f.__name__: relaxed(f) for f in SYSTEMS},
    "anderson": lambda t: size(optimize.anderson(lambda x: 0.3 * np.cos(t * x) - x, START, M=2, f_tol=1e-13)),
    "BFGS": lambda t: of(Minimize(valley, START, (t,), "BFGS", slope, options={"gtol": 1e-9})),
    "captured": lambda t: of(Minimize(lambda x: valley(x, t), START, jac=lambda x: slope(x, t), tol=1e-9)),
    "jac=True": lambda t: of(Minimize(lambda x: (valley(x, t), slope(x, t)), START, jac=True, tol=1e-9)),
    "L-BFGS-B": lambda t: of(Minimize(valley, START, (t,), "L-BFGS-B", slope, tol=1e-14)),
    "a bound acts": lambda t: of(
        Minimize(valley, START, (t,), None, slope, bounds=[(None, 0.4), (None, None)], tol=1e-14)
    ),
    "a bound moves": lambda t: of(
        Minimize(far, START, jac=far_slope, bounds=optimize.Bounds([0.0, -t], [10.0, 10.0]))
    ),
    "an equality": lambda t: of(
        Minimize(
            valley,
            START,
            (t,),
            jac=slope,
            constraints={"type": "eq", "fun": lambda x: x[0] + x[1] ** 2 - t},
            **SLSQP,
        )
    ),
    "an inequality acts": lambda t: of(
        Minimize(
            far,
            START,
            constraints=[{"type": "ineq", "fun": lambda x, k: k - x[0] - k * x[1], "args": (t,)}],
            **SLSQP,
        )
    ),
    "an inequality does not": lambda t: of(
        Minimize(
            valley, START, (t,), jac=slope, constraints={"type": "ineq", "fun": lambda x: 99 - x[0]}, **SLSQP
        )
    ),
    "a linear constraint": lambda t: of(
        Minimize(far, START, constraints=optimize.LinearConstraint(LINE, -np.inf, -t), **SLSQP)
    ),
    "a nonlinear constraint": lambda t: of(
        Minimize(
            far, START, constraints=optimize.NonlinearConstraint(lambda x: x[0] * t + x[1], 0.5, 0.5), **SLSQP
        )
    ),
    "a bound and an equality": lambda t: of(
        Minimize(
            far,
            START,
            bounds=[(None, 1.0), (None, None)],
            constraints={"type": "eq", "fun": lambda x: x[0] + t * x[1] - 0.2},
            **SLSQP,
        )
    ),
    "fmin_l_bfgs_b": lambda t: size(
        optimize.fmin_l_bfgs_b(
            valley, START, slope, (t,), bounds=[(None, None), (-3, 0.5)], factr=10.0, pgtol=1e-10
        )[0]
    ),
    "fmin_bfgs, all of it": lambda t: sum(
        [
            size(part)
            for part in optimize.fmin_bfgs(valley, START, slope, (t,), gtol=1e-9, full_output=1, disp=0)[:2]
        ]
    ),
    "Rosenbrock": lambda t: optimize.rosen(STEPS * t) + size(optimize.rosen_der(STEPS * t)) * 1e-6,
    "Rosenbrock's Hessian": lambda t: (
        size(optimize.rosen_hess(STEPS * t)) * 1e-6 + size(optimize.rosen_hess_prod(STEPS * t, STEPS)) * 1e-9
    ),
    "linprog": lambda t: of(
        optimize.linprog([-t, -2.0], [[1.0, t], [3.0, 1.0]], [4 * t, 6.0], bounds=[(0, None), (0, 3 * t)])
    ),
    "linprog, one pair of bounds": lambda t: of(
        optimize.linprog([-t, -2.0], [[1.0, t], [3.0, 1.0]], [4 * t, 6.0], bounds=[(0, 3.0)])
    ),
    "linprog, equality": lambda t: of(optimize.linprog([t, 2.0, 1.0], A_eq=[[1.0, t, 1.0]], b_eq=[t * t])),
    "nnls": lambda t: (
        size(optimize.nnls(MATRIX * t + 0.1, RIGHT + t)[0]) + optimize.nnls(MATRIX, RIGHT + t)[1]
    ),
    "nnls, all at zero": lambda t: size(optimize.nnls(np.eye(2), -t * np.ones(2))[0]) + t,
    "lsq_linear": lambda t: optimize.lsq_linear(MATRIX + 0.1 * t, RIGHT + t, (-0.5, 1.5 * t)).cost,
    "isotonic": lambda t: size(
        optimize.isotonic_regression(
            STEPS * np.array([t, 1, 1, 1, t, 1]), weights=np.array([1, t, 1, 1, 1, 2.0])
        ).x
    ),
}
ROUGH: dict[str, Callable[[Any], Any]] = {
    "minimize_scalar": lambda t: of_number(optimize.minimize_scalar(bowl, args=(t,))),
    "minimize_scalar, bounded": lambda t: of_number(
        optimize.minimize_scalar(bowl, args=(t,), bounds=(0.0, 3.0), options={"xatol": 1e-9})
    ),
    "minimize_scalar, at a bound": lambda t: (
        optimize.minimize_scalar(bowl, args=(t,), bounds=(0.0, 0.3 * t), options={"xatol": 1e-9}).x
    ),
    "brent": lambda t: optimize.brent(bowl, (t,)),
    "golden": lambda t: optimize.golden(bowl, (t,)),
    "fminbound": lambda t: optimize.fminbound(lambda x: bowl(x, t), -1.0, 3.0, xtol=1e-9),
    "Nelder-Mead": lambda t: of(Minimize(valley, START, (t,), "Nelder-Mead", tol=1e-9)),
    "Powell": lambda t: of(Minimize(valley, START, (t,), "Powell", tol=1e-10)),
    "trust-constr": lambda t: of(
        Minimize(
            far,
            START,
            method="trust-constr",
            constraints=optimize.LinearConstraint(LINE, -t, -t),
            options={"gtol": 1e-9, "xtol": 1e-12},
        )
    ),
    "fmin_tnc": lambda t: size(
        optimize.fmin_tnc(valley, START, slope, (t,), messages=0, bounds=[(None, None), (-3, 0.5)])[0]
    ),
    "fmin_cobyla": lambda t: size(
        optimize.fmin_cobyla(valley, START, lambda x, t: 1 - x[0] - x[1], (t,), rhoend=1e-9, catol=1e-12)
    ),
    "differential evolution": lambda t: of(
        optimize.differential_evolution(valley, SQUARE, (t,), rng=0, tol=1e-10)
    ),
    "dual annealing": lambda t: of(optimize.dual_annealing(valley, SQUARE, (t,), rng=0, maxiter=20)),
    "SHGO": lambda t: of(optimize.shgo(valley, SQUARE, (t,))),
    "basin hopping": lambda t: of(
        optimize.basinhopping(valley, START, 2, minimizer_kwargs={"args": (t,)}, rng=0)
    ),
    "brute": lambda t: size(optimize.brute(lambda x: valley(x, t), tuple(SQUARE), Ns=9, finish=closely)),
    "approx_fprime": lambda t: size(optimize.approx_fprime(STEPS * t, lambda x: np.sum(x**3), 1e-6)),
}


def closely(f, x, args=(), **ignored):
    """A local search that brute force may end with."""
    return optimize.fmin(f, x, args, xtol=1e-9, ftol=1e-12, full_output=1, disp=0)


def of_number(result):
    return result.x + result.fun


def differences(f, t, h):
    return (f(t + h) - f(t - h)) / (2 * h)


@pytest.mark.parametrize("name", EXACT)
def test_both_modes_and_orders(name):
    f, t, h = EXACT[name], 1.2, 1e-4
    expected = differences(f, t, h)
    assert cr.grad(f)(t) == pytest.approx(expected, rel=2e-5, abs=1e-5)
    assert cr.derivative(f)(t) == pytest.approx(expected, rel=2e-5, abs=1e-5)
    second = differences(cr.grad(f), t, h)
    assert cr.grad(cr.grad(f))(t) == pytest.approx(second, rel=2e-4, abs=2e-5)


@pytest.mark.parametrize("name", ROUGH)
@pytest.mark.filterwarnings("ignore:delta_grad")
def test_rough_searches(name):
    f, t = ROUGH[name], 1.2
    expected = differences(f, t, 1e-2)
    assert cr.grad(f)(t) == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert cr.derivative(f)(t) == pytest.approx(cr.grad(f)(t), rel=1e-6)


REFUSED = {
    "not converged": (
        lambda t: of(Minimize(valley, START, (t,), "BFGS", options={"maxiter": 1})),
        "did not converge",
    ),
    "a flat minimum": (lambda t: size(Minimize(lambda x: t * (x[0] + x[1]) ** 4, START).x), "singular"),
    "a bound that hardly acts": (
        lambda t: of(
            Minimize(lambda x: t * size(x), START, jac=lambda x: 2 * t * x, bounds=[(0.0, 1.0), (-1.0, 1.0)])
        ),
        "multiplier of zero",
    ),
    "constraints twice": (
        lambda t: of(
            Minimize(
                far, START, constraints=[{"type": "eq", "fun": lambda x: x[0] - t}] * 2, method="trust-constr"
            )
        ),
        "depend on one another",
    ),
    "a degenerate vertex": (
        lambda t: of(optimize.linprog([-t, -1.0], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [1.0, 1.0, 2.0])),
        "degenerate",
    ),
    "an edge of optima": (lambda t: of(optimize.linprog([-t, -t], [[1.0, 1.0]], [1.0])), "as good"),
    "integers": (
        lambda t: of(optimize.linprog([-t, -1.0], [[1.0, 1.5]], [2.2], integrality=[1, 1])),
        "integer variables",
    ),
    "columns that depend on one another": (
        lambda t: size(optimize.lsq_linear(np.array([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]]), RIGHT[:3] * t).x),
        "one of many",
    ),
    "a variable that just begins": (
        lambda t: size(optimize.nnls(np.eye(2), np.array([0.0 * t, t]))[0]),
        "multiplier of zero",
    ),
    "a grid": (
        lambda t: size(optimize.brute(lambda x: valley(x, t), tuple(SQUARE), finish=None)),
        "point of its grid",
    ),
    "the inverse Hessian": (
        lambda t: np.sum(Minimize(valley, START, (t,), jac=slope, method="BFGS").hess_inv),
        "entry 'hess_inv'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.filterwarnings("ignore:Singular Jacobian", "ignore:delta_grad")
def test_what_has_no_derivative_is_refused_by_name(name):
    f, message = REFUSED[name]
    for derivative in (cr.grad, cr.derivative):
        with pytest.raises(cr.ChainRulesError, match=message):
            derivative(f)(1.2)

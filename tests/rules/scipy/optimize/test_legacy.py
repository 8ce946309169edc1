"""The older functions for roots, fixed points and minima against differences."""

import numpy as np
import pytest
from scipy import optimize
from tests.rules.cases import case, held

from chainrules.testing import check_rule


def system(x, t):
    return np.array([x[0] ** 2 + x[1] - t, x[1] - x[0] * t + 1])


def cosine(x, t):
    return np.cos(x) * t


def valley(x, t):
    return (x[0] - t) ** 2 + x[0] ** 4 + (x[1] - x[0] * t) ** 2


def valley_slope(x, t):
    along = x[1] - x[0] * t
    return np.array([2 * (x[0] - t) + 4 * x[0] ** 3 - 2 * t * along, 2 * along])


def valley_hessian(x, t):
    return np.array([[2 + 12 * x[0] ** 2 + 2 * t * t, -2 * t], [-2 * t, 2.0]])


def bowl(x, t):
    return (x - t) ** 2 + x**4


def room(x, t):
    return 1 - x[0] - x[1]


def missing(x, t):
    return t - x[0] - x[1]


def relaxed(x):
    return 0.3 * np.cos(x) - x


MATRIX = np.random.default_rng(0).normal(size=(6, 3))
RIGHT = MATRIX @ np.array([1.0, -1.0, 2.0]) + 0.1
START, F, SLOPE = held(np.array([0.5, 0.5])), held(valley), held(valley_slope)
NONE = held(None)
SYSTEMS = (optimize.broyden1, optimize.broyden2, optimize.diagbroyden, optimize.linearmixing,
           optimize.excitingmixing, optimize.newton_krylov)  # fmt: skip
CASES = [
    *(case(f, held(relaxed), START, f_tol=1e-13, maxiter=300, why="a start does not move") for f in SYSTEMS),
    case(optimize.anderson, held(relaxed), START, M=2, f_tol=1e-13),
    case(optimize.nnls, MATRIX, RIGHT),
    case(optimize.fsolve, held(system), held(np.array([1.0, 0.0])), (2.0,), xtol=1e-13),
    case(optimize.fixed_point, held(cosine), held(0.5), (0.9,), xtol=1e-13),
    case(optimize.fminbound, held(bowl), held(-1.0), held(3.0), (1.5,), xtol=1e-11),
    case(optimize.fmin, F, START, (1.5,), xtol=1e-10, ftol=1e-14, disp=0),
    case(optimize.fmin_powell, F, START, (1.5,), xtol=1e-14, ftol=0.0, disp=0),
    case(optimize.fmin_bfgs, F, START, SLOPE, (1.5,), gtol=1e-8, disp=0),
    case(optimize.fmin_cg, F, START, SLOPE, (1.5,), gtol=1e-8, disp=0),
    case(optimize.fmin_ncg, F, START, SLOPE, NONE, held(valley_hessian), (1.5,), avextol=1e-12, disp=0),
    case(optimize.fmin_slsqp, F, START, held([missing]), NONE, held(()), NONE, held(()), NONE, NONE,
    NONE, (1.5,),
         iprint=0, acc=1e-13),
]  # fmt: skip


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)

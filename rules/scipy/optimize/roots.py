"""Roots of systems of equations, and fixed points.

The root moves as F(x, θ) = 0 says, by the further arguments and by what F captured; where the search
began does not matter. A user's Jacobian, or the one that MINPACK has updated, is a start for linear systems
here: what comes out is by F's own derivative.

See [Griewank & Walther 2008] and [Blondel et al. 2022].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy import optimize

from ....core import implicit
from ...written import written_out
from ..results import with_entries
from .solving import as_tuple, first_of, nearby, own, refuse_unconverged, with_given


@written_out(optimize.root)
def root(
    fun: Callable, x0: object, args: object = (), jac: object = None, callback: object = None,
    *, method="hybr", tol=None, options=None,
):  # fmt: skip
    """F(x, θ) = 0        J ẋ = −F_θ θ̇"""
    given = as_tuple(args)
    result = own(optimize.root, fun, x0, given, method, jac, tol, callback, options)
    refuse_unconverged(optimize.root, result.success, result.message)
    residual = first_of(fun) if jac is True else fun
    near = (
        with_given(jac, given)[0]
        if callable(jac)
        else nearby(result.fjac, result.r)
        if method == "hybr"
        else None
    )
    whole, further = with_given(residual, given)
    return with_entries(result, ("x",), implicit.root(whole, result.x, *further, jacobian=near))


@written_out(optimize.fsolve)
def fsolve(
    func: Callable, x0: object, args: object = (), fprime: object = None, *, full_output=0, col_deriv=0,
    xtol=1.49012e-8,
    maxfev=0, band=None, epsfcn=None, factor=100, diag=None,
):  # fmt: skip
    """F(x, θ) = 0        J ẋ = −F_θ θ̇"""
    given = as_tuple(args)
    found, told, flag, message = own(optimize.fsolve, func, x0, given, fprime, 1, col_deriv, xtol,
    maxfev, band,
                                     epsfcn, factor, diag)  # fmt: skip
    refuse_unconverged(optimize.fsolve, flag == 1, message)
    near = with_given(fprime, given)[0] if callable(fprime) else nearby(told["fjac"], told["r"])
    residual, further = with_given(func, given)
    x = implicit.root(residual, found, *further, jacobian=near)
    return (x, with_entries(told, ()), flag, message) if full_output else x


@written_out(optimize.fixed_point)
def fixed_point(func: Callable, x0: object, args: object = (), *, xtol=1e-8, maxiter=500, method="del2"):
    """g(x, θ) = x        (1 − g_x) ẋ = g_θ θ̇"""
    given = as_tuple(args)
    found = own(optimize.fixed_point, func, x0, given, xtol, maxiter, method)
    function, further = with_given(func, given)
    return implicit.fixed_point(function, found, *further)


def _nonlinear(solver: Any) -> None:
    """The derivatives of a solver for large systems."""

    @written_out(solver)
    def nonlinear(F: Callable, xin: object, *, iter=None, **options):
        """F(x) = 0        J ẋ = −F_θ θ̇ by what F captured"""
        return implicit.root(F, own(solver, F, xin, iter, **options))


for _solver in (
    optimize.broyden1,
    optimize.broyden2,
    optimize.anderson,
    optimize.diagbroyden,
    optimize.excitingmixing,
    optimize.linearmixing,
    optimize.newton_krylov,
):
    _nonlinear(_solver)

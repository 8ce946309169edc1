"""Roots of a function of one number: brackets, Newton's and the secant method.

The root moves as f(x, θ) = 0 says, by the further arguments and by what f captured. Where a search
begins does not matter: brackets and starts get `Zero()`. The user's derivatives serve the solver alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ....core import implicit
from ...written import written_out
from ..results import with_entries
from .entrywise import Diagonal
from .solving import as_tuple, first_of, own, refuse_unconverged, with_given

EPS = 4 * 2.220446049250313e-16


def _bracketed(solver: Any) -> None:
    """The derivatives of a solver that is given a bracket."""

    @written_out(solver)
    def bracketed(
        f: Callable, a: object, b: object, args: object = (),
        *, xtol=2e-12, rtol=EPS, maxiter=100, full_output=False, disp=True,
    ):  # fmt: skip
        """f(x, θ) = 0        ẋ = −f_θ θ̇ / f_x"""
        given = as_tuple(args)
        residual, further = with_given(f, given)
        if disp and not full_output:  # then the solver itself raises where it does not converge
            return implicit.root(
                residual, own(solver, f, a, b, given, xtol=xtol, rtol=rtol, maxiter=maxiter), *further
            )
        found, result = own(solver, f, a, b, given, xtol=xtol, rtol=rtol, maxiter=maxiter, full_output=True,
                            disp=disp)  # fmt: skip
        refuse_unconverged(solver, result.converged, result.flag)
        x = implicit.root(residual, found, *further)
        return (x, with_entries(result, ("root",), x)) if full_output else x


for _solver in (optimize.bisect, optimize.brentq, optimize.brenth, optimize.ridder):
    _bracketed(_solver)


@written_out(optimize.toms748)
def toms748(
    f: Callable, a: object, b: object, args: object = (),
    *, k=1, xtol=2e-12, rtol=EPS, maxiter=100, full_output=False, disp=True,
):  # fmt: skip
    """f(x, θ) = 0        ẋ = −f_θ θ̇ / f_x"""
    given = as_tuple(args)
    residual, further = with_given(f, given)
    if disp and not full_output:
        return implicit.root(
            residual, own(optimize.toms748, f, a, b, given, k, xtol, rtol, maxiter), *further
        )
    found, result = own(optimize.toms748, f, a, b, given, k, xtol, rtol, maxiter, True, disp)
    refuse_unconverged(optimize.toms748, result.converged, result.flag)
    x = implicit.root(residual, found, *further)
    return (x, with_entries(result, ("root",), x)) if full_output else x


@written_out(optimize.newton)
def newton(
    func: Callable, x0: object, fprime: object = None, args: object = (), fprime2: object = None,
    x1: object = None, *, tol=1.48e-8, maxiter=50, rtol=0.0, full_output=False, disp=True,
):  # fmt: skip
    """f(x, θ) = 0, entry by entry        ẋ = −f_θ θ̇ / f_x"""
    given = as_tuple(args)
    result = own(optimize.newton, func, x0, fprime, given, tol, maxiter, fprime2, x1, rtol, True, disp)
    found, told = result[0], result[1]
    if len(result) > 2:  # of an array: which entries converged, and where the slope was zero
        refuse_unconverged(optimize.newton, told, "some entries did not converge")
    else:
        refuse_unconverged(optimize.newton, told.converged, told.flag)
    residual, further = with_given(func, given)
    if own(np.ndim, found):
        x = implicit.root(residual, found, *further, solver=own(Diagonal, func, found, *given))
    else:
        x = implicit.root(residual, found, *further)
    if not full_output:
        return x
    return (x, *result[1:]) if len(result) > 2 else (x, with_entries(told, ("root",), x))


@written_out(optimize.root_scalar)
def root_scalar(
    f: Callable, args: object = (), bracket: object = None, fprime: object = None, fprime2: object = None,
    x0: object = None, x1: object = None, *, method=None, xtol=None, rtol=None, maxiter=None, options=None,
):  # fmt: skip
    """f(x, θ) = 0        ẋ = −f_θ θ̇ / f_x"""
    given = as_tuple(args)
    result = own(
        optimize.root_scalar, f, given, method, bracket, fprime, fprime2, x0, x1, xtol, rtol, maxiter, options
    )
    refuse_unconverged(optimize.root_scalar, result.converged, result.flag)
    alone = f if fprime is not True else first_of(f)
    residual, further = with_given(alone, given)
    return with_entries(result, ("root",), implicit.root(residual, result.root, *further))

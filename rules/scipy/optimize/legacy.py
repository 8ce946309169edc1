"""The older functions for minima: fmin and kin, which return the minimum, or a tuple that begins with it.

The minimum moves as that of `minimize` does. What else they return and is no count describes the search;
its derivative is missing.

See [Griewank & Walther 2008].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ....core import implicit
from ...written import written_out
from ..results import undifferentiated
from .minima import minimum_of
from .solving import as_tuple, first_of, own, refuse_unconverged

MESSAGES = ("", "the maximum number of evaluations or iterations was reached", "no further progress was made")


def _answer(objective: Any, found: Any, parameters: Any, full_output: Any, retall: Any) -> Any:
    """The minimum, or the tuple as it was found with the minimum and its value as they move."""
    x = implicit.minimum(objective, found[0], *parameters)
    if full_output:
        rest = [undifferentiated(part, x, name="of the search") for part in found[2:]]
        return (x, objective(x, *parameters), *rest)
    return (x, undifferentiated(found[-1], x, name="allvecs")) if retall else x


def _of_func(solver: Any) -> None:
    @written_out(solver)
    def search(func: Callable, x0: object, args: object = (), *, full_output=0, retall=0, **options):
        """∇f(x, θ) = 0        H ẋ = −∇f_θ θ̇"""
        given = as_tuple(args)
        found = own(solver, func, x0, args=given, full_output=1, retall=retall, **options)
        refuse_unconverged(
            solver, not found[-2 if retall else -1], MESSAGES[min(found[-2 if retall else -1], 2)]
        )
        return _answer(func, found, given, full_output, retall)


def _of_f(solver: Any) -> None:
    @written_out(solver)
    def search(
        f: Callable,
        x0: object,
        fprime: object = None,
        args: object = (),
        *,
        full_output=0,
        retall=0,
        **options,
    ):
        """∇f(x, θ) = 0        H ẋ = −∇f_θ θ̇"""
        given = as_tuple(args)
        found = own(solver, f, x0, fprime, args=given, full_output=1, retall=retall, **options)
        refuse_unconverged(
            solver, not found[-2 if retall else -1], MESSAGES[min(found[-2 if retall else -1], 2)]
        )
        return _answer(f, found, given, full_output, retall)


for _solver in (optimize.fmin, optimize.fmin_powell):
    _of_func(_solver)
for _solver in (optimize.fmin_bfgs, optimize.fmin_cg):
    _of_f(_solver)


@written_out(optimize.fmin_ncg)
def fmin_ncg(
    f: Callable, x0: object, fprime: object, fhess_p: object = None, fhess: object = None, args: object = (),
    *, full_output=0, retall=0, **options,
):  # fmt: skip
    """∇f(x, θ) = 0        H ẋ = −∇f_θ θ̇"""
    given = as_tuple(args)
    found = own(
        optimize.fmin_ncg, f, x0, fprime, fhess_p, fhess, given, full_output=1, retall=retall, **options
    )
    flag = found[-2 if retall else -1]
    refuse_unconverged(optimize.fmin_ncg, not flag, MESSAGES[min(flag, 2)])
    return _answer(f, found, given, full_output, retall)


def _bounded(solver: Any, succeeded: Any) -> None:
    @written_out(solver)
    def search(
        func: Callable, x0: object, fprime: object = None, args: object = (), bounds: object = None,
        *, approx_grad=0, **options,
    ):  # fmt: skip
        """∇f(x, θ) = 0 in the variables that are free        H ẋ = −∇f_θ θ̇"""
        given = as_tuple(args)
        found = own(solver, func, x0, fprime, args=given, approx_grad=approx_grad, bounds=bounds, **options)
        refuse_unconverged(solver, succeeded(found), found[-1])
        objective = func if fprime is not None or approx_grad else first_of(func)
        x = minimum_of(objective, np.asarray(found[0]), given, bounds)
        if solver is optimize.fmin_l_bfgs_b:
            return x, objective(x, *given), undifferentiated(found[2], x, name="of the search")
        return x, found[1], found[2]


_bounded(optimize.fmin_l_bfgs_b, lambda found: found[2]["warnflag"] == 0)
_bounded(optimize.fmin_tnc, lambda found: found[2] in (-1, 0, 1, 2))


@written_out(optimize.fmin_cobyla)
def fmin_cobyla(
    func: Callable,
    x0: object,
    cons: object,
    args: object = (),
    consargs: object = None,
    *,
    catol=2e-4,
    **options,
):
    """The minimum under cᵢ(x) ≥ 0, with the constraints that act"""
    given = as_tuple(args)
    found = own(optimize.fmin_cobyla, func, x0, cons, args=given, consargs=consargs, catol=catol, **options)
    further = given if consargs is None else as_tuple(consargs)
    every = cons if isinstance(cons, list | tuple) else (cons,)
    listed = tuple([{"type": "ineq", "fun": c, "args": further} for c in every])
    return minimum_of(func, found, given, None, listed)


@written_out(optimize.fmin_slsqp)
def fmin_slsqp(
    func: Callable, x0: object, eqcons: object = (), f_eqcons: object = None, ieqcons: object = (),
    f_ieqcons: object = None, bounds: object = (), fprime: object = None, fprime_eqcons: object = None,
    fprime_ieqcons: object = None, args: object = (), *, full_output=0, **options,
):  # fmt: skip
    """The minimum under cᵢ(x) = 0 and dᵢ(x) ≥ 0, with the constraints that act"""
    given = as_tuple(args)
    found = own(optimize.fmin_slsqp, func, x0, eqcons, f_eqcons, ieqcons, f_ieqcons, bounds, fprime,
                fprime_eqcons, fprime_ieqcons, given, full_output=1, **options)  # fmt: skip
    refuse_unconverged(optimize.fmin_slsqp, found[3] == 0, found[4])
    equal: Any = eqcons if f_eqcons is None else (f_eqcons,)
    above: Any = ieqcons if f_ieqcons is None else (f_ieqcons,)
    kinds = [("eq", c) for c in equal] + [("ineq", c) for c in above]
    listed = tuple([{"type": kind, "fun": c, "args": given} for kind, c in kinds])
    x = minimum_of(func, found[0], given, bounds or None, listed)
    return (x, func(x, *given), *found[2:]) if full_output else x

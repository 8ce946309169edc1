"""Least squares: residuals of a function, curves through data.

The minimum of ½ Σ ρ(rᵢ²) moves by its own Hessian, JᵀJ + Σ rᵢ ∇²rᵢ and not Gauss and Newton's JᵀJ, which
is exact only where the residuals vanish. Losses, their scale and bounds are those that the solver was
given. `curve_fit` is differentiated by its data, too, its covariance with its parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....core.calls import forward_of
from ....tangents import ZERO, is_zero, materialize
from ...written import as_found, written_out
from ..results import with_entries
from .minima import minimum_of
from .solving import as_tuple, own, refuse_unconverged, with_given


def half_squares(residuals: Any) -> Any:
    """Half the sum of the squares of residuals."""

    def half(x: Any, *parameters: Any) -> Any:
        r = np.ravel(residuals(x, *parameters))
        return 0.5 * np.sum(r * r)

    return half


def half_losses(residuals: Any, loss: str, scale: Any) -> Any:
    """Half the sum of the losses of residuals."""

    def half(x: Any, *parameters: Any) -> Any:
        r = np.ravel(residuals(x, *parameters)) / scale
        return 0.5 * scale**2 * np.sum(rho(loss, r * r))

    return half


def worded(function: Any, keywords: Any) -> Any:
    """A function with its arguments by name."""

    def given(x: Any, *parameters: Any) -> Any:
        return function(x, *parameters, **keywords)

    return given if keywords else function


def rho(loss: str, z: Any) -> Any:
    """The loss of a squared residual [Triggs et al. 1999, as SciPy names them]."""
    if loss == "soft_l1":
        return 2 * (np.sqrt(1 + z) - 1)
    if loss == "huber":
        return np.where(z <= 1, z, 2 * np.sqrt(np.where(z <= 1, 1.0, z)) - 1)
    return np.log1p(z) if loss == "cauchy" else np.arctan(z)


def check_loss(loss: Any) -> None:
    """Refuse a loss that is a function."""
    if callable(loss):
        raise UnsupportedArgument(
            optimize.least_squares, "loss", loss, supported=["linear", "soft_l1", "huber", "cauchy", "arctan"]
        )


non_differentiable(check_loss, why="checks an argument")


@written_out(optimize.least_squares)
def least_squares(
    fun: Callable, x0: object, jac: object = "2-point", bounds: object = (-np.inf, np.inf),
    f_scale: object = 1.0, args: object = (), kwargs: object = None, *, method="trf", ftol=1e-8,
    xtol=1e-8, gtol=1e-8, x_scale=None,
    loss="linear", diff_step=None, tr_solver=None, tr_options=None, jac_sparsity=None, max_nfev=None,
    verbose=0,
    callback=None, workers=None,
):  # fmt: skip
    """∇½Σρ(r²) = 0        (JᵀJ + Σ r ∇²r) ẋ = −(Jᵀr)_θ θ̇"""
    check_loss(loss)
    given = as_tuple(args)
    keywords: Any = kwargs or {}
    result = own(
        optimize.least_squares, fun, x0, jac, bounds, method, ftol, xtol, gtol, x_scale, loss, f_scale,
        diff_step,
        tr_solver, {} if tr_options is None else tr_options, jac_sparsity, max_nfev, verbose, given, keywords,
    )  # fmt: skip
    refuse_unconverged(optimize.least_squares, result.success, result.message)
    function, further = with_given(worded(fun, keywords), given)
    objective = half_squares(function) if loss == "linear" else half_losses(function, loss, f_scale)
    x = minimum_of(objective, result.x, further, limits(bounds, len(result.x)))
    residuals = np.atleast_1d(function(x, *further))
    return with_entries(result, ("x", "fun", "cost"), x, residuals, objective(x, *further))


def limits(bounds: Any, n: int) -> Any:
    """Bounds as pairs, or none where they are all infinite."""
    if isinstance(bounds, optimize.Bounds):
        return bounds
    low, high = bounds
    if are_infinite(low, high):
        return None
    low, high = np.broadcast_to(low, (n,)), np.broadcast_to(high, (n,))
    return tuple([(low[i], high[i]) for i in range(n)])


def are_infinite(*bounds: Any) -> bool:
    """Whether no bound is finite."""
    return all(abs(b) == np.inf if type(b) is float else np.all(np.isinf(b)) for b in bounds)


non_differentiable(are_infinite, why="returns a truth value")


@written_out(optimize.leastsq)
def leastsq(
    func: Callable, x0: object, args: object = (), Dfun: object = None, *, full_output=False, col_deriv=False,
    ftol=1.49012e-8, xtol=1.49012e-8, gtol=0.0, maxfev=0, epsfcn=None, factor=100, diag=None,
):  # fmt: skip
    """∇½Σr² = 0        (JᵀJ + Σ r ∇²r) ẋ = −(Jᵀr)_θ θ̇"""
    given = as_tuple(args)
    found, spread, told, message, flag = own(
        optimize.leastsq,
        func,
        x0,
        given,
        Dfun,
        True,
        col_deriv,
        ftol,
        xtol,
        gtol,
        maxfev,
        epsfcn,
        factor,
        diag,
    )
    refuse_unconverged(optimize.leastsq, flag in (1, 2, 3, 4), message)
    x = minimum_of(half_squares(func), found, given, None)
    if not full_output:
        return x, flag
    covariance = inverse_of_squares(columns_of(func, x, given))
    return x, as_found(spread, covariance), with_entries(told, ()), message, flag


def columns_of(function: Any, x: Any, parameters: Any) -> Any:
    """The Jacobian of a function's vector by x, from one pushforward for each of its numbers."""
    columns = []
    for k in range(len(x)):
        along = (own(unit, len(x), k), *(ZERO for _ in parameters))
        y, moved = forward_of(function, (x, *parameters), along, {}, None)
        columns.append(np.ravel(materialize(moved, like=y)))
    return np.stack(columns, axis=1)


def unit(n: int, k: int) -> Any:
    """The k-th unit vector."""
    return np.eye(n)[k]


def inverse_of_squares(jacobian: Any) -> Any:
    """(JᵀJ)⁻¹"""
    return np.linalg.inv(np.transpose(jacobian) @ jacobian)


def misfit_of(f: Any, xdata: Any, ydata: Any, sigma: Any) -> Any:
    """The residuals of a curve at data, in units of their spread."""

    def misfit(p: Any) -> Any:
        return np.ravel(f(xdata, *p) - ydata)

    def scaled(p: Any) -> Any:
        return np.ravel(f(xdata, *p) - ydata) / sigma

    def decorrelated(p: Any) -> Any:
        return np.linalg.solve(np.linalg.cholesky(sigma), np.ravel(f(xdata, *p) - ydata))

    return misfit if sigma is None else scaled if np.ndim(sigma) < 2 else decorrelated


@written_out(optimize.curve_fit)
def curve_fit(
    f: Callable, xdata: object, ydata: object, p0: object = None, sigma: object = None,
    bounds: object = (-np.inf, np.inf), jac: object = None, *, absolute_sigma=False, check_finite=None,
    method=None,
    full_output=False, nan_policy=None, **kwargs,
):  # fmt: skip
    """p minimises Σ ((f(x, p) − y)/σ)²; its covariance is (JᵀJ)⁻¹, times the mean square unless σ is
    absolute"""
    if nan_policy == "omit":
        raise UnsupportedArgument(optimize.curve_fit, "nan_policy", nan_policy, supported=[None, "raise"])
    found, spread, told, message, flag = own(
        optimize.curve_fit, f, xdata, ydata, p0, sigma, absolute_sigma, check_finite, bounds, method, jac,
        full_output=True, nan_policy=nan_policy, **kwargs,
    )  # fmt: skip
    misfit = misfit_of(f, as_floats(xdata), as_floats(ydata), None if sigma is None else as_floats(sigma))
    least = limits(pairs(bounds), len(found))
    p = minimum_of(half_squares(misfit), found, (), least)
    answer = p, found_covariance(spread, misfit, p, absolute=absolute_sigma)
    return (*answer, with_entries(told, ()), message, flag) if full_output else answer


def covariance_of(misfit: Any, p: Any, absolute: Any) -> Any:
    """(JᵀJ)⁻¹, times the mean square of the misfit unless σ is absolute"""
    covariance = inverse_of_squares(columns_of(misfit, p, ()))
    if absolute:
        return covariance
    r = misfit(p)
    return covariance * (np.sum(r * r) / (len(r) - len(p)))


def found_covariance(spread: Any, misfit: Any, p: Any, *, absolute: Any) -> Any:
    """A covariance as a solver gave it; its formula is computed where its derivative is asked for."""
    return spread


found_covariance.gives_on = True  # type: ignore[attr-defined]  # so that a text leaves out what nobody reads


@frule(found_covariance)
def found_covariance_frule(tangents, spread: object, misfit: object, p: object, *, absolute, engine):
    """The formula's tangent"""
    moved = forward_of(covariance_of, (misfit, p, absolute), (tangents[1], tangents[2], ZERO), {}, engine)
    return found_covariance(spread, misfit, p, absolute=absolute), moved[1]


@rrule(found_covariance)
def found_covariance_rrule(spread: object, misfit: object, p: object, *, absolute, engine):
    """The formula's cotangents"""

    def found_covariance_pullback(y_bar):
        if is_zero(y_bar):
            return ZERO, ZERO, ZERO
        _, back = engine.value_and_pullback(covariance_of, misfit, p, absolute)
        moved = back(y_bar)
        return ZERO, moved[0], moved[1]

    return found_covariance(spread, misfit, p, absolute=absolute), found_covariance_pullback


def pairs(bounds: Any) -> Any:
    """The bounds of a curve's parameters as a pair."""
    return (bounds.lb, bounds.ub) if isinstance(bounds, optimize.Bounds) else bounds


def as_floats(x: Any) -> Any:
    """Data as an array of floating-point numbers, where it is a list of numbers."""
    return np.asarray(x, float) if isinstance(x, list | tuple) else x

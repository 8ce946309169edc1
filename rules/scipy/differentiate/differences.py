"""Derivatives by differences: `scipy.differentiate`'s derivative, jacobian and hessian.

The value is the one that SciPy's differences gave; its derivative is that of the function's own derivative,
which the engine takes. So it carries none of the error of differences, of which the value has its share. A
function of one number with several values (`preserve_shape`) is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import differentiate

from ....core import UnsupportedArgument, non_differentiable
from ....core.calls import forward_of, reverse_of
from ....tangents import materialize
from ...written import as_found, own, written_out
from ..optimize.solving import as_tuple, refuse_unconverged
from ..results import with_entries


def total(f: Any, x: Any, *args: Any) -> Any:
    """The sum of a function's entries."""
    return np.sum(f(x, *args))


def slopes(f: Any, x: Any, *args: Any) -> Any:
    """The derivative of each entry of a function by its own argument."""
    needs = (False, True) + (False,) * len(args)
    _, back = reverse_of(total, (f, x, *args), {}, needs, None)
    return materialize(back(1.0)[1], like=x)


def columns(f: Any, x: Any) -> Any:
    """The derivatives of a function by each of the variables, which are along the first axis, as a list."""
    pairs = [forward_of(f, (x,), (along(x, k),), {}, None) for k in range(len(x))]
    return tuple([materialize(dy, like=np.asarray(y)) for y, dy in pairs])


def along(x: Any, k: int) -> Any:
    """The direction of the k-th variable, at every point."""
    e = np.zeros_like(x)
    e[k] = 1.0
    return e


def refuse_shapes(preserve_shape: bool) -> None:
    """Refuse functions of one number that have several values."""
    if preserve_shape:
        raise UnsupportedArgument(
            differentiate.derivative, "preserve_shape", preserve_shape,
            next="differentiate each value of the function on its own",
        )  # fmt: skip


def refuse_infinite(solver: Any, found: Any) -> None:
    """Refuse where SciPy found no derivative; differences that did not settle to its tolerance are found."""
    refuse_unconverged(solver, np.isfinite(found), "some differences are not finite")


non_differentiable(along, refuse_shapes, refuse_infinite, why="a constant; checks")


@written_out(differentiate.derivative)
def derivative(
    f: Callable, x: object, args: object = (), *, tolerances=None, maxiter=10, order=8, initial_step=0.5,
    step_factor=2.0, step_direction=0, preserve_shape=False, callback=None,
):  # fmt: skip
    """y = f′(x, θ), entry by entry        ẏ = f″ ẋ + f′_θ θ̇"""
    refuse_shapes(preserve_shape)
    given = as_tuple(args)
    result = own(
        differentiate.derivative, f, x, args=given, tolerances=tolerances, maxiter=maxiter, order=order,
        initial_step=initial_step, step_factor=step_factor, step_direction=step_direction, callback=callback,
    )  # fmt: skip
    refuse_infinite(differentiate.derivative, result.df)
    at = np.asarray(x) * 1.0 + np.zeros(np.shape(result.df))
    return with_entries(result, ("df", "x"), as_found(result.df, slopes(f, at, *given)), at)


@written_out(differentiate.jacobian)
def jacobian(
    f: Callable, x: object, *, tolerances=None, maxiter=10, order=8, initial_step=0.5, step_factor=2.0,
    step_direction=0,
):  # fmt: skip
    """J = f′(x)        J̇ = f″ ẋ + f′_θ θ̇"""
    result = own(differentiate.jacobian, f, x, tolerances=tolerances, maxiter=maxiter, order=order,
                 initial_step=initial_step, step_factor=step_factor,
                 step_direction=step_direction)  # fmt: skip
    refuse_infinite(differentiate.jacobian, result.df)
    at = np.asarray(x) * 1.0
    found = columns(f, at)
    axis = own(np.ndim, result.df) - own(np.ndim, at)
    return with_entries(result, ("df",), as_found(result.df, np.stack(found, axis=axis)))


@written_out(differentiate.hessian)
def hessian(
    f: Callable, x: object, *, tolerances=None, maxiter=10, order=8, initial_step=0.5, step_factor=2.0
):
    """H = f″(x)        Ḣ = f‴ ẋ + f″_θ θ̇"""
    result = own(differentiate.hessian, f, x, tolerances=tolerances, maxiter=maxiter, order=order,
                 initial_step=initial_step, step_factor=step_factor)  # fmt: skip
    refuse_infinite(differentiate.hessian, result.ddf)
    at = np.asarray(x) * 1.0

    def gradient(x: Any) -> Any:
        return slopes(f, x)

    return with_entries(result, ("ddf",), as_found(result.ddf, np.stack(columns(gradient, at), axis=1)))

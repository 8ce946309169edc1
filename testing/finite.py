"""Derivatives of programs by finite differences, along one direction and projected.

Any structured input is moved as a whole along its tangent, so a derivative costs a few evaluations,
whatever the number of entries. Complex numbers are moved along complex tangents by a real step:
what comes out is the real-linear derivative, for holomorphic functions and others. Inputs of single
or half precision are computed in double where the function takes them there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..tangents import difference, is_zero, materialize, move, ravel, scale
from .primals import Vector, mismatch, precision, vector, widened
from .richardson import Estimate, derivative
from .settings import current

REACH = 0.0625
"""The first step moves the largest entry by this much, times its size where that is above one."""


class Slope(NamedTuple):
    """A directional derivative: the tangent of the output, and the largest error of its entries."""

    tangent: Any
    error: float


def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Slope:
    """The derivative of f along tangents, by differences, with an estimate of its error.

    Shapes:  each tangent is like its primal; the tangent returned is like f(*primals).
    Raises:  DifferencesError where f has no finite values around the point.
    Example: >>> slope = jvp(np.exp, (1.0,), (2.0,))
             >>> bool(abs(slope.tangent - 2 * np.e) < 1e-9), slope.error < 1e-9
             (True, True)
    """
    y = f(*primals)
    estimate = directional(f, primals, tangents, y)
    unravel = ravel(materialize(difference(y, y), like=y))[1]
    return Slope(unravel(estimate.value), float(np.max(estimate.error, initial=0.0)))


def vjp(f: Callable[..., Any], primals: Sequence[Any], y_bar: Any, dx: Sequence[Any]) -> tuple[float, float]:
    """⟨ȳ, J ẋ⟩ by differences, with an estimate of its error: a cotangent projected onto one direction.

    Shapes:  y_bar is like f(*primals), each tangent in dx like its primal.
    Raises:  as `jvp`.
    Example: >>> value, error = vjp(np.multiply, (3.0, 4.0), 1.0, (1.0, 0.0))
             >>> bool(abs(value - 4) < 1e-9)
             True
    """
    y = f(*primals)
    estimate = directional(f, primals, dx, y)
    weights = vector(y_bar, y)
    return float(weights @ estimate.value), float(abs(weights) @ estimate.error)


def directional(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], y: Any) -> Estimate:
    """The directional derivative as a vector, with the error of each entry; y is f(*primals)."""
    wide, wide_tangents = [widened(x) for x in primals], [widened(t) for t in tangents]
    if any(new is not old for new, old in zip(wide, primals, strict=True)):
        eps = precision(*primals, y)
        if _agrees(f, wide, y, eps):
            return _directional(
                f, wide, wide_tangents, eps if _rounds(f, wide, wide_tangents) else precision()
            )
        return _directional(f, primals, tangents, eps)
    return _directional(f, primals, tangents, precision(y))


def _agrees(f: Callable[..., Any], primals: Sequence[Any], y: Any, eps: float) -> bool:
    """Whether f takes these wider primals and gives the same, to the precision of y."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wide_y = f(*primals)
    except Exception:
        return False
    return not mismatch(widened(y), wide_y, rtol=100 * eps)


def _rounds(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> bool:
    """Whether f rounds an entry: a step that single precision cannot see leaves it, a larger one does not.

    An entry that is too flat to show so small a step in double precision says nothing.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = f(*primals)
        near, far = (
            f(*[move(_movable(x, dx), scale(t, dx)) for x, dx in zip(primals, tangents, strict=True)])
            for t in (1e-9, 1e-3)
        )
        numbers, close, away = (ravel(y)[0] for y in (here, near, far))
        if not len(numbers) == len(close) == len(away):
            return False
        return bool(np.any((close == numbers) & (1e-6 * abs(away - numbers) > 1e-13 * abs(numbers))))


def _directional(
    f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], eps: float
) -> Estimate:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at the edge of a domain, where the step is then made smaller
        y = f(*primals)

        def along(t: float) -> Vector:
            moved = (move(_movable(x, dx), scale(t, dx)) for x, dx in zip(primals, tangents, strict=True))
            return vector(difference(f(*moved), y), y)

        numbers = abs(ravel(y)[0])
        count = len(along(0.0))
        size = numbers if len(numbers) == count else np.full(count, np.max(numbers, initial=0.0))
        return derivative(along, step=_first_step(primals, tangents), side=current().side, eps=eps, size=size)


def _movable(x: Any, dx: Any) -> Any:
    """An integer that is to be perturbed, as the float it stands for."""
    if is_zero(dx) or isinstance(x, bool):
        return x
    if isinstance(x, int | np.integer):
        return float(x)
    return x.astype(float) if isinstance(x, np.ndarray) and x.dtype.kind in "iu" else x


def _first_step(primals: Sequence[Any], tangents: Sequence[Any]) -> float:
    speed = size = 0.0
    for x, dx in zip(primals, tangents, strict=True):
        if not is_zero(dx):
            speed = max(speed, float(np.max(np.abs(vector(dx, x)), initial=0.0)))
            size = max(size, float(np.max(np.abs(ravel(x)[0]), initial=0.0)))
    reach = REACH * max(1.0, size)
    limit = current().max_range
    return (reach if limit is None else min(reach, limit)) / (speed or 1.0)

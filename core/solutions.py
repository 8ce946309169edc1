"""Whether what a solver found is a solution, and the only one near, as far as its residual tells.

`fault_of(f, J, y, v)` says what is wrong with v as a solution of f(v) = 0, where y is f(v) and J the
Jacobian there: "infinite" numbers, a "singular" J, a Newton step that goes "far", or "doubtful", where f
nowhere confirms J: over no distance as long as two Newton steps, from the last place of v to the middle of
its digits, does f run along its tangent, forward and back.

Near a multiple root there is none: short steps drown in the rounding of f, on longer ones J changes. The
steps go where Newton's goes, or where the rounding of J's terms would move v the most, if that is farther;
how far it would move each number is the measure of each [Skeel 1979]. Of one number, that is its last place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from sys import float_info
from typing import Any

import numpy as np

STRAIGHT = 0.25
"""A residual confirms its Jacobian where it departs from its tangent by no more than this share. Over two
Newton steps towards a root of order m > 1 it departs by a half at least."""

NEAR = 1e-3
"""A solution is refused where a Newton step from it is longer than this share of 1 + ‖x‖."""

_EPS = {np.dtype(float): float_info.epsilon}
_LEAST = 1e-300
"""The least slope for which a vector of one number is taken for a number: its reciprocal is finite."""

LONGER = tuple([8.0**k for k in (3, 2, 4, 1, 5, 0, 6, 7, 8, 9)])
"""How much longer than the first the steps are over which a residual may confirm its Jacobian; those first
that mostly do."""


def fault_of(
    f: Callable[[Any], Any], jacobian: Any, y: Any, v: Any, inverse: Any = None
) -> tuple[str | None, float]:
    """What is wrong with v as a solution of f(v) = 0, if anything, and the length of a Newton step.

    `inverse`: that of the Jacobian, where it is known.
    """
    if type(v) is float or type(v) is np.float64 or np.ndim(v) == 0:
        return fault_of_number(f, float(jacobian), float(y), v)
    if len(v) == 1 and v.dtype == y.dtype == jacobian.dtype == float and abs(jacobian[0, 0]) >= _LEAST:
        return fault_of_number(lambda w: f(np.array([w]))[0], float(jacobian[0, 0]), float(y[0]), v[0])
    whole = squares(jacobian)
    if not math.isfinite(whole + squares(y)) and not (np.isfinite(jacobian).all() and np.isfinite(y).all()):
        return "infinite", np.nan
    if not len(v):
        return None, 0.0
    try:
        inverse = np.linalg.inv(jacobian) if inverse is None else inverse
    except np.linalg.LinAlgError:
        return "singular", np.nan
    sizes, eps = (np.abs(jacobian), np.abs(inverse)), _EPS.get(jacobian.dtype) or np.finfo(jacobian.dtype).eps
    bound = len(v) * math.sqrt(whole) * math.sqrt(squares(inverse))  # of the product of the norms
    if not bound * eps <= 1.0 and not norm(sizes[0]) * norm(sizes[1]) * eps <= 1.0:
        return "singular", np.nan
    newton = -(inverse @ y)
    step = length(newton)
    if step > NEAR * (1 + length(v)):
        return "far", step
    return "doubtful" if doubtful(f, jacobian, inverse, sizes, y, v, newton) else None, step


def norm(sizes: Any) -> float:
    """The 1-norm of a matrix, from the sizes of its numbers."""
    return float(np.maximum.reduce(np.add.reduce(sizes, 0)))


def squares(v: Any) -> float:
    """The sum of the squares of numbers."""
    return float(np.vdot(v, v).real)


def length(v: Any) -> float:
    """The Euclidean norm of a vector."""
    return math.sqrt(np.vdot(v, v).real)


def fault_of_number(f: Callable[[Any], Any], slope: float, y: float, v: Any) -> tuple[str | None, float]:
    """The same for a function of one number; it is called with numbers of v's type."""
    if not (math.isfinite(slope) and math.isfinite(y)):
        return "infinite", math.nan
    if slope == 0.0:
        return "singular", math.nan
    newton, size = -y / slope, abs(float(v))
    if not abs(newton) <= NEAR * (1 + size):
        return "far", abs(newton)
    last = float_info.epsilon * size
    step = 2.0 * newton if abs(2.0 * newton) > last else last
    if step == 0.0:
        return None, 0.0
    return None if is_straight_near(f, slope, y, v, step) else "doubtful", abs(newton)


@np.errstate(all="ignore")  # which takes half the time of a block
def is_straight_near(f: Any, slope: float, y: float, v: Any, step: float) -> bool:
    """Whether a function of one number runs along its tangent over some distance, forward and back."""
    for longer in LONGER:
        there = longer * step
        far = STRAIGHT * abs(there)
        try:
            at = v + there
            if abs((f(at) - y) / slope - (at - v)) <= far:
                at = v - there
                if abs((f(at) - y) / slope - (at - v)) <= far:
                    return True
        except (ArithmeticError, ValueError):
            pass
    return False


def doubtful(f: Any, jacobian: Any, inverse: Any, sizes: Any, y: Any, v: Any, newton: Any) -> bool:
    """Whether f nowhere confirms its Jacobian. `sizes`: of the numbers of the Jacobian and its inverse."""
    eps, size = _EPS.get(v.dtype) or np.finfo(v.dtype).eps, np.abs(v)
    terms = sizes[0] @ size
    measure = sizes[1] @ terms
    least, twice = eps * measure, 2.0 * newton
    step, long = twice, squares(twice)
    if not long > squares(least):  # which no rounding exceeds
        if not (long or measure.any() or newton.any()):
            return False
        share = measure / (size if np.minimum.reduce(size) else np.where(size == 0, size.max() or 1.0, size))
        weakest = inverse[share.argmax()]
        apart = eps * (inverse @ np.copysign(terms, weakest.real))
        other = squares(apart)
        if not long > other:
            step = apart
            if not (other or step.any()):
                return True
    return not is_straight_somewhere(f, inverse, jacobian, y, v, step, np.maximum(np.abs(step), least), twice)


@np.errstate(all="ignore")  # which takes half the time of a block
def is_straight_somewhere(
    f: Any, inverse: Any, jacobian: Any, y: Any, v: Any, step: Any, least: Any, twice: Any
) -> bool:
    """Whether f runs along its tangent over some distance that is no shorter than two Newton steps."""
    twice = np.abs(twice)
    for longer in LONGER:
        there, far = longer * step, longer * least
        if np.logical_and.reduce(far >= twice):
            at = v, y, STRAIGHT * far
            if is_straight(f, inverse, jacobian, v + there, *at) and is_straight(
                f, inverse, jacobian, v - there, *at
            ):
                return True
    return False


def is_straight(f: Any, inverse: Any, jacobian: Any, end: Any, v: Any, y: Any, far: Any) -> bool:
    """Whether f runs along its tangent from v to another place, or departs less far."""
    try:
        departure = inverse @ (f(end) - y - jacobian @ (end - v))
    except (ArithmeticError, ValueError):
        return False
    return bool(np.logical_and.reduce(np.abs(departure) <= far))

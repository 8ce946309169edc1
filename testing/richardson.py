"""The derivative of a vector-valued function of one real variable at zero, with its error.

Divided differences at steps h, h/2, h/4, … are extrapolated to h = 0 (Richardson's table); each
entry of the table is of a higher order than its left neighbour, and what it changes is the estimate
of its error, to which the rounding error of the step is added. Every component of the vector takes
the entry that is best for it, so that a component which is rough at the first steps (a corner, a
branch cut nearby) is read off at small ones. A staircase can fool any such table, its slope being
that of the stairs; so the result is held against one difference at a step far smaller, and where
that disagrees the table is made again from there. Central differences see both sides; `"right"`
and `"left"` evaluate only one, for the edge of a domain. Where the function leaves its domain,
raises or is not finite, the first step shrinks until it does not.

Not used: `scipy.differentiate`, which wants a function that takes arrays of points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from ..tangents import ChainRulesError

Side = Literal["central", "right", "left"]
Vector = np.ndarray[Any, np.dtype[np.float64]]

LEVELS = 14
"""How often the step is halved at most."""
SHRINKS = 16
"""How often the first step is divided by four where the function has no value."""
SETTLED = 1e-12
"""The relative error at which the table stops growing."""
FAR_SMALLER = 977.0
"""How much smaller the step is at which a result is confirmed; a prime, so that no staircase fits both."""
CONFIRMATIONS = 4
"""How often a result that is not confirmed is sought again."""


class DifferencesError(ChainRulesError, ArithmeticError):
    """Finite differences cannot be made: the function has no finite values next to the point."""


class Estimate(NamedTuple):
    """A derivative and the estimate of its error, for each component."""

    value: Vector
    error: Vector


def derivative(
    g: Callable[[float], Vector],
    *,
    step: float = 0.0625,
    side: Side = "central",
    eps: float = 2.2e-16,
    size: Vector | float = 0.0,
) -> Estimate:
    """The derivative of g at zero.

    Shapes:  g takes a float and returns a vector, always of one length; value and error are like it.
             `step` is the largest step taken, `eps` the relative precision of g's values, where g
             returns what is left after subtracting numbers of `size`, of those.
    Raises:  DifferencesError where g is not finite however small the step.
    Example: >>> slope = derivative(lambda t: np.array([np.exp(2 * t)]))
             >>> bool(abs(slope.value[0] - 2) < 1e-10)
             True
    """
    reason: Exception | None = None
    for _ in range(SHRINKS):
        try:
            with np.errstate(all="ignore"):
                estimate = _confirmed(g, step, side, eps, size, CONFIRMATIONS)
        except (ArithmeticError, ValueError, ChainRulesError) as error:  # LinAlgError is a ValueError
            reason = error
        else:
            if estimate is not None:
                return estimate
        step /= 4
    raise DifferencesError(
        f"no finite differences down to a step of {step:.1e}" + (f": {reason}" if reason else ""),
        next='move the point away from the edge of the domain, or use one side: side="right" or "left"',
    ) from reason


def _confirmed(
    g: Callable[[float], Vector], step: float, side: Side, eps: float, size: Vector | float, tries: int
) -> Estimate | None:
    """The table's result where a far smaller step confirms it, else that of a table made from there."""
    table = _extrapolate(g, step, side, eps, size)
    if table is None or tries == 0:
        return table and table[0]
    best, first = table
    h = step / FAR_SMALLER
    entry, magnitude = _slope(g, side)(h)
    off = abs(entry - best.value)
    expected = abs(first - best.value) / FAR_SMALLER ** _power(side)
    allowed = 100 * expected + 10 * best.error + 20 * eps * (magnitude + size) / h
    allowed += 1e-4 * abs(best.value) + 1e-7 * np.max(abs(best.value), initial=0.0)
    # what is only rounding beside the other entries confirms nothing
    allowed += 20 * eps * np.max(magnitude + size, initial=0.0) / h
    doubtful = ~(off <= allowed)
    if not np.any(doubtful):
        return best
    again = _confirmed(g, 8 * h, side, eps, size, tries - 1) or Estimate(
        best.value, np.maximum(best.error, off)
    )
    return Estimate(*(np.where(doubtful, new, old) for new, old in zip(again, best, strict=True)))


def _extrapolate(
    g: Callable[[float], Vector], step: float, side: Side, eps: float, size: Vector | float
) -> tuple[Estimate, Vector] | None:
    """Richardson's table from this first step on, and its first entry; None where that leaves the domain."""
    slope, power = _slope(g, side), _power(side)
    row: list[Vector] = []
    best: Estimate | None = None
    for level in range(LEVELS):
        h = step / 2**level
        entry, magnitude = slope(h)
        if not np.all(np.isfinite(entry)):
            break
        rounding = 2 * eps * (magnitude + size) / h
        above, row = row, [entry]
        if best is None:
            best, first = Estimate(entry, np.full(entry.shape, np.inf)), entry
        for order, left_above in enumerate(above):
            weight = 2.0 ** (power * (order + 1))
            entry = (weight * row[-1] - left_above) / (weight - 1)
            error = np.maximum(abs(entry - row[-1]), abs(entry - left_above)) + rounding
            row.append(entry)
            better = error < best.error
            best = Estimate(np.where(better, entry, best.value), np.where(better, error, best.error))
        if level > 1 and np.all(best.error <= SETTLED * abs(best.value) + rounding):
            break
    return best and (best, first)


def _power(side: Side) -> int:
    """The power of the step by which the error of a divided difference falls."""
    return 2 if side == "central" else 1


def _slope(g: Callable[[float], Vector], side: Side) -> Callable[[float], tuple[Vector, Vector]]:
    """The divided difference at a step, and the magnitude of the values that it is made of."""
    if side == "central":

        def central(h: float) -> tuple[Vector, Vector]:
            ahead, behind = g(h), g(-h)
            return (ahead - behind) / (2 * h), np.maximum(abs(ahead), abs(behind))

        return central
    here, sign = g(0.0), (1 if side == "right" else -1)

    def one_sided(h: float) -> tuple[Vector, Vector]:
        there = g(sign * h)
        return (there - here) / (sign * h), np.maximum(abs(there), abs(here))

    return one_sided

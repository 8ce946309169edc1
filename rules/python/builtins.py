"""Builtins that choose among values or add them up: max, min, sum; and round.

`max` and `min` pass the cotangent to the object that Python returns, the first of equals. `round`
has derivative zero. `abs`, `pow`, `divmod`, `float`, `int` and `complex` stand with NumPy's twins
in rules/numpy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Real, frule, non_differentiable, rrule, unbroadcast
from ...core.calls import forward_of
from ...tangents import ZERO, from_fields
from .iteration import Sequence, gathered, layout, spread

_MISSING: Any = object()
_NUMBERS = int | float | complex | np.number


def _register_extremum(f: Any) -> None:
    """The rules of `max` or `min`, of one sequence and of several arguments."""

    def find(values: Any, key: Any) -> int:
        """The place of the very object that f returns."""
        y = f(values, key=key)
        return next(i for i, value in enumerate(values) if value is y)

    non_differentiable(find, why="returns an index")

    @frule(f)
    def extremum_frule(tangents, x: Sequence, *, key=None, default=_MISSING):
        """The tangent of the value that is returned."""
        if len(x) == 0 and default is not _MISSING:
            return default, ZERO
        values = tuple(x)
        place = find(values, key)
        return values[place], spread(x, tangents[0])[place]

    @rrule(f)
    def extremum_rrule(x: Sequence, *, key=None, default=_MISSING):
        """The value that is returned has the cotangent."""
        if len(x) == 0 and default is not _MISSING:
            return default, lambda y_bar: ZERO
        values = tuple(x)
        place = find(values, key)
        kind = layout(x)

        def extremum_pullback(y_bar):
            return gathered(kind, (*(ZERO,) * place, y_bar))

        return values[place], extremum_pullback

    @frule(f)  # lint: catch-all, whatever can be compared
    def extremum_of_arguments_frule(tangents, a, b, *rest, key=None):
        """The tangent of the argument that is returned."""
        values = (a, b, *rest)
        place = find(values, key)
        return values[place], tangents[place]

    @rrule(f)  # lint: catch-all, whatever can be compared
    def extremum_of_arguments_rrule(a, b, *rest, key=None):
        """The argument that is returned has the cotangent."""
        values = (a, b, *rest)
        place = find(values, key)
        before, after = (ZERO,) * place, (ZERO,) * (len(rest) + 1 - place)

        def extremum_pullback(y_bar):
            return (*before, y_bar, *after)

        return values[place], extremum_pullback


_register_extremum(max)
_register_extremum(min)


def _total(x, start):
    """`sum`, written out: what the engine differentiates where the items are no numbers of one shape."""
    total = start
    for item in x:
        total = total + item
    return total


def _uniform(x: Any, y: Any) -> bool:
    """Whether every item is a number or numeric array, of the shape of the sum."""
    shape = np.shape(y)
    for item in x:
        if isinstance(item, np.ndarray):
            if item.shape != shape or item.dtype.kind not in "biufc":
                return False
        elif shape or not isinstance(item, _NUMBERS):
            return False
    return True


non_differentiable(_uniform, why="returns a truth value")


@frule(sum)
def sum_frule(tangents, iterable: Sequence, start=0, *, engine):
    """The sum of the tangents."""
    y = sum(iterable, start)
    dx, dstart = tangents
    if len(iterable) == 0:
        return y, dstart
    if not isinstance(iterable, np.ndarray) and not _uniform(iterable, y):
        return forward_of(_total, (iterable, start), tangents, {}, engine)
    dy = dstart
    for t in spread(iterable, dx):
        if dy is ZERO:
            dy = t
        elif t is not ZERO:
            dy = dy + t
    return y, dy if dy is ZERO else np.broadcast_to(dy, np.shape(y))


@rrule(sum)
def sum_rrule(iterable: Sequence, start=0, *, engine):
    """Each item and the start have the cotangent of the sum."""
    y = sum(iterable, start)
    if len(iterable) == 0:
        return y, lambda y_bar: (ZERO, y_bar)
    start_shape = np.shape(start)
    if isinstance(iterable, np.ndarray):
        shape = iterable.shape

        def sum_rows_pullback(y_bar):
            rows = np.broadcast_to(unbroadcast(y_bar, shape[1:]), shape)
            return rows, unbroadcast(y_bar, start_shape)

        return y, sum_rows_pullback
    if not _uniform(iterable, y):
        return engine.value_and_pullback(_total, iterable, start)
    P, length = type(iterable), len(iterable)

    def sum_pullback(y_bar):
        return from_fields(P, (y_bar,) * length), unbroadcast(y_bar, start_shape)

    return y, sum_pullback


@frule(round)
def round_frule(tangents, number: Real, *, ndigits=None):
    """ẏ = 0"""
    return round(number, ndigits), ZERO


@rrule(round)
def round_rrule(number: Real, *, ndigits=None):
    """x̄ = 0"""

    def round_pullback(y_bar):
        return ZERO

    return round(number, ndigits), round_pullback

"""Arithmetic of clocks and spans of time: `datetime`, `date`, `timedelta`, NumPy's and pandas' alike.

A tangent that is moved forward stays a span, unless a product or ratio of it would be rounded: then
it is a number of seconds. Cotangents of products and ratios are numbers of seconds always, so that
nothing is lost: a `timedelta` holds no part of a microsecond. `//` counts, and its derivative is
zero; so is that of `abs` at zero. Arrays of spans among one another have the rules of all arrays.
`timedelta(hours=x)` and its kin take numbers; `total_seconds` and `timestamp` give them.
Absent: what reads a calendar (`days`, `hour`, `strftime`), which steps, and `divmod`.
"""

from __future__ import annotations

import operator
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from ..core import frule, rrule, unbroadcast
from ..core.registry import register
from ..core.seeds import absorbs
from ..tangents import ZERO, add, scale
from ..tangents.spans import as_span, in_seconds

Number = float | int | np.floating | np.int64 | np.int32
Clock = date | timedelta | np.datetime64  # no numbers to NumPy, as its timedelta64 is
Pair = tuple[Any, Any]  # the forward and the reverse rule
f: Any  # Python's and NumPy's operators
X: Any  # types of arguments
Y: Any


def times(span: Any, s: Any) -> Any:
    """A span, or a number of seconds, times a number: a span where one holds the product, else seconds.

    Example: >>> times(timedelta(days=1), 0.5), times(timedelta(microseconds=1), 0.5)
             (datetime.timedelta(seconds=43200), 5e-07)
    """
    if absorbs(span) or absorbs(s):
        return ZERO
    exact = in_seconds(span) * s
    if np.ndim(exact) or in_seconds(span) is span:
        return exact
    product = span * s if isinstance(span, timedelta) else scale(s, span)
    return product if abs(in_seconds(product) - exact) <= 2.0**-50 * abs(exact) else exact


@frule(in_seconds)
def in_seconds_frule(tangents, t):
    """y = t in seconds        ẏ = ṫ in seconds"""
    return in_seconds(t), in_seconds(tangents[0])


@rrule(in_seconds)
def in_seconds_rrule(t):
    """y = t in seconds        t̄ = ȳ"""

    def in_seconds_pullback(y_bar):
        return y_bar

    return in_seconds(t), in_seconds_pullback


@frule(as_span)
def as_span_frule(tangents, y, t):
    """t as it is, or the same span in another form"""
    return as_span(y, t), tangents[1]


@rrule(as_span)
def as_span_rrule(y, t):
    """t as it is, or the same span in another form"""

    def as_span_pullback(z_bar):
        return ZERO, in_seconds(z_bar)

    return as_span(y, t), as_span_pullback


def over(t: Any, shape: tuple[int, ...]) -> Any:
    """A term of a tangent, stretched as the value was."""
    return t if absorbs(t) or np.shape(t) == shape else np.broadcast_to(t, shape)


def _sum(f: Any, sign: int) -> Pair:
    """z = x ± y of clocks and spans        ż = ẋ ± ẏ        x̄ = z̄        ȳ = ±z̄"""

    def span_sum_frule(tangents, x, y):
        dx, dy = tangents
        z = f(x, y)
        return z, add(over(dx, np.shape(z)), over(dy if sign > 0 else -dy, np.shape(z)))

    def span_sum_rrule(x, y):
        x_shape, y_shape = np.shape(x), np.shape(y)

        def span_sum_pullback(z_bar):
            return unbroadcast(z_bar, x_shape), unbroadcast(z_bar if sign > 0 else -z_bar, y_shape)

        return f(x, y), span_sum_pullback

    return span_sum_frule, span_sum_rrule


def _product(f: Any) -> Pair:
    """z = x s of a span and a number        ż = ẋ s + x ṡ        x̄ = z̄ s        s̄ = z̄ x, all in seconds"""

    def span_product_frule(tangents, x, s):
        dx, ds = tangents
        z = f(x, s)
        return z, add(over(times(dx, s), np.shape(z)), over(times(x, ds), np.shape(z)))

    def span_product_rrule(x, s):
        x_shape, s_shape = np.shape(x), np.shape(s)

        def span_product_pullback(z_bar):
            z_bar = in_seconds(z_bar)
            return unbroadcast(z_bar * s, x_shape), unbroadcast(z_bar * in_seconds(x), s_shape)

        return f(x, s), span_product_pullback

    return span_product_frule, span_product_rrule


def _reflected_product(f: Any) -> Pair:
    """z = s x, as for x s"""

    def product_frule(tangents, s, x):
        ds, dx = tangents
        z = f(s, x)
        return z, add(over(times(dx, s), np.shape(z)), over(times(x, ds), np.shape(z)))

    def product_rrule(s, x):
        s_shape, x_shape = np.shape(s), np.shape(x)

        def product_pullback(z_bar):
            z_bar = in_seconds(z_bar)
            return unbroadcast(z_bar * in_seconds(x), s_shape), unbroadcast(z_bar * s, x_shape)

        return f(s, x), product_pullback

    return product_frule, product_rrule


def _part(f: Any) -> Pair:
    """z = x / s of a span and a number        ż = ẋ/s - x ṡ/s²        x̄ = z̄/s        s̄ = -z̄ x/s²"""

    def part_frule(tangents, x, s):
        dx, ds = tangents
        return f(x, s), add(times(dx, 1 / s), times(x, -ds / s**2))

    def part_rrule(x, s):
        x_shape, s_shape = np.shape(x), np.shape(s)

        def part_pullback(z_bar):
            z_bar = in_seconds(z_bar)
            s_bar = -z_bar * in_seconds(x) / s**2
            return unbroadcast(z_bar / s, x_shape), unbroadcast(s_bar, s_shape)

        return f(x, s), part_pullback

    return part_frule, part_rrule


def _ratio(f: Any) -> Pair:
    """z = x / y of spans        ż = (ẋ - z ẏ)/y        x̄ = z̄/y        ȳ = -z̄ z/y, all in seconds"""

    def ratio_frule(tangents, x, y):
        dx, dy = tangents
        z = f(x, y)
        return z, (in_seconds(dx) - z * in_seconds(dy)) / in_seconds(y)

    def ratio_rrule(x, y):
        x_shape, y_shape = np.shape(x), np.shape(y)
        z = f(x, y)

        def ratio_pullback(z_bar):
            x_bar = z_bar / in_seconds(y)
            return unbroadcast(x_bar, x_shape), unbroadcast(-x_bar * z, y_shape)

        return z, ratio_pullback

    return ratio_frule, ratio_rrule


def _remainder(f: Any) -> Pair:
    """z = x - k y of spans with a count k        ż = ẋ - k ẏ        x̄ = z̄        ȳ = -k z̄"""

    def remainder_frule(tangents, x, y):
        dx, dy = tangents
        return f(x, y), add(dx, times(dy, -(x // y)))

    def remainder_rrule(x, y):
        k = x // y

        def remainder_pullback(z_bar):
            return z_bar, -k * in_seconds(z_bar)

        return f(x, y), remainder_pullback

    return remainder_frule, remainder_rrule


def _size(f: Any) -> Pair:
    """y = |x| of a span, 0 with its derivative"""

    def size_frule(tangents, x):
        return f(x), times(tangents[0], sign_of(x))

    def size_rrule(x):
        sign = sign_of(x)

        def size_pullback(y_bar):
            return times(y_bar, sign)

        return f(x), size_pullback

    return size_frule, size_rrule


def sign_of(x: Any) -> int:
    """−1, 0 or 1 of a span."""
    zero = x * 0
    return int(x > zero) - int(x < zero)


def _opposite(f: Any) -> Pair:
    """y = -x        ẏ = -ẋ        x̄ = -ȳ"""

    def opposite_frule(tangents, x):
        return f(x), -tangents[0]

    def opposite_rrule(x):
        def opposite_pullback(y_bar):
            return -y_bar

        return f(x), opposite_pullback

    return opposite_frule, opposite_rrule


def _steps(f: Any) -> Pair:
    """y = a count        derivative zero"""

    def steps_frule(tangents, x, y):
        return f(x, y), ZERO

    def steps_rrule(x, y):
        def steps_pullback(z_bar):
            return ZERO, ZERO

        return f(x, y), steps_pullback

    return steps_frule, steps_rrule


def _number(f: Any) -> Pair:
    """y = x in seconds        ẏ = ẋ        x̄ = ȳ"""

    def number_frule(tangents, x):
        return f(x), in_seconds(tangents[0])

    def number_rrule(x):
        def number_pullback(y_bar):
            return y_bar

        return f(x), number_pullback

    return number_frule, number_rrule


_SIZES = (86400.0, 1.0, 1e-6, 1e-3, 60.0, 3600.0, 604800.0)
_SECOND = timedelta(seconds=1)
_TIMEDELTA: Any = timedelta  # which takes NumPy's numbers too


@frule(
    timedelta,
    signature="days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0",
)
def timedelta_frule(
    tangents,
    days: Number = 0,
    seconds: Number = 0,
    microseconds: Number = 0,
    milliseconds: Number = 0,
    minutes: Number = 0,
    hours: Number = 0,
    weeks: Number = 0,
):
    """y = Σ xᵢ units        ẏ = Σ ẋᵢ units"""
    y = _TIMEDELTA(days, seconds, microseconds, milliseconds, minutes, hours, weeks)
    total = ZERO
    for i in range(len(tangents)):
        total = add(total, ZERO if absorbs(tangents[i]) else tangents[i] * _SIZES[i])
    return y, times(_SECOND, total)


@rrule(timedelta)
def timedelta_rrule(
    days: Number = 0,
    seconds: Number = 0,
    microseconds: Number = 0,
    milliseconds: Number = 0,
    minutes: Number = 0,
    hours: Number = 0,
    weeks: Number = 0,
):
    """y = Σ xᵢ units        x̄ᵢ = ȳ units, in seconds"""

    def timedelta_pullback(y_bar):
        y_bar = in_seconds(y_bar)
        return tuple([y_bar * size for size in _SIZES])

    return _TIMEDELTA(days, seconds, microseconds, milliseconds, minutes, hours, weeks), timedelta_pullback


def _register(f: Any, pair: Pair, *types: Any) -> None:
    forward, reverse = pair
    register(f, forward, "forward", types=types)
    register(f, reverse, "reverse", types=types)


for f in (operator.add, np.add):
    for X, Y in (
        (Clock, timedelta | np.timedelta64),
        (np.timedelta64, Clock),
        (np.datetime64, np.ndarray),
        (np.ndarray, np.datetime64),
    ):
        _register(f, _sum(f, 1), X, Y)
_register(operator.add, _sum(operator.add, 1), timedelta, date)
for f in (operator.sub, np.subtract):
    for X, Y in (
        (Clock, Clock | np.timedelta64),
        (np.timedelta64, timedelta),
        (np.datetime64, np.ndarray),
        (np.ndarray, np.datetime64),
    ):
        _register(f, _sum(f, -1), X, Y)

for f in (operator.mul, np.multiply):
    _register(f, _product(f), np.timedelta64, Number | np.ndarray)
    _register(f, _reflected_product(f), Number | np.ndarray, np.timedelta64)
for f in (operator.truediv, np.true_divide):
    _register(f, _part(f), np.timedelta64, Number)
    _register(f, _ratio(f), np.timedelta64 | np.ndarray, np.timedelta64)
f = operator.mul
_register(f, _product(f), timedelta, Number)
_register(f, _reflected_product(f), Number, timedelta)
f = operator.truediv
_register(f, _part(f), timedelta, Number)
_register(f, _ratio(f), timedelta, timedelta)
_register(timedelta.total_seconds, _number(timedelta.total_seconds), timedelta)
_register(datetime.timestamp, _number(datetime.timestamp), datetime)
_register(operator.neg, _opposite(operator.neg), timedelta)
for X in (timedelta, np.timedelta64):
    _register(operator.floordiv, _steps(operator.floordiv), X, X)
    _register(operator.mod, _remainder(operator.mod), X, X)
    for f in (operator.abs, abs):
        _register(f, _size(f), X)

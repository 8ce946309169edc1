"""Spans of time as tangents: `timedelta` and NumPy's `timedelta64`, of any unit.

NumPy counts in whole units of 64 bits and overflows in silence; here neither a fraction of a unit nor an
overflow is lost. A span keeps its unit until a fraction of it is needed: then the next finer unit that
holds it is taken (half a day is 12 hours), down to nanoseconds, and what is left is rounded there, as
`timedelta` rounds to microseconds. Sums and moves that no 64 bits hold are refused. `NaT` stays.
Months and years have no fixed length in days: a fraction of a month is refused.

A real number is a span too, of so many seconds. It is what a cotangent of a clock has to be: per hour is
1/3600 a second, which a `timedelta` would round to 278 microseconds. The sum of a span and a number is
that number of seconds; what moves a clock is rounded as the clock is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from typing import Any

import numpy as np

from .errors import ChainRulesError

_FINER = {"Y": ("M", 12), "W": ("D", 7), "D": ("h", 24), "h": ("m", 60), "m": ("s", 60)}
_FINER |= {"s": ("ms", 1000), "ms": ("us", 1000), "us": ("ns", 1000)}
"""The next finer unit, and how many of it make one."""

_PER_SECOND = {"W": 1 / 604800, "D": 1 / 86400, "h": 1 / 3600, "m": 1 / 60, "s": 1}
_PER_SECOND |= {"ms": 1e3, "us": 1e6, "ns": 1e9, "ps": 1e12, "fs": 1e15, "as": 1e18}

_LARGEST = 2.0**63
_EXACT = 2.0**-50  # the relative rounding up to which a count of floats is taken for whole


def is_span(t: Any) -> bool:
    """Whether t is NumPy's: an array or scalar of a `timedelta64` or `datetime64` dtype.

    Example: >>> is_span(np.timedelta64(1, "D")), is_span(timedelta(1))
             (True, False)
    """
    return getattr(getattr(t, "dtype", None), "kind", "") in ("m", "M") and isinstance(
        t, np.ndarray | np.generic
    )


def seconds(t: Any) -> Any:
    """A span of time in seconds, as a float or an array of floats.

    Raises:  ChainRulesError for months and years, which have no fixed length.
    Example: >>> seconds(timedelta(days=1)), float(seconds(np.timedelta64(2, "h")))
             (86400.0, 7200.0)
    """
    if isinstance(t, timedelta):
        return t.total_seconds()
    unit, count = np.datetime_data(t.dtype)
    if unit not in _PER_SECOND:
        raise _no_length(unit)
    exact = Fraction(_PER_SECOND[unit]).limit_denominator(604800)
    floats = t.astype(np.int64).astype(float) * (count * exact.denominator) / exact.numerator
    return np.where(np.isnat(t), np.nan, floats)[()]


def in_seconds(t: Any) -> Any:
    """A span in seconds; anything else as it is.

    Example: >>> in_seconds(timedelta(minutes=1)), in_seconds(0.5)
             (60.0, 0.5)
    """
    kind = type(t)
    if kind is float:
        return t
    if kind is np.ndarray or kind is np.timedelta64:
        return seconds(t) if t.dtype.kind == "m" else t
    return seconds(t) if isinstance(t, timedelta) else t


def is_seconds(t: Any) -> bool:
    """Whether t is a real number, or an array of them, that can stand for a span of so many seconds.

    Example: >>> is_seconds(0.5), is_seconds(True), is_seconds(np.timedelta64(1, "s"))
             (True, False, False)
    """
    if isinstance(t, np.ndarray | np.generic):
        return t.dtype.kind in "fiu"
    return isinstance(t, float | int) and not isinstance(t, bool)


def of_seconds(s: Any) -> Any:
    """NumPy's span of a number of seconds, or array of them, in the coarsest unit that holds it.

    Example: >>> of_seconds(0.5), of_seconds(2)
             (np.timedelta64(500,'ms'), np.timedelta64(2,'s'))
    """
    return scale_span(s, np.ones(np.shape(s), "m8[s]")[()])


def as_span(y: Any, t: Any) -> Any:
    """A number of seconds as a span, where y is a date or span of NumPy's and one holds it; else t as it is.

    Example: >>> as_span(np.datetime64("2020-01-01"), 1800.0), as_span(np.timedelta64(1, "s"), 1e-10)
             (np.timedelta64(1800,'s'), 1e-10)
    """
    if not is_span(y) or not is_seconds(t):
        return t
    span = of_seconds(t)
    return span if np.all(np.abs(seconds(span) - t) <= _EXACT * np.abs(t)) else t


def scale_span(s: Any, t: Any) -> Any:
    """The span t times the real number s, or array of them, in the unit of t or a finer one that holds it.

    Example: >>> scale_span(0.5, np.timedelta64(1, "D")), scale_span(3, np.timedelta64(1, "D"))
             (np.timedelta64(12,'h'), np.timedelta64(3,'D'))
    """
    unit, count = np.datetime_data(t.dtype)
    whole = t.astype(np.int64)
    if isinstance(s, int | float) and float(s).is_integer():
        return _counted(lambda: whole.astype(float) * float(s), lambda: whole * int(s), t, unit, count)
    wanted = whole.astype(float) * (np.asarray(s, float) * count)
    count = 1
    while not _whole(wanted, t):
        if unit not in _FINER:
            if unit in ("M", "generic"):
                raise _no_length(unit)
            break
        finer, many = _FINER[unit]
        if np.any(np.abs(np.where(np.isnat(t), 0, wanted)) * many >= _LARGEST):
            break
        unit, wanted = finer, wanted * many
    return _counted(lambda: wanted, lambda: np.rint(wanted).astype(np.int64), t, unit, count)


def _whole(counts: Any, t: Any) -> bool:
    counts = np.where(np.isnat(t), 0, counts)
    return bool(np.all(np.abs(counts - np.rint(counts)) <= _EXACT * np.abs(counts)))


def _counted(floats: Callable[[], Any], integers: Callable[[], Any], t: Any, unit: str, count: int) -> Any:
    """Spans of these counts, `NaT` where t is; refused where they do not fit."""
    missing = np.isnat(t)
    if not np.all(np.abs(np.where(missing, 0, floats())) < _LARGEST):
        raise _too_long(unit)
    with np.errstate(all="ignore"):  # what NaT is as a number
        counts = np.where(missing, 0, integers())
    kind = f"m8[{count}{unit}]"
    spans = np.where(missing, np.array("NaT", kind), counts.astype(kind))
    return spans[()] if np.ndim(t) == 0 else spans


def add_spans(x: Any, t: Any) -> Any:
    """x + t for dates or spans x and spans t, in the finer of the two units; refused where that overflows.

    Example: >>> add_spans(np.timedelta64(1, "D"), np.timedelta64(12, "h"))
             np.timedelta64(36,'h')
    """
    try:
        total = x + t
    except OverflowError as error:  # NumPy 2.5 and later
        raise _too_long(np.datetime_data(np.result_type(x, t))[0]) from error
    unit = np.datetime_data(total.dtype)
    for part in (x, t):
        if np.datetime_data(part.dtype) != unit and not _survives(part, total.dtype):
            raise _too_long(unit[0])
    ours, theirs, sums = (np.asarray(a).astype(_kind(a, unit)).astype(np.int64) for a in (x, t, total))
    overflown = ((ours ^ sums) & (theirs ^ sums)) < 0  # both terms differ in sign from the sum
    if np.any(overflown & ~np.isnat(x) & ~np.isnat(t)):
        raise _too_long(unit[0])
    return total


def _kind(a: Any, unit: tuple[str, int]) -> str:
    return f"{a.dtype.kind}8[{unit[1]}{unit[0]}]"


def _survives(part: Any, dtype: Any) -> bool:
    """Whether the counts of a span or date in the finer unit of dtype are right."""
    there = np.asarray(part).astype(_kind(part, np.datetime_data(dtype)))
    return bool(np.all((there.astype(part.dtype) == part) | np.isnat(part)))


def _no_length(unit: str) -> ChainRulesError:
    what = "a span without a unit" if unit == "generic" else "a span of months or years"
    return ChainRulesError(
        f"{what} has no fixed length, so there is no part of it and no number of seconds",
        closest="spans of weeks, days, hours and everything finer have one",
        next="make the date and the span of a finer unit: x.astype('M8[D]'), t.astype('m8[D]')",
    )


def _too_long(unit: str) -> ChainRulesError:
    return ChainRulesError(
        f"a date or span of time does not fit into 64 bits, counted in {unit!r}",
        closest="NumPy would have returned a wrong one",
        next="give the finer of the two a coarser unit first: t.astype('m8[s]')",
    )


def as_timedelta(t: Any) -> timedelta:
    """A span of any kind, or a number of seconds, as a `timedelta`, rounded to its microseconds.

    Raises:  ChainRulesError for months and years; OverflowError beyond what a `timedelta` holds.
    Example: >>> as_timedelta(np.timedelta64(1, "D"))
             datetime.timedelta(days=1)
    """
    if isinstance(t, timedelta):
        return t
    if is_seconds(t):
        return timedelta(seconds=float(t))
    unit, _ = np.datetime_data(t.dtype)
    if unit in ("ns", "ps", "fs", "as"):
        return timedelta(microseconds=float(seconds(t)) * 1e6)
    if unit not in _PER_SECOND or np.isnat(t):
        raise _no_length(unit)
    return timedelta(microseconds=int(t.astype("m8[us]").astype(np.int64)))

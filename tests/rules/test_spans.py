"""Arithmetic of clocks and spans of time, against differences over steps that spans hold exactly."""

import operator
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest

import chainrules as cr
from chainrules.core import NoRuleError, UnsupportedArgument
from chainrules.tangents.spans import in_seconds

HOUR, NOON, LATER = timedelta(hours=1), datetime(2020, 1, 1, 12), datetime(2020, 1, 3, 5, 30, tzinfo=UTC)
START = datetime(2020, 1, 1, tzinfo=UTC)
HOUR64, NOON64, LATER64 = (
    np.timedelta64(1, "h"),
    np.datetime64("2020-01-01T12"),
    np.datetime64("2020-01-03T05:30"),
)
HOURS, DATES = np.array([1000, 2000, 3000], "m8[m]"), np.array(["2020-01-01", "2020-01-05"], "M8[D]")
DAY = pd.Timedelta(1, "D")
W = np.array([1.0, -2.0, 0.5])

PROGRAMS: list[tuple[Callable[[Any], Any], Any, Any]] = [
    (lambda t: (t - START) / HOUR, LATER, timedelta(minutes=7)),
    (lambda t: (t - START) * 0.5 / HOUR, LATER, HOUR),
    (lambda t: 3 * (START - t) / HOUR, LATER, HOUR),
    (lambda t: HOUR / (t - START), LATER, timedelta(milliseconds=1)),
    (lambda t: (t - START) / 4 / HOUR, LATER, HOUR),
    (lambda t: abs(START - t) / HOUR, LATER, HOUR),
    (lambda t: -(t - START) / HOUR, LATER, HOUR),
    (lambda t: ((t - START) % timedelta(days=1)) / HOUR, LATER, HOUR),
    (lambda t: (LATER - START) % t / HOUR, timedelta(hours=7), timedelta(seconds=1)),
    (lambda t: ((t - START) // HOUR) * 1.0 + (t - START) / HOUR, LATER, timedelta(minutes=1)),
    (lambda t: (t - START).total_seconds() ** 2, LATER, timedelta(milliseconds=1)),
    (lambda t: t.timestamp() / 3600.0, LATER, HOUR),
    (lambda t: max(t - START, HOUR) / HOUR, LATER, HOUR),
    (lambda t: sum([t - START, t - START], timedelta(0)) / HOUR, LATER, HOUR),
    (lambda t: (t - date(2020, 1, 1)) / HOUR, date(2020, 2, 1), timedelta(days=1)),
    (lambda t: (t + HOUR) * 2 / HOUR, HOUR, timedelta(minutes=1)),
    (lambda a: a * HOUR / timedelta(minutes=1), 2.0, 0.25),
    (lambda a: HOUR / a / timedelta(minutes=1), 2.0, 1e-5),
    (lambda a: (START + a * HOUR - LATER) / HOUR, 2.0, 0.25),
    (lambda a: timedelta(hours=a) / HOUR, 2.0, 0.25),
    (lambda a: timedelta(a, 3.0, minutes=a, weeks=2 * a).total_seconds(), 2.0, 0.25),
    (lambda t: (t - NOON64) / HOUR64, LATER64, np.timedelta64(1, "m")),
    (lambda t: (NOON64 - t) * 0.5 / HOUR64, LATER64, np.timedelta64(2, "h")),
    (lambda t: 3 * (t - NOON64) / 2.0 / HOUR64, LATER64, np.timedelta64(2, "h")),
    (lambda t: abs(NOON64 - t) % np.timedelta64(1, "D") / HOUR64, LATER64, np.timedelta64(1, "m")),
    (lambda a: (NOON64 + a * np.timedelta64(1000, "s") - LATER64) / HOUR64, 2.0, 0.25),
    (lambda x: np.sum(W * (x / HOUR64)), HOURS, np.array([30, 0, -90], "m8[m]")),
    (lambda x: np.sum(W * (x * 0.5 / HOUR64)), HOURS, np.array([30, 0, -90], "m8[m]")),
    (lambda x: np.sum(W * (x / 2.0 / HOURS)), HOURS, np.array([30, 0, -90], "m8[m]")),
    (lambda x: np.sum(W * (HOURS / x)), HOURS, np.array([1, 0, -1], "m8[us]")),
    (lambda x: np.sum(W * (HOUR64 / x)), HOURS, np.array([1, 0, -1], "m8[us]")),
    (lambda x: np.sum(x) / HOUR64 + x[1] / HOUR64, HOURS, np.array([30, 0, -90], "m8[m]")),
    (lambda x: np.mean(x) / HOUR64, HOURS, np.array([30, 30, -120], "m8[m]")),
    (lambda x: np.sum(W * (np.abs(-x) / HOUR64)), HOURS, np.array([30, 0, -90], "m8[m]")),
    (lambda x: np.sum(x.astype("m8[s]") / HOUR64 * W), HOURS, np.array([30, 0, -90], "m8[m]")),
    (lambda x: np.sum(np.diff(x) / HOUR64), DATES, np.array([1, 2], "m8[D]")),
    (lambda x: np.sum((x - DATES[0]) / HOUR64 * W[:2]), DATES, np.array([1, 2], "m8[D]")),
    (lambda x: np.sum((LATER64 - x) / HOUR64 * W[:2]), DATES, np.array([1, 2], "m8[D]")),
    (lambda x: np.sum((NOON64 + x) - NOON64) / HOUR64, HOURS, np.array([30, 0, -90], "m8[m]")),
    (
        lambda x: np.max(x) / HOUR64 + np.sum(np.maximum(x, x[::-1]) / HOUR64),
        np.full(3, HOUR64),
        HOURS[:1].repeat(3),
    ),
    (lambda x: np.sum(np.add(x, x, out=np.zeros(3, "m8[m]")) / HOUR64 * W), HOURS, HOURS),
    (lambda x: np.sum(np.cumsum(x) / HOUR64), HOURS, HOURS),
    (lambda x: np.sum(np.concatenate([np.sort(x), np.delete(x, 0), np.tile(x, 2)]) / HOUR64), HOURS, HOURS),
    (lambda w: np.sum(w * HOURS / HOUR64), W, np.array([0.5, 0.25, 1.0])),
    (lambda w: np.sum(w * np.timedelta64(1024, "m") / HOUR64), W, np.array([0.5, 0.25, 1.0])),
    (lambda w: np.sum(np.timedelta64(10**9, "us") / w / HOUR64), W, np.array([0.0, 1e-6, 0.0])),
    (lambda w: np.sum(np.array([10**9] * 3, "m8[us]") / w / HOUR64), W, np.array([0.0, 1e-6, 0.0])),
    (lambda t: np.divide(np.subtract(np.add(t, HOUR64), np.add(HOUR64, NOON64)), HOUR64), LATER64, HOUR64),
    (
        lambda t: np.divide(np.multiply(2.0, np.multiply(np.subtract(t, NOON64), 3.0)), HOUR64),
        LATER64,
        HOUR64,
    ),
    (lambda x: np.sum(np.divide(np.subtract(x, NOON64), HOUR64) * W[:2]), DATES, np.array([1, 2], "m8[D]")),
    (lambda x: np.divide(np.sum(np.add(NOON64, x) - np.add(x, LATER64)), HOUR64), HOURS, HOURS),
    (lambda w: np.sum(np.divide(np.multiply(w, np.timedelta64(1024, "m")), HOUR64)), W, W / 4),
    (lambda a: timedelta(hours=4) % (a * HOUR) / HOUR, 1.5, 0.25 / 1024),
    (lambda t: (t - pd.Timestamp(NOON)) / DAY, pd.Timestamp(LATER).tz_localize(None), pd.Timedelta(1, "m")),
    (lambda a: a * DAY / pd.Timedelta(1, "h"), 2.0, 0.25),
]


@pytest.mark.parametrize(("f", "x", "dx"), PROGRAMS)
def test_both_modes_agree_with_differences(f: Callable[[Any], Any], x: Any, dx: Any) -> None:
    wanted = (f(cr.move(x, dx)) - f(cr.move(x, cr.scale(-1, dx)))) / 2
    y, dy = cr.jvp(f, (x,), (dx,))
    assert y == f(x)
    np.testing.assert_allclose(dy, wanted, rtol=1e-5)
    np.testing.assert_allclose(cr.inner(cr.grad(f)(x), dx), wanted, rtol=1e-5)


def test_a_tangent_stays_a_span_where_one_holds_it() -> None:
    assert cr.jvp(lambda t: t - NOON + HOUR, (NOON,), (HOUR,)) == (HOUR, HOUR)
    assert cr.jvp(lambda t: t + HOUR, (NOON,), (HOUR,)) == (NOON + HOUR, HOUR)
    assert cr.vjp(operator.sub, NOON, HOUR)[1](HOUR) == (HOUR, -HOUR)
    assert cr.vjp(operator.sub, NOON, NOON)[1](HOUR) == (HOUR, -HOUR)
    half = cr.jvp(lambda t: (t - NOON) * 0.5, (NOON,), (HOUR,))[1]
    assert half == timedelta(minutes=30)
    assert cr.jvp(lambda t: (t - NOON) * 0.5, (NOON,), (timedelta(microseconds=1),))[1] == 5e-7
    moved = cr.jvp(lambda t: (t - NOON64) * 0.5, (NOON64,), (HOUR64,))[1]
    assert moved == np.timedelta64(30, "m")
    assert isinstance(cr.jvp(lambda t: t - date(2020, 1, 1), (date(2020, 1, 3),), (24 * HOUR,))[1], timedelta)


def test_seeds_of_spans() -> None:
    _, pullback = cr.vjp(lambda x: x * 0.5, HOURS)
    np.testing.assert_array_equal(pullback(np.array([1, 0, 3], "m8[m]"))[0], [30.0, 0.0, 90.0])
    _, pullback = cr.vjp(lambda a: a * HOUR, 2.0)
    assert pullback(HOUR) == (3600.0**2,)
    assert pullback(0.5) == (1800.0,)


def test_second_derivatives() -> None:
    def f(a: float) -> Any:
        return ((NOON + a * a * HOUR - NOON) / HOUR) ** 2 + timedelta(hours=a * a) / HOUR

    for second in (cr.grad(cr.grad(f)), cr.derivative(cr.grad(f)), cr.derivative(cr.derivative(f))):
        assert np.isclose(second(1.5), 12 * 1.5**2 + 2)

    def g(t: datetime) -> Any:
        return (HOUR / (t - NOON)) ** 2

    first = cr.grad(lambda a: cr.grad(g)(NOON + a * HOUR) * 3600.0)
    assert np.isclose(first(2.0), 6 / 2.0**4)


def test_conversions_that_lose_the_unit_are_refused_and_coarser_units_step() -> None:
    for f in (lambda x: np.sum(x.astype(float)), lambda x: np.sum(np.asarray(x, float))):
        with pytest.raises(UnsupportedArgument, match=r"np.timedelta64\(1, 's'\)"):
            cr.grad(f)(HOURS)
    days = cr.grad(lambda x: np.sum(x.astype("m8[D]") / HOUR64))(HOURS)
    assert not np.any(days.astype(float))


def stored(x: Any) -> Any:
    y = np.zeros(3, "m8[m]")
    y[:] = x
    return np.sum(y / HOUR64)


def changed(x: Any) -> Any:
    x = x + HOUR64
    x += x
    return np.sum(x / HOUR64)


@pytest.mark.parametrize("f", [stored, changed])
def test_stores_into_arrays_of_spans_are_refused(f: Callable[[Any], Any]) -> None:
    for doing in (lambda: cr.grad(f)(HOURS), lambda: cr.jvp(f, (HOURS,), (HOURS,))):
        with pytest.raises(cr.NotDifferentiableError, match="time spans"):
            doing()


@pytest.mark.parametrize(
    "read", [lambda t: t.hour * 1.0, lambda t: (t - NOON).days * 1.0, lambda t: t.weekday() * 1.0]
)
def test_calendars_are_not_read(read: Callable[[Any], Any]) -> None:
    with pytest.raises(NoRuleError):
        cr.grad(read)(NOON)


def test_numbers_of_seconds_are_spans() -> None:
    assert cr.add(HOUR, 0.5) == cr.add(0.5, HOUR) == 3600.5
    assert cr.add(HOUR64, 5) == cr.add(5, HOUR64) == 3605.0
    assert cr.move(NOON, 0.5) == NOON + timedelta(seconds=0.5)
    assert cr.move(HOUR, 0.5) == timedelta(hours=1, seconds=0.5)
    assert cr.move(NOON64, 0.5) == NOON64 + np.timedelta64(500, "ms")
    assert cr.move(date(2020, 1, 1), 86400.0) == date(2020, 1, 2)
    np.testing.assert_array_equal(cr.add(HOURS, W), in_seconds(HOURS) + W)
    for x, t in ((NOON64, 1.0), (HOUR, True), (HOUR, 1j), (HOUR64, "a")):
        with pytest.raises(cr.MismatchedPrimalError):
            cr.add(x, t)
    with pytest.raises(cr.ShapeMismatch):
        cr.add(HOUR, np.ones(2))
    with pytest.raises(cr.ChainRulesError, match="whole days"):
        cr.move(date(2020, 1, 1), 0.5)

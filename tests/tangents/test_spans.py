"""Spans of time: units are kept, fractions of them found, and nothing overflows in silence."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from chainrules.tangents import ChainRulesError, add, difference, inner, move, project_to, scale
from chainrules.tangents.spans import as_timedelta, seconds


def span(count: Any, unit: str) -> Any:
    return np.array(count, f"m8[{unit}]")[()]


@pytest.mark.parametrize(
    ("s", "t", "expected"),
    [
        (2, span(10**6, "D"), span(2 * 10**6, "D")),
        (0.5, span(1, "D"), span(12, "h")),
        (0.1, span(1, "D"), span(144, "m")),
        (0.5, span(1, "Y"), span(6, "M")),
        (0.5, np.array([25], "m8[5s]"), np.array([62_500], "m8[ms]")),
        (1 / 7, span(1, "D"), span(12342857142857, "ns")),
        (0.25, span(3, "ns"), span(1, "ns")),
        (2, span("NaT", "D"), span("NaT", "D")),
        (0.5, np.array([1, "NaT"], "m8[D]"), np.array([12, "NaT"], "m8[h]")),
        (-1.0, np.array([], "m8[s]"), np.array([], "m8[s]")),
    ],
)
def test_multiples(s: float, t: Any, expected: Any) -> None:
    multiple = scale(s, t)
    assert multiple.dtype == expected.dtype
    assert np.array_equal(multiple, expected, equal_nan=True)


@pytest.mark.parametrize(
    "doing",
    [
        lambda: add(span(10**6, "D"), span(1, "ns")),
        lambda: add(np.array([2**62], "m8[s]"), np.array([2**62], "m8[s]")),
        lambda: move(np.datetime64("1500-01-01"), span(1, "ns")),
        lambda: scale(2**40, span(10**7, "D")),
        lambda: difference(np.datetime64(2**62, "s"), np.datetime64(-(2**62) - 1, "s")),
    ],
)
def test_what_does_not_fit_is_refused(doing: Any) -> None:
    with pytest.raises(ChainRulesError, match="64 bits"):
        doing()


def test_months_have_no_length() -> None:
    with pytest.raises(ChainRulesError, match="months"):
        scale(0.3, span(1, "M"))
    with pytest.raises(ChainRulesError, match="months"):
        inner(span(1, "Y"), span(1, "Y"))
    assert add(span(1, "Y"), span(1, "M")) == span(13, "M")


def test_sums_keep_missing_times() -> None:
    total = add(np.array([1, "NaT"], "m8[D]"), np.array([12, 3], "m8[h]"))
    assert np.array_equal(total, np.array([36, "NaT"], "m8[h]"), equal_nan=True)


def test_conversions() -> None:
    assert seconds(span(1, "W")) == 604800.0
    assert seconds(span(7, "as")) == 7e-18
    assert as_timedelta(span(1500, "ns")) == timedelta(microseconds=2)
    assert as_timedelta(span(-36, "h")) == timedelta(days=-1.5)
    assert project_to(timedelta(0))(span(1, "D")) == timedelta(1)
    assert project_to(np.datetime64("2020-01-01"))(timedelta(1)) == span(1, "D")
    with pytest.raises(ChainRulesError, match="months"):
        as_timedelta(span(1, "M"))

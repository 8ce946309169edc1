"""The page of conventions says what the rules give, and forward mode gives the same as reverse."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scripts.convention_point import Point
from scripts.convention_points import POINTS
from scripts.conventions import PAGE, namespace, ours, ours_forward

import chainrules as cr

SLOPES = [p for p in POINTS if p.part and not p.forward]
IDS = [f"{p.call} at {p.at}" for p in POINTS]


def written() -> dict[tuple[str, str], str]:
    """Our column of the page, by function and point."""
    rows = re.findall(r"^\| `(.*?)` \| (.*?) \| (.*?) \|", PAGE.read_text(encoding="utf-8"), flags=re.M)
    return {(call, at): value for call, at, value in rows}


@pytest.mark.parametrize("point", POINTS, ids=IDS)
def test_the_page_says_what_the_rules_give(point: Point) -> None:
    assert ours(point) == written()[point.call, point.at], "run scripts/conventions.py, and read what changed"


@pytest.mark.parametrize("point", POINTS, ids=IDS)
def test_both_modes_decide_alike(point: Point) -> None:
    assert ours_forward(point) == (point.forward or ours(point))


def test_the_page_has_these_points_and_no_others() -> None:
    assert list(written()) == [(p.call, p.at) for p in POINTS]


@pytest.mark.parametrize("point", SLOPES, ids=lambda p: f"{p.call} at {p.at}")
def test_zeros_stay_zero_where_a_special_function_has_an_infinite_slope(point: Point) -> None:
    space, x = namespace(point), [np.asarray(v, float)[()] for v in point.x]

    def f(*x: Any) -> Any:
        return point.f(space, *x)

    with np.errstate(all="ignore"):
        _, pullback = cr.vjp(f, *x)
        _, dy = cr.jvp(f, tuple(x), tuple(np.zeros_like(v)[()] for v in x))
        for cotangent in (*pullback(0.0), dy):
            assert not np.any(cr.materialize(cotangent, like=0.0))

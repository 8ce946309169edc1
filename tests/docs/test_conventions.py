"""The page of conventions says what the rules give, and forward mode gives the same as reverse."""

from __future__ import annotations

import re

import pytest
from scripts.convention_points import POINTS, Point
from scripts.conventions import PAGE, ours, ours_forward

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

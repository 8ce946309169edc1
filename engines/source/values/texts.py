"""Texts: f-strings of differentiated values, which report and carry no derivative.

A text is made as it is written. Whoever makes a number of it again, as `float(f"{x}")` does, gets an error in
the place of its derivative, which says where the text was made.
"""

from __future__ import annotations

from typing import Any

from ....core import frule, rrule
from ....tangents import NO_TANGENT, NotImplementedTangent


def reported(text: str, where: str, *parts: Any) -> str:
    """A text in which these values are shown, made at this place."""
    return text


@frule(reported)
def reported_frule(tangents: Any, text: str, where: str, *parts: object) -> Any:
    """a promise of an error"""
    return text, _promise(where)


@rrule(reported)
def reported_rrule(text: str, where: str, *parts: object) -> Any:
    """a promise of an error for each value"""

    def reported_pullback(y_bar: Any) -> Any:
        return (NO_TANGENT, NO_TANGENT, *(_promise(where) for _ in parts))

    return text, reported_pullback


def _promise(where: str) -> NotImplementedTangent:
    return NotImplementedTangent(f"a number was made of the text at {where}, which carries no derivative")

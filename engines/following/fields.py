"""Fields: what an object holds that is one leaf, as one of a library is which a rule made."""

from __future__ import annotations

from typing import Any

from ...core.decorators import frule, rrule
from ...tangents import NO_TANGENT, ZERO, Composite, fields_of, is_zero, unthunk


def field_of(x: Any, name: str) -> Any:
    """What an object stores under a name."""
    return getattr(x, name)


@frule(field_of)
def field_frule(tangents: Any, x: object, name: str) -> Any:
    """ẏ is held by ẋ"""
    t = unthunk(tangents[0])
    return getattr(x, name), ZERO if is_zero(t) else dict(fields_of(t)).get(name, ZERO)


@rrule(field_of, complete=True)
def field_rrule(x: object, name: str) -> Any:
    """x̄ holds ȳ"""

    def field_pullback(y_bar: Any) -> Any:
        return Composite[type(x)](**{name: y_bar}), NO_TANGENT

    return getattr(x, name), field_pullback

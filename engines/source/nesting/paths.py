"""Nesting: where the values stand that the operands of a call site pass."""

from __future__ import annotations

from typing import Any

from ....tangents import ZERO, is_zero
from ..calls.inner import Path, Values
from ..syntax.arguments import Layout
from .leaves import Paths


def value_counts(layout: Layout, operands: Values) -> list[list[Any]]:
    """For each operand the keys of the values that it passes; [None] for one that is itself the value."""
    stars = (*layout.starred[: layout.positional], *(name is None for name in layout.keywords))
    return [
        [None] if not star else list(v) if isinstance(v, dict) else list(range(len(v)))
        for v, star in zip(operands, stars, strict=True)
    ]


def value_paths(layout: Layout, operands: Values, first: int) -> Paths:
    """Where each value that the operands pass stands, the operands counted from `first`."""
    listed = enumerate(value_counts(layout, operands), start=first)
    return tuple(deeper((i,), key) for i, keys in listed for key in keys)


def deeper(path: Path | None, key: Any) -> Path | None:
    """The path to what a value holds under a key; to itself where there is none."""
    return path if path is None or key is None else (*path, key)


def tangent_at(dots: Values, path: Path | None) -> Any:
    """What stands at a path among the tangents of a call, which are its first operand."""
    t: Any = ZERO if path is None else dots[path[1]]
    for key in () if path is None else path[2:]:
        t = ZERO if is_zero(t) else t[key]
    return t

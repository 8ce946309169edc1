"""Shown: the texts of a function that exist, and why others do not."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...source import show
from .entry import NAME, RUNS


def text_of(f: Any) -> str:
    """The specialised texts of a function, or of one that lasts in its place; empty where it has none."""
    return shown(f)[0]


def shown(f: Any) -> tuple[str, str]:
    """The specialised texts of a function, or of one that lasts in its place, and why it has none."""
    known = [*f.__dict__.get(NAME, {}).values()] if type(f) is FunctionType else []
    texts = [v.program.text for v in known if v.program is not None]
    if not texts:
        for lasts in LASTING:
            made = lasts(f)
            if made is not None:
                return shown(made)
        why = "; ".join(dict.fromkeys(v.why for v in known if v.why))
        return "", why or f"grad writes one after {RUNS} calls with such arguments"
    return "\n\n".join(texts), ""


LASTING: list[Callable[[Any], Any]] = []
"""What finds the function that has texts in the place of one that is made anew."""

show.specialised = shown

"""Shown: the texts of a function that exist, and why others do not."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ...boundary import LARGE
from ...source import show
from ..reading.arguments import kinds_of
from ..reading.declined import Declined
from .entry import NAME, Settings


def text_of(f: Any) -> str:
    """The specialised texts of a function, or of one that lasts in its place; empty where it has none."""
    return shown(f, ())[0]


def shown(f: Any, x: tuple[Any, ...]) -> tuple[str, str]:
    """The specialised texts of a function, or of one that lasts in its place, and why it has none.

    Those for arguments that begin with some of the kinds of x.
    """
    if any(type(v) is np.ndarray and v.size >= LARGE for v in x):
        return "", f"an array of {LARGE:,} numbers or more"
    try:
        kinds = [*zip(kinds_of((), x), kinds_of((*range(len(x)),), x), strict=True)]
    except Declined as why:
        return "", str(why)
    entries = f.__dict__.get(NAME, {}) if type(f) is FunctionType else {}
    known = [v for (_, *key), v in entries.items() if _begins(key, kinds)]
    texts = [v.program.text for v in known if v.program is not None]
    if not texts:
        for lasts in LASTING:
            made = lasts(f)
            if made is not None:
                return shown(made, x)
        return "", "; ".join(dict.fromkeys(v.why for v in known if v.why)) or _not_yet()
    return "\n\n".join(texts), ""


def _begins(key: list[Any], kinds: list[tuple[Any, Any]]) -> bool:
    """Whether arguments of these kinds begin with those."""
    return len(key) >= len(kinds) and all(k in both for k, both in zip(key, kinds, strict=False))


def _not_yet() -> str:
    if not Settings.on:
        return "specialised texts are off"
    return f"none is known for such arguments; grad writes one after {Settings.runs} calls"


LASTING: list[Callable[[Any], Any]] = []
"""What finds the function that has texts in the place of one that is made anew."""

show.specialised = shown

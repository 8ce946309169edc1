"""Wording: what methods of texts say, and numbers written in a form: neither carries a derivative.

name.startswith("w"), f"{loss:.3f}"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ....core import non_differentiable
from ....core.changes import pure


def _of(name: str) -> Callable[..., Any]:
    def of_text(text: str, *args: Any) -> Any:
        return getattr(text, name)(*args)

    non_differentiable(of_text, why="a method of a text")
    pure(of_text)
    return of_text


def in_form(value: Any, conversion: str, form: str) -> str:
    """What `{value!r:>8}` writes: a value, or what `repr`, `str` or `ascii` say of it, in a form."""
    ways: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}
    return format(ways[conversion](value) if conversion else value, form)


non_differentiable(in_form, why="makes a text")
pure(in_form)

METHODS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        name: _of(name)
        for name in (
            *("startswith", "endswith", "upper", "lower", "strip", "replace", "count", "find", "isdigit"),
            *("removeprefix", "removesuffix", "title", "join", "ljust", "rjust", "center", "zfill"),
            "isidentifier",
        )
    }
)
"""The functions that do what these methods do."""

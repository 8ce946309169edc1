"""Wording: what methods of texts say, which carries no derivative: `name.startswith("w")`."""

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


METHODS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        name: _of(name)
        for name in (
            *("startswith", "endswith", "upper", "lower", "strip", "replace", "count", "find", "isdigit"),
            *("removeprefix", "removesuffix", "title"),
        )
    }
)
"""The functions that do what these methods do."""

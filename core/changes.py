"""Functions that change an argument, as functions of values: `y, x = g(x, …)` for `y = f(x, …)`.

The rule of a function that mutates says what its change means (`mutates=`). Where g has rules too, an
engine that differentiates derivatives can use it in place of f, and sees only values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_functional: dict[Any, Callable[..., Any]] = {}


def returns_changed(f: Any, g: Callable[..., Any]) -> None:
    """Declare that `g(x, …)` is `(f(x, …), x)`, with rules for both of its values."""
    _functional[f] = g


def functional(f: Any) -> Callable[..., Any] | None:
    """The function declared for f, if there is one."""
    return _functional.get(f)

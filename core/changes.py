"""Functions that change an argument, as functions of values: `y, x = g(x, …)` for `y = f(x, …)`.

The rule of a function that mutates says what its change means (`mutates=`). Where g has rules too, an
engine that differentiates derivatives can use it in place of f, and sees only values. There may be several g
for one f, each for other calls; without rules of its own, g is followed as a program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Fits = Callable[..., bool]
_functional: dict[Any, list[tuple[Callable[..., Any], Fits | None]]] = {}


def returns_changed(f: Any, g: Callable[..., Any], fits: Fits | None = None) -> None:
    """Declare that `g(x, …)` is `(f(x, …), x)` for calls that fit; those declared first are taken first."""
    _functional.setdefault(f, []).append((g, fits))


def functional(f: Any, values: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Callable[..., Any] | None:
    """The function declared for a call of f with these values, if there is one."""
    for g, fits in declared(f):
        if fits is None or fits(*values, **kwargs):
            return g
    return None


def changes_first(f: Any) -> bool:
    """Whether f is declared to be one that changes its first argument."""
    return bool(declared(f))


def declared(f: Any) -> list[tuple[Callable[..., Any], Fits | None]]:
    """All functions declared for f, each with what says whether a call fits."""
    try:
        return _functional.get(f, [])
    except TypeError:  # not hashable
        return []

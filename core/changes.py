"""Functions that change an argument, as functions of values: `y, x = g(x, …)` for `y = f(x, …)`.

The rule of a function that mutates says what its change means (`mutates=`). Where g has rules too, an
engine that differentiates derivatives can use it in place of f, and sees only values. There may be several g
for one f, each for other calls; without rules of its own, g is followed as a program.

And functions that change nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from . import caches

F = TypeVar("F", bound=Callable[..., Any])
Fits = Callable[..., bool]
_pure: dict[int, Any] = {}
_functional: dict[Any, list[tuple[Callable[..., Any], Fits | None]]] = {}


def returns_changed(f: Any, g: Callable[..., Any], fits: Fits | None = None) -> None:
    """Declare that `g(x, …)` is `(f(x, …), x)` for calls that fit; those declared first are taken first."""
    _functional.setdefault(f, []).append((g, fits))


def pure(f: F) -> F:
    """Declare that f and its rules do nothing but compute: they print nothing, count nothing, draw nothing.

    An engine may run f again, then, and writes programs that call it into one fast text. `scalar_rule`
    declares it of its function.

    Example: >>> @pure
             ... def doubled(x):
             ...     return 2.0 * x
             >>> is_pure(doubled)
             True
    """
    _pure[id(f)] = f
    caches.invalidate()
    return f


def is_pure(f: Any) -> bool:
    """Whether f is declared to do nothing but compute."""
    return id(f) in _pure


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

"""Caches of resolved rules, emptied whenever a rule is registered.

A call site resolves a rule once for each combination of callable and argument types and keeps the
answer here. Registration is rare and look-up is hot, so a registration simply empties them all.
"""

from __future__ import annotations

import threading
from typing import Any, Protocol, TypeVar


class Emptied(Protocol):
    """What a registration empties."""

    def clear(self) -> None: ...


T = TypeVar("T", bound=Emptied)

lock = threading.RLock()
"""Held while a registry changes."""

_caches: list[Emptied] = []
_generation = 0


def new_cache() -> dict[Any, Any]:
    """A dictionary that `invalidate` empties."""
    return emptied({})


def emptied(cache: T) -> T:
    """A cache of another kind, which `invalidate` empties as well."""
    _caches.append(cache)
    return cache


def generation() -> int:
    """How often the caches were emptied; read it before resolving what `keep` is to keep."""
    return _generation


def keep(cache: dict[Any, Any], key: Any, value: Any, since: int) -> None:
    """Keep what was resolved, unless a rule was registered since."""
    with lock:
        if since == _generation:
            cache[key] = value


def invalidate() -> None:
    """Forget every resolved rule."""
    global _generation
    with lock:
        _generation += 1
        for cache in _caches:
            cache.clear()

"""Rule files load when the library they differentiate is first differentiated.

A rule package announces the library it is for, by its top-level name; here and in other
distributions by an entry point of the group `chainrules.rules` (`name = "scipy"`, value = the
module to import). Nothing of it is imported before a callable or an argument type of that library
is looked up.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any

_announced: dict[str, list[str]] = {}
_begun: set[str] = set()  # their import may still run, in the thread that holds the lock
_loaded: set[str] = set()
_lock = threading.RLock()
_searched = False


def announce(library: str, module: str) -> None:
    """Say that importing `module` registers rules for `library`."""
    with _lock:
        _announced.setdefault(library, []).append(module)
        _begun.discard(library)
        _loaded.discard(library)


def load_for(objects: Iterable[Any]) -> bool:
    """Import the rule packages of the libraries that these callables and types belong to.

    Returns whether anything was loaded, so that a look-up that found nothing can look again.
    """
    roots = {root_of(o) for o in objects} - _loaded
    if not roots:
        return False
    with _lock:  # another thread waits here until the rules it looks for are there
        return _import(roots)


def announced() -> dict[str, tuple[str, ...]]:
    """The modules that register rules, by the library that they are for."""
    with _lock:
        _search_entry_points()
        return {library: tuple(modules) for library, modules in _announced.items()}


def load_all() -> None:
    """Import every rule package that was announced and whose library is installed."""
    with _lock:
        _search_entry_points()
        _import({library for library in _announced if importlib.util.find_spec(library) is not None})


def _import(roots: set[str]) -> bool:
    """Import what is announced for these and not begun: an import looks rules up itself."""
    _search_entry_points()
    roots = roots - _begun
    modules = [m for root in sorted(roots) for m in _announced.get(root, ())]
    _begun.update(roots)
    try:
        for module in modules:
            importlib.import_module(module)
    except BaseException:
        _begun.difference_update(roots)
        raise
    _loaded.update(roots)
    return bool(modules)


def root_of(o: Any) -> str:
    """The top-level module that an object or its type comes from."""
    module = getattr(o, "__module__", None) or type(o).__module__
    objclass = getattr(o, "__objclass__", None)
    if isinstance(objclass, type):
        module = objclass.__module__
    return str(module).partition(".")[0]


def _search_entry_points() -> None:
    global _searched
    if not _searched:
        _searched = True
        for point in entry_points(group="chainrules.rules"):
            _announced.setdefault(point.name, []).append(point.value)

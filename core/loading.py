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
_loaded: set[str] = set()
_lock = threading.RLock()
_searched = False


def announce(library: str, module: str) -> None:
    """Say that importing `module` registers rules for `library`."""
    with _lock:
        _announced.setdefault(library, []).append(module)
        _loaded.discard(library)


def load_for(objects: Iterable[Any]) -> bool:
    """Import the rule packages of the libraries that these callables and types belong to.

    Returns whether anything was loaded, so that a look-up that found nothing can look again.
    """
    roots = {root_of(o) for o in objects} - _loaded
    if not roots:
        return False
    with _lock:
        _search_entry_points()
        modules = [m for root in roots for m in _announced.get(root, ())]
        _loaded.update(roots)  # before the import, which looks rules up itself
        try:
            for module in modules:
                importlib.import_module(module)
        except BaseException:
            _loaded.difference_update(roots)
            raise
    return bool(modules)


def load_all() -> None:
    """Import every rule package that was announced and whose library is installed."""
    _search_entry_points()
    for library in list(_announced):
        if importlib.util.find_spec(library) is not None:
            with _lock:
                _loaded.add(library)
                for module in _announced[library]:
                    importlib.import_module(module)


def root_of(o: Any) -> str:
    """The top-level module that an object or its type comes from."""
    module = getattr(o, "__module__", None) or type(o).__module__
    objclass = getattr(o, "__objclass__", None)
    if objclass is not None:
        module = objclass.__module__
    return str(module).partition(".")[0]


def _search_entry_points() -> None:
    global _searched
    if not _searched:
        _searched = True
        for point in entry_points(group="chainrules.rules"):
            _announced.setdefault(point.name, []).append(point.value)

"""Rule files load when the library they differentiate is first differentiated.

A rule package announces the library it is for, by its top-level name or, for a part of a large library,
by that part's (`scipy.linalg`); here and in other distributions by an entry point of the group
`chainrules.rules` (`name = "thermo"`, value = the module to import). Nothing of it is imported before a
callable or an argument type of that library or part is looked up.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from .callables import Attribute

_announced: dict[str, list[str]] = {}
_begun: set[str] = set()  # their import may still run, in the thread that holds the lock
_loaded: set[str] = set()
_waiting: set[str] = set()  # the top-level names of libraries that were announced and are not loaded
_bases: dict[type, Callable[[type], None]] = {}
_made: set[type] = set()
_lock = threading.RLock()
_searched = False


def announce(library: str, module: str) -> None:
    """Say that importing `module` registers rules for `library`."""
    with _lock:
        _announced.setdefault(library, []).append(module)
        _begun.discard(library)
        _loaded.discard(library)
        _waiting.add(library.partition(".")[0])


def declare_classes(base: type, declare: Callable[[type], None]) -> None:
    """Say that `declare(P)` registers rules for a class P made of `base`, when P is first looked up.

    For classes that are made as a program runs: nobody can name them beforehand.
    """
    _bases[base] = declare


def load_for(objects: Iterable[Any]) -> bool:
    """Import the rule packages of the libraries that these callables and types belong to.

    Returns whether anything was loaded, so that a look-up that found nothing can look again.
    """
    objects = tuple(objects)
    libraries = {name for o in objects for name in libraries_of(o)} - _loaded
    loaded = False
    if libraries:
        with _lock:  # another thread waits here until the rules it looks for are there
            loaded = _import(libraries)
    if not _bases:
        return loaded
    made = [_declared(o) for o in objects if isinstance(o, type)]
    return loaded or any(made)


def loaded_now(f: Any) -> bool:
    """Whether the rules of a callable's library were announced only, and are loaded now."""
    module = getattr(f, "__module__", None)
    if type(module) is str and module.partition(".")[0] not in _waiting:
        return False
    return load_for((f,))


def _declared(P: type) -> bool:
    """Whether a class made of an announced one got its rules now."""
    base = next((B for B in P.__mro__ if B in _bases), None)
    if base is None or base is P:
        return False
    with _lock:  # another thread waits here until the rules it looks for are there
        if P in _made:
            return False
        _made.add(P)  # before its rules are: registering them looks it up
        try:
            _bases[base](P)
        except BaseException:
            _made.discard(P)
            raise
    return True


def has_rules_of_base(f: Any) -> bool:
    """Whether f is a class that was given the rules of its base when it was first looked up."""
    return isinstance(f, type) and f in _made


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


def load_imported() -> None:
    """Import the rule packages of every library that this process has imported."""
    with _lock:
        _search_entry_points()
        _import({library for library in _announced if library in sys.modules})


def _import(libraries: set[str]) -> bool:
    """Import what is announced for these and not begun: an import looks rules up itself."""
    _search_entry_points()
    libraries = libraries - _begun
    modules = [m for library in sorted(libraries) for m in _announced.get(library, ())]
    _begun.update(libraries)
    try:
        for module in modules:
            importlib.import_module(module)
    except BaseException:
        _begun.difference_update(libraries)
        raise
    _loaded.update(libraries)
    _waiting.intersection_update(n.partition(".")[0] for n in _announced if n not in _loaded)
    return bool(modules)


def root_of(o: Any) -> str:
    """The top-level module that an object or its type comes from."""
    return _module_of(o).partition(".")[0]


def libraries_of(o: Any) -> tuple[str, ...]:
    """The names under which rules for an object may be announced: its library, and its part of that library.

    Example: >>> import fractions
             >>> libraries_of(fractions.Fraction)
             ('fractions',)
    """
    if isinstance(o, Attribute):  # it belongs to the type that has it
        return ()
    root, _, rest = _module_of(o).partition(".")
    return (root, f"{root}.{rest.partition('.')[0]}") if rest else (root,)


def _module_of(o: Any) -> str:
    """The dotted module that an object or its type comes from."""
    if isinstance(o, np.ufunc) and o is not getattr(np, o.__name__, None):
        return _module_of_ufunc(o)
    module = getattr(o, "__module__", None) or type(o).__module__
    objclass = getattr(o, "__objclass__", None)
    if isinstance(objclass, type):
        o, module = objclass, objclass.__module__
    return str(module) if module != "builtins" else _module_of_class(o if isinstance(o, type) else type(o))


def _module_of_class(P: type) -> str:
    """The imported module that has a class written in C under its name, where the class does not know."""
    for module in ("scipy.sparse.linalg._dsolve._superlu",):
        if getattr(sys.modules.get(module), P.__name__, None) is P:
            return module
    return P.__module__


def _module_of_ufunc(f: np.ufunc) -> str:
    """The imported module that has a ufunc under its name; a ufunc itself does not know."""
    for module in ("scipy.special", "scipy.special._ufuncs", "scipy.special._special_ufuncs"):
        if getattr(sys.modules.get(module), f.__name__, None) is f:
            return module
    return type(f).__module__


def _search_entry_points() -> None:
    global _searched
    if not _searched:
        _searched = True
        for point in entry_points(group="chainrules.rules"):
            announce(point.name, point.value)

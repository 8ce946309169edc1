"""Installed packages: whose Python functions are followed, and the names that users know them by.

Derivatives are taken through the user's own Python code. Code of an installed package is another matter: it
may be iterative and return one of its guesses, and a derivative through it is then silently wrong. So its
functions need rules, as those in C do. Followed are only

- what `followed.toml` names, each entry checked against differences by a test,
- packages whose authors say so, by an entry point of the group `chainrules.follow` or by `follow`,
- the bodies of rules, and the modules that an entry point of the group `chainrules.rules` names.

Installed is what was read from a folder called site-packages or dist-packages. A checkout installed for
editing, a notebook, a script and the standard library are none of that, but for its pools of workers.
"""

from __future__ import annotations

import functools
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import PurePath
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from . import caches
from .registry import registered

_FOLDERS = frozenset({"site-packages", "dist-packages"})
_ELSEWHERE = ("concurrent.futures", "multiprocessing.")
"""Modules of Python that hand work to other threads and processes, where no derivative can follow it."""
_OWN = __name__.partition(".")[0]
_FROZEN = "<frozen _collections_abc>"  # whose classes people derive their own from
_declared: set[str] = set()
OWN_NAME = f"{_OWN}_function"
"""What a program's function is called while it is compiled: a name that no function of a package has."""


def follow(*names: str) -> None:
    """Let engines differentiate through the Python code of these packages, modules or functions.

    For the authors of a package, who answer for its derivatives. Without a call: the entry point
    `mypackage = "mypackage"` of the group `chainrules.follow` says the same.

    Raises:  TypeError for what is no dotted name.
    Example: >>> follow("mypackage.losses")
    """
    if wrong := [n for n in names if not isinstance(n, str)]:
        raise TypeError(f"follow takes dotted names, as 'mypackage.losses', not {wrong[0]!r}")
    _declared.update(names)
    caches.invalidate()


def is_installed(f: FunctionType) -> bool:
    """Whether a Python function was read from an installed package."""
    return _is_installed(f.__code__, f.__globals__)


def is_followed(f: FunctionType) -> bool:
    """Whether engines may differentiate through the body of a Python function."""
    return is_code_followed(f.__code__, f.__globals__)


def is_code_followed(code: CodeType, namespace: dict[str, Any]) -> bool:
    """The same of the code of a function, and the globals of the function."""
    where = str(namespace.get("__name__", "")), code.co_qualname, code.co_filename, namespace.get("__file__")
    known = _known.get(where)
    if known is None:
        since = caches.generation()
        known = not _is_installed(code, namespace) or OWN_NAME in code.co_qualname
        known = known or _is_named(f"{where[0]}.{code.co_qualname}") or _of_a_rule(code)
        caches.keep(_known, where, known, since)
    return known


_known: dict[Any, bool] = caches.new_cache()


def _is_installed(code: CodeType, namespace: dict[str, Any]) -> bool:
    if str(namespace.get("__name__", "")).startswith(_ELSEWHERE):
        return True
    name = code.co_filename
    if name.startswith("<frozen "):
        return name != _FROZEN
    return _in_packages(name if name[:1] != "<" else str(namespace.get("__file__", "")))


@functools.lru_cache(maxsize=4096)
def _in_packages(filename: str) -> bool:
    return not _FOLDERS.isdisjoint(PurePath(filename).parts)


def _is_named(name: str) -> bool:
    root = name.partition(".")[0]
    if root == _OWN:
        return True
    lists = _declared, _announced(), allowed().keys()
    parts = name.split(".")
    return any(".".join(parts[:n]) in known for n in range(1, len(parts) + 1) for known in lists)


@functools.cache
def _data() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("followed.toml").read_text(encoding="utf-8"))


@functools.cache
def allowed() -> dict[str, str]:
    """The functions of installed packages that are followed, with the reasons."""
    modules = _data()["followed"].items()
    return {f"{m}.{name}": said["why"] for m, said in modules for name in said["names"].split()}


@functools.cache
def _announced() -> frozenset[str]:
    return frozenset(
        p.value.partition(":")[0]
        for group in ("follow", "rules")
        for p in entry_points(group=f"{_OWN}.{group}")
    )


def _of_a_rule(code: CodeType) -> bool:
    """Whether code is that of a rule, of a function in one, or of one that it captured."""
    global _ruled
    if _ruled[0] != (now := caches.generation()):
        rules = (m.rule for entry in registered() for ms in entry.methods.values() for m in ms)
        _ruled = now, frozenset(_places(rules))
    names = code.co_qualname.split(".<locals>")
    return any((code.co_filename, ".<locals>".join(names[:n])) in _ruled[1] for n in range(1, len(names) + 1))


_ruled: tuple[int, frozenset[tuple[str, str]]] = (-1, frozenset())


def _places(rules: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """File and qualified name of each rule, and of the functions that it captured: its partials."""
    for rule in rules:
        for f in (rule, *_captured(rule)):
            if isinstance(f, FunctionType):
                yield f.__code__.co_filename, f.__code__.co_qualname


def _captured(f: Any) -> Iterator[Any]:
    for cell in getattr(f, "__closure__", None) or ():
        held = getattr(cell, "cell_contents", None)
        yield from held if isinstance(held, tuple | list) else (held,)


def is_in_packages(module: str) -> bool:
    """Whether an imported module was read from an installed package."""
    return _in_packages(str(getattr(sys.modules.get(module), "__file__", "")))


def is_of_package(f: Any) -> bool:
    """Whether a function or class is an installed package's, whose Python code is not followed."""
    if isinstance(f, FunctionType):
        return not is_followed(f)
    module = str(getattr(f, "__module__", ""))
    return is_in_packages(module) and not _is_named(f"{module}.{getattr(f, '__qualname__', '')}")


def advice(name: str) -> str:
    """What to write instead of what is not followed, by name or package; empty where nothing is known."""
    return next((said for each, said in _data()["instead"].items() if f"{name}.".startswith(f"{each}.")), "")


def array_advice(*values: Any) -> str:
    """What to do with the first value that is an array of another library; empty where none is."""
    shaped = (x for x in values if type(x) is not np.ndarray and hasattr(x, "shape"))
    packages = (type(x).__module__.partition(".")[0] for x in shaped)
    return next((said for p in packages if (said := _data()["arrays"].get(p))), "")

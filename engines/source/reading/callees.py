"""Callees: what is told of a function by itself, for all its calls in all programs.

Most calls are of functions of NumPy and of Python that take values and make a new one: `only_computes`.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable
from types import BuiltinFunctionType, ModuleType
from typing import Any

import numpy as np

from ....core.caches import generation, keep, new_cache
from ....core.changes import changes_first
from ....core.registry import rules_of
from .passed import slots_changed

# fmt: off
WRITING = frozenset((
    "at", "copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "shuffle",
))
# fmt: on
"""Functions of modules, and `at` of ufuncs, that write into their first argument."""

_CALLING = frozenset(map(id, (map, filter, functools.reduce, sorted, max, min, np.apply_along_axis)))
"""Functions that call one that they are given."""
_ORDERING = frozenset(("sorted", "sort", "max", "min", "nlargest", "nsmallest", "merge", "groupby"))
_RUNNING = frozenset(
    ("accumulate", "dropwhile", "filter", "filterfalse", "map", "reduce", "starmap", "takewhile")
)
"""The names of what runs keys, tests and other functions that it is given."""
LIBRARY = (np.ufunc, BuiltinFunctionType, type(np.sum))
_computing = new_cache()


def only_computes(f: Any, positional: int, words: tuple[str, ...], load: Callable[[Any], None]) -> bool:
    """Whether a call of this form changes none of its arguments, keeps none and calls none.

    `load` sees to it that the rules of f are there.
    """
    if not isinstance(f, LIBRARY):
        return False
    found: bool | None = _computing.get((f, positional, words))
    if found is None:
        load(f)
        since = generation()
        found = _only_computes(f, positional, words)
        keep(_computing, (f, positional, words), found, since)
    return found


def _only_computes(f: Any, positional: int, words: tuple[str, ...]) -> bool:
    if not isinstance(getattr(f, "__self__", None), ModuleType | None):  # a method of an object
        return False
    if f.__name__ in WRITING or changes_first(f) or id(f) in _CALLING or "out" in words:
        return False
    if isinstance(f, np.ufunc) and positional > f.nin:  # into which it writes
        return False
    rules = rules_of(f)
    return rules is None or not slots_changed(rules, positional, words)


JOINING = (
    *(operator.add, operator.iadd, operator.mul, operator.imul, operator.concat, operator.iconcat),
    *(operator.or_, operator.ior),
)
"""What makes a list of the very items of others, where it is given lists."""


def may_pass_on(e: ast.AST) -> bool:
    """Whether this is `np.array(a, copy=…)` or `a.astype(t, …)` that is told whether to copy: it may be a."""
    if not isinstance(e, ast.Call) or not isinstance(e.func, ast.Attribute):
        return False
    if e.func.attr == "astype" and (len(e.args) > 4 or any(type(a) is ast.Starred for a in e.args)):
        return True
    return e.func.attr in ("array", "astype") and any(k.arg in ("copy", None) for k in e.keywords)


def functions_run(call: ast.Call) -> list[ast.expr]:
    """The functions that a call, by its name, runs: keys, tests, and what is mapped."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    keys = [k.value for k in call.keywords if k.arg == "key"] if name in _ORDERING else []
    place = name == "accumulate"  # which is given its items first
    return [*keys, *(call.args[place : place + 1] if name in _RUNNING else [])]

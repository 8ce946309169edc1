"""Running: which calls may run functions that write to what they are given, and when.

Of a function of the user's that is known, and of one that is not, it is told by what is called. A function of
Python or NumPy runs the functions that it is given: keys, tests, what `map` applies. What makes its items
step by step runs them where the items are taken.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from ...core.registry import rules_of
from .callees import is_of_a_library
from .callers import run_natively
from .resolver import OF_CONTAINERS, Resolver
from .syntax import GENERATOR

_FIRST = frozenset(("apply_along_axis", "apply_over_axes", "frompyfunc", "map", "reduce", "starmap"))
"""Functions that run the first of their arguments, by name."""
# fmt: off
_LAZY = frozenset((
    "accumulate", "chain", "compress", "cycle", "dropwhile", "enumerate", "filter", "filterfalse",
    "from_iterable", "groupby", "islice", "iter", "map", "pairwise", "reversed", "starmap", "takewhile",
    "tee", "zip", "zip_longest",
))
# fmt: on
"""Functions that take items one after another, as they are asked for."""


def may_write(call: ast.Call, resolver: Resolver) -> bool:
    """Whether a call might write into its arguments, as far as is known of what is called."""
    found, value = resolver.value(call.func)
    if resolver.is_helper(call):
        return False
    if isinstance(value, FunctionType):
        return rules_of(value) is None
    if not found and isinstance(f := call.func, ast.Attribute) and f.attr in OF_CONTAINERS:
        return any(True for _ in resolver.methods_of(f)) or runs_given(call, resolver)
    return not found or not is_of_a_library(value) or runs_given(call, resolver)


def runs_given(call: ast.Call, resolver: Resolver) -> bool:
    """Whether a call of a library's function is given a function of the user's, which it may run."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    run = [*run_natively(call), *(call.args[:1] if name in _FIRST else [])]
    if any(_may_be_code(e, resolver, unknown=True) for e in run):
        return True
    return any(_may_be_code(e, resolver) for e in (*call.args, *(k.value for k in call.keywords)))


def _may_be_code(e: ast.expr, resolver: Resolver, *, unknown: bool = False) -> bool:
    """Whether this may be a function of the user's; `unknown` is the answer where nothing is told."""
    if isinstance(e, ast.Lambda):
        return True
    if isinstance(e, ast.Name) and e.id in resolver.defined:
        return True
    found, value = resolver.value(e)
    if not found:
        return unknown and not isinstance(e, ast.Constant)
    if isinstance(value, FunctionType):
        return rules_of(value) is None
    return callable(value) and not is_of_a_library(value)


def runs_later(call: ast.Call, resolver: Resolver) -> bool:
    """Whether a call makes something that runs functions of the user's as its items are taken."""
    value = resolver.value(call.func)[1]
    if _makes_items(value):
        return True
    if isinstance(call.func, ast.Attribute) and any(map(_makes_items, resolver.methods_of(call.func))):
        return True
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return name in _LAZY and runs_given(call, resolver)


def _makes_items(f: Any) -> bool:
    return isinstance(f, FunctionType) and bool(f.__code__.co_flags & GENERATOR)

"""Running: which calls may run functions that write to what they are given, and when.

Of a function of the user's that is known, and of one that is not, it is told by what is called. A function of
Python or NumPy runs the functions that it is given: keys, tests, what `map` applies. What makes its items
step by step runs them where the items are taken.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from types import FunctionType
from typing import Any

from ....core.registry import rules_of
from ..syntax.scopes import GENERATOR
from .callees import is_of_a_library
from .callers import run_natively
from .resolver import OF_CONTAINERS, Resolver

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


def runs_later(e: ast.expr, resolver: Resolver, known: Container[str]) -> bool:
    """Whether an expression gives what runs functions of the user's as its items are taken.

    `known`: the names of such things, and of the generators that the function defines.
    """
    if isinstance(e, ast.Name):
        return e.id in known
    if isinstance(e, ast.List | ast.Tuple):
        return any(runs_later(i, resolver, known) for i in e.elts)
    if isinstance(e, ast.IfExp):
        return runs_later(e.body, resolver, known) or runs_later(e.orelse, resolver, known)
    if not isinstance(e, ast.Call):
        return False
    if runs_later(e.func, resolver, known) or _makes_items(resolver.value(e.func)[1]):
        return True
    if isinstance(e.func, ast.Attribute) and any(map(_makes_items, resolver.methods_of(e.func))):
        return True
    lazy = getattr(e.func, "attr", getattr(e.func, "id", "")) in _LAZY
    return lazy and (runs_given(e, resolver) or any(runs_later(i, resolver, known) for i in e.args))


def _makes_items(f: Any) -> bool:
    return isinstance(f, FunctionType) and bool(f.__code__.co_flags & GENERATOR)


def reads_everything(call: ast.Call, resolver: Resolver) -> str:
    """The name of a builtin that reads variables without naming them; empty for other calls."""
    if not isinstance(call.func, ast.Name) or call.func.id not in ("eval", "exec", "locals", "vars"):
        return ""
    _, value = resolver.value(call.func)
    all_of_them = value in (eval, exec, locals) or (value is vars and not call.args)
    return call.func.id if all_of_them else ""

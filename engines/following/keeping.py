"""Keeping: what a rule of a user's is given, all of which its pullback may read.

A rule of NumPy's keeps arrays, of which the run knows when they change (kept.py). One of a user's may keep an
object or call a function once more: it gets them as they are now.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable, Mapping
from typing import Any

from ...core.callables import Attribute
from ..source.analysis.held_functions import among
from ..source.analysis.writers import writes
from ..source.reading.callees import LIBRARY
from .apart import AllApart, Apart, remembers
from .leaves import PLAIN
from .owning import Bound, Copies, Variables, is_object, module_of

Values = tuple[Any, ...]
_CALLING = ("scipy.", "numpy", "chainrules.core.implicit")
"""Of the packages whose functions call what they are given, and keep it no longer than their pullbacks."""
_OFTEN = ("chainrules.rules.scipy.", "chainrules.core.implicit")
_WITH_CELLS = (types.FunctionType, functools.partial)


def kept_by(
    f: Any, rule: Any, args: Values, kwargs: Mapping[str, Any], unsettled: bool
) -> type[Copies] | None:
    """How a rule is to be given what its pullback may keep, where the site of the call does not see to that.

    Functions have variables of their own, which no later statement binds anew. Objects are copied where no
    site says whether they change later: for operators, attributes, and functions of a library.
    """
    every = (*args, *kwargs.values())
    if not of_users(rule):
        if apart := called_apart(f, rule, args, kwargs):
            return apart
        calls = not isinstance(f, type) and module_of(f).startswith(_CALLING)
        return Variables if calls and _has_function(args, kwargs) else None
    if isinstance(f, type):  # a list, say, gets the very functions
        return None
    if (unsettled or isinstance(f, (*LIBRARY, Attribute))) and any(map(is_object, every)):
        return Copies
    return Bound if _has_function(args, kwargs) else None


def _has_function(args: Values, kwargs: Mapping[str, Any]) -> bool:
    """Whether a function is among the arguments of a call."""
    return any(isinstance(x, _WITH_CELLS) for x in (*args, *kwargs.values()))


def called_apart(f: Any, rule: Any, args: Values, kwargs: Mapping[str, Any]) -> type[Copies] | None:
    """How a rule of the library is to be given functions that it calls more often than its function does.

    That is where the function itself is called by `own`, which finds the functions that were handed on.
    """
    written: Any = getattr(getattr(rule, "method", None), "rule", None)
    body = written.body_of(len(args)) if hasattr(written, "body_of") else written
    names = body.__code__.co_names if isinstance(body, types.FunctionType) else ()
    if "own" not in names and module_of(f) != "chainrules.core.implicit":
        return None
    every = (*args, *kwargs.values())
    if not any(may_be_apart(x) for x in every):
        return None
    return AllApart if write_into_given(every) else Apart


def write_into_given(values: Iterable[Any]) -> bool:
    """Whether functions among these values may write into what they are given."""
    return bool(among(values, writes))


def may_be_apart(x: Any) -> bool:
    """Whether a value is a function that may have variables, or an object that its calls may change."""
    return type(x) not in PLAIN and (isinstance(x, _WITH_CELLS) or remembers(x))


def of_users(rule: Any) -> bool:
    """Whether a rule is one of a user's, watched or not, whose pullback may keep what it is given."""
    method = getattr(rule, "method", None)
    written = rule if method is None else method.rule
    return not (module_of(written).startswith("chainrules.") or getattr(written, "keeps_nothing", False))


def calls_often(rule: Any) -> bool:
    """Whether a rule may call functions more often than what it is a rule of does, as that of a solver."""
    written = getattr(getattr(rule, "method", None), "rule", rule)
    return module_of(written).startswith(_OFTEN)

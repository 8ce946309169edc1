"""Entries: what C code asks an iterable or a mapping of the user's for, when it takes all that is in it.

`items.extend(x)`, `d.update(x)`, `f(**x)` and `{**x}` call methods of x that no site would see. So these get
a list of the items, or a dictionary of the entries.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from .attributes import attr
from .calls import call, site
from .here import here
from .items import getitem
from .iterating import items, iterated


def _is_asked(x: Any) -> bool:
    """Whether C code takes the entries of x by its `keys`, and its class has methods of its own for that."""
    kind = type(x)
    if kind is dict or not hasattr(kind, "keys") or kind.__module__.startswith("chainrules."):
        return False
    if isinstance(x, dict):
        return isinstance(kind.__iter__, FunctionType)
    return isinstance(getattr(kind, "__getitem__", None), FunctionType)


@site
def mapped(x: Any) -> Any:
    """What `**x` gives."""
    if not here.runs or not _is_asked(x):
        return x
    return {k: getitem(x, k) for k in iterated(call(attr(x, "keys")))}


@site
def given_to(x: Any) -> Any:
    """What `dict(x)` is made of: entries of a mapping, or pairs."""
    return mapped(x) if hasattr(type(x), "keys") else items(x)


@site
def listed(x: Any) -> Any:
    """The items of a list or tuple whose class goes over it in its own way."""
    own = isinstance(x, list | tuple) and isinstance(type(x).__iter__, FunctionType)
    return list(iterated(x)) if own else x

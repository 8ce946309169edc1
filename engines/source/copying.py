"""Copying: what a rule is given in place of an array that is changed after the call.

A pullback may keep what its rule was given. Where the program changes that later, the rule gets a copy; but
never where the call passes on the very objects that it is given, which the program then knows by two names.
"""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.callables import Attribute
from ...core.changes import changes_first
from ...core.registry import rules_of
from ...core.sequences import items
from .aliases import refreshed
from .augmented import Augmented
from .callees import LIBRARY
from .detaching import detached, own_part, taken
from .protocols import is_computed
from .resolver import HARMLESS, VIEWS
from .site import Site, site_called
from .writing import operand, put_attribute, put_item, snapshot

Values = tuple[Any, ...]


_PASSING = frozenset(map(id, (copy.copy, copy.deepcopy, detached, items, iter, max, min, next, refreshed)))
_PASSING |= frozenset(map(id, (functools.reduce, own_part, put_attribute, put_item, sorted, taken)))
_PASSING |= frozenset(map(id, (setattr, object.__setattr__, operand, snapshot)))
"""Functions that pass on the very objects that they are given, whose pullbacks keep none of them."""


def copies(f: Any) -> bool:
    """Whether a call of f gets copies of what may change later: it has a rule, and returns something new."""
    if isinstance(f, types.MethodType):
        return False
    if isinstance(f, functools.partial):
        return copies(f.func)
    if isinstance(f, types.MethodDescriptorType):
        return f.__name__ in HARMLESS
    if isinstance(f, types.BuiltinMethodType) and not isinstance(f.__self__, types.ModuleType):
        return isinstance(f.__self__, np.ndarray) and f.__name__ in HARMLESS
    if isinstance(f, type | Attribute) or getattr(f, "__name__", "") in VIEWS or id(f) in _PASSING:
        return False
    if changes_first(f):  # which puts the very objects into another
        return False
    if isinstance(f, LIBRARY):
        return True
    rules = rules_of(f)  # else it may pass on what it is given, as an object that is called can
    return rules is not None and rules.non_differentiable is None  # which may ask what an object is


def copies_among(site: Site, f: Any, name: str, operands: Values) -> bool:
    """The same of a call of f or of its method, where a call that a program makes is what it runs."""
    inner = site_called(f)
    if inner is None:
        called = _called(f, name) if name else f
        return copies(called) or computes(site, called, operands)
    given = operands[1:] if inner.mode == "forward" else operands
    method = inner.callee == "method"
    called = _called(given[0], given[1]) if method else given[0]
    own = (getattr(called, "__module__", None) or "").startswith("chainrules.")
    if own or inner.writes:
        return False
    return copies(called) or computes(inner, called, given[1 + method :])


def _called(owner: Any, name: str) -> Any:
    """What `owner.name(…)` calls, unless it takes running code to tell."""
    return None if is_computed(owner, name) else getattr(owner, name, None)


def computes(site: Site, f: Any, operands: Values) -> bool:
    """Whether a function that can give views makes something new of these operands."""
    if f is not np.einsum and f is not np.nan_to_num and not isinstance(f, functools.partial):
        return False
    args, kwargs, _ = site.layout.spread(operands)
    return _computes(f, args, kwargs)


def _computes(f: Any, args: Values, kwargs: Mapping[str, Any]) -> bool:
    if isinstance(f, functools.partial):
        return _computes(f.func, (*f.args, *args), {**f.keywords, **kwargs})
    if f is not np.einsum and f is not np.nan_to_num:
        return False
    if f is np.nan_to_num:
        return len(args) == 1 and "copy" not in kwargs
    return len(args) > (2 if isinstance(args[0], str) else 3)


def copied(site: Site, f: Any, operands: Values) -> tuple[Any, Values]:
    """The callee and operands of a site, with copies of those that may change later but not by this call."""
    return with_copies(site, f, operands, [c and i not in site.writes for i, c in enumerate(site.shared)])


def with_copies(site: Site, f: Any, operands: Values, which: Sequence[bool]) -> tuple[Any, Values]:
    """The same with copies of these, the callee first where it varies."""
    if site.callee != "plain":
        f = snapshot(f) if which[0] else f
        which = which[1:]
    made = operand if _is_operator(f, operands) else snapshot
    return f, tuple(made(x) if copy else x for x, copy in zip(operands, which, strict=True))


def settled(f: Any, args: Values, kwargs: Mapping[str, Any]) -> Any:
    """A callable that varies, with copies of what it holds, where it has a rule and returns something new.

    What a partial or the method of an array holds may change later, whether or not the call's site shows it.
    """
    if isinstance(f, functools.partial) and rules_of(f) is None:
        return as_now(f) if copies(f) or _computes(f, args, kwargs) else f
    if isinstance(f, types.BuiltinMethodType) and copies(f):
        return getattr(snapshot(f.__self__), f.__name__)
    return f


def as_now(f: functools.partial[Any]) -> functools.partial[Any]:
    """A partial that holds copies of what may be changed later."""
    return functools.partial(f.func, *map(snapshot, f.args), **snapshot(f.keywords))


def _is_operator(f: Any, operands: Values) -> bool:
    """Whether a call, or the one that a program makes by it, is of an operator: of a list it makes a list."""
    inner = site_called(f)
    if inner is not None and inner.callee == "plain":
        f = operands[inner.mode == "forward"]
    return type(f) is Augmented or getattr(f, "__module__", "") == "_operator"

"""Operators: arithmetic, comparisons and truth, by the methods of Python's classes or by rules."""

from __future__ import annotations

import operator
from collections import deque
from types import FunctionType
from typing import Any

import numpy as np

from ...core.caches import generation, keep, new_cache
from ...core.installed import is_followed
from .calls import SITES, call, perform, reported, site
from .entries import mapped
from .here import here
from .items import stored
from .iterating import items
from .kept import before_change
from .leaves import Integer
from .looking import has_rule
from .natives import BESIDE, BINARY, CONTAINERS, MIRRORED, UNARY, VIEWS, is_moving
from .quick import QUICK, quickly
from .refusing import recorded
from .taking import is_taken, taken

_BUILT_IN = CONTAINERS | {float, int, np.float64, np.ndarray, complex, bool, Integer, type(None)}
_by_rule: dict[Any, bool] = new_cache()  # operators with two classes of which one is in Python
_DECLINING = (int, float, complex, np.generic, tuple, list)
"""Types whose own operators decline objects of other classes."""


def _binary(name: str) -> None:
    op, method = getattr(operator, name), name.strip("_")
    own, other, in_place = f"__{method}__", f"__r{method}__", f"__i{method}__"
    changing = getattr(operator, f"i{method}")

    def computed(a: Any, b: Any) -> Any:
        runs = here.runs
        if not runs:
            return op(a, b)
        if len(runs) == 1 and type(a) in QUICK and type(b) in QUICK:
            y = runs[0].of_two(op, a, b)
            if y is not NotImplemented:
                return y
            if not (runs[0].is_live(a) or runs[0].is_live(b)):
                return op(a, b)
        if (type(a) in CONTAINERS and type(b) in BESIDE) or (type(b) in CONTAINERS and type(a) is int):
            return op(a, b) if type(a) is not str else reported(op(a, b), a, b)
        if type(a) is str:  # `"%f" % x`
            return reported(op(a, b), a, b)
        if type(a) in _BUILT_IN and type(b) in _BUILT_IN:
            return perform(op, (a, b), {})
        return _dispatched(op, own, other, a, b)

    def changed(a: Any, b: Any) -> Any:
        if not here.runs:
            return changing(a, b)
        kind = type(a)
        if kind is np.ndarray:
            return _array_changed(op, changing, a, b)
        if kind in CONTAINERS:
            if name == "add" and kind in (list, deque):
                return changing(a, items(b))
            return changing(a, mapped(b)) if name == "or_" and issubclass(kind, dict) else changing(a, b)
        f = None if kind in _BUILT_IN else getattr(kind, in_place, None)
        if isinstance(f, FunctionType):
            y = call(f, a, b)
            return computed(a, b) if y is NotImplemented else y
        if f is not None and not isinstance(a, np.generic):
            return changing(a, b) if is_moving(f) else perform(changing, (a, b), {})
        return computed(a, b)

    SITES[name], SITES[f"i{method}"] = computed, changed


def _dispatched(op: Any, own: str, other: str, a: Any, b: Any) -> Any:
    """A binary operator where a class may say what it does."""
    for x in (a, b):
        if type(x) is not x.__class__:
            raise recorded(x)
    f, g = getattr(type(a), own, None), getattr(type(b), other, None)
    if is_taken(b, a):
        return SITES[op.__name__](a, taken(b))
    if f is None and is_taken(a, b):
        return SITES[op.__name__](taken(a), b)
    if not isinstance(f, FunctionType) and not isinstance(g, FunctionType):
        if type(a) in VIEWS:
            return op(a, b)
        return perform(op, (a, b), {}, op if is_moving(f) else None)
    key = op, type(a), type(b)
    by_rule = _by_rule.get(key)
    if by_rule is None:
        since = generation()
        by_rule = has_rule(op, (a, b), {}, "reverse", "forward")
        if by_rule and op.__name__ in MIRRORED:  # which have rules for the arrays of libraries alone
            by_rule = not any(isinstance(h, FunctionType) and is_followed(h) for h in (f, g))
        keep(_by_rule, key, by_rule, since)
    if by_rule:
        return perform(op, (a, b), {})
    tries = [(f, a, b), (g, b, a)]
    if type(a) is type(b) and op.__name__ not in MIRRORED:
        tries = tries[:1]
    elif issubclass(type(b), type(a)) and g is not getattr(type(a), other, None):
        tries.reverse()
    for h, x, y in tries:
        if isinstance(h, FunctionType):
            z = call(h, x, y)
        elif h is None or (isinstance(x, _DECLINING) and not _takes(x, y)):
            continue
        else:
            z = h(x, y)
            if z is not NotImplemented and any(run.marks((x, y)) for run in here.runs):
                return perform(op, (a, b), {})
        if z is not NotImplemented:
            return z
    return op(a, b)


def _takes(x: Any, y: Any) -> bool:
    """Whether a number of NumPy's computes with one of a class of the user's, whatever that says."""
    return isinstance(x, np.generic) and isinstance(y, int | float | complex)


def _array_changed(op: Any, changing: Any, a: Any, b: Any) -> Any:
    """`a op= b` of an array."""
    if any(run.marks((a, b)) for run in here.runs):
        y = perform(op, (a, taken(b) if is_taken(b, a) else b), {})
        if np.shape(y) == a.shape and np.can_cast(getattr(y, "dtype", type(y)), a.dtype, "same_kind"):
            stored(a, Ellipsis, y)
            return a
        return changing(a, b)  # an error of NumPy's
    before_change(a)
    return changing(a, b)


def _unary(name: str) -> None:
    op, method = getattr(operator, name), f"__{name}__"

    def computed(a: Any) -> Any:
        if not here.runs:
            return op(a)
        if type(a) in QUICK:
            y = quickly(op, (a,))
            if y is not NotImplemented:
                return y
        f = None if type(a) in _BUILT_IN else getattr(type(a), method, None)
        return call(f, a) if isinstance(f, FunctionType) else perform(op, (a,), {})

    SITES[name] = computed


def _compared(name: str) -> None:
    op, own, other = getattr(operator, name), f"__{name}__", f"__{MIRRORED[name]}__"

    def compared(a: Any, b: Any) -> Any:
        if (type(a) in _BUILT_IN and type(b) in _BUILT_IN) or not here.runs:
            return op(a, b)
        f, g = getattr(type(a), own, None), getattr(type(b), other, None)
        if isinstance(f, FunctionType) or isinstance(g, FunctionType):
            return _dispatched(op, own, other, a, b)
        return op(a, b)

    SITES[name] = compared


@site
def truth(x: Any) -> Any:
    """What tells whether x is true."""
    if type(x) in _BUILT_IN or not here.runs:
        return x
    f = getattr(type(x), "__bool__", None) or getattr(type(x), "__len__", None)
    return call(f, x) if isinstance(f, FunctionType) else x


for _name in BINARY:
    _binary(_name)
for _name in UNARY:
    _unary(_name)
for _name in MIRRORED:
    _compared(_name)

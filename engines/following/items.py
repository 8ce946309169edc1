"""Items: `x[i]`, and stores into it."""

from __future__ import annotations

import operator
from collections import defaultdict
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from ...core.installed import is_followed
from . import refusing
from .calls import SITES, call, perform, reported, site
from .grids import SPANNING, spanned
from .here import here
from .kept import before_change
from .leaves import is_leaf, is_whole
from .looking import has_rule
from .memory import owner_of
from .natives import is_moving
from .overlapping import folded, is_folded, refuse_overlap
from .refusing import no_rule

_PLACES = frozenset((int, slice, type(None), type(Ellipsis)))


@site
def getitem(x: Any, i: Any) -> Any:
    """`x[i]`"""
    if not here.runs:
        return x[i]
    kind, runs = type(x), here.runs
    if kind is np.ndarray:
        if len(runs) == 1 and (type(i) is int or _is_place(i)) and x.dtype.kind == "f":
            y = runs[0].item(x, i)
            if y is not NotImplemented:
                return y
        return perform(operator.getitem, (x, i), {}) if any(run.varies(x) for run in runs) else x[i]
    if kind is list or kind is tuple or kind is dict:
        return x[i] if kind is dict or type(i) in _PLACES else x[_index(i)]
    if kind is str or kind is bytes:
        return part_of_text(x, i)
    if kind is defaultdict and i not in x and x.default_factory is not None:
        x[i] = call(x.default_factory)
    f = getattr(kind, "__getitem__", None)
    if isinstance(f, FunctionType):
        if any(x is g for g in SPANNING):
            return _spanned(x, i)
        by_rule = not is_followed(f) and has_rule(operator.getitem, (x, i), {}, "reverse", "forward")
        return perform(operator.getitem, (x, i), {}) if by_rule else call(f, x, i)
    if kind is np.flatiter:
        return getitem(call(np.ravel, x.base), i)
    if isinstance(x, type):
        f = getattr(x, "__class_getitem__", None)
        return call(f, i) if isinstance(f, MethodType) else x[i]  # type: ignore[index]  # an error of Python's
    missing = getattr(kind, "__missing__", None)
    if isinstance(missing, FunctionType) and i not in x:
        return call(missing, x, i)
    return x[i] if is_moving(f) else perform(operator.getitem, (x, i), {})


def _is_place(i: Any) -> bool:
    """Whether a key of an array says a place or a part that is a view, without arrays in it."""
    return type(i) in _PLACES or (type(i) is tuple and _PLACES.issuperset(map(type, i)))


def _index(i: Any) -> Any:
    """A place in a sequence, by the method of a class in Python that has one."""
    f = getattr(type(i), "__index__", None)
    return call(f, i) if isinstance(f, FunctionType) else i


def part_of_text(x: Any, i: Any) -> Any:
    """`x[i]` of a text, which varies with it."""
    y = x[i]
    if isinstance(y, str | bytes):
        return reported(y, x)
    for run in reversed(here.runs):
        if id(x) in run.live:
            return run.opaque(operator.getitem, (x, i), {}, no_rule(operator.getitem, (x, i), {}, run))
    return y


def _spanned(x: Any, i: Any) -> Any:
    """`np.mgrid[a:b:c]`, and its kin"""
    parts = i if type(i) is tuple else (i,)
    kinds = "".join("s" if type(p) is slice else "." for p in parts)
    if "s" not in kinds:
        return call(type(x).__getitem__, x, i)
    kinds += "," if type(i) is tuple and len(i) == 1 else ""
    values = [v for p in parts for v in ((p.start, p.stop, p.step) if type(p) is slice else (p,))]
    return call(spanned, x, kinds, *values)


@site
def setitem(v: Any, x: Any, i: Any) -> None:
    """`x[i] = v`"""
    if not here.runs:
        x[i] = v
        return
    f = getattr(type(x), "__setitem__", None)
    if isinstance(f, FunctionType):
        call(f, x, i, v)
    elif isinstance(x, np.ndarray):
        stored(x, i, v)
    elif type(x) is np.flatiter:
        stored(x.base, np.unravel_index(np.arange(x.base.size)[i], x.base.shape), v)
    elif isinstance(x, np.void):
        if any(run.marks((v,)) for run in here.runs):
            raise refusing.not_numbers(x)
        x[i] = v
    elif is_moving(f):
        x[i] = SITES["items"](v) if isinstance(i, slice) else v
    else:
        perform(operator.setitem, (x, i, v), {})


def stored(x: np.ndarray[Any, Any], i: Any, v: Any) -> None:
    """A store into an array, which the runs note in which it or the value varies."""
    before_change(x)
    if x.dtype.kind in "OVmMUS" or owner_of(x).dtype.kind == "V" or isinstance(x, np.ma.MaskedArray):
        if any(run.marks((v,)) or run.marks((x,)) for run in here.runs):
            raise refusing.not_numbers(x)
        x[i] = v
        return
    v = SITES["stored_as"](x, i, v) if x.dtype.kind in "fc" else v
    if isinstance(v, list | tuple):
        v = perform(np.array, (v,), {})
    writing = []
    whole = x.dtype.kind in "iu"  # a number that is stored there is cut, and has no derivative
    for run in here.runs if x.dtype.kind in "fciu" else ():
        varies = (is_whole(v) if whole else is_leaf(v) or is_whole(v)) and run.varies(v)
        if varies or run.varies(x):
            writing.append((run, varies))
    if writing:
        refuse_unclear(x, i, v)
    x[i] = v
    runs, i = here.runs, _as_it_is(i) if writing else i
    for run, varies in writing:
        here.runs = run.outer
        try:
            run.write(x, i, v, varies)
        finally:
            here.runs = runs


def refuse_unclear(x: np.ndarray[Any, Any], i: Any, v: Any) -> None:
    """Refuse stores where entries are the same memory, and into narrow whole numbers."""
    if is_folded(x):
        raise folded()
    if isinstance(owner_of(x).base, np.nditer):
        raise refusing.through_an_iterator()
    if x.dtype.kind in "iu" and x.itemsize != np.dtype(float).itemsize:
        raise refusing.not_numbers(x)
    if isinstance(v, np.ndarray) and np.may_share_memory(x, v):
        refuse_overlap(x[i], v)


def _as_it_is(i: Any) -> Any:
    """A key that nothing changes later."""
    if type(i) is tuple:
        return tuple(map(_as_it_is, i))
    return i.copy() if isinstance(i, np.ndarray) else list(map(_as_it_is, i)) if type(i) is list else i


@site
def delitem(x: Any, i: Any) -> None:
    """`del x[i]`"""
    f = getattr(type(x), "__delitem__", None)
    if here.runs and isinstance(f, FunctionType):
        call(f, x, i)
    else:
        del x[i]

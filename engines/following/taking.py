"""Taking: what NumPy takes an object of the user's for, by methods that it asks unseen.

That is what `__array__` gives, an array of the items, or `float(x)`; an object that has none of these stays
itself. A class with `__array_ufunc__`, or of a higher priority, is asked by NumPy before.
"""

from __future__ import annotations

import operator
from types import FunctionType
from typing import Any

import numpy as np

from ...core.installed import is_followed
from .calls import call, perform, site
from .here import here
from .iterating import iterated
from .leaves import SIMPLE, is_leaf, is_whole
from .natives import CONTAINERS
from .refusing import no_rule

_OF_NUMPY = (np.ndarray, np.generic)


def _has(kind: type, *names: str) -> bool:
    """Whether a class has methods of the user's of these names."""
    methods = [getattr(kind, name, None) for name in names]
    return all(isinstance(f, FunctionType) and is_followed(f) for f in methods)


def _is_row(kind: type) -> bool:
    return _has(kind, "__len__", "__getitem__") and not issubclass(kind, (*CONTAINERS, *_OF_NUMPY))


def is_taken(x: Any, beside: Any) -> bool:
    """Whether an operator makes an array of x, which stands beside an array or number of NumPy's."""
    kind = type(x)
    if kind in SIMPLE or kind in CONTAINERS or not isinstance(beside, _OF_NUMPY):
        return False
    if not (_has(kind, "__array__") or _is_row(kind)) or hasattr(kind, "__array_ufunc__"):
        return False
    priority = getattr(x, "__array_priority__", None)
    return priority is None or priority <= beside.__array_priority__


def taken(x: Any, method: str = "") -> Any:
    """What NumPy takes x for; `method`, as `__float__`, is asked last."""
    kind = type(x)
    if kind in SIMPLE or isinstance(x, _OF_NUMPY):
        return x
    if isinstance(x, list | tuple):
        own = _has(kind, "__iter__")
        items = [taken(v, method) for v in (iterated(x) if own else x)]
        return items if own or any(a is not b for a, b in zip(items, x, strict=True)) else x
    if _has(kind, "__array__"):
        return call(kind.__array__, x)
    if _is_row(kind):
        return call(np.array, [taken(v, method) for v in iterated(x)])
    return call(getattr(kind, method), x) if _has(kind, method) else x


@site
def stored_as(x: np.ndarray[Any, Any], i: Any, v: Any) -> Any:
    """What a store of v into an array of numbers puts there.

    Raises:  NoRuleError where something in v varies that NumPy reads in another way.
    """
    if type(v) in SIMPLE or is_leaf(v) or not any(run.marks((v,)) for run in here.runs):
        return v
    method = "__complex__" if x.dtype.kind == "c" and _has(type(v), "__complex__") else "__float__"
    single = not isinstance(x[i], np.ndarray) and _has(type(v), method)  # a number is asked for
    v = call(getattr(type(v), method), v) if single else taken(v, method)
    if isinstance(v, list | tuple):
        v = perform(np.array, (v,), {})
    for run in here.runs:
        if not (is_leaf(v) or is_whole(v)) and run.marks((v,)) is not None:
            raise no_rule(operator.setitem, (x, i, v), {}, run)
    return v

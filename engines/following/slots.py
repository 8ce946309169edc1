"""Slots: operators of numbers and arrays, called by the names of their methods, as `x.__setitem__(i, v)`.

That is how a lambda stores, and how functions of functions are given an operator. An object of another class
may come from its class's own method by `super()`; there the call has no rule, as before.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from . import equivalents as equivalents  # which has the sites of all operators
from .calls import SITES, call, perform
from .items import getitem, setitem
from .natives import BINARY, RECIPES, UNARY

_BESIDE = {
    float: frozenset((float, int)),
    np.float64: frozenset((float, int, np.float64)),
    np.ndarray: frozenset((float, int, complex, np.float64, np.ndarray)),
}
"""Types of numbers and arrays, and those of what their operators take and do not decline."""
_WITHOUT = ("__len__", "__bool__", "__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__")
"""Methods whose values have no derivative."""


def _if_plain(
    f: Any, kind: type, done: Callable[..., Any], beside: frozenset[Any] | None
) -> Callable[..., Any]:
    """What a call of a slot does: a site's work, where the object and what stands beside it are plain."""

    def called(x: Any, *others: Any) -> Any:
        plain = type(x) is kind and (beside is None or all(type(v) in beside for v in others))
        return done(x, *others) if plain else perform(f, (x, *others), {})

    return called


def _swapped(site: Any) -> Callable[[Any, Any], Any]:
    return lambda x, y: site(y, x)


def _slots(kind: type, beside: frozenset[Any]) -> None:
    """Let the slots of a class do what the sites of its operators do."""
    ways: dict[str, tuple[Any, Any]] = {}
    for name in BINARY:
        method = name.strip("_")
        ways[f"__{method}__"] = SITES[name], beside
        ways[f"__r{method}__"] = _swapped(SITES[name]), beside
        if kind is np.ndarray:
            ways[f"__i{method}__"] = SITES[f"i{method}"], beside
    ways |= {f"__{name}__": (SITES[name], beside) for name in UNARY}
    ways["__abs__"] = RECIPES.get(abs, lambda x: perform(operator.abs, (x,), {})), beside
    if kind is np.ndarray:
        ways["__getitem__"] = getitem, None
        ways["__setitem__"] = (lambda x, i, v: setitem(v, x, i)), None
    for method in _WITHOUT:
        ways[method] = vars(kind).get(method), None
    for method, (done, others) in ways.items():
        f = vars(kind).get(method)
        if f is not None:
            RECIPES[f] = _if_plain(f, kind, done, others)


RECIPES[np.ufunc.__call__] = call  # `getattr(ufunc, "__call__")(x)`, as `__array_ufunc__` has it
for _kind, _beside in _BESIDE.items():
    _slots(_kind, _beside)

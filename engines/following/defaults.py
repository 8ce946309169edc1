"""Defaults: what a parameter is by default, captured, so that it counts among what a function holds.

    quad(lambda x, p=p: p * x, 0.0, 1.0)

A rule that is given a function answers for what that captured, of which its tangent consists.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...core.handed import hand_on
from ...core.registry import rules_of
from .here import here
from .leaves import is_simple, reaches
from .module_variables import over

_FEW = 64
"""Items among which functions are looked for."""


def with_captured(x: Any) -> Any:
    """A function, also in lists and such, that captured what varies of its defaults; else what it is."""
    if is_simple(x):
        return x
    if type(x) is dict:
        values = [*map(with_captured, x.values())]
        return x if all(map(operator.is_, values, x.values())) else dict(zip(x, values, strict=True))
    if type(x) is list or type(x) is tuple:
        items = [*map(with_captured, x)] if len(x) <= _FEW else x
        return x if all(map(operator.is_, items, x)) else type(x)(items)
    if type(x) is not FunctionType or not (x.__defaults__ or x.__kwdefaults__):
        return x
    words = {name: v for name, v in _defaults(x) if any(reaches(v, run.varies) for run in here.runs)}
    return x if not words or rules_of(x) is not None else by_words(x, words)


def _defaults(f: FunctionType) -> list[tuple[str, Any]]:
    parameters = inspect.signature(f, follow_wrapped=False).parameters.values()
    named = [p for p in parameters if p.kind is not p.POSITIONAL_ONLY]
    return [(p.name, p.default) for p in named if p.default is not p.empty]


def by_words(f: FunctionType, words: dict[str, Any]) -> Callable[..., Any]:
    """f with these in the place of what a call leaves out."""
    names, bare = f.__code__.co_varnames[: f.__code__.co_argcount], without(f, words)

    def called(*x: Any, **given: Any) -> Any:
        left = {name: v for name, v in words.items() if name not in given and name not in names[: len(x)]}
        return bare(*x, **left, **given)

    hand_on(called, f)
    return called


def without(f: FunctionType, words: dict[str, Any]) -> FunctionType:
    """f, in whose place these parameters have no value by default that matters."""
    defaults, named = f.__defaults__ or (), f.__kwdefaults__ or {}
    names = f.__code__.co_varnames[f.__code__.co_argcount - len(defaults) : f.__code__.co_argcount]
    left = tuple([None if name in words else v for name, v in zip(names, defaults, strict=True)])
    made = over(f, f.__globals__)
    made.__defaults__ = left
    made.__kwdefaults__ = {name: None if name in words else v for name, v in named.items()}
    return made

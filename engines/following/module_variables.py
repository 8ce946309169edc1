"""Variables of modules that a function changes: a copy of the function has its own.

One that a rule calls has a `print` of its own, too, which prints nothing: the function itself printed that.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ..source.analysis.around import bound_anew, changed_around, functions_named
from ..source.analysis.writers import is_users
from .owning import CONSTANT, GENERATORS

_NUMBERS = (float, int, complex, str, bytes, np.generic)


def with_variables(f: FunctionType, of: Callable[[Any], Any], *, prints: bool = True) -> FunctionType:
    """A function with copies, as `of` makes them, of the variables of its module that it changes.

    The functions that it names there have the same.
    """
    if not is_users(f):
        return f
    inside, known = dict(functions_named(f)), f.__globals__
    every = (f, *inside.values())
    drawn = {n for g in every for n in g.__code__.co_names if isinstance(known.get(n), GENERATORS)}
    bound = {n for g in every for n in bound_anew(g.__code__)}.intersection(known)
    names = [n for n in changed_around(f) if _is_own(known[n])]
    made = {n: of(known[n]) for n in (*names, *bound, *drawn)}
    if not prints and "print" not in known and any("print" in g.__code__.co_names for g in every):
        made["print"] = printed_before
    if not made:
        return f
    own = {**f.__globals__, **made}
    own |= {name: over(g, own) for name, g in inside.items()}
    return over(f, own)


def printed_before(*values: Any, **options: Any) -> None:
    """What another run printed is not printed again."""


def over(f: FunctionType, variables: dict[str, Any]) -> FunctionType:
    """A function over other variables of a module."""
    made = FunctionType(f.__code__, variables, f.__name__, f.__defaults__, f.__closure__)
    made.__kwdefaults__, made.__qualname__, made.__module__ = f.__kwdefaults__, f.__qualname__, f.__module__
    made.__dict__.update(f.__dict__)
    return made


def _is_own(v: Any) -> bool:
    """Whether a variable holds something that a run changes, no function, class or module."""
    return v is not None and not isinstance(v, (FunctionType, type, ModuleType, *CONSTANT, *_NUMBERS))

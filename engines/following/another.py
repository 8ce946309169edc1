"""Another: an argument as an object that nothing else is, since a leaf is known by which object it is."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ...core.callables import describe
from ...core.decorators import frule, rrule
from ...core.errors import AliasedMutationError
from ...tangents.sparse import is_sparse
from .here import here
from .leaves import Integer


def another(x: Any) -> Any:
    """The same number, date or sparse array as another object; a sparse one in the same memory."""
    if isinstance(x, int):
        return Integer(x)
    if isinstance(x, np.generic):
        return x.copy()
    if not is_sparse(x):
        return _remade(x)
    made = copy.copy(x)
    vars(made).update({k: v.view() for k, v in vars(x).items() if isinstance(v, np.ndarray)})
    return made


def _remade(x: Any) -> Any:
    """A copy of what `copy` does not copy since it cannot change."""
    made = copy.copy(x)
    if made is not x:
        return made
    how = x.__reduce_ex__(2)
    made = how[0](*how[1]) if isinstance(how, tuple) else x
    if len(how) > 2 and how[2]:
        vars(made).update(how[2])
    return made


@frule(another)
def another_frule(tangents: Any, x: object) -> Any:
    """ẋ"""
    return another(x), tangents[0]


@rrule(another)
def another_rrule(x: object) -> Any:
    """ȳ"""
    return another(x), lambda y_bar: (y_bar,)


def bring_back(own: Any, made: Any) -> None:
    """Let a sparse array of the user's be as a run left the copy that it was given.

    Raises:  AliasedMutationError inside another run, which does not see this.
    """
    for name, before in list(vars(own).items()):
        v = vars(made).get(name, before)
        if not _differs(before, v):
            continue
        if here.runs:
            raise AliasedMutationError(
                f"a function that is differentiated inside another changes its argument, {describe(own)}",
                next="give it a copy, and return what it computes",
            )
        if isinstance(v, np.ndarray) and np.shape(before) == v.shape and before.dtype == v.dtype:
            before[...] = v
        else:
            setattr(own, name, v)


def has_changed(x: Any, before: Any) -> bool:
    """Whether a sparse array holds something else than its copy."""
    return any(_differs(v, vars(before).get(name, v)) for name, v in vars(x).items())


def _differs(a: Any, b: Any) -> bool:
    if isinstance(b, bool):  # a flag is what SciPy found out
        return False
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype != b.dtype or not np.array_equal(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) != len(b) or any(map(_differs, a, b))
    return bool(a != b)

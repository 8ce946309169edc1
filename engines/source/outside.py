"""Calls from outside: what a user gives to an operator is not changed.

A function that changes its arguments in place is given copies, which share with one another what the
arguments share. So the user's objects stay as they were, several threads may differentiate the same
function of the same objects, and a pullback may run again.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from types import FunctionType
from typing import Any

import numpy as np

from ...core.callables import unbind
from ...core.registry import rules_of
from ...tangents import ZERO
from ...tangents.structure import fields
from . import forward_resolution, lending, lending_forward, resolution
from .forms import slots_of
from .structures import parts_of, tuple_tangent
from .writers import meet, writes
from .writing import IMMUTABLE

Values = tuple[Any, ...]


def own(x: Any, memo: dict[int, Any]) -> Any:
    """A copy of x and of all in it that a store could change; what is shared inside stays shared."""
    if isinstance(x, IMMUTABLE) and not isinstance(x, tuple):
        return x
    if id(x) in memo:
        return memo[id(x)]
    made = memo[id(x)] = _own(x, memo)
    return made


def _own(x: Any, memo: dict[int, Any]) -> Any:
    if isinstance(x, np.ndarray):
        return _array(x, memo)
    if isinstance(x, tuple):
        items = [own(v, memo) for v in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if type(x) is list:
        made: Any = []
        memo[id(x)] = made
        made += [own(v, memo) for v in x]
        return made
    if type(x) is dict:
        made = memo[id(x)] = {}
        made.update((k, own(v, memo)) for k, v in x.items())
        return made
    inside = fields(x)
    if not inside:
        return x
    made = memo[id(x)] = copy(x)
    for name, value in inside.items():
        object.__setattr__(made, name, own(value, memo))
    return made


def _array(x: np.ndarray[Any, Any], memo: dict[int, Any]) -> Any:
    """A copy; of a view, the same view of a copy of what it looks at, where that is an array."""
    base = x.base
    if not isinstance(base, np.ndarray) or not base.flags.c_contiguous:
        return x.copy()
    start = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return np.ndarray(x.shape, x.dtype, own(base, memo), start, x.strides)


def _writing(f: Any, args: Values) -> tuple[FunctionType, Values, frozenset[int]] | None:
    """The Python function behind a call, its values, and the parameters it changes, if it changes any."""
    for x in args:
        if type(x) is not np.ndarray and type(x) is not float:
            meet(x)
    if bound := unbind(f):
        f, args = bound[0], (bound[1], *args)
        meet(args[0])
    if type(f) is not FunctionType or rules_of(f) is not None:
        return None
    changed = writes(f)
    return (f, args, changed) if changed else None


def call_in_reverse(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    """A call from outside, where f changes its arguments; None where it does not."""
    found = _writing(f, args)
    if found is None:
        return None
    g, values, changed = found
    memo: dict[int, Any] = {}
    copies = tuple(own(x, memo) for x in values)
    words = {k: own(x, memo) for k, x in kwargs.items()}
    before = len(values) - len(args)
    lent = _given(g, changed, len(copies), tuple(words))
    y, back = lending.lent_in_reverse(g, copies, words, (False,) * before + needs, lent)
    rest = (ZERO,) * len(lent)

    def pullback(y_bar: Any) -> Values:
        return back(tuple_tangent(y_bar, *rest))[before:]  # type: ignore[no-any-return]  # a tuple

    return y[0], pullback


def _given(
    f: FunctionType, changed: frozenset[int], count: int, keywords: tuple[str, ...]
) -> tuple[int, ...]:
    """The places of the values that f may change."""
    slots = slots_of(f, count, keywords)
    return tuple(i for i, (slot, key) in enumerate(slots) if slot in changed and key is None)


def call_forward(f: Any, args: Values, kwargs: dict[str, Any], tangents: Values) -> Any:
    """The same, forward."""
    found = _writing(f, args)
    if found is None:
        return None
    g, values, changed = found
    memo: dict[int, Any] = {}
    copies = tuple(own(x, memo) for x in values)
    words: Mapping[str, Any] = {k: own(x, memo) for k, x in kwargs.items()}
    moving = (ZERO,) * (len(values) - len(args)) + tangents
    lent = _given(g, changed, len(copies), tuple(words))
    answer = lending_forward.written_forward(g, copies, words, moving, lent, None)
    assert answer is not None
    return answer[0][0], parts_of(answer[1], 1 + len(lent))[0]


resolution.outside = call_in_reverse
forward_resolution.outside = call_forward

"""Calls from outside: a function that changes its arguments changes the user's own, as a plain call does.

Its program is that of a callee that its caller lends what it changes; there is no caller, so the cotangents
of what the arguments hold after the call are zero. Where an operator's call is differentiated itself
(nested_outside.py) the function runs on copies, which share with one another what the arguments share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ....core.callables import unbind
from ....core.decorators import non_differentiable
from ....core.registry import rules_of
from ....tangents import ZERO, is_zero
from ..analysis.forms import slots_of
from ..analysis.held_functions import NOWHERE, given
from ..analysis.writers import is_users, meet, users_writes, writes
from ..locking.layouts import copied_as_it_lies
from ..memory.owning import Copies
from ..values.structures import parts_of, tuple_tangent
from . import forward_resolution, lending, lending_forward, resolution
from .carried_effects import is_outermost
from .enclosing import opened
from .readers import refuse_changed_elsewhere, shared_elsewhere
from .telling_apart import refuse_changed, told_apart

Values = tuple[Any, ...]


class Private(Copies):
    """Copies of a user's values: views of one array stay views of one; functions stay themselves."""

    def array(self, x: np.ndarray[Any, Any]) -> Any:
        """A copy; of a view, the same view of a copy of what it looks at, where that is an array."""
        base = x.base
        if not isinstance(base, np.ndarray) or not base.flags.forc or not x.size:
            return copied_as_it_lies(x)
        start = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return np.ndarray(x.shape, x.dtype, self.of(base), start, x.strides)

    def called(self, f: Any) -> Any:
        return f


class Lending(NamedTuple):
    """What a call runs that changes its arguments: a function, on values of which it may change some."""

    function: FunctionType
    values: Values
    kwargs: dict[str, Any]
    lent: tuple[int, ...]
    before: int  # how many values stand before the arguments: the object of a bound method

    def on(self, copies: Copies) -> Lending:
        """The same on copies."""
        words = {k: copies.of(x) for k, x in self.kwargs.items()}
        return self._replace(values=tuple(map(copies.of, self.values)), kwargs=words)


class Changing(NamedTuple):
    """A call that changes something: what it runs, on which values, and what of them may change."""

    function: Any  # written in Python
    values: Values
    positions: frozenset[int]
    before: int


def changing(f: Any, args: Values, words: Iterable[Any] = (), *, around: bool = True) -> Changing | None:
    """What the call `f(*args)`, and keywords, runs if it changes what it is given; else None.

    `around`: also if it changes variables around it, which it then captured.
    """
    for x in args:
        if type(x) is not np.ndarray and type(x) is not float:
            meet(x)
    before = 0
    if type(f) is not FunctionType and (bound := unbind(f)):
        f, args, before = bound[0], (bound[1], *args), 1
        meet(args[0])
    if type(f) is not FunctionType or rules_of(f) is not None:
        return None
    held = given(f, args, words, users_writes) if is_users(f) else NOWHERE
    positions = writes(f, held)
    if around and is_users(f):
        found = opened(f, args, positions)
        if found is not None:
            f, args, before = found.function, (*found.values, *args), before + len(found.values)
            positions = writes(f, given(f, args, words, users_writes))
    return Changing(f, args, positions, before) if positions else None


def lending_of(f: Any, args: Values, kwargs: Mapping[str, Any], *, around: bool = False) -> Lending | None:
    """The call `f(*args, **kwargs)`, if it changes what it is given, not a default alone.

    `around`: see `changing`.
    """
    found = changing(f, args, kwargs.values(), around=around)
    if found is None:
        return None
    slots = slots_of(found.function, len(found.values), tuple(kwargs))
    lent = tuple(i for i, (slot, key) in enumerate(slots) if slot in found.positions and key is None)
    return Lending(found.function, found.values, dict(kwargs), lent, found.before) if lent else None


def _apart(found: Lending, varying: Iterable[bool]) -> tuple[Values, Callable[[], None]]:
    """The values of a call told apart, and what refuses, after it, a change that somebody else would see."""
    g, values, words, lent, _ = found
    apart = told_apart(g, values, words.values(), varying)
    shared = shared_elsewhere(g, tuple(values[i] for i in lent if i < len(values)), values)

    def check() -> None:
        refuse_changed(g, values, apart)
        refuse_changed_elsewhere(g, shared)

    return apart, check


def call_in_reverse(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    """A call from outside, where f changes its arguments; None where it does not."""
    found = lending_of(f, args, kwargs, around=is_outermost())
    if found is None:
        return None
    g, _, words, lent, before = found
    mask = (False,) * before + needs
    apart, check = _apart(found, mask)
    y, back = lending.lent_in_reverse(g, apart, words, mask, lent)
    check()
    rest = (ZERO,) * len(lent)

    def pullback(y_bar: Any) -> Values:
        return back(tuple_tangent(y_bar, *rest))[before:]  # type: ignore[no-any-return]  # a tuple

    return y[0], pullback


def call_forward(f: Any, args: Values, kwargs: dict[str, Any], tangents: Values) -> Any:
    """The same, forward."""
    found = lending_of(f, args, kwargs, around=is_outermost())
    if found is None:
        return None
    g, _, words, lent, before = found
    moved = (ZERO,) * before + tangents
    apart, check = _apart(found, [not is_zero(t) for t in moved])
    answer = lending_forward.written_forward(g, apart, words, moved, lent, None)
    assert answer is not None
    check()
    return answer[0][0], parts_of(answer[1], 1 + len(lent))[0]


non_differentiable(changing, why="asks what a source writes into")
resolution.outside = call_in_reverse
forward_resolution.outside = call_forward

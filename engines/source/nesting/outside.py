"""Nesting: an operator's call of a function that changes its arguments, differentiated again.

The function gets copies of what it is given, and its pullback answers for its value alone; what it changed is
brought to the user's objects afterwards (bringing.py).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from ....tangents import ZERO, is_zero
from ...returned import Returned
from ..analysis.forms import lent_slots
from ..calls.carried_effects import ran as has_run
from ..calls.changed_arguments import View
from ..calls.inner import Field, Inner, Values
from ..calls.outside import Lending, Private, lending_of
from ..calls.telling_apart import refuse_changed, told_apart
from ..emitting.programs import lent_program, program
from ..memory.aliased_arguments import form_for
from ..values.answers import Placed
from ..values.structures import parts_of, tuple_tangent
from .changes import still
from .leaves import Paths, forward_program, itself
from .writes import seen, seen_forward

_OBJECT = ((0, Field("__self__")),)  # where the object of a bound method stands


class ValueAlone(View):
    """A function `value, states…` seen as one of the value alone."""

    __slots__ = ("count",)

    def __init__(self, count: int) -> None:
        self.count = count  # of the states

    def value(self, y: Values) -> Any:
        return y[0]

    def together(self, t: Any) -> Any:
        return parts_of(t, 1 + self.count)[0]

    def apart(self, t: Any) -> Any:
        return tuple_tangent(t, *(ZERO,) * self.count)


def _on_copies(f: Any, found: Lending, varying: Iterable[bool]) -> tuple[Lending, Callable[[Any], Any]]:
    """A call on copies, and what is done once it has run: its answer's derivative passes."""
    shared, returned = found.on(Private()), Returned()
    words = tuple(shared.kwargs.values())
    copied = shared._replace(values=told_apart(found.function, shared.values, words, varying))
    returned.note((found.values, tuple(found.kwargs.values())), (copied.values, words))

    def done(derivative: Any) -> Any:
        refuse_changed(found.function, shared.values, copied.values)
        has_run(f, returned)
        return derivative

    return copied, done


def outside_reverse(
    f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...], paths: Paths, operands: Values
) -> Inner | None:
    """What the call in reverse of f runs on copies, where f changes its arguments; None where it does not."""
    found = lending_of(f, args, kwargs)
    if found is None:
        return None
    mask = (False,) * found.before + needs
    (g, values, words, lent, before), done = _on_copies(f, found, mask)
    later = frozenset({-1})
    made = lent_program(g, len(values), tuple(words), mask, lent, False, later)
    bound = program(g, form_for(made.form, g, values, words), values).bind(g)
    assert isinstance(bound, FunctionType)
    picks = tuple((i, None) for i in range(before, before + len(needs)))
    callee = None if before else (0,)
    ran = Inner(operands, bound, values, words, (*_OBJECT[:before], *paths), itself, callee)
    ran = ran if made.picks is None else ran.then(functools.partial(Placed, picks=made.picks))
    return seen(ran, ValueAlone(len(lent))).then(lambda back: done(Placed(back, picks)))


def outside_forward(
    f: Any, args: Values, kwargs: dict[str, Any], moving: Values, paths: Paths, dots: Paths, operands: Values
) -> Inner | None:
    """The same, forward."""
    found = lending_of(f, args, kwargs)
    if found is None:
        return None
    moved = (ZERO,) * found.before + moving
    (g, values, words, lent, before), done = _on_copies(f, found, [not is_zero(t) for t in moved])
    nowhere = (None,) * before
    callee = None if before else (0,)
    at, at_dots = (*_OBJECT[:before], *paths), (*nowhere, *dots)
    if all(map(is_zero, moving)):
        ran = still(Inner(operands, g, values, words, at, itself, callee, lent=lent))
    else:
        slots = lent_slots(g, len(values), tuple(words), lent)
        ran = forward_program(g, values, words, moved, None, callee, at, at_dots, None, operands, slots)
    return seen_forward(ran, ValueAlone(len(lent))).then(done)

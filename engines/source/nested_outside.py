"""Nesting: an operator's call of a function that changes its arguments, differentiated again.

As in outside.py the function gets copies of what it is given, and its pullback answers for its value
alone; what its arguments hold after the call nobody sees.
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any

from ...tangents import ZERO, Composite, is_zero
from .answers import Between, Placed
from .forms import lent_slots
from .inner import Inner, Values
from .joined import form_for
from .nested_leaves import Paths, forward_program, itself, python_function, unmoved
from .outside import on_copies
from .programs import lent_program, program
from .structures import parts_of, tuple_tangent


class Valued(Between):
    """The pullback of a function `value, states…` seen as one of the value alone."""

    __slots__ = ("count",)

    def __init__(self, back: Any, count: int) -> None:
        super().__init__(back)
        self.count = count  # of the states

    def seed(self, y_bar: Any) -> Any:
        return tuple_tangent(y_bar, *(ZERO,) * self.count)

    def seed_adjoint(self, t: Any) -> Any:
        return parts_of(t, 1 + self.count)[0]


def outside_reverse(
    f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...], paths: Paths, operands: Values
) -> Inner | None:
    """What the call in reverse of f runs on copies, where f changes its arguments; None where it does not."""
    found = on_copies(f, args, kwargs)
    if found is None:
        return None
    g, values, words, lent, before = found
    later = frozenset({-1})
    made = lent_program(g, len(values), tuple(words), (False,) * before + needs, lent, False, later)
    bound = program(g, form_for(made.form, g, values, words)).bind(g)
    assert isinstance(bound, FunctionType)
    picks = tuple((i, None) for i in range(before, before + len(needs)))

    def finish(result: Any) -> Any:
        (y, *_), back = result
        back = back if made.picks is None else Placed(back, made.picks)
        return y, Placed(Valued(back, len(lent)), picks)

    def tangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](parts_of(t[0], 1 + len(lent))[0], t[1])

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](tuple_tangent(t[0], *(ZERO,) * len(lent)), t[1])

    callee = None if before else (0,)
    ran = Inner(operands, bound, values, words, (*(None,) * before, *paths), finish, callee)
    return replace(ran, tangent=tangent, cotangent=cotangent)


def outside_forward(
    f: Any, args: Values, kwargs: dict[str, Any], moving: Values, paths: Paths, dots: Paths, operands: Values
) -> Inner | None:
    """The same, forward."""
    found = on_copies(f, args, kwargs)
    if found is None:
        return None
    g, values, words, lent, before = found
    nowhere = (None,) * before
    moved = ((ZERO,) * before) + moving
    callee = None if before else (0,)
    at, at_dots = (*nowhere, *paths), (*nowhere, *dots)
    if all(map(is_zero, moving)):
        return Inner(operands, python_function(unmoved), (g, *values), words, (callee, *at), itself)
    slots = lent_slots(g, len(values), tuple(words), lent)
    ran = forward_program(g, values, words, moved, None, callee, at, at_dots, None, operands, slots)

    def value(result: Any) -> Any:
        return result[0][0], parts_of(result[1], 1 + len(lent))[0]

    def tangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](*(parts_of(part, 1 + len(lent))[0] for part in t))

    def cotangent(t: Any, result: Any) -> Any:
        rest = (ZERO,) * len(lent)
        return t if is_zero(t) else Composite[tuple](*(tuple_tangent(part, *rest) for part in t))

    return replace(ran, finish=value, tangent=tangent, cotangent=cotangent)

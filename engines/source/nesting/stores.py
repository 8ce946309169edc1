"""Nesting: methods that make or change an object: `__init__`, setters, `__iadd__`.

Each is a call of that method with its object lent, and of its value and the object after it one part is
what the program goes on with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any, NamedTuple

from ....tangents import ZERO, Composite, is_zero
from ..analysis.forms import lent_slots
from ..calls.changed_arguments import View
from ..calls.construction import MadeOf, initialiser
from ..calls.inner import Inner, Values
from ..calls.lending import Made
from ..calls.setters import First, setter
from ..calls.states import forward_that_writes, rule_that_writes
from ..emitting.programs import lent_program, program
from ..memory.aliased_arguments import form_for
from ..memory.augmented import Augmented
from ..values.answers import Placed
from ..values.structures import parts_of, tuple_tangent
from .leaves import Paths, forward_program
from .writes import seen, seen_forward, written_call, written_pushed

Wrap = Callable[[Any], Any]
Later = frozenset[int]


class Part(NamedTuple):
    """What is wanted of a method's value and the objects after it: one of two, or all the objects."""

    which: int | None
    others: tuple[int, ...] = ()  # the arguments that the method may change, beside its object

    @property
    def lent(self) -> tuple[int, ...]:
        return (0, *self.others)

    @property
    def width(self) -> int:
        return 1 + len(self.lent)

    def value(self, several: Values) -> Any:
        return several[1:] if self.which is None else several[self.which]

    def tangent(self, t: Any) -> Any:
        parts = parts_of(t, self.width)
        return tuple_tangent(*parts[1:]) if self.which is None else parts[self.which]

    def whole(self, t: Any) -> Any:
        """The cotangent of all, from that of what is wanted."""
        if self.which is None:
            return tuple_tangent(ZERO, *parts_of(t, self.width - 1))
        return tuple_tangent(ZERO, t) if self.which else tuple_tangent(t, ZERO)


VALUE, OBJECT = Part(0), Part(1)


def initialised(
    P: Any,
    args: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    unsettled: bool,
    written: tuple[int, ...] = (),
) -> Inner:
    """An object made by an `__init__` in Python, and what that changed of `written`."""
    count = 1 + len(args) + len(kwargs)
    later = frozenset(range(1, count)) if unsettled else frozenset[int]()
    init = initialiser(P)
    assert init is not None
    values, mask, every = (P.__new__(P), *args), (False, *needs), (None, *paths)
    if not written:
        return _part(init, values, kwargs, mask, every, operands, later, OBJECT, lambda b: Made(b, 1))
    part = Part(None, tuple(i + 1 for i in written))
    return _part(
        init, values, kwargs, mask, every, operands, later, part, lambda b: MadeOf(b, part.width - 1)
    )


def initialised_forward(
    P: Any,
    args: Values,
    kwargs: dict[str, Any],
    moving: Values,
    paths: Paths,
    dots: Paths,
    operands: Values,
    written: tuple[int, ...] = (),
) -> Inner:
    """The same, forward."""
    init = initialiser(P)
    assert init is not None
    values, moved = (P.__new__(P), *args), (ZERO, *moving)
    part = Part(None, tuple(i + 1 for i in written)) if written else OBJECT
    return _part_forward(init, values, kwargs, moved, (None, *paths), (None, *dots), operands, part)


def stored(f: Any, args: Values, needs: tuple[bool, ...], paths: Paths, operands: Values) -> Inner:
    """A store that a class defines in Python."""
    if type(f) is Augmented:
        return _part(f.method(args[0]), args, {}, needs, paths, operands, frozenset(), VALUE, First)
    method, values, skipped = _setter(f, args)
    slots = (0, *(None,) * skipped, *range(1, len(values)))
    picks = tuple(ZERO if s is None else (s, None) for s in slots)
    mask, at = (True, *needs[1 + skipped :]), (paths[0], *paths[1 + skipped :])

    def wrap(back: Any) -> Any:
        return Placed(Made(back, 0), picks)

    rule = rule_that_writes(method, values, {}, mask)
    if rule is not None:
        return _part_seen(written_call(method, rule, values, {}, (0,), at, operands), wrap)
    return _part(method, values, {}, mask, at, operands, frozenset(), OBJECT, wrap)


def stored_forward(
    f: Any, args: Values, moving: Values, paths: Paths, dots: Paths, operands: Values
) -> Inner:
    """The same, forward."""
    if type(f) is Augmented:
        return _part_forward(f.method(args[0]), args, {}, moving, paths, dots, operands, VALUE)
    method, values, skipped = _setter(f, args)
    moved, at, at_dots = ((found[0], *found[1 + skipped :]) for found in (moving, paths, dots))
    rule = forward_that_writes(method, values, {})
    if rule is not None:
        inner = written_pushed(method, rule, values, {}, moved, (0,), at, at_dots, operands)
        return seen_forward(inner, OfObject())
    return _part_forward(method, values, {}, moved, at, at_dots, operands, OBJECT)


class OfObject(View):
    """A method's value and its object, seen as the object alone."""

    __slots__ = ()

    def value(self, y: Values) -> Any:
        return OBJECT.value(y)

    def together(self, t: Any) -> Any:
        return OBJECT.tangent(t)

    def apart(self, t: Any) -> Any:
        return OBJECT.whole(t)


def _part_seen(inner: Inner, wrap: Wrap) -> Inner:
    """A call in reverse by a rule that mutates, of which the object alone is wanted."""

    def finish(result: Any) -> Any:
        pair, back = inner.finish(result)
        return OBJECT.value(pair), wrap(back)

    return replace(seen(inner, OfObject()), finish=finish)


def _setter(f: Any, args: Values) -> tuple[FunctionType, Values, int]:
    """The method that a store runs, its values, and how many of the store's it leaves out."""
    found = setter(f, args)
    assert found is not None
    method, rest = found
    return method, (args[0], *rest), len(args) - 1 - len(rest)


def _part(
    method: FunctionType,
    values: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    paths: tuple[Any, ...],
    operands: Values,
    later: Later,
    part: Part,
    wrap: Wrap,
) -> Inner:
    """A method with its object lent, of whose value and object one part is wanted."""
    made = lent_program(method, len(values), tuple(kwargs), needs, part.lent, False, later)
    bound = program(method, form_for(made.form, method, values, kwargs), values).bind(method)
    assert isinstance(bound, FunctionType)
    picks = made.picks

    def finish(result: Any) -> Any:
        pair, back = result
        return part.value(pair), wrap(back if picks is None else Placed(back, picks))

    def tangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](part.tangent(t[0]), t[1])

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](part.whole(t[0]), t[1])

    ran = Inner(operands, bound, values, kwargs, paths, finish)
    return replace(ran, tangent=tangent, cotangent=cotangent)


def _part_forward(
    method: FunctionType,
    values: Values,
    kwargs: dict[str, Any],
    moving: Values,
    paths: tuple[Any, ...],
    dots: tuple[Any, ...],
    operands: Values,
    part: Part,
) -> Inner:
    """The same, forward."""
    lent = lent_slots(method, len(values), tuple(kwargs), part.lent)
    ran = forward_program(method, values, kwargs, moving, None, None, paths, dots, None, operands, lent)

    def finish(result: Any) -> Any:
        pair, moved = result
        return part.value(pair), part.tangent(moved)

    def tangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](*map(part.tangent, t))

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](*map(part.whole, t))

    return replace(ran, finish=finish, tangent=tangent, cotangent=cotangent)

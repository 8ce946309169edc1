"""Nesting: rules that mutate, differentiated again.

The author's function changes its data as any Python function does; so it is transformed with them lent,
and returns them after what it returns by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....core.callables import name_of
from ....core.forward import WrappedForward
from ....core.reverse import WrappedRule
from ....core.seeds import as_mutation, as_pair
from ....tangents import ZERO, Composite, is_zero
from ..calls.changed_arguments import Seen, View
from ..calls.inner import Inner, Path, Seeding, Values
from ..calls.states import Listed, Stated, ToArray, written_slots
from ..values.structures import parts_of, tuple_tangent
from .leaves import Paths, metadata_places, python_function, unsupported


def written_call(
    f: Any,
    rule: WrappedRule,
    values: Values,
    kwargs: dict[str, Any],
    places: tuple[int, ...],
    paths: Paths,
    operands: Values,
) -> Inner:
    """A call by a rule that mutates, in reverse; its value is that of the call and the states."""
    slots = _slots(f, rule, places, (*values, *kwargs.values()))
    data, metadata, _ = rule.prepare(values, kwargs)
    every = (*values, *kwargs.values())
    lists, given = _given(rule, every, data, paths)
    mutates = tuple(slots)

    def finish(result: Any) -> Any:
        raw, *_ = result
        y, back = as_pair(rule.method, raw, "value, pullback")
        stated = Stated(rule.pullback(back, every, data, None), slots, places)
        return (y, *(every[i] for i in places)), Listed(stated, lists) if lists else stated

    def tangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        (y, back), states = _split(t, 2, mutates)
        return Composite[tuple](tuple_tangent(y, *(states[i] for i in order)), back)

    def cotangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        y, *states = parts_of(t[0], 1 + len(places))
        by_place = dict(zip(places, states, strict=True))
        return tuple_tangent(tuple_tangent(y, t[1]), *(by_place[slot] for slot in slots.values()))

    order = _order(slots, places)
    at = (*given, *metadata_places(rule, metadata, paths))
    ran = Inner(operands, python_function(rule.rule), data, metadata, at, finish)
    return replace(ran, tangent=tangent, cotangent=cotangent, lent=mutates)


def written_pushed(
    f: Any,
    rule: WrappedForward,
    values: Values,
    kwargs: dict[str, Any],
    moving: Values,
    places: tuple[int, ...],
    paths: Paths,
    dots: Paths,
    operands: Values,
) -> Inner:
    """The same, forward."""
    slots = _slots(f, rule, places, (*values, *kwargs.values()))
    tangents, data, metadata = rule.prepare(moving, values, kwargs)
    every = (*values, *kwargs.values())
    _, given = _given(rule, every, data, paths)
    _, moved = _given(rule, every, tangents[: len(data)], dots)
    mutates, order = tuple(slots), _order(slots, places)

    def finish(result: Any) -> Any:
        raw, *_ = result
        y, dy, states = as_mutation(rule.method, raw)
        return (y, *(every[i] for i in places)), tuple_tangent(dy, *(states[i] for i in order))

    def tangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        (y, dy, after), states = _split(t, 3, mutates)
        moved = {i: ZERO if is_zero(after) else after[i] for i in mutates}
        return Composite[tuple](
            tuple_tangent(y, *(states[i] for i in order)), tuple_tangent(dy, *(moved[i] for i in order))
        )

    def cotangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        y, *states = parts_of(t[0], 1 + len(places))
        dy, *moved = parts_of(t[1], 1 + len(places))
        by_place = dict(zip(places, states, strict=True))
        after = Composite[dict](dict(zip(order, moved, strict=True)))
        return tuple_tangent(tuple_tangent(y, dy, after), *(by_place[slot] for slot in slots.values()))

    at = [*moved, *(None for _ in tangents[len(data) :])]
    ran = Inner(
        operands,
        python_function(rule.rule),
        (tangents, *data),
        metadata,
        (at, *given, *metadata_places(rule, metadata, paths)),
        finish,
    )
    return replace(ran, tangent=tangent, cotangent=cotangent, lent=tuple(i + 1 for i in mutates))


def _slots(f: Any, rule: Any, places: tuple[int, ...], every: Values) -> dict[int, int]:
    slots = written_slots(f, rule, places, every)
    if set(slots.values()) != set(places):
        name = name_of(f)
        raise unsupported(
            f"{name}, where a class has a method of that name which changes more than the rule says",
            closest=f"{name} without `out=`, which changes nothing",
            next="use the value that it returns, rename the method of the class, or differentiate once",
        )
    return slots


def _order(slots: dict[int, int], places: tuple[int, ...]) -> tuple[int, ...]:
    """What is mutated, by the rule's count, in the order of the call's."""
    by_place = {slot: i for i, slot in slots.items()}
    return tuple(by_place[place] for place in places)


def _split(t: Any, count: int, mutates: tuple[int, ...]) -> tuple[Any, dict[int, Any]]:
    """The tangents of what a rule returned, of so many parts, and of the states by its own count."""
    raw, *states = parts_of(t, 1 + len(mutates))
    return parts_of(raw, count), dict(zip(mutates, states, strict=True))


def _given(
    rule: WrappedRule | WrappedForward, every: Values, data: Values, paths: Paths
) -> tuple[dict[int, ToArray], list[Path | None]]:
    """Of the lists that a rule takes for arrays the maps, by their places, and where all its data stand."""
    lists: dict[int, ToArray] = {}
    given: list[Path | None] = []
    for i, slot in enumerate(rule.slots):
        at = None if slot is None else paths[slot]
        if i in rule.found.to_array and slot is not None:
            lists[slot] = ToArray(every[slot])
            at = None if at is None else (*at, Seeding(lists[slot], data[i]))
        given.append(at)
    return lists, given


def passed(f: Any, places: tuple[int, ...], *values: Any, **kwargs: Any) -> Any:
    """A call that changes nothing, with the values at these places after its own, −1 for what is called.

    Values that are given by name come after the others.
    """
    y = f(*values, **kwargs)
    every = (*values, *kwargs.values()) if kwargs else values
    states: Values = ()
    for i in places:
        states = (*states, f if i < 0 else every[i])
    return (y, *states)


def passed_by_field(owner: Any, name: str, places: tuple[int, ...], *values: Any, **kwargs: Any) -> Any:
    """The same of what a field holds; −1 is the place of the object."""
    y = getattr(owner, name)(*values, **kwargs)
    every = (*values, *kwargs.values()) if kwargs else values
    states: Values = ()
    for i in places:
        states = (*states, owner if i < 0 else every[i])
    return (y, *states)


def changed_first(g: Any, places: tuple[int, ...], *values: Any, **kwargs: Any) -> Any:
    """A call that changes its first value, as g says, with those at all these places after its own."""
    y, x = g(*values, **kwargs)
    every = (*values, *kwargs.values()) if kwargs else values
    states: Values = (x,)
    for i in places[1:]:
        states = (*states, every[i])
    return (y, *states)


def seen(inner: Inner, view: View) -> Inner:
    """A call in reverse, with what it changes seen in another way."""

    def finish(result: Any) -> Any:
        y, back = inner.finish(result)
        return view.value(y), Seen(back, view)

    def tangent(t: Any, result: Any) -> Any:
        t = inner.tangent(t, result)
        return t if is_zero(t) else Composite[tuple](view.together(t[0]), t[1])

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else inner.cotangent(Composite[tuple](view.apart(t[0]), t[1]), result)

    return replace(inner, finish=finish, tangent=tangent, cotangent=cotangent)


def seen_forward(inner: Inner, view: View) -> Inner:
    """The same, forward."""

    def finish(result: Any) -> Any:
        y, dy = inner.finish(result)
        return view.value(y), view.together(dy)

    def tangent(t: Any, result: Any) -> Any:
        t = inner.tangent(t, result)
        return t if is_zero(t) else Composite[tuple](*map(view.together, t))

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else inner.cotangent(Composite[tuple](*map(view.apart, t)), result)

    return replace(inner, finish=finish, tangent=tangent, cotangent=cotangent)

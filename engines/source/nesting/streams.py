"""Nesting: generators, and what takes their items, differentiated again.

A generator's program is a generator that yields pairs, each item with a pullback or a tangent. Run in a
derivative that is differentiated again it is a stream of pairs, from which the call's own stream of items is
made; so the cotangents of the two values of such a call are those of the first and of the second of each
pair, by its place, and the tangent of each is a `Side` of the stream of pairs. What takes items is here as
the Python functions that the engine does step by step in streaming.py, or goes by a recipe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

from ....core import frule, non_differentiable, rrule
from ....core.callables import name_of
from ....core.seeds import ready
from ....core.sequences import items
from ....tangents import NO_TANGENT, ZERO, Composite, is_zero
from ..calls import streaming
from ..calls.inner import Inner, Values
from ..rewriting import recipes, rows
from ..syntax.scopes import GENERATOR
from ..values.answers import Placed
from ..values.streams import Run, Side, Stream, bounded, entry, unmoved
from ..values.structures import parts_of, tuple_tangent
from .leaves import Paths, itself, python_function, unsupported


def is_generator(f: Any) -> bool:
    """Whether a call of f makes a generator."""
    return type(f) is FunctionType and bool(f.__code__.co_flags & GENERATOR)


def takes_items(f: Any, args: Values, places: tuple[int, ...]) -> bool:
    """Whether a call takes or makes iterators, and changes none of what it is given."""
    return not places and bool(streaming.kind_of(f, args))


def over_items(f: Any, args: Values) -> Any:
    """The callable of a call, `items` where it goes over a container."""
    return items if streaming.kind_of(f, args) == "items" else f


def differentiated_twice(inner: Inner) -> Inner:
    """The same; refused where it runs a generator, whose third derivatives are not supported."""
    if is_generator(inner.function):
        raise unsupported(
            f"{name_of(inner.function)}, a generator, differentiated a third time",
            closest="a function that returns a list of what the generator yields",
            next="collect the items in a list, or differentiate twice",
        )
    return inner


def running(inner: Inner, answers: int | None = None, reads: Values = ()) -> Inner:
    """A call whose function may be a generator's program: its value is a stream with a pullback or tangent.

    `answers`: how many the pullback gives; None for forward mode. `reads`: see `bounded`.
    """
    if not is_generator(inner.function):
        return inner

    def finish(source: Any) -> Any:
        stream = bounded(Stream(source, _stale, inner.args), reads)
        return stream, stream if answers is None else Run(stream, answers)

    def tangent(t: Any, result: Any) -> Any:
        return ZERO if is_zero(t) else Composite[tuple](Side(t, 0), Side(t, 1))

    def cotangent(t: Any, result: Any) -> Any:
        first, second = parts_of(t, 2)
        count = result.count
        seconds = _by_place(second, count) if answers is None else (*(ZERO,) * (count - 1), second)
        pairs = enumerate(zip(_by_place(first, count), seconds, strict=False))
        return Composite[dict]({i: tuple_tangent(*pair) for i, pair in pairs})

    return replace(inner, finish=finish, tangent=tangent, cotangent=cotangent)


def _by_place(t: Any, count: int) -> Values:
    """The cotangents of a stream's items, from the stream's."""
    t = t if is_zero(t) else ready(t)
    return tuple(ZERO if is_zero(t) else t[i] for i in range(count))


def _stale() -> Iterator[Any]:
    raise unsupported(
        "a generator that reads a global variable which changed meanwhile",
        closest="a generator that is given the value as an argument",
        next="give it the value as an argument, or differentiate once",
    )


def streamed_reverse(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    reverse_call: Callable[..., Inner],
) -> Inner | None:
    """A call that takes or makes iterators, in reverse; None for others."""
    streaming.refuse_iterators(f, args, needs)
    kind = streaming.kind_of(f, args)
    if kind in _IN_REVERSE:
        own = (f,) * (kind == "own")
        places = (*(None,) * len(own), *paths)
        return Inner(operands, python_function(_IN_REVERSE[kind]), (*own, *args), kwargs, places, itself)
    found = _written(kind, f, args, needs)
    if found is None:
        return None
    g, more = found
    mask, at = (False,) * len(more) + needs, (None,) * len(more) + paths
    inner = reverse_call(g, (*more, *args), kwargs, mask, False, None, at, operands, unsettled=True)
    picks = tuple((i + len(more), None) for i in range(len(needs)))
    return inner.then(lambda back: Placed(back, picks)) if more else inner


def streamed_forward(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    moving: Values,
    paths: Paths,
    dots: Paths,
    operands: Values,
    forward_call: Callable[..., Inner],
) -> Inner | None:
    """The same, forward."""
    needs = tuple(not is_zero(t) for t in moving)
    streaming.refuse_iterators(f, args, needs)
    kind = streaming.kind_of(f, args)
    if kind in _FORWARD:
        own = (f,) * (kind == "own")
        places = (list(dots), *(None,) * len(own), *paths)
        return Inner(operands, python_function(_FORWARD[kind]), (moving, *own, *args), kwargs, places, itself)
    found = _written(kind, f, args, needs)
    if found is None:
        return None
    g, more = found
    moved, none = (ZERO,) * len(more) + moving, (None,) * len(more)
    at, at_dots = none + paths, none + dots
    return forward_call(g, (*more, *args), kwargs, moved, None, None, at, at_dots, None, operands)


def _written(kind: str, f: Any, args: Values, needs: tuple[bool, ...]) -> tuple[Any, Values] | None:
    """The Python function that does what a call does, and what it is given before the call's arguments."""
    if kind == "recipe":
        return streaming.recipe(f, args), ()
    if kind == "rows":
        return rows.rows if f is zip else rows.longest, ()
    if kind == "numbered":
        return recipes.numbered, ()
    if kind == "drain":
        at = [i for i, a in enumerate(args) if streaming.is_drained(a, needs[i])]
        return of_made, (f, collected, tuple(at))
    if kind == "iterables":
        return of_made, (f, iter, streaming.iterables(f, args))
    if kind == "iterable":
        return of_made, (f, type(args[0]).__iter__, (0,))
    return (of_made, (f, recipes.subscripted, (0,))) if kind == "subscripts" else None


def of_made(f: Any, make: Any, places: tuple[int, ...], *args: Any, **kwargs: Any) -> Any:
    """A call with something made of its arguments at these places."""
    given: Values = ()
    for i in range(len(args)):
        given = (*given, make(args[i]) if i in places else args[i])
    return f(*given, **kwargs)


def collected(x: Any) -> Values:
    """All items that are left."""
    kept: list[Any] = []
    for item in x:
        kept.append(item)  # what `list` does is what is told here
    return tuple(kept)


def last(x: Any) -> Any:
    """The last item of a stream."""
    return x.value


def second(x: Any) -> Any:
    """What came with the last item."""
    return x.second


def place(x: Any) -> int:
    """The place of the last item."""
    return int(x.count) - 1


def advanced(x: Stream) -> bool:
    """Whether the stream had another item, to which it ran."""
    return x.advance()


def performed(f: Any, args: Values) -> Any:
    """What a method of a stream gives."""
    return f(*args)


non_differentiable(place, advanced, performed, unmoved, why="run a generator, or count its items")


def _register(read: Any, moved: Any) -> None:
    """The rules of what reads from a stream where it is."""

    @frule(read, complete=True)
    def read_frule(tangents: Any, x: object) -> Any:
        """what came with it"""
        return read(x), ZERO if is_zero(tangents[0]) else moved(tangents[0])

    @rrule(read, complete=True)
    def read_rrule(x: object) -> Any:
        """the stream's cotangent has that of the item at its place"""
        at = place(x)

        def read_pullback(y_bar: Any) -> Any:
            return (entry(at, y_bar),)

        return read(x), read_pullback


_register(last, second)
_register(second, second)


@frule(entry, complete=True)
def entry_frule(tangents: Any, at: int, y_bar: object) -> Any:
    """linear"""
    return entry(at, y_bar), entry(at, tangents[1])


@rrule(entry, complete=True)
def entry_rrule(at: int, y_bar: object) -> Any:
    """what stands at that place"""

    def entry_pullback(t: Any) -> Any:
        return NO_TANGENT, ZERO if is_zero(t) else ready(t)[at]

    return entry(at, y_bar), entry_pullback


def opened(x: Any) -> Any:
    """`iter(x)` of a stream in reverse, and what a loop over it goes through."""

    def opened_pullback(y_bar: Any) -> Any:
        return (y_bar,)

    return x, opened_pullback


def taken(x: Any, index: Any) -> Any:
    """The last item, which a loop takes."""
    at = place(x)

    def taken_pullback(y_bar: Any) -> Any:
        return entry(at, y_bar), NO_TANGENT

    return last(x), taken_pullback


def asked(x: Any, *default: Any) -> Any:
    """`next(x)` and `next(x, default)`"""
    if advanced(x):
        at, count = place(x), len(default)

        def next_pullback(y_bar: Any) -> Any:
            return (entry(at, y_bar), *(ZERO,) * count)

        return last(x), next_pullback
    if not default:
        raise StopIteration

    def default_pullback(y_bar: Any) -> Any:
        return ZERO, y_bar

    return default[0], default_pullback


def steered(f: Any, *args: Any) -> Any:
    """`x.close()` and its kin"""
    count = len(args)

    def steered_pullback(y_bar: Any) -> Any:
        return (ZERO,) * count

    return performed(f, args), steered_pullback


def unmoving(x: Any) -> Any:
    """The stream of an iterator whose items carry no derivative."""

    def unmoving_pullback(y_bar: Any) -> Any:
        return (NO_TANGENT,)

    return unmoved(x), unmoving_pullback


def opened_forward(tangents: Values, x: Any) -> Any:
    """The same, forward."""
    return x, tangents[0]


def taken_forward(tangents: Values, x: Any, index: Any) -> Any:
    """The same, forward."""
    return last(x), second(tangents[0])


def asked_forward(tangents: Values, x: Any, *default: Any) -> Any:
    """The same, forward."""
    if advanced(x):
        return last(x), second(tangents[0])
    if not default:
        raise StopIteration
    return default[0], tangents[1]


def steered_forward(tangents: Values, f: Any, *args: Any) -> Any:
    """The same, forward."""
    return performed(f, args), ZERO


def unmoving_forward(tangents: Values, x: Any) -> Any:
    """The same, forward."""
    return unmoved(x), ZERO


_IN_REVERSE: dict[str, Any] = {
    **{"iter": opened, "steps": opened, "getitem": taken, "next": asked, "own": steered},
    "unmoved": unmoving,
}
_FORWARD: dict[str, Any] = {
    **{"iter": opened_forward, "steps": opened_forward, "getitem": taken_forward, "next": asked_forward},
    **{"own": steered_forward, "unmoved": unmoving_forward},
}

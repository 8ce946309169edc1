"""Streams: what a generator is in a derivative, an iterator that is asked for one item after another.

A generator's program is a generator itself, which runs exactly as far as it is asked to: side effects
interleave as they do in Python, and one without end can be left. In reverse each item comes with the
pullback of the run so far; forward, with its tangent. A stream keeps the last item only. Its cotangent is a
dict of those of its items by their places, and forward it is its own tangent.

An item that the generator or its caller changes in place later is refused: it would be one object
with two histories. A derivative that is differentiated again takes streams as nested_streams.py says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, KeysView
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np

from ....core import AliasedMutationError, UnsupportedSyntaxError, non_differentiable
from ....core.seeds import ready
from ....tangents import ZERO, Composite, Wrapper, is_zero
from ....tangents.structure import fields
from ..analysis.forms import Form, Stale
from ..locking.frozen import is_still
from ..reading.opaque import may_carry
from ..syntax.where import call_chain, show_chain
from .answers import Between
from .reaching import changeable, hold_objects, plain
from .structures import parts_of

Values = tuple[Any, ...]


class Stream(Wrapper):
    """The items of a running generator; `value` is the last, and `second` what came with it."""

    __slots__ = ("again", "bounded", "count", "second", "source", "value")

    def __init__(
        self, source: Iterator[Any], again: Callable[[], Iterator[Any]], given: Iterable[Any] = ()
    ) -> None:
        self.source = source
        self.again = again  # the generator of a program made anew
        self.bounded: Values = tuple([v for x in given if type(x) is Stream for v in x.bounded])
        self.count = 0
        self.value: Any = None
        self.second: Any = None

    def advance(self) -> bool:
        """Run to the next item; false where there is none."""
        try:
            self.value, self.second = next(self.source)
        except StopIteration:
            return False
        except Stale:
            self.source = self.again()
            return self.advance()
        self.count += 1
        return True

    def __getitem__(self, place: int) -> Any:
        """The last item, of which a program reads nothing else, where nothing moves."""
        if place != self.count - 1:
            raise IndexError("a stream keeps its last item only")
        return self.value

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Any:
        if not self.advance():
            raise StopIteration
        return self.value

    def close(self) -> None:
        """End the generator where it is."""
        self.source.close()  # type: ignore[attr-defined]  # a generator

    def throw(self, *error: Any) -> Any:
        """Raise an exception where the generator is."""
        self.value, self.second = self.source.throw(*error)  # type: ignore[attr-defined]  # a generator
        self.count += 1
        return self.value

    def send(self, value: Any) -> Any:
        """Refused: what is sent would change the run."""
        raise UnsupportedSyntaxError(
            "`send` into a generator is not differentiated",
            where=show_chain(call_chain()),
            next="write a class with a method that takes the value",
        )


class Side(Wrapper):
    """The tangent of one of the two things that a stream of pairs yields, from the stream's tangents."""

    __slots__ = ("key", "stream")

    def __init__(self, stream: Stream, key: int) -> None:
        self.stream = stream
        self.key = key

    @property
    def second(self) -> Any:
        """The tangent that came with the last pair."""
        return parts_of(self.stream.second, 2)[self.key] if self.stream.count else ZERO


class Run(Between):
    """The pullback of a call of a generator function: that of the run as far as it went.

    Its tangent is a `Side`, since at first nothing has run.
    """

    __slots__ = ("answers", "stream")

    def __init__(self, stream: Stream, answers: int) -> None:
        self.stream = stream
        self.answers = answers

    @property
    def back(self) -> Any:
        return self.stream.second

    def __call__(self, y_bar: Any) -> Values:
        if is_zero(y_bar) or not self.stream.count:
            return (ZERO,) * self.answers
        y_bar = ready(y_bar)
        seeds = [y_bar[i] for i in range(self.stream.count)]
        return self.stream.second(seeds)  # type: ignore[no-any-return]  # answers

    def known(self, seeded: Any) -> Values | None:
        """The answers where nothing has run, or to a seed that is zero."""
        return (ZERO,) * self.answers if is_zero(seeded) or all(map(is_zero, seeded)) else None

    def seed(self, y_bar: Any) -> Any:
        """The seeds of the items."""
        count = self.stream.count
        y_bar = ready(y_bar)
        return Composite[list](*((ZERO,) * count if is_zero(y_bar) else (y_bar[i] for i in range(count))))

    def seed_adjoint(self, t: Any) -> Any:
        if is_zero(t):
            return t
        return Composite[dict]({i: part for i, part in enumerate(ready(t)) if not is_zero(part)})


def answers_of(form: Form) -> int:
    """How many answers the pullback of a program gives."""
    return len(form.parameters) + (form.captured is not None)


def started(answer: Any, form: Form) -> tuple[Any, Any]:
    """Value and pullback that a program in reverse gave; of a generator, the stream of its items."""
    if not isinstance(answer, GeneratorType):
        return answer  # type: ignore[no-any-return]  # a pair
    stream = Stream(answer, lambda: answer)
    return stream, Run(stream, answers_of(form))


def entry(place: int, y_bar: Any) -> Any:
    """The cotangent of a stream, from that of one item."""
    return ZERO if is_zero(y_bar) else Composite[dict]({place: y_bar})


def steps(x: Any) -> Any:
    """What a loop over x goes through: a stream of what is an iterator, else the tuple of the items.

    Keys are a stream too, which raises what Python does where their dict grows meanwhile.
    """
    if isinstance(x, Stream):
        return x
    refuse_iterator(x)
    return unmoved(x) if hasattr(type(x), "__next__") or isinstance(x, KeysView) else tuple(x)


def is_own_iterator(x: Any) -> bool:
    """Whether x is an iterator of a class that says in Python which item is next."""
    return isinstance(getattr(type(x), "__next__", None), FunctionType) and not isinstance(x, Stream)


def refuse_iterator(x: Any) -> None:
    """Raise where x is one, and varies."""
    if is_own_iterator(x):
        name = type(x).__name__
        raise UnsupportedSyntaxError(
            f"the items of {name}, whose `__next__` is written in Python, are not differentiated",
            where=show_chain(call_chain()),
            closest="an `__iter__` that is a generator is differentiated",
            next=f"write {name}.__iter__ with `yield`, or call a method of another name than `__next__`",
        )


def unmoved(x: Iterator[Any]) -> Stream:
    """The stream of an iterator whose items carry no derivative."""
    return Stream(((item, ZERO) for item in x), lambda: x)


def places(x: Any) -> Any:
    """The places of the items of a tuple, or of a stream, which runs meanwhile."""
    return _running(x) if isinstance(x, Stream) else range(len(x))


def _running(x: Stream) -> Iterator[int]:
    while x.advance():
        yield x.count - 1


def drained(x: Stream) -> tuple[list[Any], list[Any]]:
    """All items that are left, and what came with them."""
    values: list[Any] = []
    seconds: list[Any] = []
    while x.advance():
        values.append(x.value)
        seconds.append(x.second)
    return values, seconds


def steady(x: Any, what: str) -> None:
    """Refuse an object that is changed while a generator that has it is running."""
    if may_change(x):
        raise changed_meanwhile(what)


def steady_items(x: Any, what: str) -> None:
    """The same of a sum or a product: that of numbers is an array of its own."""
    if not isinstance(x, np.ndarray) or hold_objects(x):
        steady(x, what)


def steady_apart(x: Any, what: str, *attributes: str) -> None:
    """The same of what has a view of x, or of what its attributes lead to: that of a dict is read anew."""
    viewed = x
    for name in attributes:
        viewed = getattr(viewed, "__dict__", {}).get(name)
    if not isinstance(viewed, dict):
        steady(x, what)


def may_change(x: Any) -> bool:
    """Whether there is anything in x that can change and has a derivative."""
    return not isinstance(x, Wrapper) and changeable(x) and may_carry((x,))


def changed_meanwhile(what: str) -> AliasedMutationError:
    """The error for what changes while a generator runs."""
    return AliasedMutationError(
        f"{what} is changed in place while the generator runs",
        where=show_chain(call_chain()),
        next="give it or yield a copy, as in `yield a.copy()`",
    )


def bounded(y: Any, reads: Values) -> Any:
    """What a call gave; a generator with what it `reads` and what its caller's caller may change."""
    if reads and type(y) is Stream:
        y.bounded = reads
    return y


def ended(y: Any) -> None:
    """Refuse to return a generator that reads what the caller may change: it goes on after the function.

    Arrays are made read-only instead.
    """
    if not all(type(v) is np.ndarray and is_still(v) for v in _read_by_streams(y, set())):
        raise AliasedMutationError(
            "a generator, which a function returns, reads what may be changed in place while it runs",
            where=show_chain(call_chain()),
            next="return a list of its items, or give it a copy",
        )


def _read_by_streams(y: Any, seen: set[int]) -> Values:
    """What the generators in y read and others may change."""
    if isinstance(y, Stream):
        return y.bounded
    if plain(y) or isinstance(y, np.ndarray | type | Wrapper | Composite) or id(y) in seen:
        return ()
    seen.add(id(y))
    listed = isinstance(y, tuple | list | deque)
    parts = y if listed else (y if isinstance(y, dict) else fields(y)).values()
    return tuple([v for part in parts for v in _read_by_streams(part, seen)])


def own_items(sources: Values, *items: Any) -> None:
    """Refuse to change items that were taken from a stream: the generator may still have them."""
    if any(isinstance(x, Stream) for x in sources) and any(map(changeable, items)):
        raise AliasedMutationError(
            "an item of a generator is changed in place",
            where=show_chain(call_chain()),
            next="change a copy of it, or take the items in a list first",
        )


non_differentiable(refuse_iterator, why="checks an argument")
non_differentiable(
    *(places, steady, steady_apart, steady_items, ended, own_items, drained),
    why="run a generator, or look at objects",
)

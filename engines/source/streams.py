"""Streams: what a generator is in a derivative, an iterator that is asked for one item after another.

A generator's program is a generator itself, which runs exactly as far as it is asked to: side effects
interleave as they do in Python, and one without end can be left. In reverse each item comes with the
pullback of the run so far; forward, with its tangent. A stream keeps the last item only. Its cotangent is a
dict of those of its items by their places, and forward it is its own tangent.

An item that the generator or its caller changes in place later is refused: it would be one object
with two histories. What yields in a derivative that is differentiated again is refused in nested.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...core import AliasedMutationError, UnsupportedSyntaxError, non_differentiable
from ...core.seeds import ready
from ...tangents import ZERO, Composite, Wrapper, is_zero
from .aliases import changeable
from .forms import Stale
from .opaque import may_carry
from .where import call_chain, show_chain

Values = tuple[Any, ...]


class Stream(Wrapper):
    """The items of a running generator; `value` is the last, and `second` what came with it."""

    __slots__ = ("again", "count", "second", "source", "value")

    def __init__(self, source: Iterator[Any], again: Callable[[], Iterator[Any]]) -> None:
        self.source = source
        self.again = again  # the generator of a program made anew
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


class Run:
    """The pullback of a call of a generator function: that of the run as far as it went."""

    __slots__ = ("answers", "stream")

    def __init__(self, stream: Stream, answers: int) -> None:
        self.stream = stream
        self.answers = answers

    def __call__(self, y_bar: Any) -> Values:
        if is_zero(y_bar) or not self.stream.count:
            return (ZERO,) * self.answers
        y_bar = ready(y_bar)
        seeds = [y_bar[i] for i in range(self.stream.count)]
        return self.stream.second(seeds)  # type: ignore[no-any-return]  # answers


def entry(place: int, y_bar: Any) -> Any:
    """The cotangent of a stream, from that of one item."""
    return ZERO if is_zero(y_bar) else Composite[dict]({place: y_bar})


def steps(x: Any) -> Any:
    """What a loop over x goes through: a stream of what is an iterator, else the tuple of the items."""
    if isinstance(x, Stream):
        return x
    return unmoved(x) if hasattr(type(x), "__next__") else tuple(x)


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
    if changeable(x) and may_carry((x,)):
        raise AliasedMutationError(
            f"{what} is changed in place while the generator runs",
            where=show_chain(call_chain()),
            next="give it or yield a copy, as in `yield a.copy()`",
        )


def own_items(sources: Values, *items: Any) -> None:
    """Refuse to change items that were taken from a stream: the generator may still have them."""
    if any(isinstance(x, Stream) for x in sources) and any(map(changeable, items)):
        raise AliasedMutationError(
            "an item of a generator is changed in place",
            where=show_chain(call_chain()),
            next="change a copy of it, or take the items in a list first",
        )


non_differentiable(places, steady, own_items, drained, why="run a generator, or look at objects")

"""Rows of iterators: `zip`, `itertools.zip_longest` and `enumerate` where an argument is asked step by step.

A row holds the next item of each argument. In reverse the cotangent of an item goes to the place in its
argument that it was taken from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ....core.seeds import ready
from ....tangents import ZERO, Composite, add, is_zero
from ..values.streams import Stream, is_own_iterator, unmoved
from . import forward_resolution, resolution

Values = tuple[Any, ...]
FILLED = -1
"""The place of an item that zip_longest filled in."""


class Row(NamedTuple):
    """The items of a row, where each was taken in its stream, and what came with it."""

    places: list[int]
    items: list[Any]
    seconds: list[Any]


class Rows:
    """The rows of some streams; `places` remembers, in reverse, where the items of each were taken."""

    __slots__ = ("filled", "fillvalue", "places", "streams", "strict")

    def __init__(self, streams: list[Stream], strict: bool, filled: bool, fillvalue: Any) -> None:
        self.streams = streams
        self.strict = strict
        self.filled = filled
        self.fillvalue = fillvalue
        self.places: list[list[int]] = []

    def next(self, filling: Any = None) -> Row | None:
        """The next row, each item read as it is taken: two streams may be one. None where there is none."""
        row = Row([], [], [])
        for i, stream in enumerate(self.streams):
            if stream.advance():
                place, item, second = stream.count - 1, stream.value, stream.second
            elif self.filled:
                place, item, second = FILLED, self.fillvalue, filling
            else:
                if self.strict and (i > 0 or any(other.advance() for other in self.streams[1:])):
                    raise ValueError("zip() has arguments of different lengths")
                return None
            row.places.append(place)
            row.items.append(item)
            row.seconds.append(second)
        return None if all(place == FILLED for place in row.places) else row

    def reversed(self) -> Iterator[tuple[Values, Callable[[list[Any]], Values]]]:
        """The rows, each with the pullback of all so far."""
        while (row := self.next()) is not None:
            self.places.append(row.places)
            yield tuple(row.items), self.pull

    def pull(self, seeds: list[Any]) -> Values:
        """The cotangents of the streams, and of what was filled in."""
        entries: list[dict[int, Any]] = [{} for _ in self.streams]
        filled: Any = ZERO
        for seed, found in zip(seeds, self.places, strict=False):
            if is_zero(seed):
                continue
            for i, (place, part) in enumerate(zip(found, ready(seed), strict=True)):
                if place == FILLED:
                    filled = add(filled, part)
                elif not is_zero(part):
                    entries[i][place] = part
        return (*(Composite[dict](e) if e else ZERO for e in entries), filled)

    def moving(self, fill_dot: Any) -> Iterator[tuple[Values, Any]]:
        """The rows, each with its tangent."""
        while (row := self.next(fill_dot)) is not None:
            yield tuple(row.items), Composite[tuple](*row.seconds)


def _options(longest: bool, kwargs: Mapping[str, Any]) -> tuple[bool, bool, Any]:
    return bool(kwargs.get("strict", False)), longest, kwargs.get("fillvalue")


def _opened(x: Any) -> tuple[Stream, Any]:
    """The stream of an argument, and its pullback; an iterator of a class in Python does not vary here."""
    if is_own_iterator(x):
        return unmoved(x), lambda y_bar: (ZERO,)
    return resolution.resolve(iter, (x,), {}, (True,))(x)  # type: ignore[no-any-return]  # a pair


def in_reverse(longest: bool, args: Values, kwargs: dict[str, Any]) -> tuple[Stream, Any]:
    """The rows of these arguments, and the pullback."""
    opened = [_opened(a) for a in args]
    rows = Rows([s for s, _ in opened], *_options(longest, kwargs))
    stream = Stream(rows.reversed(), rows.reversed, rows.streams)

    def rows_pullback(y_bar: Any) -> Values:
        if is_zero(y_bar) or not stream.count:
            return (ZERO,) * (len(args) + len(kwargs))
        y_bar = ready(y_bar)
        *cotangents, filled = rows.pull([y_bar[i] for i in range(stream.count)])
        answers = [back(t)[0] for (_, back), t in zip(opened, cotangents, strict=True)]
        return (*answers, *(filled if name == "fillvalue" else ZERO for name in kwargs))

    return stream, rows_pullback


def forward(longest: bool, args: Values, kwargs: dict[str, Any], tangents: Values) -> tuple[Stream, Stream]:
    """The same, forward."""
    dots = dict(zip(kwargs, tangents[len(args) :], strict=True))
    opened = [opening(a, t) for a, t in zip(args, tangents, strict=False)]
    rows = Rows(opened, *_options(longest, kwargs))
    stream = Stream(rows.moving(dots.get("fillvalue", ZERO)), lambda: iter(()), opened)
    return stream, stream


def opening(x: Any, dx: Any) -> Stream:
    """The stream of an argument, with the tangents of its items."""
    if not is_zero(dx):
        return forward_resolution.forward(iter, (x,), {}, (dx,))[0]  # type: ignore[no-any-return]  # a stream
    return x if isinstance(x, Stream) else Stream(((item, ZERO) for item in x), lambda: iter(()))

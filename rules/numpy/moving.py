"""Functions that only move entries: how any of them tells its derivative, and which they are.

Run on the numbers of the entries instead of the entries, such a function says where each entry of its
result comes from: NumPy's own reading of every argument, broadcasting and repeated place included. The
forward rule moves tangents as entries are moved; the pullback adds each cotangent up where its entry
came from. `@moves_entries(f)` stands above a function that calls f with its data first; a list of arrays
is one argument and has a `Composite`. An entry that an integer result rounds has derivative zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...core import non_differentiable
from ...core.seeds import absorbs, ready
from ...tangents import ZERO, IndexedTangent, from_fields, materialize
from ...tangents.composite import SEQUENCES
from ..written import like_program
from .axes import float_dtype
from .creation import cuts


class Leaf(NamedTuple):
    """An array among the data: the range of its numbers, its shape, and whether it keeps its derivative."""

    start: int
    stop: int
    shape: tuple[int, ...]
    kept: bool


class Nest(NamedTuple):
    """A list or tuple among the data, by its entries."""

    kind: type
    parts: tuple[Any, ...]


def frame_of(x: Any, start: int, dtype: Any) -> tuple[Any, int]:
    """How x is made up of arrays whose entries are numbered from `start` on, and the next number."""
    if not isinstance(x, SEQUENCES):
        stop = start + np.size(x)
        return Leaf(start, stop, np.shape(x), not cuts(x, dtype)), stop
    parts = []
    for entry in x:
        part, start = frame_of(entry, start, dtype)
        parts.append(part)
    return Nest(type(x), tuple(parts)), start


def numbers_in(frame: Any) -> Any:
    """The numbers of the entries of an argument, nested as it is."""
    if isinstance(frame, Leaf):
        return np.arange(frame.start, frame.stop).reshape(frame.shape)
    return frame.kind(numbers_in(part) for part in frame.parts)


def frames_of(data: tuple[Any, ...], dtype: Any) -> tuple[tuple[Any, ...], int]:
    """The frames of all data, and the next number; 0 is that of a zero which f itself puts in."""
    whole, total = frame_of(data, 1, dtype)
    return whole.parts, total


def origins(program: Callable[..., Any], frames: tuple[Any, ...], metadata: Any) -> Any:
    """For each entry of the result the number of the entry that it is."""
    return np.asarray(program(*map(numbers_in, frames), **metadata))


def given(program: Callable[..., Any], data: tuple[Any, ...]) -> tuple[Any, ...]:
    """All data of a call, those that it leaves out with their defaults."""
    defaults, missing = program.__defaults__ or (), program.__code__.co_argcount - len(data)
    return (*data, *defaults[len(defaults) - missing :])


non_differentiable(frames_of, origins, given, why="computes with places alone")


def filled(dx: Any, x: Any, dtype: Any) -> Any:
    """The tangent of an argument as f takes it, with zeros where it has none or where it is lost."""
    if not isinstance(x, SEQUENCES):
        none = absorbs(dx) or cuts(x, dtype)
        return np.zeros(np.shape(x), float_dtype(x)) if none else materialize(dx, like=x)
    entries = tuple([filled(ZERO if absorbs(dx) else dx[i], x[i], dtype) for i in range(len(x))])
    return list(entries) if isinstance(x, list) else entries


def taken(line: Any, frame: Any) -> Any:
    """The cotangent of an argument from those of all entries in one line."""
    if isinstance(frame, Leaf):
        return np.reshape(line[frame.start : frame.stop], frame.shape) if frame.kept else ZERO
    parts = tuple([taken(line, part) for part in frame.parts])
    return from_fields(frame.kind, parts)


def brought_back(y_bar: Any, dtype: Any, places: Any, frames: tuple[Any, ...], total: int) -> Any:
    """The cotangent of each argument: ȳ added up where its entries came from."""
    line = ready(IndexedTangent((total,), dtype, places, y_bar))
    return tuple([taken(line, frame) for frame in frames])


def moves_entries(*functions: Callable[..., Any], signature: str | None = None) -> Callable[[Any], Any]:
    """Register both rules of functions that do no more than move entries of their data.

    Example: >>> y, pullback = cr.apply_rrule(np.delete, np.ones(3), 1)
             >>> pullback(np.array([5.0, 6.0]))
             (array([5., 0., 6.]), NoTangent())
    """

    def declare(program: Any) -> Any:
        def moved_frule(tangents: Any, *data: Any, **metadata: Any) -> Any:
            y = program(*data, **metadata)
            moved = tuple([filled(tangents[i], data[i], y.dtype) for i in range(len(data))])
            return y, program(*moved, **metadata)

        def moved_rrule(*data: Any, **metadata: Any) -> Any:
            y = program(*data, **metadata)
            frames, total = frames_of(given(program, data), y.dtype)
            places, dtype = origins(program, frames, metadata), float_dtype(y)

            def moved_pullback(y_bar: Any) -> Any:
                return brought_back(y_bar, dtype, places, frames, total)

            return y, moved_pullback

        for f in functions:
            like_program(f, moved_frule, "forward", program, declared=signature)
            like_program(f, moved_rrule, "reverse", program, declared=signature)
        return program

    return declare

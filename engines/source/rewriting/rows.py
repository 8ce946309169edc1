"""Rows: what `zip` and `zip_longest` do with iterators, as generators that the engine differentiates.

They are recipes too. A row is new and no longer held once it was given; the iterators whose items it has
ask by themselves whether those are changed while they run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_END = object()


def rows(*iterables: Any, strict: bool = False) -> Iterator[Any]:
    """`zip(…)`"""
    iterators = tuple([iter(i) for i in iterables])
    while iterators:
        row: tuple[Any, ...] = ()
        for iterator in iterators:
            item = next(iterator, _END)
            if item is _END:
                break
            row = (*row, item)
        if len(row) < len(iterators):
            if strict and (row or any(next(i, _END) is not _END for i in iterators[1:])):
                raise ValueError("zip() has arguments of different lengths")
            return
        yield row


def longest(*iterables: Any, fillvalue: Any = None) -> Iterator[Any]:
    """`itertools.zip_longest(…)`"""
    iterators = tuple([iter(i) for i in iterables])
    going = bool(iterators)
    while going:
        going = False
        row: tuple[Any, ...] = ()
        for iterator in iterators:
            item = next(iterator, _END)
            if item is _END:
                row = (*row, fillvalue)
            else:
                row, going = (*row, item), True
        if going:
            yield row

"""Joined: the steps of an expression of several operations, and when it has a text of its own.

At first each step is a call of its site. An expression that has run often, in a run in reverse that is alone,
gets a text for values of these types of which these vary (fused.py). It calls the rules directly, and the run
records one event for all of it. Whatever else comes is left to the sites.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType
from typing import Any
from weakref import WeakSet

import numpy as np

from ...core.caches import emptied, generation
from .calls import SITES
from .here import here

OFTEN = 250
"""After how many operations an expression gets a text, which takes as long to write as these to run."""
_OF_ARRAYS = 4  # how much longer an operation takes where arrays are computed
_TEXTS = 3  # of one expression

Step = tuple[str, tuple[int, ...]]
"""A site, and the places of what it is given, among the leaves, the constants and the results before it."""


def called_with(words: list[Any]) -> str:
    """The site of a call in which the last values are given by these names."""
    return f"call:{','.join(words)}" if words else "call"


def words_of(site: str) -> list[str]:
    """The names by which the last values of a call are given."""
    return site.partition(":")[2].split(",") if ":" in site else []


def _site(name: str) -> Any:
    """The function that takes a step."""
    words = words_of(name)
    if not words:
        return SITES.get(name, _items)
    count = len(words)

    def named_call(*values: Any) -> Any:
        return SITES["call"](*values[:-count], **dict(zip(words, values[-count:], strict=True)))

    return named_call


class Expression:
    """An expression of one function: how it is computed, and its texts."""

    def __init__(self, count: int, constants: list[Any], steps: list[Step]) -> None:
        """`count`: how many leaves it has."""
        self.count, self.constants, self.steps = count, constants, steps
        self.size = sum(site not in ("attr", "slice", "tuple") for site, _ in steps)
        self.ran = self.texts = 0
        self.cell = CellType(self.first())
        self.ready: list[tuple[Any, tuple[int, ...]]] = []
        _known.every.add(self)

    def first(self) -> Callable[..., Any]:
        """The function that takes the steps, and counts."""

        def joined(*leaves: Any) -> Any:
            if self.ran < OFTEN or self.texts >= _TEXTS or not _is_alone():
                y = self.values(leaves)[-1]
                self.ran += self.size * _OF_ARRAYS if type(y) is np.ndarray else self.size
                return y
            return self._noted(leaves)

        return joined

    def values(self, leaves: tuple[Any, ...]) -> list[Any]:
        """The leaves, the constants and what each step gives, taken by its site."""
        if not self.ready:
            self.ready = [(_site(site), places) for site, places in self.steps]
        values = [*leaves, *self.constants]
        for site, places in self.ready:
            if len(places) == 2:
                values.append(site(values[places[0]], values[places[1]]))
            else:
                values.append(site(*[values[i] for i in places]))
        return values

    def _noted(self, leaves: tuple[Any, ...]) -> Any:
        """The value; and a text, by what was seen on the way."""
        since, run = generation(), here.runs[0]
        vary = [run.is_live(v) for v in (*leaves, *self.constants)]
        values = self.values(leaves)
        vary += [run.is_live(v) for v in values[len(vary) :]]
        text = written(self, run, values, vary)
        self.ran = 0
        self.texts += 1
        if text is not None and since == generation():
            self.cell.cell_contents = text
        return values[-1]


def _items(*items: Any) -> tuple[Any, ...]:
    return items


def _is_alone() -> bool:
    """Whether one run looks on, and takes the events of texts."""
    return len(here.runs) == 1 and bool(here.runs[0].joins)


written: Any = None
"""fused.py: the text of an expression, by its run, its values and which of them vary; None without one."""


class _Known:
    """All expressions. Their texts hold rules, and go when one is registered."""

    def __init__(self) -> None:
        self.every: WeakSet[Expression] = WeakSet()

    def clear(self) -> None:
        """Let none have a text."""
        for e in list(self.every):
            e.ran = e.texts = 0
            e.cell.cell_contents = e.first()


_known = emptied(_Known())

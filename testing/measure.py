"""How far a derivative was from the differences: the worst of what the checks made inside compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Measure:
    """The worst error relative to the size of what was compared, None where nothing was."""

    worst: float | None = None

    def note(self, error: float) -> None:
        """Keep the larger; a NaN stays."""
        if self.worst is None or not error <= self.worst:
            self.worst = error


_current: ContextVar[Measure | None] = ContextVar("measure", default=None)


@contextmanager
def measuring() -> Iterator[Measure]:
    """A measure of the checks made inside."""
    measure = Measure()
    token = _current.set(measure)
    try:
        yield measure
    finally:
        _current.reset(token)


def note(error: float) -> None:
    """Tell whoever measures, if anyone does."""
    if (measure := _current.get()) is not None:
        measure.note(error)

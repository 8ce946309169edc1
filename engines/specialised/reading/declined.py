"""Declined: what is raised where a call tree has no specialised text."""

from __future__ import annotations

from traceback import walk_tb
from typing import Any

from .steps import Step

RECORDED = "recorded"
"""The name of what runs in a function's place while it is recorded."""


class Declined(Exception):
    """A call tree that has no specialised text; the ordinary program runs.

    `body`: the body of a rule in which this was found, where one was read.
    """

    body: Any = None


class Changing(Declined):
    """A value that is of one kind at first and of another later, as `total = 0` before arrays are added."""


class Counting(Declined):
    """A function whose kinds depend on a whole number that it is given."""

    def __init__(self, f: Any, why: Exception) -> None:
        super().__init__(str(why))
        self.f = f


class Unkeyed(Declined):
    """A dictionary whose keys are no texts, or not the same each time."""


class Unplaced(Declined):
    """An object that changes, of which it is not known from the text which one it is, or a long list."""


class Adding(Declined):
    """A sum of objects."""


def reason(error: Exception) -> str:
    """What an error that ended the writing of a text says, with the user's line where that is known."""
    said = str(error) if isinstance(error, Declined) else f"{type(error).__name__}: {error}"
    line = 0
    where = error.__cause__ or error
    for frame, at in walk_tb(where.__traceback__):
        step = frame.f_locals.get("s")
        if frame.f_code.co_name == RECORDED:
            line = at
        elif isinstance(step, Step):
            line = step.line or line
    return f"{said} (line {line})" if line else said

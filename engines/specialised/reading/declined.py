"""Declined: what is raised where a call tree has no specialised text."""

from __future__ import annotations

from typing import Any


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

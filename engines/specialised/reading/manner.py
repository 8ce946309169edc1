"""Manner: how functions are read, which is changed where a text was declined for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Manner:
    """How the functions of one call tree are read."""

    peels: bool = False
    """Whether the first turns of loops are read by themselves."""
    tables: bool = False
    """Whether dictionaries may have keys that only a run knows."""
    records: bool = False
    """Whether objects that change are lists of their fields, and lists of lists are not written out."""
    adds: bool = False
    """Whether `sum` is read as a loop."""
    counted: frozenset[Any] = frozenset()
    """The functions that are read anew for each whole number that they are given."""
    tells: bool = False
    """Whether the text may print in the end, and append to lists from outside."""


AS_WRITTEN = Manner()
TELLING = Manner(tells=True)

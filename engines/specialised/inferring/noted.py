"""Noted: what a recorded run notes of the steps of one function, each by its number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ..reading.composed import Kind
from ..reading.declined import Declined
from ..reading.handing import Handing
from ..reading.statements import Reading

CALLS = frozenset({"closure", "method", "object"})
"""Ways of calling that may take turns."""


class Noted:
    """What was seen of one function with arguments of these kinds."""

    # what the parts of Profile have for one another
    value: Callable[[int, Any], Any]
    call: Callable[..., Any]
    call_of: Callable[..., None]
    users: Callable[..., Any]
    written: Callable[..., Any]
    stored: Callable[..., Any]
    appended: Callable[[Any], Any]
    as_number: Callable[[int, Any], Any]

    def __init__(self, session: Any, f: FunctionType, kinds: tuple[Kind, ...]) -> None:
        self.f, self.kinds, self.session = f, kinds, session
        self.reading = Reading(f, session.manner)
        if len(self.reading.parameters) != len(kinds):
            raise Declined("a function of any number of arguments")
        self.seen: dict[int, Kind] = {}
        self.sequences: dict[int, list[Kind]] = {}  # the same in the order in which they were seen
        self.taken: set[tuple[int, bool]] = set()  # branches
        self.alike: dict[int, bool] = {}  # whether the operands had one shape each time
        self.called: dict[int, Any] = {}
        self.callees: dict[int, tuple[Any, ...]] = {}
        self.callees_in_order: dict[int, list[tuple[str | None, Any]]] = {}
        self.several: set[int] = set()  # calls of one function or kind of arguments or another
        self.ways: dict[int, str] = {}  # how a step came to call a function
        self.held: set[int] = set()  # calls of what an object holds
        self.noted: dict[str, dict[int, Any]] = defaultdict(dict)  # what has to be the same each time
        self.shared = self.noted["shared"]  # what a class holds for its objects, and the like
        self.handed: dict[int, Handing] = {}  # the calls that are given functions
        self.answering: set[int] = set()  # calls of a library's object
        self.raw: set[int] = set()  # calls that make a library's object
        self.axisless: set[int] = set()  # steps that make arrays without axes
        self.samples: dict[int, tuple[Any, ...]] = {}
        self.samples_in_order: dict[int, list[tuple[Any, ...]]] = {}
        self.stars: dict[int, tuple[Kind, ...]] = {}  # what was spread out
        self.ranges: dict[int, Any] = {}  # the range that a step made each time, or None
        self.indices: dict[int, Any] = {}  # the number or text by which a step took or set an item each time
        self.arrays: dict[int, dict[int, Kind]] = {}  # lists of which a call makes arrays
        self.changes: set[int] = set()  # methods that change what they are of
        self.entries_of: dict[int, tuple[Kind, Kind]] = {}  # arrays that become lists, and their entries

    def way(self, number: int, way: str) -> None:
        """Note how a step came to call a function, which may be another in each turn of a loop."""
        before = self.ways.setdefault(number, way)
        if before != way and not {before, way} <= CALLS:
            raise Declined(f"a step that is {way} or {before}")

    def same(
        self, number: int, v: Any, why: str, what: str = "shared", sort: type[Declined] = Declined
    ) -> None:
        """Note something of a step that has to be the same each time."""
        noted = self.shared if what == "shared" else self.noted[what]
        known = noted.setdefault(number, v)
        if known is not v and (type(v) is np.ndarray or known != v):
            raise sort(why)

"""Runs and their levels: whose a call is when derivatives are nested.

A run inside a run has the higher level. A call belongs to the highest run among its arguments: for that
run the values of lower ones are constants, and taking its derivative is a call again, with values of
lower runs alone. So no derivative of one run is ever taken for one of another. Runs of one level
cannot be ordered, and a value is of no use after its run has ended; both are refused. Arrays that a
run computed with are read-only until it ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import ChainRulesError
from ...core.recording import recording, recording_depth
from ...tangents import Composite, IndexedTangent, ItemTangent, Wrapper, is_zero, zero_tangent
from ...tangents.functions import FUNCTIONS
from ..leaves import Layout
from .refusals import hidden, opaque, out_of_run, written_later
from .watch import watched


class Recorded:
    """A value on its way through a run, with that run's note: its place on a tape, or its tangent."""

    __slots__ = ("note", "run", "value")

    def __init__(self, run: Run, value: Any, note: Any) -> None:
        self.run, self.value, self.note = run, value, note


_NAMED = re.compile(r"'Value'|\b(from|not|of type|component:) Value\b")
"""How errors of functions in C name the type of a recorded value."""


class Run:
    """One run of a function on recorded values."""

    def __init__(self, engine: Any) -> None:
        self.engine, self.level, self.is_open = engine, recording_depth(), True
        self.lent: list[Any] = []

    @contextmanager
    def running(self, arguments: list[Any]) -> Iterator[None]:
        """While the block runs, calls of this run's values belong to it."""
        for x in arguments:
            self.lend(x)
        try:
            with recording(self.engine), watched():
                yield
        except TypeError as error:
            if _NAMED.search(str(error)):  # a function in C that knows the type of its arguments
                raise opaque(error) from error
            raise
        except ValueError as error:
            if isinstance(error.__cause__, ChainRulesError):  # NumPy's name for a number that was refused
                raise error.__cause__ from None
            if self.lent and "read-only" in str(error):
                raise written_later(error) from error
            raise
        finally:
            self.is_open = False
            for x in sorted(self.lent, key=_depth):
                x.flags.writeable = True

    def lend(self, x: Any) -> None:
        """Make an array that was computed with read-only until the run ends: a pullback may have kept it."""
        while isinstance(x, np.ndarray) and not is_recorded(x):
            if x.flags.writeable:
                x.flags.writeable = False
                self.lent.append(x)
            x = x.base

    def is_own(self, x: Any) -> bool:
        """Whether x is a value of this run."""
        return issubclass(type(x), Recorded) and x.run is self

    def taken(self, args: tuple[Any, ...]) -> Taken:
        """What a call's arguments are below this run."""
        if all((k := type(a)) in _FLAT or issubclass(k, Recorded) for a in args):
            own = [a if self.is_own(a) else None for a in args]
            given = tuple([a if v is None else v.value for a, v in zip(args, own, strict=True)])
            return Taken(given, None, own)
        layout, own = Layout.of(args, self.is_own, into_functions=True)
        return Taken(layout.filled([v.value for v in own]), layout, own)

    def step(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call with values of this run, as values of this run."""
        raise NotImplementedError


def _depth(x: Any) -> int:
    """How many arrays an array is a view of: it can be given back only after these."""
    return 0 if not isinstance(x, np.ndarray) else 1 + _depth(x.base)


class Taken(NamedTuple):
    """A call's arguments without the values of one run; `layout` is None where none is in a structure."""

    given: tuple[Any, ...]
    layout: Layout | None
    own: list[Any]  # the values; without a layout, None for each other argument


_FLAT = frozenset({np.ndarray, np.float64, float, int, bool, complex, str, type(None), slice, type(Ellipsis)})
"""Types of arguments that hold no recorded value; a slice of recorded integers is for plain ones."""


def is_recorded(x: Any) -> bool:
    """Whether x is a recorded value, of whatever run."""
    return issubclass(type(x), Recorded)


def recorded_in(x: Any) -> list[Any]:
    """The recorded values in x, a value of any structure."""
    kind = type(x)
    if kind in _FLAT:
        if kind is np.ndarray and x.dtype.hasobject:
            refuse_hidden(x)
        return []
    if issubclass(kind, Recorded):
        return [x]
    if kind is tuple or kind is list or kind is dict:
        return [v for part in (x.values() if kind is dict else x) for v in recorded_in(part)]
    layout, values = Layout.of(x, is_recorded, into_functions=True)
    refuse_hidden(*layout.constants)
    return values


def refuse_hidden(*constants: Any) -> None:
    """Refuse recorded values in arrays of objects, which a layout does not look into."""
    for x in constants:
        if type(x) is np.ndarray and x.dtype.hasobject and any(map(is_recorded, x.flat)):
            raise hidden(x)


def owner_of(values: list[Any]) -> Run:
    """The run that a call with these values belongs to."""
    run: Run = values[0].run
    for v in values:
        if v.run is not run or not run.is_open:
            run = run if run.level > v.run.level else v.run
            if not all(w.run.is_open and (w.run is run or w.run.level < run.level) for w in values):
                raise out_of_run()
    return run


def is_argument(x: Any) -> bool:
    """Whether an argument is recorded as one value: of a function, what it captured is."""
    return not isinstance(x, FUNCTIONS) and is_leaf(x)


def plain(x: Any) -> Any:
    """x with every recorded value in it as the plain value that it has."""
    kind = type(x)
    if kind in _FLAT:
        return x
    if issubclass(kind, Recorded):
        return plain(x.value)
    layout, values = Layout.of(x, is_recorded, into_functions=True)
    return layout.filled([plain(v) for v in values]) if values else x


def opened(x: Any) -> tuple[Layout | None, list[Any]]:
    """What is recorded of a result: its leaves, and how it is made of them, None where it is one itself."""
    return (None, [x]) if is_leaf(x) else Layout.of(x, is_leaf)


def is_leaf(x: Any) -> bool:
    """Whether x is recorded as one value: it may have a derivative, and is no structure of such values."""
    kind = type(x)
    if kind is np.ndarray or issubclass(kind, np.generic):
        return bool(x.dtype.kind in "fciu")
    if kind is float or kind is int or kind is complex or issubclass(kind, Recorded):
        return True
    if kind in _STRUCTURES or isinstance(x, Composite):
        return False
    if isinstance(x, (*FUNCTIONS, Wrapper, IndexedTangent, ItemTangent)):
        return True
    zero = zero_tangent(x)
    return not is_zero(zero) and not isinstance(zero, Composite)


_STRUCTURES = (tuple, list, dict, str, bytes, bool, type(None), type(Ellipsis), slice, range, type)

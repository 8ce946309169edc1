"""Holdings: which values the objects of a library hold that a derivative passes through.

An object that a rule makes is one leaf, and its tangent has the fields that the rule names. What meets the
object later, as a function that captured it, can ask here for these fields and their values.

Whoever is given objects to differentiate by notes that they vary. A rule asks for the cotangent of all that
a function captured, and some of that may be still: so what a rule asks of is marked by `for_all`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, TypeVar


class Holding(NamedTuple):
    """What an object holds, under which names; `names` is None where nobody said."""

    names: tuple[str, ...] | None
    values: tuple[Any, ...]


_Program = TypeVar("_Program", bound=Callable[..., Any])
_for_all: set[Any] = set()
_UNSAID = Holding(None, ())
_known: dict[int, tuple[weakref.ref[Any], Holding]] = {}


def note_holding(made: Any, names: tuple[str, ...], values: tuple[Any, ...]) -> None:
    """Note what an object holds."""
    _note(made, Holding(names, values))


def note_varying(made: Any, given: tuple[Any, ...] = ()) -> None:
    """Note that an object varies, whatever it holds; not of one that something given is known to hold."""
    if id(made) in _known:
        return
    holders = (_known[id(x)][1] for x in given if id(x) in _known)
    if not any(made is v for held in holders for v in held.values):
        _note(made, _UNSAID)


def _note(made: Any, holding: Holding) -> None:
    key = id(made)
    try:
        _known[key] = weakref.ref(made, lambda gone: _known.pop(key, None)), holding
    except TypeError:  # an object that is not followed
        return


def holding_of(made: Any) -> Holding | None:
    """What an object holds; None for one that does not vary. One that is not followed may vary."""
    known = _known.get(id(made))
    if known is not None:
        return known[1]
    return None if type(made).__weakrefoffset__ else _UNSAID


def for_all(f: _Program) -> _Program:
    """A function, or a class of such, by which rules ask for all that a function holds, still or not."""
    _for_all.add(f)
    return f


def is_for_all(f: Any) -> bool:
    """Whether rules ask by this function, and not somebody who has what is asked for vary."""
    return (f if type(f) is FunctionType else type(f)) in _for_all

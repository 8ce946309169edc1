"""Counting: whole numbers inside an argument, which a text takes for constants.

An object that is differentiated may hold whole numbers: how many steps it takes, the place of a column. Like
any number they have a derivative. It is zero where they do nothing but count and choose; where anything real
is computed of one, the ordinary program answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....tangents import Composite, fields_of, is_zero
from ..inferring.inference import Inferred
from ..reading.calls import is_flat, is_users
from ..reading.declined import Declined
from ..reading.kinds import varies
from ..reading.steps import GROWS, SETS, Step, walk
from .activity import targets

_WHOLE = ("i", "q", "H")
_CHOOSING = frozenset({"compare", "if", "break", "deopt", "pack", "commit"})
_PUTTING = frozenset({"set", *SETS, *GROWS})
_SHAPING = frozenset(
    [
        *(np.reshape, np.ndarray.reshape, np.repeat, np.ndarray.repeat, np.tile, np.roll, np.broadcast_to),
        *(np.expand_dims, np.squeeze, np.swapaxes, np.moveaxis, np.transpose, np.ndarray.transpose),
        *(np.split, np.array_split),
    ]
)
"""Functions of which whole numbers behind the first argument say a shape, an axis or a place."""


def is_whole(k: Any) -> bool:
    """Whether this is the kind of a whole number, or of a tuple of them."""
    return type(k) is str and k in _WHOLE


def is_nothing(t: Any) -> bool:
    """Whether a gradient is one of zeros."""
    if isinstance(t, Composite):
        inside = fields_of(t)
        return all(map(is_nothing, inside.values() if isinstance(inside, dict) else inside))
    return is_zero(t) or (not isinstance(t, np.ndarray) and bool(t == 0))


def refuse_numbers(inferred: Inferred, name: str) -> None:
    """Declined where something real is computed of this whole number."""
    _Counts().follow(inferred, frozenset((name,)))


class _Counts:
    """Where whole numbers go, through the functions of a call tree."""

    def __init__(self) -> None:
        self.known: set[Any] = set()

    def follow(self, inferred: Inferred, names: frozenset[str]) -> None:
        """Follow whole numbers of one function."""
        if (inferred, names) in self.known:
            return
        self.known.add((inferred, names))
        reached, before = set(names), -1
        while before != len(reached):
            before = len(reached)
            for s in walk(inferred.steps):
                self._spread(inferred, s, reached)

    def _spread(self, inferred: Inferred, s: Step, reached: set[str]) -> None:
        """What is computed of those that were reached."""
        given = [[n for n in _leaves(inferred, a) if n in reached] for a in s.args]
        if s.op in _CHOOSING or not any(given):
            return
        if s.op in _PUTTING:
            if any(given[1:]):
                raise _computed()
            return
        called = s.op in ("call", "method")
        if called:
            self._call(inferred, s, reached, any(given[s.op == "call"]))
        for n in targets(s):
            k = inferred.kinds[n]
            if is_whole(k):
                reached.add(n)
            elif (varies(k) and not called) or k == "L":
                raise _computed()

    def _call(self, inferred: Inferred, s: Step, reached: set[str], first: bool) -> None:
        """Follow them into a function that is called; `first`: whether they are its first argument."""
        f = inferred.function(s)
        if not is_users(f):
            if not is_flat(f) and (f not in _SHAPING or first):
                raise _computed()
            return
        callee = inferred.profile.session.inferred(inferred.callee(s))
        if not isinstance(callee, Inferred):
            raise Declined("a whole number of an argument in a function that calls itself")
        given = [n for a in s.args[1:] for n in (_leaves(inferred, a) or [a])]
        taken = [n for p in callee.parameters for n in callee.leaves(p)]
        self.follow(callee, frozenset(b for a, b in zip(given, taken, strict=True) if a in reached))


def _computed() -> Declined:
    return Declined("a whole number of an argument of which something is computed")


def _leaves(inferred: Inferred, atom: str) -> list[str]:
    """The variables of an argument; none of a constant."""
    return inferred.leaves(atom) if atom in inferred.kinds else []

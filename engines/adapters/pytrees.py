"""Objects of declared types as trees, for engines that differentiate by the leaves of a tree.

The leaves are the fields that are differentiated, in the order of the declaration. All others are kept
beside them, and two trees are of one structure where what they keep is equal. What can be changed in place
is kept as a copy, so that a structure says for ever what it said when it was made.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...tangents import construct
from ...tangents.declared import canonical_of, declared_types
from ...tangents.structure import fields

Register = Callable[[type, Callable[[Any], tuple[list[Any], "Kept"]], Callable[[Any, Any], Any]], None]


class Kept:
    """The fields of an object that are no leaves; equal where the fields are."""

    __slots__ = ("P", "values")

    def __init__(self, P: type, values: dict[str, Any]) -> None:
        self.P, self.values = P, values

    def __eq__(self, other: Any) -> bool:
        if type(other) is not Kept or other.P is not self.P or other.values.keys() != self.values.keys():
            return False
        return all(_equal(value, other.values[name]) for name, value in self.values.items())

    def __hash__(self) -> int:
        return hash((self.P, *self.values))

    def __repr__(self) -> str:
        return (
            f"{self.P.__qualname__}({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"
        )


def register_declared(known: set[type], register: Register) -> None:
    """Make each declared type known to an engine, unless its user has done so; `known` remembers which are.

    `register(P, flatten, unflatten)` raises ValueError for a type that is known there already.
    """
    for P in set(declared_types) - known:
        known.add(P)
        try:
            register(P, leaves_of, like_kept)
        except ValueError:  # as its user wants it there
            continue


def leaves_of(x: Any) -> tuple[list[Any], Kept]:
    """The differentiated fields of an object of a declared type, and the others."""
    P = type(x)
    declared: Any = canonical_of(P)
    inside = fields(x)
    rest = {name: _still(value) for name, value in inside.items() if name not in declared.names}
    return [inside.get(name) for name in declared.names], Kept(P, rest)


def like_kept(kept: Kept, leaves: Iterable[Any]) -> Any:
    """The object with these leaves, whatever they are, and what was kept."""
    declared: Any = canonical_of(kept.P)
    return construct(kept.P, {**kept.values, **dict(zip(declared.names, leaves, strict=True))})


def _still(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return copy.deepcopy(value)
    return value


def _equal(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    try:
        return bool(a == b)
    except (TypeError, ValueError):  # a comparison that has no single answer
        return False

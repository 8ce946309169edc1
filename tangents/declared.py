"""The canonical tangent that the author of a primal type declares: what a user of the type is given.

Inside, the tangents of such a type are composites like those of any other. Only at the boundary of an
operator `present` makes the declared form of their fields, and where a tangent of that form comes in again
`accept` makes its fields of it. The record stands on the class itself, so that both are dropped together;
a subclass has other fields, and no canonical tangent before its author declares one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

declared_types: WeakSet[type] = WeakSet()
"""All types that have a canonical tangent, by their authors' declaration."""


@dataclass(frozen=True)
class Canonical:
    """How the canonical tangents of a primal type are made of fields, and taken apart."""

    P: type
    T: type
    names: tuple[str, ...]
    present: Callable[[dict[str, Any]], Any]
    accept: Callable[[Any], Any]


def canonical_of(P: type) -> Canonical | None:
    """What was declared of exactly this type.

    Example: >>> canonical_of(float) is None
             True
    """
    declared: Canonical | None = getattr(P, "__canonical__", None)
    return declared if declared is not None and declared.P is P else None


def accepted(P: type, t: Any) -> Any:
    """A tangent of P from outside: one in the declared form as its fields, any other as it is."""
    if getattr(type(t), "__primal__", None) is P:
        return t
    declared = canonical_of(P)
    return t if declared is None or type(t) is not declared.T else declared.accept(t)

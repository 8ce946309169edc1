"""Composed: the kinds of what has parts, each with the kinds of these.

A tuple's is the tuple `("T", "f", "a1")`. That of a dictionary, an object or a list is told from it by its
class, and by its keys or by the class that the object is of.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

Kind = Any


class Keyed(tuple[Any, ...]):
    """The kind of a dictionary: that of a tuple of its values, and the keys in their order."""

    keys: tuple[str, ...]

    def __new__(cls, keys: tuple[str, ...], items: Iterable[Kind]) -> Self:
        """The kind of a dictionary with these keys, whose values have these kinds."""
        made = super().__new__(cls, ("T", *items))
        made.keys = keys
        return made

    def __eq__(self, other: object) -> bool:
        return type(other) is Keyed and self.keys == other.keys and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.keys, *self))

    def __reduce__(self) -> Any:
        return Keyed, (self.keys, self[1:])


class Made(Keyed):
    """The kind of an object: that of a dictionary of its fields, and its class."""

    made: Any  # the class, or the code of a function that was defined inside another

    @classmethod
    def of(cls, made: Any, keys: tuple[str, ...], items: Iterable[Kind]) -> Made:
        """The kind of an object or named tuple of a class with these fields, which have these kinds."""
        k = cls(keys, items)
        k.made = made
        return k

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is Made
            and self.made is other.made
            and self.keys == other.keys
            and tuple.__eq__(self, other)
        )

    def __hash__(self) -> int:
        return hash((self.made, self.keys, *self))

    def __reduce__(self) -> Any:
        return Made.of, (self.made, self.keys, self[1:])


class Named(Made):
    """The kind of a named tuple: that of a tuple of its fields, which have names, and its class."""

    def __eq__(self, other: object) -> bool:
        return type(other) is Named and self.made is other.made and tuple.__eq__(self, other)

    def __hash__(self) -> int:
        return hash((self.made, *self))

    def __reduce__(self) -> Any:
        return Named.of, (self.made, self.keys, self[1:])


class Listed(tuple[Any, ...]):
    """The kind of a list that is an argument, and counts as a tuple."""

    def __eq__(self, other: object) -> bool:
        return type(other) is Listed and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Listed, *self))


def facts_of(k: Kind) -> dict[str, Any]:
    """What the step that makes a value of this kind of its parts says of itself."""
    if type(k) is Listed:
        return {"listed": True}
    of = {} if not isinstance(k, Made) else {"named" if type(k) is Named else "made": k.made}
    return of | {"keys": k.keys} if isinstance(k, Keyed) else of


class Counted(tuple[Any, ...]):
    """The kinds of a function's arguments, where these whole numbers among them tell its kinds apart."""

    counts: tuple[Any, ...]

    @classmethod
    def of(cls, kinds: tuple[Kind, ...], values: tuple[Any, ...]) -> Counted:
        """The kinds of arguments with these values."""
        made = cls(kinds)
        made.counts = tuple([count_in(v) for v in values])
        return made

    def __eq__(self, other: object) -> bool:
        return type(other) is Counted and self.counts == other.counts and super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.counts, *self))


def count_in(v: Any) -> int | bool | None:
    """A whole number or truth value, or how many such a tuple has; None of anything else."""
    if type(v) in (int, bool):
        return v  # type: ignore[no-any-return]
    return len(v) if type(v) is tuple and all(type(e) is int for e in v) else None


class Given(list[Any]):
    """A list that is an argument, in a recorded run; nothing but a tuple can be asked of it."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return Given(found) if isinstance(key, slice) else found

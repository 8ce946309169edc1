"""Tangents with parts, seen the same way: composites, item tangents, and plain tuples, lists and dicts.

`entries(t)` gives the parts by position, key or field name; `matched(a, b)` pairs those of two tangents
of one primal. Composites match when their primal types are the same; a plain tuple or list matches
a composite of any tuple or list, and a plain dict one of any dict.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from .composite import SEQUENCES, Composite, fields_of, primal_type
from .errors import MismatchedPrimalError, ShapeMismatch
from .indexed import ItemTangent
from .own_dict import own_dict
from .refilled import refilled
from .sparse import is_sparse
from .zeros import ZERO


def has_entries(t: Any) -> bool:
    """Whether a tangent has parts, as opposed to being a number or array.

    Example: >>> has_entries(Composite[tuple](1.0)), has_entries((1.0,)), has_entries(1.0)
             (True, True, False)
    """
    return isinstance(t, Composite | ItemTangent | SEQUENCES) or is_dict(t)


def is_dict(t: Any) -> bool:
    """Whether t is a dict of values, as opposed to SciPy's array that is kept as one."""
    return isinstance(t, dict) and not is_sparse(t)


def entries(t: Any) -> dict[Any, Any]:
    """The parts of a tangent by position, key or field name; not to be written.

    Example: >>> entries(Composite[tuple](1.0, 2.0))
             {0: 1.0, 1: 2.0}
    """
    if isinstance(t, ItemTangent):
        return {t.index: t.value}
    if is_of(SEQUENCES, t):
        return dict(enumerate(t)) | _properties(t)
    parts: dict[Any, Any] = fields_of(t) if isinstance(t, Composite) else t
    return parts


def _properties(t: Any) -> dict[str, Any]:
    """What a composite of a NamedTuple says of its properties, which have no position."""
    fields = fields_of(t) if isinstance(t, Composite) else ()
    stored = primal_type(t)._fields if isinstance(fields, dict) else ()  # type: ignore[attr-defined]  # NamedTuple
    return {name: fields[name] for name in fields if name not in stored} if stored else {}


def is_of(kind: Any, t: Any) -> bool:
    """Whether t is such a container, or a tangent of one."""
    P = primal_type(t) if isinstance(t, Composite) else t.P if isinstance(t, ItemTangent) else type(t)
    return issubclass(P, kind)


def agree(a: Any, b: Any) -> bool:
    """Whether two tangents with parts can be tangents of one primal."""
    if isinstance(a, Composite | ItemTangent) and isinstance(b, Composite | ItemTangent):
        return _primal(a) is _primal(b)
    return has_entries(a) and has_entries(b) and any(is_of(k, a) and is_of(k, b) for k in (SEQUENCES, dict))


def _primal(t: Any) -> type:
    return Composite[t.P].__primal__ if isinstance(t, ItemTangent) else primal_type(t)


def matched(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """The pairs of parts of two tangents, a missing one being `Zero()`.

    Raises:  MismatchedPrimalError when the primals differ; ShapeMismatch when the lengths do.
    Example: >>> list(matched(Composite[dict]({"a": 1.0}), {"a": 2.0, "b": 3.0}))
             [(1.0, 2.0), (Zero(), 3.0)]
    """
    if not agree(a, b):
        raise mismatched(a, b, "combined")
    if is_of(SEQUENCES, a) and len(a) != len(b):
        raise ShapeMismatch(
            f"tangents of {len(a)} and {len(b)} items cannot be combined",
            next="a tangent has one entry for each item of its primal, Zero() where it is zero",
        )
    ours, theirs = entries(a), entries(b)
    yield from ((t, theirs.get(key, ZERO)) for key, t in ours.items())
    yield from ((ZERO, t) for key, t in theirs.items() if key not in ours)


def rebuilt(like: Any, values: Any) -> Any:
    """A tuple, list or dict of the type of `like` with these values, a dict in their order.

    A tuple keeps what it has beside its items: results of SciPy hold their other fields so.
    """
    if isinstance(like, dict | deque | list):
        return refilled(like, values)
    if isinstance(like, tuple):
        made = tuple.__new__(type(like), values)
        if beside := own_dict(like):
            made.__dict__.update(beside)
        return made
    return type(like)(values)


def mismatched(a: Any, b: Any, doing: str = "added") -> MismatchedPrimalError:
    """The error for two tangents, or types of them, that cannot belong to one primal; it names both types."""
    types = [t if isinstance(t, type) else type(t) for t in (a, b)]
    kinds = [T.__name__ for T in types]
    if kinds[0] == kinds[1] and types[0] is not types[1]:  # two classes of one name
        primals = (T.__primal__ if issubclass(T, Composite) else T for T in types)
        kinds = [f"{kind} (of {P!r})" for kind, P in zip(kinds, primals, strict=True)]
    return MismatchedPrimalError(
        f"tangents of types {kinds[0]} and {kinds[1]} cannot be {doing}",
        closest="a tangent meets only tangents of the same primal type; a subclass is another type",
        next=f"register their sum, with @add.dispatch on (a: {kinds[0]}, b: {kinds[1]}), "
        "or mend the rule that made one of them",
    )

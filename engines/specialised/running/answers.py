"""How the gradient of an argument lies in it: as its tuples, lists and dictionaries do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....tangents import Composite
from ..inferring.inference import Inferred
from ..reading.kinds import Listed, is_tuple, keys_of
from .programs import Writer


def shaped(w: Writer, inferred: Inferred, name: str) -> Any:
    """How the cotangents of the items of a tuple or dictionary lie in it."""
    k = inferred.kinds[name]
    if not is_tuple(k):
        return name
    items = [shaped(w, inferred, f"{name}__{i}") for i in range(len(k) - 1)]
    keys = keys_of(k)
    if keys is None:
        return items if type(k) is Listed else tuple(items)
    return dict(zip(keys, items, strict=True))


def composed_text(w: Writer, shape: Any, taken: Any) -> str:
    """The gradient of an argument as text, from the names of those of its numbers and arrays."""
    if isinstance(shape, dict):
        parts = ", ".join(f"{k!r}: {composed_text(w, x, taken)}" for k, x in shape.items())
        return f"{w.bind(Composite[dict])}({{{parts}}})"
    if isinstance(shape, list | tuple):
        made = composed if isinstance(shape, tuple) else composed_of_list
        return f"{w.bind(made)}({', '.join(composed_text(w, x, taken) for x in shape)})"
    return str(next(taken))


def composed(*parts: Any) -> Any:
    """The gradient of a tuple."""
    return Composite[tuple](*parts)


def composed_of_list(*parts: Any) -> Any:
    """The gradient of a list."""
    return Composite[list](*parts)


def of_shape(shape: Any, parts: Iterator[Any]) -> Any:
    """The gradient of an argument, from those of the numbers and arrays in it."""
    if isinstance(shape, dict):
        return Composite[dict]({k: of_shape(x, parts) for k, x in shape.items()})
    if isinstance(shape, list | tuple):
        made = composed if isinstance(shape, tuple) else composed_of_list
        return made(*[of_shape(x, parts) for x in shape])
    return next(parts)

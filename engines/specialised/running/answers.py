"""How the gradient of an argument lies in it: as its tuples, lists and dictionaries do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ....tangents import Composite, fields_of, is_zero
from ..inferring.inference import Inferred
from ..reading.declined import Declined
from ..reading.kinds import Listed, Made, has_object, is_array, is_real, is_tuple, keys_of
from .programs import Writer


class OfObject(NamedTuple):
    """The gradient of an object: its class, and the shapes of the gradients of its fields."""

    P: type
    fields: dict[str, Any]


class Still(NamedTuple):
    """The gradient of what has no derivative, as the ordinary program gives it."""

    answer: Any


def shaped(w: Writer, inferred: Inferred, name: str, like: Any = None) -> Any:
    """How the cotangents of the items of a tuple or dictionary lie in it; those of an object as in `like`."""
    k = inferred.kinds[name]
    if not is_tuple(k):
        return name if is_array(k) or is_real(k) else Still(like)
    if is_zero(like) and has_object(k):
        return Still(like)
    given = {} if like is None else fields_of(like)
    keys = k.keys if isinstance(k, Made) else keys_of(k) or range(len(k) - 1)
    inside = {n: f"{name}__{i}" for i, n in enumerate(keys)}
    if isinstance(k, Made):
        moving = {n for n, x in inside.items() if any(map(is_moving, leaf_kinds(inferred.kinds[x])))}
        if not moving <= given.keys() <= inside.keys() or not all(map(str.isidentifier, given)):
            raise Declined("an object whose gradient has other fields")
        return OfObject(k.made, {n: shaped(w, inferred, inside[n], given[n]) for n in given})
    items = [shaped(w, inferred, x, None if like is None else given[n]) for n, x in inside.items()]
    if keys_of(k) is None:
        return items if type(k) is Listed else tuple(items)
    return dict(zip(keys, items, strict=True))


def is_moving(k: Any) -> bool:
    """Whether this is the kind of a number or an array that has a derivative."""
    return is_array(k) or is_real(k)


def leaf_kinds(k: Any) -> list[Any]:
    """The kinds of what is in a tuple, a dictionary or an object, however deep."""
    return [x for item in k[1:] for x in leaf_kinds(item)] if is_tuple(k) else [k]


def names_in(shape: Any) -> list[str]:
    """The variables whose cotangents a gradient is made of."""
    if isinstance(shape, Still):
        return []
    if isinstance(shape, OfObject):
        return names_in(shape.fields)
    if isinstance(shape, dict | list | tuple):
        return [n for x in (shape.values() if isinstance(shape, dict) else shape) for n in names_in(x)]
    return [shape]


def composed_text(w: Writer, shape: Any, taken: Any) -> str:
    """The gradient of an argument as text, from the names of those of its numbers and arrays."""
    if isinstance(shape, Still):
        return w.bind(shape.answer)
    if isinstance(shape, OfObject):
        parts = ", ".join(f"{n}={composed_text(w, x, taken)}" for n, x in shape.fields.items())
        return f"{w.bind(Composite[shape.P])}({parts})"
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

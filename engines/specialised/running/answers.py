"""How the gradient of an argument lies in it: as its tuples, lists and dictionaries do."""

from __future__ import annotations

from collections.abc import Iterator
from types import BuiltinFunctionType
from typing import Any, NamedTuple

import numpy as np

from ....tangents import NO_TANGENT, Composite, fields_of, is_zero
from ..inferring.inference import Inferred
from ..reading.composed import Listed, Made
from ..reading.declined import Declined
from ..reading.kinds import has_named, has_object, is_array, is_real, is_tuple, keys_of
from ..writing.counting import is_nothing, is_whole, refuse_numbers
from .programs import Writer


class OfObject(NamedTuple):
    """The gradient of an object: its class, and the shapes of the gradients of its fields."""

    P: type
    fields: dict[str, Any]


class Still(NamedTuple):
    """The gradient of what has no derivative, as the ordinary program gives it."""

    answer: Any


def needs_like(k: Any) -> bool:
    """Whether the ordinary program has to say how the gradient of an argument of this kind lies in it."""
    return has_object(k) or has_named(k) or (is_tuple(k) and not all(map(is_moving, leaf_kinds(k))))


def shaped(inferred: Inferred, name: str, like: Any = None) -> Any:
    """How the cotangents of a tuple's or dictionary's items lie in it, as in `like` where that is needed."""
    k = inferred.kinds[name]
    if not is_tuple(k):
        return name if is_moving(k) else _still(inferred, name, like)
    if is_zero(like):
        if any(map(is_moving, leaf_kinds(k))):
            raise Declined("an argument that the ordinary program gives no gradient")
        return Still(like)
    keys = k.keys if isinstance(k, Made) else keys_of(k) or range(len(k) - 1)
    inside = {n: f"{name}__{i}" for i, n in enumerate(keys)}
    if like is not None and (isinstance(k, Made) or keys_of(k) is not None):
        given = fields_of(like)
        moving = {n for n, x in inside.items() if any(map(is_moving, leaf_kinds(inferred.kinds[x])))}
        if not moving <= given.keys() <= inside.keys():
            raise Declined("an argument whose gradient has other fields")
        found = {n: shaped(inferred, inside[n], given[n]) for n in given}
        if not isinstance(k, Made):
            return found
        if not all(map(str.isidentifier, given)):
            raise Declined("an object whose fields have no names")
        return OfObject(k.made, found)
    parts = [None] * len(inside) if like is None else fields_of(like)
    items = [shaped(inferred, x, t) for x, t in zip(inside.values(), parts, strict=True)]
    if keys_of(k) is None:
        return items if type(k) is Listed else tuple(items)
    return dict(zip(keys, items, strict=True))


def _still(inferred: Inferred, name: str, like: Any) -> Still:
    """The gradient of a part that has none, or of a whole number that nothing is computed of."""
    k = inferred.kinds[name]
    if like is not NO_TANGENT and not (_is_bare(k) and is_nothing(like)):
        if not is_whole(inferred.kinds[name]) or not is_nothing(like):
            raise Declined("an argument with a part whose gradient no text computes")
        refuse_numbers(inferred, name)
    return Still(like)


def _is_bare(k: Any) -> bool:
    """Whether this is a function or class that holds nothing of a program's."""
    return type(k) is tuple and k[0] == "F" and type(k[1]) in (np.ufunc, BuiltinFunctionType, type)


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

"""Structures: what the engine itself knows how to differentiate without a rule.

Building a tuple, list or dict; reading a field of an object; making an object of a dataclass or
NamedTuple. The rules here answer for any class, so they stand behind the registry: a rule that
somebody registered for a class comes first.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

from ....core import NotDifferentiableError, UnsupportedSyntaxError, frule, non_differentiable, rrule
from ....core.seeds import ready
from ....tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    NotImplementedTangent,
    fields_of,
    from_fields,
    is_zero,
    primal_type,
    unthunk,
)
from ....tangents.naturals import SAME
from ..locking.locks import failed_store
from ..syntax.where import call_chain, show_chain


def make_tuple(*elements: Any) -> tuple[Any, ...]:
    """`(a, b, …)`"""
    return elements


def make_list(*elements: Any) -> list[Any]:
    """`[a, b, …]`"""
    return list(elements)


def make_dict(keys: tuple[Any, ...], *values: Any) -> dict[Any, Any]:
    """`{k: v, …}`"""
    return dict(zip(keys, values, strict=True))


def regroup(elements: tuple[Any, ...], before: int, after: int) -> tuple[Any, ...]:
    """The elements for `a, *b, c = …`: those in the middle as one list."""
    end = len(elements) - after
    if end < before:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(elements)})"
        )
    return (*elements[:before], list(elements[before:end]), *elements[end:])


def completed(ended: bool) -> None:
    """Refuse a `with` body that an exception left: what it had computed by then has no derivative kept."""
    if not ended:
        raise UnsupportedSyntaxError(
            "a `with` statement around differentiated statements suppressed an exception",
            where=show_chain(call_chain()),
            next="catch the exception outside of the differentiated function",
        )


def undisturbed(busy: bool) -> None:
    """Refuse to go on after an exception left a call that may have changed its arguments half-way.

    Nor after a store that failed because the array was made read-only here.
    """
    error = sys.exc_info()[1]
    if (refused := failed_store(error)) is not None:
        raise refused from error
    if busy:
        raise UnsupportedSyntaxError(
            "an exception left a call that may have changed its arguments by then, and was caught",
            where=show_chain(call_chain()),
            next="catch it in the called function, or return new values from it",
        )


def ungrouped(caught: BaseExceptionGroup[Any]) -> None:
    """Raise the error that `except*` caught, out of the group that it made of it."""
    raise caught.exceptions[0]


def function_tangent(names: tuple[str, ...], *parts: Any) -> Any:
    """The tangent of a function, from those of the captured variables of these names."""
    return object_tangent(types.FunctionType, names, *parts)


def object_tangent(P: type, names: tuple[str, ...], *parts: Any) -> Any:
    """The tangent of an object of P, from those of the fields of these names."""
    return Composite[P](**dict(zip(names, parts, strict=True)))


def captured(tangent: Any, name: str) -> Any:
    """The part of a function's tangent that belongs to one captured variable."""
    t = ZERO if is_zero(tangent) else unthunk(tangent)
    return t if t is ZERO or isinstance(t, NotImplementedTangent) else getattr(t, name)


def tuple_tangent(*parts: Any) -> Any:
    """The tangent of a tuple from its parts; zero where all of them are."""
    return Composite[tuple](*parts) if any(p is not ZERO for p in parts) else ZERO


def parts_of(tangent: Any, count: int) -> tuple[Any, ...]:
    """The parts of a tuple's or list's tangent."""
    if is_zero(tangent):
        return (ZERO,) * count
    t = ready(tangent)
    return (t,) * count if isinstance(t, NotImplementedTangent) else fields_of(t)


@frule(tuple_tangent)
def tuple_tangent_frule(tangents: Any, *parts: object) -> Any:
    """linear"""
    return tuple_tangent(*parts), tuple_tangent(*tangents)


@rrule(tuple_tangent)
def tuple_tangent_rrule(*parts: object) -> Any:
    """the parts of ȳ"""
    count = len(parts)

    def tuple_tangent_pullback(y_bar: Any) -> Any:
        return parts_of(y_bar, count)

    return tuple_tangent(*parts), tuple_tangent_pullback


@frule(parts_of)
def parts_of_frule(tangents: Any, tangent: object, *, count: Any) -> Any:
    """linear"""
    return parts_of(tangent, count), Composite[tuple](*parts_of(tangents[0], count))


@rrule(parts_of)
def parts_of_rrule(tangent: object, *, count: Any) -> Any:
    """the parts put together again"""
    P = None if is_zero(tangent) else primal_type(ready(tangent))

    def parts_of_pullback(y_bar: Any) -> Any:
        return ZERO if P is None else from_fields(P, parts_of(y_bar, count))

    return parts_of(tangent, count), parts_of_pullback


# The trace of a loop is tuples in tuples: without `complete`, each would be projected to its end.
@frule(make_tuple, complete=True)
def make_tuple_frule(tangents: Any, *elements: object) -> Any:
    """ẏ holds each ẋᵢ"""
    return elements, Composite[tuple](*tangents)


@rrule(make_tuple, complete=True)
def make_tuple_rrule(*elements: object) -> Any:
    """x̄ᵢ = ȳ[i]"""
    count = len(elements)

    def make_tuple_pullback(y_bar: Any) -> Any:
        return parts_of(y_bar, count)

    return elements, make_tuple_pullback


@frule(make_list, complete=True)
def make_list_frule(tangents: Any, *elements: object) -> Any:
    """ẏ holds each ẋᵢ"""
    return list(elements), Composite[list](*tangents)


@rrule(make_list, complete=True)
def make_list_rrule(*elements: object) -> Any:
    """x̄ᵢ = ȳ[i]"""
    count = len(elements)

    def make_list_pullback(y_bar: Any) -> Any:
        return parts_of(y_bar, count)

    return list(elements), make_list_pullback


def refuse_moving_keys(t: Any) -> None:
    """Raise where a key of a dict is differentiated: it has no derivative."""
    if not is_zero(t) and not all(is_zero(part) for part in fields_of(ready(t))):
        raise NotDifferentiableError(
            "a differentiated value is a key of a dict, through which no derivative passes",
            where=show_chain(call_chain()),
            next="use an index or a name as the key",
        )


non_differentiable(refuse_moving_keys, why="checks a tangent")


@frule(make_dict)
def make_dict_frule(tangents: Any, keys: tuple, *values: object) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """ẏ[k] = ẋₖ"""
    refuse_moving_keys(tangents[0])
    return make_dict(keys, *values), from_fields(dict, dict(zip(keys, tangents[1:], strict=True)))


@rrule(make_dict)
def make_dict_rrule(keys: tuple, *values: object) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """x̄ₖ = ȳ[k]"""

    def make_dict_pullback(y_bar: Any) -> Any:
        return (NO_TANGENT, *entries(y_bar, keys))

    return make_dict(keys, *values), make_dict_pullback


def entries(y_bar: Any, keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """The entries of a dict's tangent for these keys; a key given twice counts for its last value."""
    last = {key: i for i, key in enumerate(keys)}
    return tuple(y_bar[key] if last[key] == i else ZERO for i, key in enumerate(keys))


@frule(regroup)
def regroup_frule(tangents: Any, elements: tuple, *, before: int, after: int) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """As the elements are regrouped, so are their tangents."""
    before_t, middle, after_t = _regrouped(fields_of(tangents[0]), before, after)
    dy = Composite[tuple](*before_t, Composite[list](*middle), *after_t)
    return regroup(elements, before, after), dy


@rrule(regroup)
def regroup_rrule(elements: tuple, *, before: int, after: int) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """x̄ lists the parts of ȳ in their old order."""
    count = len(elements) - before - after

    def regroup_pullback(y_bar: Any) -> Any:
        parts = fields_of(y_bar)
        middle = parts_of(parts[before], count)
        return Composite[tuple](*parts[:before], *middle, *parts[before + 1 :])

    return regroup(elements, before, after), regroup_pullback


def _regrouped(parts: tuple[Any, ...], before: int, after: int) -> tuple[Any, Any, Any]:
    end = len(parts) - after
    return parts[:before], parts[before:end], parts[end:]


def is_field(x: Any, name: str) -> bool:
    """Whether `x.name` reads a stored field rather than computing something."""
    if isinstance(x, SAME):  # whose tangents are values, with fields of their own
        return False
    descriptor = getattr(type(x), name, None)
    if isinstance(descriptor, types.MemberDescriptorType):
        return True
    if isinstance(x, tuple) and name in getattr(type(x), "_fields", ()):
        return True
    return name in getattr(x, "__dict__", ()) and not hasattr(descriptor, "__set__")


def read_field(x: Any, name: str) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """`x.name` in reverse: x̄ has ȳ in that field."""
    P = primal_type(x) if isinstance(x, Composite) else type(x)

    def field_pullback(y_bar: Any) -> tuple[Any, ...]:
        return (field_cotangent(y_bar, P, name),)

    return getattr(x, name), field_pullback


def field_cotangent(y_bar: Any, P: type, name: str) -> Any:
    """The cotangent of an object whose one field has the cotangent ȳ."""
    return ZERO if is_zero(y_bar) else Composite[P](**{name: y_bar})


def field_tangent(dx: Any, name: str) -> Any:
    """The tangent of one field."""
    if isinstance(dx, NotImplementedTangent):
        return dx
    return ZERO if is_zero(dx) else getattr(unthunk(dx), name)


@frule(field_tangent)
def field_tangent_frule(tangents: Any, dx: object, *, name: Any) -> Any:
    """linear"""
    return field_tangent(dx, name), field_tangent(tangents[0], name)


@rrule(field_tangent, lazy_seed=True)
def field_tangent_rrule(dx: object, *, name: Any) -> Any:
    """the tangent of an object with ȳ in that field"""
    P = None if is_zero(dx) else primal_type(unthunk(dx))

    def field_tangent_pullback(y_bar: Any) -> Any:
        return ZERO if P is None else field_cotangent(y_bar, P, name)

    return field_tangent(dx, name), field_tangent_pullback


def field_forward(tangents: Any, x: Any, name: str) -> tuple[Any, Any]:
    """`x.name` and its tangent."""
    return getattr(x, name), field_tangent(tangents[0], name)


@frule(field_cotangent)
def field_cotangent_frule(tangents: Any, y_bar: object, *, P: Any, name: Any) -> Any:
    """linear in ȳ"""
    return field_cotangent(y_bar, P, name), field_cotangent(tangents[0], P, name)


@rrule(field_cotangent, lazy_seed=True)
def field_cotangent_rrule(y_bar: object, *, P: Any, name: Any) -> Any:
    """the field of the seed"""

    def field_cotangent_pullback(t: Any) -> Any:
        return field_tangent(t, name)

    return field_cotangent(y_bar, P, name), field_cotangent_pullback


@frule(object_tangent)
def object_tangent_frule(tangents: Any, P: type, names: tuple, *parts: object) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """linear"""
    return object_tangent(P, names, *parts), object_tangent(P, names, *tangents[2:])


@rrule(object_tangent)
def object_tangent_rrule(P: type, names: tuple, *parts: object) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """the fields of ȳ"""

    def object_tangent_pullback(y_bar: Any) -> Any:
        return (NO_TANGENT, NO_TANGENT, *field_parts(y_bar, P, names))

    return object_tangent(P, names, *parts), object_tangent_pullback


def field_parts(y_bar: Any, P: type, names: tuple[str, ...]) -> tuple[Any, ...]:
    """The fields of these names."""
    return tuple(field_tangent(y_bar, n) for n in names)


@frule(field_parts)
def field_parts_frule(tangents: Any, y_bar: object, *, P: Any, names: Any) -> Any:
    """linear"""
    return field_parts(y_bar, P, names), Composite[tuple](*field_parts(tangents[0], P, names))


@rrule(field_parts)
def field_parts_rrule(y_bar: object, *, P: Any, names: Any) -> Any:
    """an object's cotangent with these fields"""

    def field_parts_pullback(t: Any) -> Any:
        return object_tangent(P, names, *parts_of(t, len(names)))

    return field_parts(y_bar, P, names), field_parts_pullback


@frule(captured)
def captured_frule(tangents: Any, tangent: object, *, name: Any) -> Any:
    """linear"""
    return captured(tangent, name), captured(tangents[0], name)


@rrule(captured, lazy_seed=True)
def captured_rrule(tangent: object, *, name: Any) -> Any:
    """a function's tangent with ȳ in that field"""

    def captured_pullback(y_bar: Any) -> Any:
        return field_cotangent(y_bar, types.FunctionType, name)

    return captured(tangent, name), captured_pullback

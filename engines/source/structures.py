"""Structures: what the engine itself knows how to differentiate without a rule.

Building a tuple, list or dict; reading a field of an object; making an object of a dataclass or
NamedTuple. The rules here answer for any class, so they stand behind the registry: a rule that
somebody registered for a class comes first.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import AliasedMutationError, UnsupportedSyntaxError, frule, rrule
from ...tangents import NO_TANGENT, ZERO, Composite, fields, fields_of, is_zero

_ATOMIC = (int, float, complex, str, bytes, type(None), np.ndarray, np.generic)


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


def immutable(x: Any, name: str) -> Any:
    """x, if `x += …` makes a new value of it rather than changing it in place."""
    if isinstance(x, np.ndarray | list) or hasattr(type(x), "__iadd__"):
        raise AliasedMutationError(
            f"`{name}` is a {type(x).__name__}, which an augmented assignment changes in place",
            next=f"write `{name} = {name} + …`, which makes a new value",
        )
    return x


def no_closure(y: Any) -> None:
    """Refuse a result in which a function could be kept whose captured variables are rebound."""
    if isinstance(y, _ATOMIC):
        return
    if isinstance(y, tuple | list):
        for element in y:
            no_closure(element)
        return
    raise UnsupportedSyntaxError(
        f"a function whose captured variables are rebound was given to a call that returned {type(y).__name__}, "
        "which may keep it for later",
        next="bind the captured variables once before the function, or pass them as arguments",
    )


def function_tangent(**captured: Any) -> Any:
    """The tangent of a function: those of what it captured."""
    return Composite[types.FunctionType](**captured)


def captured(tangent: Any, name: str) -> Any:
    """The part of a function's tangent that belongs to one captured variable."""
    return ZERO if is_zero(tangent) else getattr(tangent, name)


def tuple_tangent(*parts: Any) -> Any:
    """The tangent of a tuple from its parts; zero where all of them are."""
    return Composite[tuple](*parts) if any(p is not ZERO for p in parts) else ZERO


def parts_of(tangent: Any, count: int) -> tuple[Any, ...]:
    """The parts of a tuple's or list's tangent."""
    return (ZERO,) * count if is_zero(tangent) else fields_of(tangent)


@frule(make_tuple)
def make_tuple_frule(tangents: Any, *elements: object) -> Any:
    """ẏ holds each ẋᵢ"""
    return elements, Composite[tuple](*tangents)


@rrule(make_tuple)
def make_tuple_rrule(*elements: object) -> Any:
    """x̄ᵢ = ȳ[i]"""
    count = len(elements)

    def make_tuple_pullback(y_bar: Any) -> Any:
        return parts_of(y_bar, count)

    return elements, make_tuple_pullback


@frule(make_list)
def make_list_frule(tangents: Any, *elements: object) -> Any:
    """ẏ holds each ẋᵢ"""
    return list(elements), Composite[list](*tangents)


@rrule(make_list)
def make_list_rrule(*elements: object) -> Any:
    """x̄ᵢ = ȳ[i]"""
    count = len(elements)

    def make_list_pullback(y_bar: Any) -> Any:
        return parts_of(y_bar, count)

    return list(elements), make_list_pullback


@frule(make_dict)
def make_dict_frule(tangents: Any, keys: tuple, *values: object) -> Any:  # type: ignore[type-arg]  # plum wants plain classes
    """ẏ[k] = ẋₖ"""
    return make_dict(keys, *values), Composite[dict](dict(zip(keys, tangents[1:], strict=True)))


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
    descriptor = getattr(type(x), name, None)
    if isinstance(descriptor, types.MemberDescriptorType):
        return True
    if isinstance(x, tuple) and name in getattr(type(x), "_fields", ()):
        return True
    return name in getattr(x, "__dict__", ()) and not hasattr(descriptor, "__set__")


def read_field(x: Any, name: str) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """`x.name` in reverse: x̄ has ȳ in that field."""
    P = type(x)

    def field_pullback(y_bar: Any) -> tuple[Any, ...]:
        return (field_cotangent(y_bar, P, name),)

    return getattr(x, name), field_pullback


def field_cotangent(y_bar: Any, P: type, name: str) -> Any:
    """The cotangent of an object whose one field has the cotangent ȳ."""
    return ZERO if is_zero(y_bar) else Composite[P](**{name: y_bar})


def field_tangent(dx: Any, name: str) -> Any:
    """The tangent of one field."""
    return ZERO if is_zero(dx) else getattr(dx, name)


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


def constructor_fields(P: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str | None] | None:
    """The field that each value of `P(*args, **kwargs)` goes into unchanged; None where P computes.

    That is so for NamedTuples and for dataclasses with a generated `__init__` and no `__post_init__`.
    """
    if issubclass(P, tuple) and hasattr(P, "_fields") and "__new__" in vars(P):
        names = list(P._fields)
    elif dataclasses.is_dataclass(P) and _generated_init(P):
        names = [f.name for f in dataclasses.fields(P) if f.init and not f.kw_only]
    else:
        return None
    if len(args) > len(names):
        return None
    return [*names[: len(args)], *kwargs]


def _generated_init(P: type) -> bool:
    parameters = getattr(P, "__dataclass_params__", None)
    own = vars(P).get("__init__")
    generated = parameters is not None and parameters.init and own is not None
    return generated and not hasattr(P, "__post_init__") and own.__code__.co_filename == "<string>"


def construct_in_reverse(
    P: type, names: list[str | None], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """A new object in reverse: each value's cotangent is that of its field."""
    made = P(*args, **kwargs)
    known = fields(made)

    def construct_pullback(y_bar: Any) -> tuple[Any, ...]:
        if is_zero(y_bar):
            return (ZERO,) * len(names)
        return tuple(getattr(y_bar, n) if n in known else ZERO for n in names if n is not None)

    return made, construct_pullback

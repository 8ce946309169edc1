"""Calls and values as lists of arrays and back, in plain Python that an engine differentiates.

Containers are tuples, NamedTuples, lists, dicts and dataclasses; anything else is a constant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from ...core.callables import describe
from ...core.errors import UnsupportedArgument


@dataclass(frozen=True)
class Place:
    """Where in the list of arrays a value stands."""

    index: int


@dataclass(frozen=True)
class Fixed:
    """A value that is no array."""

    value: Any


@dataclass(frozen=True)
class Node:
    """A container: its type, the names of its parts where they have names, and the parts."""

    kind: type
    names: tuple[Any, ...] | None
    parts: tuple[Spec, ...]


Spec = Place | Fixed | Node


def take_apart(x: Any, is_array: Callable[[Any], bool], arrays: list[Any]) -> Spec:
    """The structure of x; its arrays are appended to the list."""
    if is_array(x):
        arrays.append(x)
        return Place(len(arrays) - 1)
    names = _names(x)
    if names is None and type(x) not in (tuple, list):
        return Fixed(x)
    inside = x if names is None else [getattr(x, n) if type(x) is not dict else x[n] for n in names]
    return Node(type(x), names, tuple([take_apart(part, is_array, arrays) for part in inside]))


def _names(x: Any) -> tuple[Any, ...] | None:
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return tuple(x._fields)
    if type(x) is dict:
        return tuple(x)
    if is_dataclass(x) and not isinstance(x, type):
        return tuple([f.name for f in fields(x)])
    return None


def build(spec: Any, arrays: Any) -> Any:
    """What was taken apart, with these arrays in their places."""
    if isinstance(spec, Place):
        return arrays[spec.index]
    if isinstance(spec, Fixed):
        return spec.value
    made = [build(part, arrays) for part in spec.parts]
    if spec.names is None:
        return made if spec.kind is list else tuple(made)
    named = {name: part for name, part in zip(spec.names, made, strict=True)}  # noqa: C416  differentiated twice
    return named if spec.kind is dict else spec.kind(**named)


def paths(spec: Spec) -> list[tuple[tuple[bool, Any], ...]]:
    """For each array the way to it: at each step whether by attribute, and the name or position."""
    if isinstance(spec, Place):
        return [()]
    if isinstance(spec, Fixed):
        return []
    by_name = spec.names is not None and spec.kind is not dict
    keys = range(len(spec.parts)) if spec.names is None else spec.names
    ways = zip(keys, spec.parts, strict=True)
    return [((by_name, key), *rest) for key, part in ways for rest in paths(part)]


def pick(x: Any, path: Any) -> Any:
    """The part of x at the end of a path."""
    for by_name, key in path:
        x = getattr(x, key) if by_name else x[key]
    return x


def all_arrays(f: Any, spec: Spec) -> None:
    """Refuse a value of f with a part that is no array."""
    if isinstance(spec, Fixed) and spec.value is not None:
        raise UnsupportedArgument(
            f,
            "value",
            describe(spec.value),
            why="it holds what is neither an array nor a tuple, list, dict or dataclass of them",
            next="return these alone",
        )
    for part in spec.parts if isinstance(spec, Node) else ():
        all_arrays(f, part)

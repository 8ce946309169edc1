"""Dataclasses as dicts and tuples: `dataclasses.asdict` and `astuple`, as the engine differentiates them.

They go into dataclasses, named tuples, lists, tuples and dicts, and copy all else, as Python's do in any
of its versions.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

from ....core import non_differentiable
from ..rewriting.fields import fields_followed, fields_of, keys_of
from . import resolution


def is_record(x: Any) -> bool:
    """Whether x is an object of a dataclass."""
    return dataclasses.is_dataclass(x) and not isinstance(x, type)


def kind_of(x: Any) -> str:
    """How x is gone into; empty where it is copied."""
    if is_record(x):
        return "record"
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return "named"
    return "dict" if isinstance(x, dict) else "items" if isinstance(x, list | tuple) else ""


def field_names(x: Any) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple([f.name for f in dataclasses.fields(x)])


non_differentiable(is_record, kind_of, field_names, why="ask for classes and names")


def as_dict(obj: Any, *, dict_factory: Callable[..., Any] = dict) -> Any:
    """`dataclasses.asdict(x)`"""
    if not is_record(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _inside(obj, dict_factory, True)


def as_tuple(obj: Any, *, tuple_factory: Callable[..., Any] = tuple) -> Any:
    """`dataclasses.astuple(x)`"""
    if not is_record(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _inside(obj, tuple_factory, False)


def _inside(x: Any, factory: Callable[..., Any], named: bool) -> Any:
    kind = kind_of(x)
    if kind == "record":
        parts = []
        for name in field_names(x):
            part = _inside(getattr(x, name), factory, named)
            parts.append((name, part) if named else part)
        return factory(parts)
    if kind == "dict":
        keys, pairs = keys_of(x), []
        for i in range(len(keys)):
            pairs.append((keys[i], _inside(x[keys[i]], factory, named)))
        return type(x)(pairs)
    if not kind:
        return copy.deepcopy(x)
    items = []
    for i in range(len(x)):
        items.append(_inside(x[i], factory, named))
    return type(x)(*items) if kind == "named" else type(x)(items)


_RECORDS: dict[Any, Any] = {
    dataclasses.asdict: as_dict,
    dataclasses.astuple: as_tuple,
    fields_of: fields_followed,
}
resolution.INSTEAD |= {f.__code__: g for f, g in _RECORDS.items()}

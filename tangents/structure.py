"""How an object is taken apart into fields and put together again: `fields` and `construct`.

The fields of an object are what it stores: those of a dataclass, the items of a NamedTuple, the
entries of `__dict__`, and `__slots__` that are set. Properties are not stored, hence no fields;
nor are class attributes. A plain function has none here: the engine knows what it captured.
Rebuilding does not run `__init__`, whose arguments nobody could guess: the object is copied (so
`__copy__` and `__reduce__` of the class are honoured) and its fields are set. A class that needs more
registers its own way: `@construct.register(P)` on a function of the class, the values, and `like`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Protocol, TypeVar, cast

from .errors import ChainRulesError
from .registered import constructors

_Function = TypeVar("_Function", bound=Callable[..., Any])

_NOT_TAKEN_APART = (type, FunctionType, BuiltinFunctionType, MethodType, ModuleType, BaseException)


def fields(x: Any) -> dict[str, Any]:
    """The stored fields of an object by name; empty for what stores nothing that can be perturbed.

    Example: >>> fields(2.0), fields(dataclass_fields)
             ({}, {})
    """
    P = type(x)
    if hasattr(P, "_fields") and isinstance(x, tuple):
        return dict(zip(P._fields, x, strict=True))
    if isinstance(x, _NOT_TAKEN_APART):
        return {}
    stored: dict[str, Any] = {}
    if is_dataclass(x):
        stored.update((f.name, getattr(x, f.name)) for f in dataclass_fields(x) if hasattr(x, f.name))
    for cls in reversed(P.__mro__):
        for name in _slots(cls):
            if hasattr(x, name):
                stored[name] = getattr(x, name)
    stored.update(getattr(x, "__dict__", {}))
    return stored


def parts(x: Any) -> Any:
    """What x consists of: items of a tuple or list, entries of a dict, fields of an object, or None.

    Example: >>> parts([1.0, 2.0]), parts({"a": 1.0}), parts(2.0)
             ((1.0, 2.0), {'a': 1.0}, None)
    """
    if isinstance(x, dict):
        return x
    if isinstance(x, tuple | list):  # a NamedTuple too, so that its parts are those of its tangents
        return tuple(x)
    return fields(x) or None


def map_parts(fn: Callable[[Any], Any], inside: Any) -> Any:
    """fn of each of the `parts` of something, as a list or dict."""
    if isinstance(inside, dict):
        return {name: fn(value) for name, value in inside.items()}
    return [fn(value) for value in inside]


def _construct(P: Any, values: Any, like: Any = None) -> Any:
    """An object of type P with these field values: a dict by name or key, or the items of a sequence.

    Shapes:  fields that are not given are those of `like`.
    Raises:  ChainRulesError when objects of P cannot be made without their `__init__`.
    Example: >>> construct(tuple, [1.0, 2.0]), construct(dict, {"a": 1.0})
             ((1.0, 2.0), {'a': 1.0})
    """
    registered = constructors.of(P)
    if registered is not None:
        return registered(P, values, like)
    if hasattr(P, "_fields") and issubclass(P, tuple):
        if isinstance(values, dict):
            given = fields(like) | values if like is not None else values
            values = [given[name] for name in P._fields]
        return P(*values)
    if P is tuple or P is list:
        return P(values)
    if P is dict:
        return {**(like or {}), **values}
    made = _blank(P, like)
    if issubclass(P, list):
        made[:] = values
    elif issubclass(P, tuple):
        return tuple.__new__(P, values)
    elif issubclass(P, dict):
        made.update(values)
    else:
        for name, value in values.items():
            _set(made, name, value)
    return made


class Construct(Protocol):
    """The type of `construct`: a function that carries the decorator for a class's own way."""

    register: Callable[[type], Callable[[_Function], _Function]]

    def __call__(self, P: Any, values: Any, like: Any = None) -> Any:
        """The object made of its fields."""


_construct.__dict__["register"] = constructors.register
_construct.__name__ = _construct.__qualname__ = "construct"
construct = cast(Construct, _construct)


def _blank(P: Any, like: Any) -> Any:
    try:
        return copy(like) if like is not None else P.__new__(P)
    except Exception as error:
        raise _cannot_rebuild(P, str(error)) from error


def _set(made: Any, name: str, value: Any) -> None:
    try:
        object.__setattr__(made, name, value)  # also where the class is frozen
    except (AttributeError, TypeError) as error:
        raise _cannot_rebuild(type(made), f"{name!r} cannot be set") from error


def _cannot_rebuild(P: type, why: str) -> ChainRulesError:
    return ChainRulesError(
        f"an object of type {P.__qualname__} cannot be rebuilt from its fields: {why}",
        closest="dataclasses, NamedTuples, containers and classes with settable attributes can",
        next=f"register how: @construct.register({P.__qualname__}) above a function of (P, values, like), "
        f"or give {P.__qualname__} a __copy__ method whose result has settable fields",
    )


def _slots(cls: type) -> list[str]:
    slots = cls.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    private = f"_{cls.__name__.lstrip('_')}"
    return [
        private + n if n.startswith("__") and not n.endswith("__") else n
        for n in names
        if n not in ("__dict__", "__weakref__")
    ]

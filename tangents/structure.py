"""How an object is taken apart into fields and put together again: `fields` and `construct`.

The fields of an object are what it stores: those of a dataclass, the items of a NamedTuple, the
entries of `__dict__`, and `__slots__` that are set. Properties are not stored, hence no fields;
nor are class attributes. Those of functions are in functions.py. An object that stores itself, however
deep, has no tangent: its structure has no end, and `endless` makes the error that says so by name.
Rebuilding does not run `__init__`, whose arguments nobody could guess: the object is copied (so
`__copy__` and `__reduce__` of the class are honoured) and its fields are set. A class that needs more
registers its own way: `@construct.register(P)` on a function of the class, the values, and `like`.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from copy import copy
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import wraps
from types import BuiltinFunctionType, ModuleType
from typing import Any, Protocol, TypeVar, cast
from weakref import WeakKeyDictionary

from . import algebra
from .composite import SEQUENCES
from .errors import ChainRulesError
from .functions import FUNCTIONS, captured
from .own_dict import own_dict
from .refilled import refilled
from .registered import constructors
from .sparse import is_sparse

_Function = TypeVar("_Function", bound=Callable[..., Any])

_NOT_TAKEN_APART = (type, BuiltinFunctionType, ModuleType, BaseException)


def fields(x: Any) -> dict[str, Any]:
    """The stored fields of an object by name; empty for what stores nothing that can be perturbed.

    Example: >>> fields(2.0), fields(dataclass_fields)
             ({}, {})
    """
    if _delegates and (delegate := _nearest(_delegates, type(x))) is not None:
        return fields(getattr(x, delegate))
    public = _nearest(_shown, type(x)) if _shown else None
    held = stored(x)
    return {public.get(name, name): value for name, value in held.items()} if public else held


def stored(x: Any) -> dict[str, Any]:
    """What an object stores, under the names that it has for it itself.

    Example: >>> stored(2.0)
             {}
    """
    P = type(x)
    if hasattr(P, "_fields") and isinstance(x, tuple):
        return dict(zip(P._fields, x, strict=True))
    if isinstance(x, FUNCTIONS):
        return captured(x)
    if isinstance(x, _NOT_TAKEN_APART) or P in _indivisible:
        return {}
    names = _declared.get(P)
    if names is None:
        names = _declared[P] = _declared_names(P)
    held = {name: value for name in names if (value := _declared_value(x, name)) is not _UNSET}
    held.update(own_dict(x))
    return held


def _declared_value(x: Any, name: str) -> Any:
    try:
        return object.__getattribute__(x, name)
    except AttributeError:
        return _UNSET


def indivisible(P: type) -> None:
    """Let objects of exactly this class store nothing that can be perturbed, whatever they keep.

    Example: >>> class Codec:
             ...     def __init__(self): self.table = [1.0, 2.0]
             >>> indivisible(Codec)
             >>> fields(Codec())
             {}
    """
    _indivisible.add(P)


def shown_as(P: type, **public: str) -> None:
    """Name fields of P and its subclasses as the properties that show them, which can be set.

    Example: >>> class Gauge:
             ...     def __init__(self, level): self._level = level
             ...     level = property(lambda self: self._level)
             >>> shown_as(Gauge, _level="level")
             >>> fields(Gauge(2.0))
             {'level': 2.0}
    """
    _shown[P] = public


def is_shown(x: Any, name: str) -> bool:
    """Whether a property of x shows one of its fields, as `shown_as` says.

    Example: >>> is_shown(2.0, "real")
             False
    """
    public = _nearest(_shown, type(x)) if _shown else None
    return public is not None and name in public.values()


def delegating(P: type, name: str) -> None:
    """Let the fields of P and its subclasses be those of what an object keeps under a name, and stands for.

    Example: >>> class Inner:
             ...     def __init__(self, level): self.level = level
             >>> class Outer:
             ...     def __init__(self, level): self._inner = Inner(level)
             >>> delegating(Outer, "_inner")
             >>> fields(Outer(2.0)), construct(Outer, {"level": 3.0}, Outer(2.0))._inner.level
             ({'level': 2.0}, 3.0)
    """
    _delegates[P] = name


def _nearest(known: Any, P: type) -> Any:
    """What is known of P, or else of the nearest base."""
    return next((known[base] for base in P.__mro__ if base in known), None)


_UNSET: Any = object()
_delegates: WeakKeyDictionary[type, str] = WeakKeyDictionary()
_indivisible: set[type] = set()
_declared: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()
_shown: WeakKeyDictionary[type, dict[str, str]] = WeakKeyDictionary()


def _declared_names(P: type) -> tuple[str, ...]:
    """The fields of a dataclass, and slots, those of the bases first."""
    names = [f.name for f in dataclass_fields(P)] if is_dataclass(P) else []
    for cls in reversed(P.__mro__):
        names += _slots(cls)
    return tuple(dict.fromkeys(names))


def parts(x: Any) -> Any:
    """What x consists of: items of a tuple or list, entries of a dict, fields of an object, or None.

    Example: >>> parts([1.0, 2.0]), parts({"a": 1.0}), parts(2.0)
             ((1.0, 2.0), {'a': 1.0}, None)
    """
    if isinstance(x, dict):
        return None if is_sparse(x) else x
    if isinstance(x, SEQUENCES):  # a NamedTuple too, so that its parts are those of its tangents
        return tuple(x)
    return None if is_sparse(x) else fields(x) or None


def named_parts(x: Any) -> Any:
    """The `parts` of x as its composites name them: a NamedTuple's by name; empty where there are none.

    Example: >>> named_parts([1.0, 2.0]), named_parts(2.0)
             ((1.0, 2.0), {})
    """
    inside = parts(x)
    if inside is None:
        return {}
    return fields(x) if isinstance(x, tuple) and hasattr(x, "_fields") else inside


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
        own = own_dict(like)
        if own:  # what a class keeps beside its items, as SciPy's results do
            made = tuple.__new__(P, values)
            made.__dict__.update(own)
            return made
        return P(*values)
    if P is tuple or P is list:
        return P(values)
    if P is dict:
        return {**(like or {}), **values}
    if type(like) is P and issubclass(P, dict | list | deque):
        return refilled(like, {**like, **values} if issubclass(P, dict) else values)
    made = _blank(P, like)
    delegate = _nearest(_delegates, P) if _delegates and like is not None else None
    if delegate is not None:
        inner = getattr(like, delegate)
        _set(made, delegate, construct(type(inner), values, inner))
    elif issubclass(P, list | deque):
        made.clear()
        made.extend(values)
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
    if like is not None and type(like) is P and _copies_plainly(P):
        made = object.__new__(P)
        made.__dict__.update(like.__dict__)
        return made
    try:
        made = copy(like) if like is not None else P.__new__(P)
        if type(made) is P or like is None:
            return made
        made = object.__new__(P)  # a class that chooses another one, by what it is not given here
        made.__dict__.update(like.__dict__)
        return made
    except Exception as error:
        raise _cannot_rebuild(P, str(error)) from error


_plain: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def _copies_plainly(P: type) -> bool:
    """Whether `copy` makes an object of P by a new one with the same entries of `__dict__`."""
    plain = _plain.get(P)
    if plain is None:
        own = {name for cls in P.__mro__[:-1] for name in vars(cls)}
        plain = _plain[P] = (
            P.__flags__ & _HEAP_TYPE != 0
            and P.__mro__[-1] is object
            and all(cls.__flags__ & _HEAP_TYPE for cls in P.__mro__[:-1])
            and "__dict__" in own
            and not own & _COPYING
        )
    return plain


_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class written in Python
_COPYING = {
    *("__copy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__"),
    *("__getnewargs_ex__", "__new__", "__slots__", "__getattr__", "__getattribute__"),
}


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


class _Walk(threading.local):
    """Whether a walk has begun in this thread: what goes too deep is named from where it began."""

    begun = False


_walk = _Walk()


def ending(walk: _Function) -> _Function:
    """A decorator for a function that goes down into its first argument: refuse what has no end, by name."""

    @wraps(walk)
    def walked(x: Any, *others: Any, **options: Any) -> Any:
        if _walk.begun:
            return walk(x, *others, **options)
        _walk.begun = True
        try:
            return walk(x, *others, **options)
        except RecursionError as error:
            raise endless(x) from error
        finally:
            _walk.begun = False

    return cast(_Function, walked)


def endless(x: Any) -> ChainRulesError:
    """The error for an object that stores itself, or that goes deeper than Python can follow."""
    way = _way_back(x)
    what = f"a {type(x).__qualname__} "
    if way is None:
        what += "is nested deeper than Python follows calls"
        next = "keep what is nested so deep in a list, or raise sys.setrecursionlimit"
    else:
        what += f"stores itself: {''.join(way)} is an object that it is stored in, so its tangent has no end"
        next = "differentiate the parts without the link back, or register a natural tangent of the type"
    return ChainRulesError(what, closest="objects whose fields end in numbers have tangents", next=next)


def _way_back(x: Any) -> list[str] | None:
    """The fields that lead from x to an object above, if any do; found without recursion."""
    path: list[tuple[Any, Any, str]] = [(x, iter(_named(x)), "x")]
    above, done = {id(x)}, set[int]()
    while path:
        current, rest, _ = path[-1]
        step = next(rest, None)
        if step is None:
            path.pop()
            above.discard(id(current))
            done.add(id(current))
            continue
        name, child = step
        if id(child) in above:
            return [*(passed for *_, passed in path), name]
        if id(child) not in done:
            path.append((child, iter(_named(child)), name))
            above.add(id(child))
    return None


def _named(x: Any) -> list[tuple[str, Any]]:
    inside = parts(x)
    if isinstance(x, dict):
        return [(f"[{key!r}]", value) for key, value in x.items()]
    if isinstance(inside, dict):
        return [(f".{name}", value) for name, value in inside.items()]
    return [(f"[{i}]", value) for i, value in enumerate(inside or ())]


algebra.fields = fields

"""Equivalents: functions of Python's library that do what a line of Python does, as that line.

`operator.itemgetter(k)(x)` is `x[k]`, `operator.iadd(a, b)` is `a += b`, `getattr(x, name, default)` a `try`.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import functools
import inspect
import itertools
import operator
from collections.abc import Callable, Mapping
from types import FunctionType, MethodDescriptorType, WrapperDescriptorType
from typing import Any

import numpy as np

from ....core import AliasedMutationError, non_differentiable
from ....core.callables import Attribute
from ....core.changes import returns_changed
from ....core.registry import rules_of
from ....tangents import ZERO, from_fields
from ....tangents.composite import CompositeType
from ..memory.augmented import AUGMENTED
from ..syntax.where import call_chain, show_chain
from ..values.writing import IMMUTABLE, drop_item, put_attribute, put_item
from . import forward_resolution, resolution
from .gradients import of_items, takes_items

Values = tuple[Any, ...]


def item_got(x: Any, *keys: Any) -> Any:
    """`operator.itemgetter(k, …)(x)`"""
    return x[keys[0]] if len(keys) == 1 else tuple([x[k] for k in keys])


def attribute_got(x: Any, *names: str) -> Any:
    """`operator.attrgetter(name, …)(x)`"""
    if len(names) > 1:
        return tuple([attribute_got(x, name) for name in names])
    value = x
    for part in names[0].split("."):
        value = getattr(value, part)
    return value


def attribute_or(x: Any, name: str, default: Any) -> Any:
    """`getattr(x, name, default)`"""
    return getattr(x, name) if hasattr(x, name) else default


def called(f: Any, *args: Any, **kwargs: Any) -> Any:
    """`operator.call(f, …)`"""
    return f(*args, **kwargs)


def joined(a: Any, b: Any) -> Any:
    """`operator.concat(a, b)`"""
    return a + b


def caller(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """`operator.methodcaller(name, …)`"""
    return lambda x: getattr(x, name)(*args, **kwargs)


def method_called(x: Any, name: str, args: Values, kwargs: Mapping[str, Any]) -> Any:
    """`operator.methodcaller(name, …)(x)`"""
    return getattr(x, name)(*args, **kwargs)


def parts_of_caller(f: Any) -> tuple[str, Values, dict[str, Any]]:
    """The name and arguments of a methodcaller."""
    made, args = f.__reduce__()
    if isinstance(made, functools.partial):
        return made.args[0], args, dict(made.keywords)
    return args[0], args[1:], {}


def names_of(x: Any) -> tuple[str, ...]:
    """The fields of a dataclass or NamedTuple that its class is called with."""
    if dataclasses.is_dataclass(x):
        return tuple(f.name for f in dataclasses.fields(x) if f.init)
    return tuple(x._fields)


non_differentiable(names_of, why="returns names")


def _replaced(x: Any, /, **changes: Any) -> Any:
    """`dataclasses.replace(x, …)`, and `x._replace(…)` of a NamedTuple"""
    kept = {name: getattr(x, name) for name in names_of(x) if name not in changes}
    return type(x)(**kept, **changes)


replaced: Any = _replaced
_pair: Any = collections.namedtuple("_pair", ("a",))  # all named tuples share the code of their methods
resolution.INSTEAD |= dict.fromkeys((dataclasses.replace.__code__, _pair._replace.__code__), replaced)


def composite_of(P: type, **fields: Any) -> Any:
    """`Composite[P](field=…, …)`"""
    return from_fields(P, fields)


class GeneratorManager:
    """What a function under `contextlib.contextmanager` returns: it enters and leaves by a generator."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def __enter__(self) -> Any:
        return next(self.items)

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        if kind is not None:
            return thrown(self.items, error)
        if next(self.items, _END) is not _END:
            raise RuntimeError("generator didn't stop")
        return False


_END = object()


def thrown(items: Any, error: BaseException) -> bool:
    """Raise an error where a generator is; whether it dealt with it."""
    try:
        items.throw(error)
    except StopIteration as stop:
        return stop is not error
    except BaseException as met:
        if met is error:
            return False
        raise
    raise RuntimeError("generator didn't stop after throw()")


non_differentiable(thrown, why="raises an exception")


def managing(function: Any, args: Values, kwargs: Mapping[str, Any]) -> GeneratorManager:
    """The manager that a function under `contextlib.contextmanager` makes"""
    return GeneratorManager(function(*args, **kwargs))


def greatest_or(values: Any, key: Any = None, default: Any = None) -> Any:
    """`max(values, key=…, default=…)`"""
    items = tuple(values)
    return max(items, key=key) if items else default


def least_or(values: Any, key: Any = None, default: Any = None) -> Any:
    """`min(values, key=…, default=…)`"""
    items = tuple(values)
    return min(items, key=key) if items else default


def teed(iterable: Any, n: int = 2) -> tuple[Any, ...]:
    """`itertools.tee(…)` of a container"""
    items = tuple(iterable)
    return tuple([iter(items) for _ in range(n)])


def filled(entries: Any, P: Any) -> Any:
    """`OrderedDict(entries)`, and `Counter(entries)` of a dict"""
    made = P()
    for key, value in dict(entries).items():
        made[key] = value
    return made


def filled_by_name(**entries: Any) -> Any:
    """`OrderedDict(a=…, b=…)`"""
    return filled(entries, collections.OrderedDict)


def filled_by_default(factory: Any, entries: Any) -> Any:
    """`defaultdict(factory, entries)`"""
    made: Any = collections.defaultdict(factory)
    for key, value in dict(entries).items():
        made[key] = value
    return made


def _filling(f: Any, args: Values, kwargs: Mapping[str, Any]) -> tuple[Callable[..., Any], Values] | None:
    """The same for what makes a dict of a class of `collections`."""
    if f is collections.OrderedDict and not args and kwargs:
        return filled_by_name, ()
    if kwargs:
        return None
    if f is collections.OrderedDict and len(args) == 1:
        return filled, (f,)
    if f is collections.Counter and len(args) == 1 and isinstance(args[0], dict):
        return filled, (f,)
    if f is collections.defaultdict and len(args) == 2:
        return filled_by_default, ()
    return None


def attribute_set(x: Any, name: str, value: Any) -> tuple[None, Any]:
    """`setattr(x, name, value)`, and x"""
    return None, put_attribute(x, name, value)


def item_set(x: Any, key: Any, value: Any) -> tuple[None, Any]:
    """`operator.setitem(x, key, value)`, and x"""
    return None, put_item(x, key, value)


def item_deleted(x: Any, key: Any) -> tuple[None, Any]:
    """`operator.delitem(x, key)`, and x"""
    return None, drop_item(x, key)


returns_changed(setattr, attribute_set)
returns_changed(operator.setitem, item_set)
returns_changed(operator.delitem, item_deleted)


def _assigned_in_place(augmented: Any) -> Callable[..., Any]:
    def assigned(x: Any, v: Any) -> tuple[Any, Any]:
        """`operator.iadd(x, v)` or one of its kin, and x"""
        y = augmented(x, v)
        return y, (x if isinstance(x, IMMUTABLE) else y)

    return assigned


for _augmented in AUGMENTED.values():
    returns_changed(_augmented.in_place, _assigned_in_place(_augmented))
returns_changed(operator.iconcat, _assigned_in_place(AUGMENTED[operator.add]))


def reversed_by_class(x: Any) -> Any:
    """`reversed(x)` of a class with `__reversed__`"""
    return x.__reversed__()


def backwards(x: Any) -> Any:
    """The same of a class with `__len__` and `__getitem__` alone"""
    for i in range(len(x) - 1, -1, -1):
        yield x[i]


def entries_put(x: Any, key: Any, values: Any) -> Any:
    """`x[key] = values`, of a list or tuple into an array"""
    return put_item(x, key, np.array(values))


def flattened(P: Any, iterables: Any) -> Any:
    """`itertools.chain.from_iterable(…)`"""
    return itertools.chain(*iterables)


def bound(x: Any, name: str) -> Any:
    """`x.name`, a method written in C, as a value"""
    return functools.partial(getattr(type(x), name), x)


def copied(x: Any) -> Any:
    """`copy.copy(x)` of a class that says how it is copied"""
    return x.__copy__()


def copied_deeply(x: Any, memo: Any = None) -> Any:
    """The same of `copy.deepcopy`"""
    return x.__deepcopy__({} if memo is None else memo)


def _copier(f: Any, x: Any) -> Callable[..., Any] | None:
    name, call = ("__copy__", copied) if f is copy.copy else ("__deepcopy__", copied_deeply)
    return call if isinstance(getattr(type(x), name, None), FunctionType) else None


_GETTERS: dict[type, Callable[..., Any]] = {
    operator.itemgetter: item_got,
    operator.attrgetter: attribute_got,
    operator.methodcaller: method_called,
}
_FLATTEN = inspect.getattr_static(itertools.chain, "from_iterable")
_IN_PLACE = {
    getattr(operator, f"i{op.__name__.strip('_')}"): op
    for op in AUGMENTED
    if hasattr(operator, f"i{op.__name__.strip('_')}")
}
"""Functions that change their first argument, where it is one that can be changed."""


def equivalent(f: Any, args: Values, kwargs: Mapping[str, Any]) -> tuple[Callable[..., Any], Values] | None:
    """The function that a call stands for, and what it is given after the arguments of the call."""
    kind = type(f)
    if kind in _GETTERS and rules_of(f) is None:
        return _GETTERS[kind], parts_of_caller(f) if kind is operator.methodcaller else f.__reduce__()[1]
    if takes_items(f, args):
        return of_items, (f,)
    if kind is CompositeType and not args:
        return composite_of, (f.__primal__,)
    if f is operator.methodcaller:
        return caller, ()
    if f is contextlib._GeneratorContextManager:
        return managing, ()
    if f is getattr and len(args) == 3:
        return attribute_or, ()
    if f is operator.concat:
        return joined, ()
    if (f is max or f is min) and "default" in kwargs and len(args) == 1:
        return greatest_or if f is max else least_or, ()
    if f is itertools.tee and not hasattr(type(args[0]), "__next__"):
        return teed, ()
    if f is reversed and isinstance(getattr(type(args[0]), "__getitem__", None), FunctionType):
        by_class = hasattr(type(args[0]), "__reversed__")
        return reversed_by_class if by_class else backwards, ()
    if f is put_item and isinstance(args[0], np.ndarray) and isinstance(args[2], list | tuple):
        return entries_put, ()
    if f is _FLATTEN:
        return flattened, ()
    if isinstance(f, type) and f.__module__ == "collections":
        return _filling(f, args, kwargs)
    if (f is copy.copy or f is copy.deepcopy) and (call := _copier(f, args[0])) is not None:
        return call, ()
    if isinstance(f, Attribute) and isinstance(
        getattr(type(args[0]), f.__name__, None), MethodDescriptorType | WrapperDescriptorType
    ):
        return bound, (f.__name__,)
    if hasattr(operator, "call") and f is operator.call:
        return called, ()
    try:
        op = _IN_PLACE.get(f)
    except TypeError:  # not hashable
        return None
    if op is None:
        return None
    if not isinstance(args[0], IMMUTABLE):
        raise AliasedMutationError(
            f"operator.{f.__name__} modifies its first argument; this cannot be seen from the call",
            where=show_chain(call_chain()),
            next="write it as a statement, as in `a += b`",
        )
    return op, ()


def in_reverse(
    f: Any, args: Values, kwargs: Mapping[str, Any], needs: tuple[bool, ...]
) -> Callable[..., Any] | None:
    """How such a call is done in reverse; None for other calls."""
    found = equivalent(f, args, kwargs)
    if found is None:
        return None
    g, more = found

    def call(*a: Any, **k: Any) -> tuple[Any, Any]:
        mask = (*needs[: len(a)], *(False for _ in more), *needs[len(a) :])
        y, back = resolution.resolve(g, (*a, *more), k, mask)(*a, *more, **k)
        count, extra = len(a), len(more)

        def equivalent_pullback(y_bar: Any) -> Values:
            answers = back(y_bar)
            return (*answers[:count], *answers[count + extra :])

        return y, equivalent_pullback

    return call


def forward(f: Any, args: Values, kwargs: dict[str, Any], tangents: Values) -> Any:
    """The same, forward."""
    found = equivalent(f, args, kwargs)
    if found is None:
        return None
    g, more = found
    none = (ZERO,) * len(more)
    moving = (*tangents[: len(args)], *none, *tangents[len(args) :])
    return forward_resolution.forward(g, (*args, *more), kwargs, moving)


resolution.equivalent_in_reverse = in_reverse
forward_resolution.equivalent_forward = forward

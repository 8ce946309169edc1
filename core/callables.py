"""Callables: how one is normalised before a rule is looked up, and how it is named in messages.

A rule is keyed by the callable itself, so the same mathematical function must arrive as the same
object however it is spelled: `x.sum` as `np.ndarray.sum` with x first, a `functools.partial` as
its function with its arguments first, a memoised function as the function it remembers, an
attribute access as the attribute's own key. An object that has rules itself is not looked through:
it may be a `functools.partial`. Nor is a wrapper written in Python (`functools.wraps`): it may
change what it wraps, and its source says how.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from .table import table

_METHODS = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)
_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
_CACHED = type(functools.lru_cache(lambda: None))


class Attribute:
    """The key of a rule for reading one attribute: `x.T` is `attribute("T")` applied to x."""

    __slots__ = ("__name__",)

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, x: object) -> Any:
        return getattr(x, self.__name__)

    def __repr__(self) -> str:
        return f"attribute({self.__name__!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return attribute, (self.__name__,)


@functools.cache
def attribute(name: str) -> Attribute:
    """The one key for reading the attribute `name`."""
    return Attribute(name)


def normalise(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Callable[..., Any], tuple[Any, ...], Mapping[str, Any]]:
    """The callable that rules are keyed by, with the arguments it then has.

    Example: >>> x = np.ones(3)
             >>> normalise(x.sum, (), {"axis": 0})[0] is np.ndarray.sum
             True
    """
    while id(f) not in table:
        if isinstance(f, functools.partial):
            args, kwargs, f = (*f.args, *args), {**f.keywords, **kwargs}, f.func
        elif isinstance(f, _CACHED):
            f = remembered(f)
        elif f is getattr and len(args) == 2 and not kwargs and isinstance(args[1], str):
            return attribute(args[1]), args[:1], kwargs
        else:
            unbound = unbind(f)
            if unbound is None:
                return f, args, kwargs
            f, owner = unbound
            args = (owner, *args)
    return f, args, kwargs


def remembered(f: Any) -> Any:
    """The function that a memoised one remembers; any other callable as it is."""
    return f.__wrapped__ if isinstance(f, _CACHED) else f


def unbind(f: Any) -> tuple[Callable[..., Any], Any] | None:
    """(function, object) of a bound method; None for what is not one.

    Functions of modules written in C carry their module as `__self__`; they are not methods.
    """
    if not isinstance(f, _METHODS):
        return None
    owner = f.__self__
    if isinstance(f, types.MethodType):
        return f.__func__, owner
    if owner is None or isinstance(owner, types.ModuleType):
        return None
    if isinstance(owner, type):
        unbound = inspect.getattr_static(owner, f.__name__, None)
        return (unbound, owner) if isinstance(unbound, types.ClassMethodDescriptorType) else None
    unbound = getattr(type(owner), f.__name__, None)
    return (unbound, owner) if callable(unbound) else None


def call_operator(f: Any) -> Callable[..., Any] | None:
    """The unbound `__call__` of a callable object; None for functions, classes and C callables.

    One that Cython compiled is a function of its own type, with a `__code__` as those of Python.
    """
    call = getattr(type(f), "__call__", None)  # noqa: B004  # the method is wanted, not whether there is one
    return call if isinstance(call, types.FunctionType) or hasattr(call, "__code__") else None


def name_of(f: Any) -> str:
    """The dotted name a person knows the callable by: `numpy.linalg.solve`, `ndarray.sum`."""
    if isinstance(f, Attribute):
        return f"getattr(…, {f.__name__!r})"
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None)
    if name is None:
        return repr(f)
    if isinstance(f, _DESCRIPTORS):
        return f"{f.__objclass__.__name__}.{f.__name__}"
    module: Any = _home(f) if isinstance(f, np.ufunc) else getattr(f, "__module__", None)
    module = {"_operator": "operator", "builtins": None}.get(module, module)
    return f"{module}.{name}" if module else str(name)


def _home(f: np.ufunc) -> str | None:
    """The module that offers a ufunc; the ufunc itself does not know."""
    offering = ("numpy", "scipy.special")
    return next((m for m in offering if getattr(sys.modules.get(m), f.__name__, None) is f), None)


def describe_call(f: Any, args: Iterable[Any], kwargs: Mapping[str, Any]) -> str:
    """A call as labels show it: the same in every process, so a function stands there by its name."""
    shown = [describe(x) for x in args]
    shown += [f"{k}={name_of(v) if callable(v) else repr(v)}" for k, v in kwargs.items()]
    return f"{name_of(f)}({', '.join(shown)})"


def describe(x: Any) -> str:
    """An argument as messages show it: its type, with shape and dtype for an array."""
    shape, dtype = getattr(x, "shape", None), getattr(x, "dtype", None)
    name = type(x).__name__
    if not isinstance(shape, tuple) or dtype is None or not shape:
        return name
    return f"{name}[{', '.join(map(str, shape))}] of {dtype}"


class Integer(int):
    """A whole number that varies: an object of its own, as Python's small ones are not."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        return int, (int(self),)


Integer.__name__ = Integer.__qualname__ = "int"  # as messages call it

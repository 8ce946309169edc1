"""Makers: the classes whose objects a function may make, itself or by what it calls.

    def build():
        return [Dense(3), Dense(1)]

    def loss(x):
        for layer in build():
            x = layer(x)             # may be a Dense, which no name of this body says

They are told by names: a function's code names functions and classes, and so do those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from ..reading.locate import names_in
from ..syntax.codes import content_of


def made_by(f: FunctionType, is_users: Callable[[FunctionType], bool]) -> list[type]:
    """The classes in reach of f."""
    seen: dict[int, Any] = {id(f): f}
    waiting = [f]
    while waiting:
        for value in _named(waiting.pop()):
            if id(value) not in seen:
                seen[id(value)] = value
                waiting += filter(is_users, _functions(value))
    return [P for P in seen.values() if isinstance(P, type)]


def _named(f: FunctionType) -> Iterator[Any]:
    """The functions and classes that the code of f names: captured, of its module, of modules it names."""
    names = names_in(f.__code__)
    values = [content_of(cell) for cell in f.__closure__ or ()]
    values += [f.__globals__[n] for n in names if n in f.__globals__]
    for value in values:
        if isinstance(value, ModuleType):
            yield from (v for n in names if _is_code(v := vars(value).get(n)))
        elif _is_code(value):
            yield value


def _is_code(value: Any) -> bool:
    return type(value) is FunctionType or (isinstance(value, type) and value.__module__ != "builtins")


def _functions(value: Any) -> Iterator[FunctionType]:
    """A function itself; of a class, its methods."""
    if isinstance(value, FunctionType):
        yield value
    else:
        for P in value.__mro__:
            for m in vars(P).values():
                m = getattr(m, "__func__", m)  # of a class method
                if isinstance(m, FunctionType):
                    yield m

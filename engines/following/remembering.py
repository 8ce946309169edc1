"""Remembering: objects and partials that keep something while a rule calls them, which it does once more.

What a function puts into a list that it captured is put there once: it gets a list of its own for derivatives
(owning.py). An object is itself for derivatives, too. So it is an error that it puts numbers into a list or
dictionary that it holds, or reads again what it put into a field; and that a function reads again what it put
into what a partial gives it.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable, Iterator
from types import FunctionType, MethodType
from typing import Any

from ...core.callables import describe
from ...core.errors import AliasedMutationError
from ...tangents.functions import FUNCTIONS
from ...tangents.own_dict import own_dict
from ..source.analysis.read_again import fields_read_again, read_again
from .leaves import holders
from .owning import is_object

_CONTAINERS = (list, dict, set, deque)


def changes(x: Any) -> AliasedMutationError:
    """The error for what a function put into an object, or into a variable of this name."""
    name = f"`{x}`" if isinstance(x, str) else describe(x)
    return AliasedMutationError(
        f"a derivative passes through what a function put into {name}, which a rule called",
        next="let the function return what it computes",
    )


def refuse_remembered(x: Any, new: list[Any], held: Iterable[Any]) -> None:
    """Raise where what a rule calls keeps new numbers in x, and would again; `held`: all that it holds."""
    every = list(held)
    for o in every:
        if isinstance(o, functools.partial):
            f: Any = o.func
            args = o.args
            if isinstance(f, MethodType):
                f, args = f.__func__, (f.__self__, *args)
            if type(f) is FunctionType:
                given = zip(f.__code__.co_varnames[: f.__code__.co_argcount], args, strict=False)
                if any(_reaches(v, x) and name in read_again(f) for name, v in given):
                    raise changes(x)
        elif not isinstance(o, FUNCTIONS) and is_object(o):
            _refuse_in_object(o, x, new, every)


def _refuse_in_object(o: Any, x: Any, new: list[Any], held: list[Any]) -> None:
    for name, v in own_dict(o).items():
        if isinstance(x, _CONTAINERS) and _reaches(v, x):
            raise AliasedMutationError(
                f"a rule calls an object of class {type(o).__name__} more often than the program does, and "
                f"it puts something into its `{name}`",
                next="let a function capture what it is put into: then that is done once",
            )
        if o is x and any(v is n for n in new):
            asked = [f for f in _in_reach(type(o), held) if name in fields_read_again(f)]
            if asked:
                raise changes(x)


def _reaches(v: Any, x: Any) -> bool:
    """Whether x is a value or in it."""
    return any(h is x for h in holders(v))


def _in_reach(P: type, held: list[Any]) -> Iterator[FunctionType]:
    """The functions that may be called: those that are held, and methods of a class by the names in them."""
    pending = [h.__func__ if isinstance(h, MethodType) else h for h in held]
    pending.append(P.__call__)
    seen = set[int]()
    while pending:
        f = pending.pop()
        if type(f) is property:
            f = f.fget
        if type(f) is FunctionType and id(f) not in seen:
            seen.add(id(f))
            yield f
            pending += [m for name in f.__code__.co_names if (m := getattr(P, name, None)) is not None]

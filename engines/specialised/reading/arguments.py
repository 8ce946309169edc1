"""Arguments: a call's arguments by position, with those given by name and with defaults."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from types import FunctionType, NoneType
from typing import Any

from .composed import Given, Keyed, Kind, Listed, Made, Named
from .kinds import LONG, has_list, has_listed, has_object, is_keyed, kind_of, kind_of_given, kind_of_object
from .objects import empty, is_named, is_object, stored

_PLAIN = (int, float, bool, str, NoneType)


def kinds_of(argnums: Any, x: tuple[Any, ...]) -> tuple[Any, ...]:
    """The kinds of arguments; lists in those that are differentiated count as tuples."""
    kinds = [kind_of_given(v) for v in x]
    for i in argnums if isinstance(argnums, tuple | list) else (argnums,):
        if -len(x) <= i < len(x) and has_list(kinds[i]):
            kinds[i] = kind_of_moving(x[i])
    return tuple(kinds)


def count_of(f: FunctionType) -> int:
    """How many arguments a function has, with those by name alone."""
    return f.__code__.co_argcount + f.__code__.co_kwonlyargcount


def takes_rest(f: FunctionType) -> bool:
    """Whether a function takes as many arguments as it likes, by position."""
    return bool(f.__code__.co_flags & inspect.CO_VARARGS)


def takes_names(f: FunctionType) -> bool:
    """Whether a function takes as many arguments as it likes, by name."""
    return bool(f.__code__.co_flags & inspect.CO_VARKEYWORDS)


def defaults_of(f: FunctionType) -> tuple[Any, ...]:
    """The defaults of a function's arguments, those by name alone last."""
    return *(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()


def is_plain(v: Any) -> bool:
    """Whether a default is a number, a text, a truth value, nothing, or a tuple of such."""
    return all(map(is_plain, v)) if type(v) is tuple else type(v) in _PLAIN


def is_literal(v: Any) -> bool:
    """Whether Python reads the same where a value is written out, and none of it has a name of its own."""
    if type(v) is tuple:
        return all(type(e) is int for e in v)
    return math.isfinite(v) if type(v) is float else type(v) in _PLAIN


def parameters_of(f: FunctionType) -> tuple[str, ...]:
    """The names of a function's arguments, those of the rest last: `*args`, then `**kwargs`."""
    return f.__code__.co_varnames[: count_of(f) + takes_rest(f) + takes_names(f)]


def by_position(f: FunctionType, x: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...] | None:
    """All arguments in the order of the parameters; None where the call is not one of those.

    A function of as many arguments as it likes is none, and a call that Python refuses.
    """
    code = f.__code__
    if len(x) == count_of(f) and not kwargs and not code.co_kwonlyargcount:
        return x
    if takes_rest(f) or takes_names(f) or len(x) > code.co_argcount:
        return None
    names = code.co_varnames[: count_of(f)]
    known = dict(zip(reversed(names[: code.co_argcount]), reversed(f.__defaults__ or ()), strict=False))
    known.update(f.__kwdefaults__ or {})
    known.update(kwargs)
    wanted = names[len(x) :]
    if not known.keys() >= set(wanted) or not kwargs.keys() <= set(wanted):
        return None
    if kwargs.keys() & set(names[: code.co_posonlyargcount]):
        return None
    return (*x, *(known[n] for n in wanted))


def by_name(f: Callable[..., Any], x: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Of all arguments in the order of the parameters, those by position and those by name alone."""
    code = f.__code__
    count = code.co_argcount if code.co_kwonlyargcount else len(x)
    return x[:count], dict(zip(code.co_varnames[count:], x[count:], strict=False))


def counts_from_left(argnums: Any, given: int) -> bool:
    """Whether a choice of arguments is among those given by position, counted from the left."""
    chosen = argnums if isinstance(argnums, tuple | list) else (argnums,)
    return all(type(i) is int and 0 <= i < given for i in chosen)


def kind_of_moving(v: Any) -> Kind:
    """The kind of an argument that is differentiated, whose lists count as tuples unless they are long."""
    t = type(v)
    if t is list and 0 < len(v) <= LONG:
        return Listed(("T", *map(kind_of_moving, v)))
    if t is tuple and not all(type(e) is int for e in v):
        return ("T", *map(kind_of_moving, v))
    if t is dict and v and is_keyed(v):
        return Keyed(tuple(v), map(kind_of_moving, v.values()))
    if isinstance(v, tuple) and is_named(t):
        return Named.of(t, t._fields, map(kind_of_moving, v))
    return kind_of_object(v, kind_of_moving) if is_object(v) else kind_of(v)


def as_given(v: Any, k: Kind, memo: dict[int, Any]) -> Any:
    """What is given, of this kind, for a recorded run; `memo` has what was made of the same before."""
    if not (has_listed(k) or has_object(k)) or (isinstance(v, tuple) and type(k) is not tuple):
        return v
    if id(v) not in memo:
        memo[id(v)] = v, _as_given(v, k, memo)
    return memo[id(v)][1]


def _as_given(v: Any, k: Any, memo: dict[int, Any]) -> Any:
    if type(k) is Listed:
        return Given([as_given(x, i, memo) for x, i in zip(v, k[1:], strict=True)])
    if type(k) is Keyed:
        made = memo[id(v)] = v, {n: as_given(x, i, memo) for (n, x), i in zip(v.items(), k[1:], strict=True)}
        return made[1]
    if type(k) is not Made:
        return tuple([as_given(x, i, memo) for x, i in zip(v, k[1:], strict=True)])
    if not is_object(v):  # a partial, say
        return v
    made = empty(type(v))
    memo[id(v)] = v, made
    fields = stored(v)
    for n, i in zip(k.keys, k[1:], strict=True):
        x = _as_given(fields[n], i, memo) if type(i) is Keyed else as_given(fields[n], i, memo)
        object.__setattr__(made, n, x)
    return made

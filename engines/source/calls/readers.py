"""Readers: methods and functions elsewhere that name a variable of a module, and what it holds."""

from __future__ import annotations

import dis
import itertools
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np

from ....core.caches import emptied
from ....core.callables import name_of
from ....core.errors import AliasedMutationError
from ..analysis.held_functions import captured_by
from ..analysis.writers import is_users
from ..reading.locate import names_in
from ..syntax.codes import ByCode
from ..values.aliases import overlap
from ..values.reaching import objects_in, plain

Values = tuple[Any, ...]
_globals: ByCode[frozenset[str]] = emptied(ByCode())


def readers_of(
    f: FunctionType, inside: Mapping[str, FunctionType], objects: Values, given: Values
) -> Iterator[tuple[FunctionType, Any]]:
    """The functions that f may call, given such values, and that are not inside it, which name what holds one
    of the objects; with what that is."""
    own = {f.__code__, *(g.__code__ for g in inside.values())}
    pending: list[Any] = [f, *inside.values(), *_callables_in((*objects, *given))]
    theirs = {id(x) for x in pending if isinstance(x, FunctionType)}  # who hand on what they captured
    seen: set[int] = set()
    while pending:
        x = pending.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, type):
            pending += [m for P in x.__mro__ for v in vars(P).values() for m in _functions_of(v)]
            continue
        named = [x.__globals__[n] for n in _global_names(x.__code__) if n in x.__globals__]
        captured = [*captured_by(x)]
        for i, v in enumerate([*named, *captured]):
            if isinstance(v, types.ModuleType):
                pending += [g for n in names_in(x.__code__) for g in _functions_of(vars(v).get(n))]
            elif isinstance(v, type | FunctionType):
                pending += _callables_in((v,))
            elif not plain(v):
                v = first_of(v)
                handed_on = id(x) in theirs and i >= len(named)
                if not (handed_on or x.__code__ in own) and any(overlap(v, y) for y in objects):
                    yield x, v
                pending += _callables_in((v,)) if id(v) not in seen else ()
                seen.add(id(v))


def first_of(v: Any) -> Any:
    """What is looked through of a variable of a module: of a container of many items the first ones."""
    if not isinstance(v, list | tuple | dict | deque) or len(v) <= _MANY:
        return v
    return [*itertools.islice(v.values() if isinstance(v, dict) else v, _MANY)]


_MANY = 100


class Shared(NamedTuple):
    """What a function names that holds, or shares memory with, what another is given; and what it held."""

    reader: FunctionType
    value: Any
    held: Any


def shared_elsewhere(f: FunctionType, changed: Values, given: Values) -> list[Shared]:
    """What functions elsewhere name of what f is given and may change."""
    ids = {id(x) for v in changed for x in objects_in(v)}
    found: dict[int, Shared] = {}
    for reader, v in readers_of(f, {}, changed, given):
        for x in objects_in(v):
            if id(x) in ids or isinstance(x, np.ndarray):
                found[id(x)] = Shared(reader, x, _held(x))
    return [*found.values()]


def refuse_changed_elsewhere(f: Any, shared: list[Shared]) -> None:
    """Raise where a function elsewhere may have read what was changed, as a constant."""
    for reader, value, held in shared:
        if not _holds(value, held):
            raise AliasedMutationError(
                f"{name_of(f)} changes what it is given, and {reader.__qualname__} reads that by another "
                "name, where everything counts as constant",
                next="give it to both as an argument, or change a copy",
            )


def _held(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return x.copy()
    return (
        dict(x)
        if isinstance(x, dict)
        else [*x]
        if isinstance(x, list | deque)
        else {**getattr(x, "__dict__", {})}
    )


def _holds(x: Any, held: Any) -> bool:
    """Whether something holds what it held, but for what has no derivative."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind not in "fcO" or bool(np.array_equal(x, held, equal_nan=x.dtype.kind in "fc"))
    now = _held(x)
    if isinstance(now, dict):
        return all(k in held and _is_same(v, held[k]) for k, v in now.items())
    return len(now) == len(held) and all(map(_is_same, now, held))


def _is_same(a: Any, b: Any) -> bool:
    return a is b or isinstance(a, int | str | None)


def _callables_in(values: Iterable[Any]) -> Iterator[Any]:
    """The user's functions among values and in them, and the classes of their objects."""
    for v in values:
        inside = (v,) if isinstance(v, type | FunctionType) else () if plain(v) else objects_in(v)
        for x in inside:
            if isinstance(x, FunctionType | MethodType):
                yield from _functions_of(x)
            elif _is_users_class(P := x if isinstance(x, type) else type(x)):
                yield P


def _functions_of(v: Any) -> Iterator[FunctionType]:
    """The user's functions that a variable of a class or a module gives."""
    parts = (v.fget, v.fset, v.fdel) if isinstance(v, property) else (getattr(v, "__func__", v),)
    return (g for g in parts if type(g) is FunctionType and is_users(g))


def _is_users_class(P: type) -> bool:
    return P.__module__.partition(".")[0] not in ("builtins", "numpy", "scipy", "chainrules")


def _global_names(code: CodeType) -> frozenset[str]:
    """The variables of its module that code reads, also in functions inside it."""
    known = _globals.get(code)
    if known is None:
        known = frozenset(i.argval for i in dis.get_instructions(code) if i.opname in _READS)
        inner = (c for c in code.co_consts if isinstance(c, CodeType))
        known = _globals[code] = known.union(*map(_global_names, inner))
    return known


_READS = ("LOAD_GLOBAL", "LOAD_NAME")

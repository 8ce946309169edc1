"""Around: the variables of its module that a function changes, itself or by functions that it names."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType, FunctionType

from ....core.registry import rules_of
from ..syntax.codes import ByCode
from .effects_of import changes_by_name
from .writers import is_users

_bound: ByCode[frozenset[str]] = ByCode()


def functions_named(f: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """The functions of f's module that it names, and those that they name."""
    pending, seen = [f], {f.__code__}
    while pending:
        for name in pending.pop().__code__.co_names:
            g = f.__globals__.get(name)
            if type(g) is FunctionType and g.__globals__ is f.__globals__ and g.__code__ not in seen:
                seen.add(g.__code__)
                if is_users(g) and rules_of(g) is None:
                    pending.append(g)
                    yield name, g


def changed_around(f: FunctionType) -> frozenset[str]:
    """The variables of its module whose objects f may change, or that it may bind anew."""
    if not is_users(f):
        return frozenset()
    every = (f, *(g for _, g in functions_named(f)))
    changed = frozenset[str]().union(*(changes_by_name(g) | bound_anew(g.__code__) for g in every))
    return changed.intersection(f.__globals__) - {*f.__code__.co_freevars}


def bound_anew(code: CodeType) -> frozenset[str]:
    """The variables of its module that a function binds, also in functions inside of it."""
    known = _bound.get(code)
    if known is None:
        known = frozenset(i.argval for i in dis.get_instructions(code) if i.opname == "STORE_GLOBAL")
        inside = (c for c in code.co_consts if isinstance(c, CodeType))
        known = _bound[code] = known.union(*map(bound_anew, inside))
    return known

"""Alone: where a variable is the only one that sees an array, so that a store into it tells nobody else.

That is so from the statement that makes the array on, as `a = np.zeros(n)`, in its block and in what is
inside it, until something else may have got hold of the array: another name, a container, a function.
What computes with its numbers does not. Names are grouped for the whole function elsewhere (sharing.py);
here a name that stands for the same array earlier or later in a loop is another thing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from ..reading.resolver import Resolver
from ..syntax.kinds import DEFINITIONS, OUTER
from ..syntax.scopes import Names, binds, blocks, captured, own, own_statements, reads, rebinds_outer, walk
from .buffers import makes_numbers
from .sharing import shared

_VALUES = ("value", "test", "iter")
_NUMBERS = (range, float, int, bool, complex, len, abs, round, divmod, pow)
_ARRAYS = (np.ufunc, type(np.sum))


def alone(body: list[ast.stmt], statements: list[ast.stmt], resolver: Resolver) -> dict[ast.stmt, Names]:
    """By statement that stores, the variables whose arrays nothing else sees when it does."""
    made = {s: name for s in statements if (name := _new_array(s, resolver))}
    if not made:
        return {}
    exposed = _exposed(statements)
    found: dict[ast.stmt, Names] = {}
    for block in _blocks(body):
        names: Names = frozenset()
        for s in block:
            if names:
                inside = own_statements([s])
                names = frozenset(n for n in names - binds(s) if _stays_alone(n, s, inside, resolver))
                found.update((i, names | found.get(i, frozenset())) for i in inside if own(i).stores)
            if s in made:
                names = (names | {made[s]}) - exposed
    return found


def _new_array(s: ast.stmt, resolver: Resolver) -> str:
    """The variable of a statement that makes an array of numbers for it; empty for others."""
    if not makes_numbers(s, resolver) or len(s.targets) > 1 or not resolver.is_inert(s.value.func):  # type: ignore[attr-defined]  # an assignment of a call
        return ""
    return s.targets[0].id  # type: ignore[attr-defined,no-any-return]  # to a name


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    yield body
    for s in body:
        for part in blocks(s):
            yield from _blocks(part)


def _exposed(statements: list[ast.stmt]) -> Names:
    """The names that nested functions and classes see, and those of outer scopes."""
    found: set[str] = set()
    for s in statements:
        if isinstance(s, DEFINITIONS):
            found |= reads(s) | rebinds_outer(s)
        elif isinstance(s, OUTER):
            found.update(s.names)
        elif lambdas := own(s).lambdas:
            found.update(*map(captured, lambdas))
    return frozenset(found)


def _stays_alone(name: str, s: ast.stmt, inside: list[ast.stmt], resolver: Resolver) -> bool:
    return name not in reads(s) or all(_only_uses(i, name, resolver) for i in inside)


def _only_uses(s: ast.stmt, name: str, resolver: Resolver) -> bool:
    """Whether a statement itself does no more with an array than storing into it and computing with it."""
    mine = own(s)
    if name not in mine.reads:
        return True
    read = sum(type(e) is ast.Name and e.id == name for e in mine.expressions)
    stored = sum(type(t.value) is ast.Name and t.value.id == name for t in mine.stores)
    if read == stored:
        return True
    value = next((v for v in (getattr(s, part, None) for part in _VALUES) if v is not None), None)
    if value is None or mine.yields or mine.named or mine.comprehensions:
        return False
    computed = sum(type(e) is ast.Name and e.id == name for e in walk(value))
    return (
        read == stored + computed
        and all(_computes(c, resolver) for c in mine.calls)
        and name not in shared(value, resolver)
    )


def _computes(call: ast.Call, resolver: Resolver) -> bool:
    """Whether a call computes with numbers, of Python or of NumPy, so that it keeps no array."""
    value = resolver.value(call.func)[1]
    if isinstance(value, _ARRAYS):
        return resolver.computes(call)
    return any(value is f for f in _NUMBERS)

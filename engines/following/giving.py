"""Giving: what a rule is given, so that its pullback may keep it, and what it may not do with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import numpy as np

from ...core.callables import describe
from ...core.errors import AliasedMutationError
from ...tangents.functions import FUNCTIONS
from ..returned import held_by
from ..source.analysis.effects_of import changes_captured
from ..source.memory.keeping import kept_by
from ..source.memory.owning import Containers, Copies
from .here import below
from .leaves import PLAIN, arrays_in, holders, is_leaf, leaves_in


class Kept(Copies):
    """Containers, objects and functions as they are now, with the very leaves that are in them."""

    def of(self, x: Any) -> Any:
        """x as it is now."""
        return x if is_leaf(x) else Copies.of(self, x)

    def array(self, x: np.ndarray[Any, Any]) -> Any:
        return x

    def function(self, f: FunctionType) -> FunctionType:
        made = super().function(f)
        if made is f and f.__defaults__:
            made = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
            made.__kwdefaults__, made.__qualname__ = f.__kwdefaults__, f.__qualname__
        return made


_WRITES = "a function without a rule writes into an array beside differentiated values"


def kept_pullback(
    f: Any, rule: Any, is_users: bool, args: tuple[Any, ...], kwargs: dict[str, Any], outer: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Value and pullback by a rule, whose pullback may keep containers and functions that change later.

    Raises:  AliasedMutationError where a function that the rule calls changes what it holds and could vary.
    """
    kind: Any = Kept if is_users else None
    if not all(type(a) in PLAIN or is_leaf(a) for a in (*args, *kwargs.values())):
        kind = kind or kept_by(f, rule, args, kwargs, False)
    if kind is None:
        with unchanged(args, ()):
            y, back = below(outer, rule, *args, **kwargs)
        if type(y) in PLAIN or type(y) in (tuple, list, dict) or is_leaf(y):
            return y, back
        return Containers().of(y), back  # the pullback may keep the object itself
    copies = kind()
    y, back = on_copies(copies, rule, (), args, kwargs, outer)
    if kind is Kept and type(y) not in PLAIN and not is_leaf(y):
        others = Containers()
        others.memo = {id(new): (new, old) for old, new in copies.memo.values() if new is not old}
        y = others.of(y)
    return y, back


def on_copies(
    copies: Any, rule: Any, first: tuple[Any, ...], args: Any, kwargs: Any, outer: tuple[Any, ...]
) -> Any:
    """A call of a rule with copies, in which nothing changes that could vary."""
    values = (*args, *kwargs.values())
    own, words = tuple(map(copies.of, args)), {k: copies.of(v) for k, v in kwargs.items()}
    with unchanged(values, (*own, *words.values())):
        return below(outer, rule, *first, *own, **words)


@contextmanager
def unchanged(values: Any, copies: Any) -> Iterator[None]:
    """While a rule may call functions: these change nothing that they hold and that could vary.

    No site sees what they do. Counts and texts may change.

    Raises:  AliasedMutationError for what was changed.
    """
    functions = [x for x in (*values, *copies) if isinstance(x, FUNCTIONS)]
    for f in functions:
        if isinstance(f, FunctionType) and changes_captured(f):
            raise _changes(f)
    before = [(x, held_by(x)) for f in functions for x in holders(f)]
    try:
        with reading(functions, "a function that is given to a rule writes into an array that it holds"):
            yield
    finally:
        changed = [x for x, held in before if _differs(held, held_by(x))]
    if changed:
        raise _changes(changed[0])


def _changes(x: Any) -> AliasedMutationError:
    return AliasedMutationError(
        f"a function that is given to a rule changes what it holds: {describe(x)}",
        next="let the function return what it computes, and change nothing",
    )


def _differs(before: Any, now: Any) -> bool:
    """Whether what an object holds differs in what could vary."""
    for old, new in zip(before, now, strict=True):
        a = old if isinstance(old, dict) else dict(enumerate(old))
        b = new if isinstance(new, dict) else dict(enumerate(new))
        changed = [v for k in a.keys() | b.keys() if a.get(k) is not b.get(k) for v in (a.get(k), b.get(k))]
        if any(is_leaf(leaf) for v in changed for leaf in leaves_in(v)):
            return True
    return False


@contextmanager
def reading(values: Any, what: str = _WRITES) -> Iterator[None]:
    """While an opaque function runs: the arrays that it is given cannot be written into.

    Raises:  AliasedMutationError where it tries to.
    """
    locked = [a for a in arrays_in(values) if a.flags.writeable]
    for a in locked:
        a.flags.writeable = False
    try:
        yield
    except ValueError as error:
        if locked and "read-only" in str(error):
            raise AliasedMutationError(
                what, next="register a rule that says what it changes (`mutates=`), or give it a copy"
            ) from error
        raise
    finally:
        for a in sorted(locked, key=lambda a: a.base is not None):  # owners first
            a.flags.writeable = True

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
from ..source.memory.keeping import kept_by
from ..source.memory.owning import Containers, Copies
from .here import below
from .leaves import PLAIN, Integer, arrays_in, holders, is_foreign, is_leaf, leaves_in


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


class Given(Containers):
    """Containers and objects of their own, with the very leaves and objects of libraries that are in them."""

    def of(self, x: Any) -> Any:
        return x if is_leaf(x) or is_foreign(x) else Containers.of(self, x)


_WRITES = "a function without a rule writes into an array beside differentiated values"


def keeping_values(
    run: Any, f: Any, rule: Any, is_users: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    """Value and pullback by a rule, whose pullback may keep containers and functions that change later."""
    kind: Any = Kept if is_users else None
    if not all(type(a) in PLAIN or is_leaf(a) for a in (*args, *kwargs.values())):
        kind = kind or kept_by(f, rule, args, kwargs, False)
    if kind is None:
        with noted(run, args):
            y, back = below(run.outer, rule, *args, **kwargs)
        if type(y) in PLAIN or type(y) in (tuple, list, dict) or is_leaf(y):
            return y, back
        return Given().of(y), back  # the pullback may keep the object itself
    copies = kind()
    y, back = on_copies(run, copies, rule, (), args, kwargs)
    if kind is Kept and type(y) not in PLAIN and not is_leaf(y):
        others = Given()
        others.memo = {id(new): (new, old) for old, new in copies.memo.values() if new is not old}
        y = others.of(y)
    return y, back


def on_copies(run: Any, copies: Any, rule: Any, first: tuple[Any, ...], args: Any, kwargs: Any) -> Any:
    """A call of a rule with copies."""
    values = (*args, *kwargs.values())
    own, words = tuple(map(copies.of, args)), {k: copies.of(v) for k, v in kwargs.items()}
    with noted(run, (*values, *own, *words.values())):
        return below(run.outer, rule, *first, *own, **words)


@contextmanager
def noted(run: Any, values: Any) -> Iterator[None]:
    """While a rule may call functions, of which no site sees what they put into what they hold.

    It is an error that a derivative passes through numbers and arrays that they put there.

    Raises:  AliasedMutationError where they write into an array.
    """
    functions = [x for x in values if isinstance(x, FUNCTIONS)]
    if not functions:
        yield
        return
    before = [(x, held_by(x)) for f in functions for x in holders(f)]
    with reading(functions, "a function that is given to a rule writes into an array that it holds"):
        yield
    for x, held in before:
        put = [v for v in put_into(held, held_by(x)) if is_leaf(v) and type(v) is not Integer]
        new = [v for v in put if id(v) not in run.live]
        if new:
            run.put.append(x)
            run.refuse_through(new, changes(x))


def changes(x: Any) -> AliasedMutationError:
    """The error of a derivative through what a function put somewhere while a rule called it."""
    return AliasedMutationError(
        f"a derivative passes through what a function put into {describe(x)}, which a rule called",
        next="let the function return what it computes",
    )


def put_into(before: Any, now: Any) -> Iterator[Any]:
    """The leaves that an object holds now and did not before."""
    for old, new in zip(before, now, strict=True):
        a = old if isinstance(old, dict) else dict(enumerate(old))
        b = new if isinstance(new, dict) else dict(enumerate(new))
        for k, v in b.items():
            if a.get(k) is not v:
                yield from leaves_in(v)


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

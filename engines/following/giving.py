"""Giving: what a rule is given, so that its pullback may keep it, and what it may not do with it."""

from __future__ import annotations

from contextlib import nullcontext
from types import FunctionType
from typing import Any

import numpy as np

from ...core.handed import while_standing
from ..returned import Returned
from .apart import Apart
from .here import below
from .keeping import kept_by, write_into_given
from .leaves import PLAIN, is_foreign, is_handle, is_leaf
from .owning import Containers, Copies, Variables
from .putting import noted


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
        return x if is_leaf(x) or is_foreign(x) or is_handle(x) else Containers.of(self, x)


def keeping_values(
    run: Any, f: Any, rule: Any, is_users: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    """Value and pullback by a rule, whose pullback may keep containers and functions that change later."""
    kind: Any = Kept if is_users else None
    if not all(type(a) in PLAIN or is_leaf(a) for a in (*args, *kwargs.values())):
        kind = kind or kept_by(f, rule, args, kwargs, False)
    if kind is None:
        with noted(run, (*args, *kwargs.values()), rule):
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
    if isinstance(copies, Variables):
        copies.varies = lambda x: run.mark(x) is not None
    values = (*args, *kwargs.values())
    with while_standing(copies.standing) if isinstance(copies, Apart) else nullcontext():
        own, words = tuple(map(copies.of, args)), {k: copies.of(v) for k, v in kwargs.items()}
        given = (*own, *words.values())
        returned = Returned()
        if type(copies) is Kept and write_into_given(values):
            for v, made in zip(values, given, strict=True):
                returned.note(v, made)
        with noted(run, (*values, *given), rule):
            found = below(run.outer, rule, *first, *own, **words)
            returned.bring()
            return found

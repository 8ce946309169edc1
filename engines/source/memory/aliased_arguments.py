"""Joined arguments: what a function may change is, or is a part of, something else that it sees.

In `f(a, a[1:])` a store into the one parameter changes the other. Names of a function's parameters stand for
different objects as far as its syntax tells, so such a call gets a program of its own, in which any of
them may share memory with any other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from ....core.errors import AliasedMutationError
from ..analysis.changing import callables_in, holds_changer
from ..analysis.effects_of import rebinds_captured
from ..analysis.forms import Form
from ..analysis.held_functions import given
from ..analysis.writers import is_users, users_writes
from ..syntax.codes import content_of
from ..syntax.where import call_chain, show_chain
from ..values.aliases import overlap
from ..values.reaching import plain, variables


def form_for(form: Form, f: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
    """The form of a call of f with these arguments."""
    if is_users(f) and (places := given(f, args, kwargs.values(), users_writes)):
        form = dataclasses.replace(form, held=tuple(sorted(places)))
    if not form.lent:
        return form
    named, first = f.__code__.co_varnames, f.__code__.co_argcount
    passed: dict[Any, Any] = dict(enumerate(args)) | dict(kwargs)
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        passed[-1, name] = content_of(cell)
    joined, handed = False, []
    if any(isinstance(slot, str) for slot in form.lent):
        for value in passed.values():
            refuse_rebound(f, value)
    for slot in form.lent:
        if isinstance(slot, str):
            key: Any = (-1, slot)
        elif isinstance(slot, tuple):  # what *args or **kwargs holds under a key
            key = slot[1] if isinstance(slot[1], str) else first + slot[1]
        else:
            key = slot if slot < min(len(args), first) else named[slot]
        lent = passed.get(key)
        if plain(lent):
            continue
        refuse_rebound(f, lent)
        joined = joined or any(k != key and overlap(lent, x) for k, x in passed.items() if x is not f)
        if holds_changer(lent):
            handed.append(
                named[slot] if isinstance(slot, int) else slot if isinstance(slot, str) else named[slot[0]]
            )
    return dataclasses.replace(form, joined=joined, handed=tuple(handed)) if joined or handed else form


def refuse_rebound(f: FunctionType, x: Any) -> None:
    """Raise where a function in x has a variable in common with f that one of the two binds anew.

    Each has the derivative of that variable as its own, and one would not see what the other does.
    """
    own = variables(f)
    for g in callables_in(x) if own else ():
        if type(g) is not FunctionType or g is f:
            continue
        theirs = variables(g)
        for name in rebinds_captured(f) | rebinds_captured(g):
            if name in own and own[name] is theirs.get(name):
                raise AliasedMutationError(
                    f"{f.__name__} and {g.__name__}, which it may call, share the variable `{name}`, "
                    "and one of them rebinds it",
                    where=show_chain(call_chain()),
                    next=f"keep it in a list, as in `{name}[0] = …`, or pass it as an argument",
                )

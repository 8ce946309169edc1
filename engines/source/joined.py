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

from .aliases import overlap, plain
from .forms import Form, content_of


def form_for(form: Form, f: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Form:
    """The form of a call of f with these arguments."""
    if not form.lent:
        return form
    named, first = f.__code__.co_varnames, f.__code__.co_argcount
    given: dict[Any, Any] = dict(enumerate(args)) | dict(kwargs)
    seen = [*given.items(), *((None, content_of(cell)) for cell in f.__closure__ or ())]
    for slot in form.lent:
        if isinstance(slot, tuple):  # what *args or **kwargs holds under a key
            key: Any = slot[1] if isinstance(slot[1], str) else first + slot[1]
        else:
            key = slot if slot < len(args) else named[slot]
        lent = given.get(key)
        if not plain(lent) and any(k != key and overlap(lent, x) for k, x in seen if x is not f):
            return dataclasses.replace(form, joined=True)
    return form

"""Running again: a function with copies of what a run of it may change.

A derivative has the effects of its function once. What runs a function more often, the columns of a forward
Jacobian or differences, keeps it as it is before the first run, and gives every other run copies of that: of
its arguments, of what it captured, of variables of its module, of random generators. What it changes beyond
these, such as a file, cannot be copied.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ...core.callables import call_operator, unbind
from ...core.decorators import frule, rrule
from ...core.registry import rules_of
from ...tangents import ZERO, Composite, is_zero, unthunk
from ..following.here import below, here
from ..following.memory import copied_as_it_lies
from ..following.module_variables import with_variables
from ..following.natives import NATIVE
from ..following.owning import Containers, Renewed, is_used_up
from .analysis.effects_of import changes_captured, counts_captured, rebinds_captured
from .analysis.held_functions import NOWHERE, captured_by, given
from .analysis.writers import is_users, meet, users_writes, writes
from .reading.locate import NoSource, locate

_OWN = f"{__name__.partition('.')[0]}."
_FLAT = (np.ndarray, float, int, complex, str, bytes, np.generic, type, ModuleType, type(None))
_PLAIN = (np.ndarray, float, int, complex, np.float64)


class Again(Renewed):
    """Copies for another run: views of one array stay views of one; functions get variables of their own.

    Random generators and iterators are copied too. A recorded value is never changed.
    """

    def of(self, x: Any) -> Any:
        return x if _is_recorded(x) else super().of(x)

    def array(self, x: np.ndarray[Any, Any]) -> Any:
        """A copy; of a view, the same view of a copy of what it looks at, where that is an array."""
        made = self._as_it_lies(x)
        if any(run.varies(x) for run in here.runs):  # these see that it is filled
            below(here.runs, operator.setitem, made, Ellipsis, x)
        return made

    def _as_it_lies(self, x: np.ndarray[Any, Any]) -> Any:
        base = x.base
        if not isinstance(base, np.ndarray) or not base.flags.forc or not x.size:
            return copied_as_it_lies(x)
        start = x.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return np.ndarray(x.shape, x.dtype, self.of(base), start, x.strides)

    def called(self, f: Any) -> Any:
        if isinstance(f, FunctionType):
            return f if rules_of(f) is not None else self.function(f)
        if isinstance(f, MethodType | functools.partial | BuiltinMethodType):
            return super().called(f)
        return f

    def captured(self, f: FunctionType, name: str, x: Any) -> Any:
        return self.of(x)  # also of what it counts in

    def function(self, f: FunctionType) -> FunctionType:
        return with_variables(super().function(f), self.of)


def _is_recorded(x: Any) -> bool:
    """Whether x is a value that an engine records, which says that it is of the class of what it records."""
    return type(x) is not x.__class__


def changed_places(f: Any, args: tuple[Any, ...], words: Iterable[Any] = ()) -> frozenset[int]:
    """Which of its arguments f may change, counted from the left; −1 is the object of a method."""
    for x in args:
        if type(x) is not np.ndarray and type(x) is not float:
            meet(x)
    before = 0
    if type(f) is not FunctionType and (bound := unbind(f)):
        f, args, before = bound[0], (bound[1], *args), 1
        meet(args[0])
    if type(f) is not FunctionType or rules_of(f) is not None:
        return frozenset()
    held = given(f, args, words, users_writes) if is_users(f) else NOWHERE
    return frozenset(i - before for i in writes(f, held))


def changes(f: Any, x: tuple[Any, ...], kwargs: dict[str, Any], *, unknown: bool = True) -> bool:
    """Whether a run of f may change its arguments, what it captured, or variables of its module.

    `unknown`: the answer where it has no source.
    """
    if rules_of(f) is not None or _is_recorded(f):
        return False
    x = tuple([v for v in x if not _is_recorded(v)])
    values = (*x, *kwargs.values())
    if any(is_used_up(v) for v in values):
        return True
    if changed_places(f, x, kwargs.values()):
        return True
    if isinstance(f, functools.partial):
        return changes(f.func, (*f.args, *x), {**f.keywords, **kwargs}, unknown=unknown)
    g = f.__func__ if isinstance(f, MethodType) else f
    if not isinstance(g, FunctionType):
        call = call_operator(g)
        if not isinstance(call, FunctionType) or rules_of(call) is not None:
            return False
        return changes(call, (g, *x), kwargs, unknown=unknown)
    if not is_users(g):  # one that an operator made does what the function does that it was made of
        return (g.__module__ or "").startswith(_OWN) and any(map(_may_change, captured_by(g)))
    captured = tuple(captured_by(g))
    if any(is_used_up(v) for v in captured):
        return True
    if changes_variables(g) or any(map(_is_made, captured)):
        return True
    if with_variables(g, Again().of) is not g:
        return True
    try:
        locate(g.__code__)
    except NoSource:
        return unknown
    return False


def changes_variables(f: FunctionType, asking: tuple[FunctionType, ...] = ()) -> bool:
    """Whether f, or a function that it captured, changes what it captured, counts in it or binds it anew."""
    if f in asking or rules_of(f) is not None or not is_users(f):
        return False
    inner = (v for v in captured_by(f) if type(v) is FunctionType)
    own = changes_captured(f) or counts_captured(f) or rebinds_captured(f)
    return bool(own) or any(changes_variables(v, (*asking, f)) for v in inner)


def codes_of(f: Any) -> set[CodeType]:
    """The code of a function; of one that an operator made, also of the function that it was made of."""
    g = f.__func__ if isinstance(f, MethodType) else f
    if type(g) is not FunctionType:
        g = call_operator(g)
    if not isinstance(g, FunctionType):
        return set()
    inside = captured_by(g) if (g.__module__ or "").startswith(_OWN) else ()
    return {g.__code__}.union(*(codes_of(v) for v in inside if callable(v) and v is not g))


def _is_made(v: Any) -> bool:
    """Whether a value is a function that an operator made of one that changes things."""
    return isinstance(v, FunctionType) and (v.__module__ or "").startswith(_OWN) and changes(v, (), {})


def _may_change(v: Any) -> bool:
    """Whether a function that an operator captured changes anything, of which its arguments are not known."""
    if isinstance(v, _FLAT) or not callable(v):
        return False
    code = getattr(v, "__code__", None)
    places = changed_places(v, (ZERO,) * (code.co_argcount if code is not None else 0))
    return bool(places) or changes(v, (), {})


def copied(f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """f and its arguments as they are now, to be kept or run once; themselves where f changes nothing."""
    if not changes(f, x, kwargs):
        return f, x, kwargs
    of = Again().of
    return of(f), tuple(map(of, x)), {k: of(v) for k, v in kwargs.items()}


@frule(copied)
def copied_frule(tangents: Any, f: object, x: tuple, kwargs: dict) -> Any:  # type: ignore[type-arg]  # plum dispatches on plain classes
    """the tangents of what is copied"""
    return copied(f, x, kwargs), Composite[tuple](*tangents)


@rrule(copied)
def copied_rrule(f: object, x: tuple, kwargs: dict) -> Any:  # type: ignore[type-arg]  # plum dispatches on plain classes
    """the cotangents of the copies"""

    def copied_pullback(t: Any) -> Any:
        t = unthunk(t)
        return (ZERO, ZERO, ZERO) if is_zero(t) else tuple(t)

    return copied(f, x, kwargs), copied_pullback


def at_entry(f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments as they are now, containers and objects of their own: what a gradient is like."""
    if all(type(v) in _PLAIN for v in x) or not changes(f, x, kwargs):
        return x
    of = Containers().of
    return tuple(map(of, x))


@frule(at_entry)
def at_entry_frule(tangents: Any, f: object, x: tuple, kwargs: dict) -> Any:  # type: ignore[type-arg]  # plum dispatches on plain classes
    """ẋ"""
    return at_entry(f, x, kwargs), tangents[1]


@rrule(at_entry)
def at_entry_rrule(f: object, x: tuple, kwargs: dict) -> Any:  # type: ignore[type-arg]  # plum dispatches on plain classes
    """the cotangent of x is that of what is like it"""

    def at_entry_pullback(t: Any) -> Any:
        return ZERO, t, ZERO

    return at_entry(f, x, kwargs), at_entry_pullback


NATIVE.update((copied, at_entry))  # the arrays of which they are copied by calls that runs see

"""Remade: functions that are made again for each derivative, and have a text all the same.

    for _ in range(100):
        w = w - rate * cr.grad(lambda w: loss(w, X, y))(w)        a lambda, or a function inside a function
        w = w - rate * cr.grad(model.loss)(w)                     a method of an object
        w = w - rate * cr.grad(partial(loss, X=X))(w)             a function with some arguments

What is known of a function's calls belongs to it, and goes with it. So a function whose code was met with
another one before has the text of one that takes what it captured after its arguments, a method that of the
function of its class, and a partial that of its function.
"""

from __future__ import annotations

from functools import partial
from types import FunctionType, MethodType
from typing import Any

from ....core.caches import emptied
from ....core.tracebacks import CALLERS
from ....tangents import ZERO
from ...source.reading.dependence import can_depend
from ...source.reruns import changes
from ...source.syntax.codes import ByCode
from ..reading.calls import is_users
from ..reading.lifting import lifted
from ..reading.objects import is_object
from .aside import stands_aside
from .entry import known_of, learn, specialised, variant_now
from .shown import LASTING

_MET = "__chainrules_met__"
_FAILS = 3  # how often a function is asked for a text that it has not got


class Met:
    """How many functions of one code were met, and how often calls of theirs were learnt from in vain."""

    __slots__ = ("count", "fails")

    def __init__(self) -> None:
        self.count = self.fails = 0


_met: ByCode[Met] = emptied(ByCode())


class Call:
    """The call of a function that lasts, in the place of one that was made anew."""

    __slots__ = ("before", "f", "given", "met", "words")

    def __init__(self, met: Met, f: Any, before: int, given: tuple[Any, ...], words: dict[str, Any]) -> None:
        self.met, self.f, self.before, self.given, self.words = met, f, before, given, words

    def places(self, argnums: Any) -> Any:
        """Which of its arguments these are."""
        return argnums + self.before if type(argnums) is int else tuple([i + self.before for i in argnums])

    def tangents(self, dx: tuple[Any, ...]) -> tuple[Any, ...]:
        """The tangents of its arguments, of which the others do not move."""
        after = len(self.given) - self.before - len(dx)
        return (*[ZERO] * self.before, *dx, *[ZERO] * after)


def lasting_call(f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> Call | None:
    """The call in the place of one of f; None where f lasts itself, or nothing is known to stand for it."""
    if type(f) is MethodType:
        return _of_owner(f.__func__, (f.__self__,), x, kwargs) if is_object(f.__self__) else None
    if type(f) is partial:
        return _of_owner(f.func, f.args, x, {**f.keywords, **kwargs})
    if type(f) is not FunctionType or kwargs:
        return None
    met = _met.get(f.__code__)
    if met is not None and met.count < 2 and f.__dict__.get(_MET) == id(f):  # it lasts itself
        return None
    if not is_users(f):
        return None
    met = _meet(f)
    if met.count < 2 or met.fails > _FAILS:
        return None
    made = lifted(f, len(x), anew=True)
    return None if made is None else Call(met, made.f, 0, (*x, *made.held), {})


def _of_owner(f: Any, before: tuple[Any, ...], x: tuple[Any, ...], kwargs: dict[str, Any]) -> Call | None:
    if type(f) is not FunctionType or not is_users(f):
        return None
    met = _met.get(f.__code__)
    if met is None:
        met = _met[f.__code__] = Met()
    return None if met.fails > _FAILS else Call(met, f, len(before), (*before, *x), kwargs)


def _lasting(f: Any) -> Any:
    """The function in the place of one that was made anew, for as many arguments as it has; else None."""
    met = _met.get(f.__code__) if type(f) is FunctionType else None
    if met is None or met.count < 2:
        return None
    made = lifted(f, f.__code__.co_argcount, anew=True)
    return None if made is None else made.f


LASTING.append(_lasting)


def _meet(f: FunctionType) -> Met:
    """What is known of the functions of this one's code, which is counted once."""
    met = _met.get(f.__code__)
    if met is None:
        met = _met[f.__code__] = Met()
    if f.__dict__.get(_MET) != id(f):
        f.__dict__[_MET] = id(f)
        met.count += 1
    return met


def by_lasting(f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Value and gradients by the text of a function that lasts; None where there is none."""
    call = lasting_call(f, x, kwargs)
    if call is None or not _counts(argnums, len(x)):
        return None
    return specialised(call.f, call.places(argnums), call.given, call.words, True)


def learn_lasting(
    f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any], y: Any, gradients: Any
) -> bool:
    """Note what the ordinary program answered; whether that is a matter of a function that lasts."""
    call = lasting_call(f, x, kwargs)
    if call is None or not _counts(argnums, len(x)):
        return False
    if changes(f, x, kwargs):
        call.met.fails = _FAILS + 1
        return False
    places = call.places(argnums)
    learn(call.f, places, call.given, call.words, y, gradients)
    variant = None if call.words else variant_now(call.f, places, call.given, places)
    call.met.fails += not call.words and (variant is None or variant.dead)
    chosen = argnums if isinstance(argnums, tuple | list) else (argnums,)
    if variant is not None and variant.program is not None:
        unused = {i + call.before for i in chosen if not can_depend(f, x, kwargs, i)}
        variant.program.unused += tuple(unused - {*variant.program.unused})
    return True


def _in_place_of(f: Any, x: Any, argnums: Any = 0) -> Call | None:
    """The same where second derivatives ask, which write texts at once; None where f changes anything."""
    call = lasting_call(f, x, {}) if type(x) is tuple else None
    if call is None or not _counts(argnums, len(x)):
        return None
    if known_of(call.f) is None and changes(f, x, {}):
        call.met.fails = _FAILS + 1
        return None
    return None if call.words else call


def lasting_product(f: Any, x: Any, v: Any, argnums: Any) -> tuple[Any, Any, Any, Any]:
    """What `hvp` is given, with a function that lasts where f was made anew."""
    call = _in_place_of(f, (x,) if argnums is None else x, argnums or 0)
    return (f, x, v, argnums) if call is None else (call.f, call.given, v, call.places(argnums or 0))


def lasting_choice(f: Any, argnums: Any, x: tuple[Any, ...]) -> tuple[Any, Any, tuple[Any, ...]]:
    """The same of a Hessian or a Jacobian."""
    call = _in_place_of(f, x, argnums)
    return (f, argnums, x) if call is None else (call.f, call.places(argnums), call.given)


def lasting_direction(f: Any, x: Any, dx: Any) -> tuple[Any, Any, Any]:
    """The same of a derivative along a direction."""
    fits = type(x) is tuple and type(dx) is tuple and len(x) == len(dx)
    call = _in_place_of(f, x) if fits else None
    return (f, x, dx) if call is None else (call.f, call.given, call.tangents(dx))


def _counts(argnums: Any, count: int) -> bool:
    """Whether a choice of arguments is counted from the left."""
    chosen = argnums if isinstance(argnums, tuple | list) else (argnums,)
    return all(type(i) is int and 0 <= i < count for i in chosen)


for _f in (by_lasting, learn_lasting):
    stands_aside(_f)
CALLERS[by_lasting.__code__] = "both"

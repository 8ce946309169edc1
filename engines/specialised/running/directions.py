"""Directions: which program a derivative along a direction runs, and a product with a Hessian.

As for gradients: after a few calls with arguments of the same kinds the pushforward of the specialised texts
is written, its first answer is compared with the ordinary program's, and it runs where its guards hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ....core import debug
from ....core.caches import generation
from ....core.tracebacks import CALLERS
from ....tangents import ZERO, Composite, is_zero
from ...boundary import LARGE
from ..inferring.inference import Inferred
from ..inferring.session import Session
from ..reading.arguments import by_position, count_of
from ..reading.declined import Declined
from ..reading.kinds import kind_of
from ..writing.tangents import still
from .agreeing import Disagreement, agree
from .aside import stands_aside
from .copies import copies, same_bytes
from .entry import Settings, Variant, lock, read_otherwise, variant_now, variant_of
from .moved import ends_nearby, hides
from .moved import moved as elsewhere
from .ordinary import alone, along
from .pushed import forward, mixed, second

_FLOAT64 = np.dtype(np.float64)
_BUILDERS = {"value": forward, "gradient": second, "mixed": mixed}


def pushed(f: Any, way: str, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    """What f computes (`way` is "value"), or value and gradient ("gradient"), and its tangents along dx.

    None where there is no program for that, or it does not fit. The gradient is that by what moves.
    """
    if type(f) is not FunctionType or not Settings.on or Settings.compared:
        return None
    x, dx = filled(f, x, dx)
    moving, moved = moving_of(x, dx)
    variant = None if moving is None else variant_now(f, (way, moving), x)
    return None if variant is None or variant.program is None else answer_of(variant, x, moved)


def placed(f: Any, x: Any, dx: Any, kwargs: dict[str, Any]) -> Any:
    """Arguments and tangents, what is given by name at its place and still; None where it has no place."""
    if not kwargs:
        return x, dx
    if type(f) is not FunctionType or type(x) is not tuple or type(dx) is not tuple or len(x) != len(dx):
        return None
    full = by_position(f, x, kwargs)
    return None if full is None else (full, (*dx, *[ZERO] * (len(full) - len(x))))


def filled(f: FunctionType, x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    """The arguments and their tangents with those of defaults, which are zero."""
    if len(x) != f.__code__.co_argcount or f.__code__.co_kwonlyargcount:
        full = by_position(f, x, {}) if len(x) == len(dx) else None
        if full is not None:
            return full, (*dx, *[ZERO] * (len(full) - len(x)))
    return x, dx


def answer_of(variant: Variant, x: tuple[Any, ...], dx: Sequence[Any]) -> Any:
    """What the program says, given the tangents of what moves; None where it does not fit, or raises."""
    try:
        return run_of(variant, x, dx)
    except Exception:
        return None


def run_of(variant: Variant, x: tuple[Any, ...], dx: Sequence[Any]) -> Any:
    """What the program says; None where it does not fit."""
    return None if variant.program is None else variant.answer(x, dx)


def _tried(variant: Variant, x: tuple[Any, ...], dx: Sequence[Any]) -> Any:
    """The same where the ordinary program gave an answer, so that no error is right."""
    try:
        return run_of(variant, x, dx)
    except (FloatingPointError, ValueError):  # it does not fit
        return None
    except Exception as error:
        raise Disagreement("the pushforward raises") from error


def moving_of(x: tuple[Any, ...], dx: tuple[Any, ...]) -> tuple[tuple[int, ...] | None, list[Any]]:
    """Which arguments move, and their tangents; None where one is not of the sort that a text takes."""
    found: list[int] = []
    moved: list[Any] = []
    for i, (v, t) in enumerate(zip(x, dx, strict=True)) if len(x) == len(dx) else ():
        if type(v) is np.ndarray and type(t) is np.ndarray:
            t = _plain(v, t)
        elif is_zero(t):
            continue
        else:
            t = _opened(v, t) if type(v) in (tuple, dict) else _plain(v, t)
        if t is None:
            return None, moved
        found.append(i)
        moved.append(t)
    return tuple(found) or None, moved


def _plain(v: Any, t: Any) -> Any:
    """A tangent that is a number or an array, as its primal is; None of what a text does not take."""
    if type(v) is np.ndarray:
        fits = type(t) is np.ndarray and t.dtype is _FLOAT64 and t.shape == v.shape and v.size < LARGE
        return t if fits else None
    return t if type(v) in (float, np.float64) and type(t) in (float, np.float64) else None


def _opened(v: Any, t: Any) -> Any:
    """A tangent of a tuple or dictionary as one; None of what a text does not take."""
    if is_zero(t):
        return still(v)
    if type(v) is tuple:
        if not isinstance(t, tuple | Composite[tuple]) or len(t) != len(v):
            return None
        parts = tuple(map(_opened, v, t))
        return None if any(p is None for p in parts) else parts
    if type(v) is dict:
        if not isinstance(t, dict | Composite[dict]) or list(t) != list(v):
            return None
        named = {k: _opened(v[k], t[k]) for k in v}
        return None if any(p is None for p in named.values()) else named
    return _plain(v, t)


def learn_pushed(f: Any, way: str, x: tuple[Any, ...], dx: tuple[Any, ...], answer: Any, weight: int) -> None:
    """Note a call that the ordinary program answered, and write a program where there were enough.

    `answer` is (value, tangent), or the tangents of the gradients by the arguments that move; None where the
    caller compares. `weight`: how many calls this one stands for.
    """
    if type(f) is not FunctionType or not Settings.on:
        return
    x, dx = filled(f, x, dx)
    moving, moved = moving_of(x, dx)
    variant = None if moving is None else variant_of(f, (way, moving), x)
    if variant is None or moving is None:
        return
    variant.count += weight
    if variant.dead or variant.count < Settings.runs or debug.is_on():
        return
    with lock:
        if variant.program is None and not variant.dead:
            write(variant, f, way, x, moving)
            _compared_everywhere(variant, f, way, x, moved, moving, answer)
        if variant.program is not None and (answer is not None or variant.program.written):
            _compared(variant, f, way, x, moved, moving, answer)


def write(variant: Variant, f: FunctionType, way: str, x: tuple[Any, ...], moving: tuple[int, ...]) -> None:
    """Write a program for calls of these kinds; there is none afterwards where it cannot be written."""
    since = generation()
    try:
        if len(x) != count_of(f):
            raise Declined("defaults")
        if variant.session is None:
            variant.session = Session(x, Inferred)
        kinds = tuple(map(kind_of, x))
        plain = copies(x)
        with np.errstate(all="ignore"):
            variant.session.record(f, kinds, plain)
        program = _BUILDERS[way](variant.session, f, kinds, moving)
        if program.written and f.__code__.co_kwonlyargcount:
            raise Declined("arguments that are written into, beside those by name alone")
        if not program.written and not same_bytes(plain, x):
            raise Declined("arguments that are written into")
        if since != generation():
            return
        variant.program = program
    except Declined as why:
        if read_otherwise(variant, f, x, why):
            write(variant, f, way, x, moving)
    except Exception as error:
        variant.ended(error)
        if Settings.compared:
            raise Disagreement(f"the pushforward of {f.__qualname__} cannot be written") from error


def _compared(
    variant: Variant,
    f: FunctionType,
    way: str,
    x: tuple[Any, ...],
    moved: list[Any],
    moving: tuple[int, ...],
    answer: Any,
) -> None:
    """Give a program up whose answer is another one."""
    program, given = variant.program, copies(x)
    with variant.held():
        if program.written:
            ordinary, along_them = copies(x), _placed(copies(tuple(moved)), moving, len(x))
            with alone(variant), np.errstate(all="ignore"):
                answer = along(f, way, ordinary, along_them, moving)
            if not same_bytes(tuple(along_them[i] for i in moving), tuple(moved)):
                raise Disagreement("a direction that is changed")
        mine = _tried(variant, given, copies(tuple(moved)))
        if mine is not None:
            agree(_told(way, mine), answer)
        if program.written and (mine is None or not same_bytes(ordinary, given)):
            raise Disagreement("arguments that are changed in another way")


def _compared_everywhere(
    variant: Variant,
    f: FunctionType,
    way: str,
    x: tuple[Any, ...],
    moved: list[Any],
    moving: tuple[int, ...],
    answer: Any,
) -> None:
    """Compare a new text where zeros would hide faults: along a direction without any, and nearby."""
    program, numbers = variant.program, (float, np.float64, np.ndarray)
    if program is None or program.written or not all(type(t) in numbers for t in moved):
        return
    places = [] if all(map(np.all, moved)) else [x]
    session = variant.session
    if answer is not None and hides(x, answer) and session is not None and ends_nearby(session):
        places.append(elsewhere(x))
    full = [np.cos(np.arange(1.0, np.size(t) + 1)).reshape(np.shape(t))[()] for t in moved]
    with variant.held():
        for at in places:
            try:
                with alone(variant), np.errstate(all="ignore"):
                    dx = _placed(copies(tuple(full)), moving, len(x))
                    theirs = along(f, way, copies(at), dx, moving)
            except Exception:  # a step out of the domain
                if at is x:
                    raise
                continue
            mine = _tried(variant, at, full)
            if mine is not None:
                agree(_told(way, mine), theirs)


def _placed(tangents: Any, moving: tuple[int, ...], count: int) -> tuple[Any, ...]:
    """The tangents of so many arguments, of which these move."""
    known = dict(zip(moving, tangents, strict=True))
    return tuple([known.get(i, ZERO) for i in range(count)])


def _told(way: str, answer: Any) -> Any:
    """What the ordinary program says, of the answer of a text."""
    return (answer[0][0], answer[1][0]) if way == "value" else answer[1][1]


for _f in (pushed, learn_pushed):
    stands_aside(_f)
CALLERS[pushed.__code__] = "both"

"""Moved: arguments a little elsewhere, where no number is zero or one by chance.

Such numbers hide faults: a text that forgets a term says what the ordinary program says where the term is
zero, and one that forgets a factor where that is one. So where an answer has zeros, or an argument zeros or
ones, a new text is held against the ordinary program once more, nearby.
"""

from __future__ import annotations

import warnings
from types import FunctionType
from typing import Any

import numpy as np

from ....tangents import Composite, fields_of, is_zero
from ..inferring.session import Session
from ..reading.objects import empty, is_named, is_object, stored
from ..reading.steps import walk
from .agreeing import agree, is_of_floats, rounding
from .ordinary import alone, with_value

STEP = 1e-2
"""How far away that is, in units of the numbers' own size."""


def hold_nearby(variant: Any, f: FunctionType, argnums: Any, x: tuple[Any, ...], program: Any) -> None:
    """Raise Disagreement where a text says something else than the ordinary program near x.

    f may change its arguments, and nothing else.
    """
    with alone(variant):
        both_nearby(lambda *x: program.run(*x), lambda *x: with_value(f, argnums, x), x, rounded=True)


def both_nearby(mine: Any, theirs: Any, x: tuple[Any, ...], *, rounded: bool = False) -> None:
    """Raise Disagreement where two say something else near x; not where one does not answer there.

    `rounded`: whether what they say begins with a value, whose rounding counts.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted, found = theirs(*moved(x)), mine(*moved(x))
        except Exception:  # another branch, or a step out of the domain
            return
    agree(found, wanted, rounding(moved(x), wanted[0]) if rounded else 0.0)


def ends_nearby(session: Session) -> bool:
    """Whether the functions of a call tree end elsewhere as they did here: a `while` need not."""
    steps = (s for p in session.profiles.values() for s in walk(p.reading.steps))
    return not any(s.op == "loop" and s.text == "while" for s in steps)


def hides(x: Any, answer: Any) -> bool:
    """Whether a fault may not show in what is answered at x."""
    return has_zeros(answer) or has_neutral(x)


def has_neutral(v: Any) -> bool:
    """Whether a number that is given changes nothing that it is added to, or but the sign of its factor."""
    if isinstance(v, tuple | list | dict):
        return any(map(has_neutral, v.values() if isinstance(v, dict) else v))
    if not (isinstance(v, float) or is_of_floats(v)):
        return False
    return bool(np.any((v == 0.0) | (np.abs(v) == 1.0)))


def has_zeros(t: Any) -> bool:
    """Whether a number in a value or gradient is zero."""
    if isinstance(t, Composite):
        inside = fields_of(t)
        return any(map(has_zeros, inside.values() if isinstance(inside, dict) else inside))
    if isinstance(t, tuple | list):
        return any(map(has_zeros, t))
    return is_zero(t) or not np.all(t)


def moved(v: Any, memo: dict[int, Any] | None = None) -> Any:
    """A value with other floats, in containers and objects of its own; what is one object stays one."""
    memo = {} if memo is None else memo
    if id(v) not in memo:
        memo[id(v)] = _moved(v, memo), v
    return memo[id(v)][0]


def _moved(v: Any, memo: dict[int, Any]) -> Any:
    t = type(v)
    if t is float or t is np.float64:
        return t(v + STEP * direction_of(v))
    if is_of_floats(v):
        return v + STEP * direction_of(v) if v.dtype.kind == "f" else v.copy()
    if t is np.ndarray:
        return v.copy()
    if t is tuple or t is list:
        return t([moved(part, memo) for part in v])
    if t is dict:
        return {k: moved(part, memo) for k, part in v.items()}
    if is_named(t):
        return t._make(moved(part, memo) for part in v)
    if not is_object(v):
        return v
    made = empty(t)
    memo[id(v)] = made, v
    for name, part in stored(v).items():
        object.__setattr__(made, name, moved(part, memo))
    return made


def direction_of(v: Any) -> Any:
    """A direction without zeros, in each number about as large as it."""
    size = np.abs(v)
    draw = np.cos(np.arange(1.0, np.size(v) + 1)).reshape(np.shape(v)) + 1.5
    made = draw * np.where(size > 0.0, size, float(np.mean(size)) or 1.0)
    return made if type(v) is np.ndarray else float(made)

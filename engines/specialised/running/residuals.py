"""Residuals: the function that the programs of a root or a minimum are of, and whether they are there.

It is the residual or objective itself, or w·F of the weights w and of F's arguments, lifted
(reading/lifting.py): what F captured is among its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core import debug
from ....core.recording import is_recording
from ....core.residuals import Excess, Gradient, is_number, is_vector
from ...boundary import LARGE
from ..reading.capturing import is_held
from ..reading.lifting import Lifted, lifted
from ..reading.taken import is_floating
from .entry import Settings

_COUNTS = "__chainrules_solutions__"
_FEW = 32
AFTER_REFUSAL = 10**6
"""How many calls pass before a function that was declined is tried again."""


def is_off() -> bool:
    """Whether the ordinary program is to answer in any case."""
    return not Settings.on or Settings.compared or debug.is_on() or is_recording()


def lifted_for(residual: Any, x: Any, parameters: tuple[Any, ...]) -> Any:
    """The function that the programs are of, what it is given, and what the residual's gives at x.

    None where there are no such programs.
    """
    if not (is_number(x) or (is_vector(x) and 0 < len(x) < LARGE)) or not all(map(is_held, parameters)):
        return None
    kind = type(residual)
    f = residual.objective if kind is Gradient else residual.function if kind is Excess else residual
    y = None if kind is Gradient else f(x, *parameters)
    around = "{}" if kind is Gradient else weighted(y, x, excess=kind is Excess)
    size = np.size(x) if np.ndim(x) else None
    made = _lifted(f, 1 + len(parameters), around, size)
    return None if made is None else (made, (x, *parameters, *made.held), y)


def _lifted(f: Any, count: int, around: str | None, size: int | None = None) -> Lifted | None:
    """f with this around it, of what it captured, too; None where that is large, or f is not taken apart."""
    made = None if around is None else lifted(f, count, around, size)
    return None if made is None or any(np.size(v) >= LARGE for v in made.held) else made


def weighted_for(f: Any, x: tuple[Any, ...], like: Any) -> tuple[Lifted, bool] | None:
    """w·F of the weights and of all arguments of a function F, and whether its value is a list.

    None where there are no programs of it.
    """
    if is_off() or np.size(like) >= LARGE or not all(map(is_held, x)):
        return None
    around = weighted(f(*x), like, excess=False)
    made = _lifted(f, len(x), around)
    return None if made is None or around is None else (made, "np.array({})" in around)


def weighted(y: Any, x: Any, *, excess: bool) -> str | None:
    """The text of w·F(x), or w·(g(x) − x), for a value of the function; None where that is not like x."""
    y = y[()] if type(y) is np.ndarray and not y.ndim else y  # as a spline gives at a number
    listed = type(y) is list and all(map(is_number, y))
    if not (listed or is_vector(y) or is_number(y)) or np.shape(y) != np.shape(x):
        return None
    value = "np.array({})" if listed else "{}"
    if is_number(y):
        return "weight_ * ({} - given0_)" if excess else "weight_ * {}"
    return f"np.sum(weight_ * ({value} - given0_))" if excess else f"np.sum(weight_ * {value})"


def count_of(residual: Any, made: Lifted, at: tuple[Any, ...], more: int = 0) -> int:
    """How many calls there were with values of these kinds, after so many more; below zero if declined."""
    counts: dict[Any, int] = made.f.__dict__.setdefault(_COUNTS, {})
    key = made.f.__code__, type(residual), *[(type(v), np.ndim(v)) for v in at]
    counts[key] = count = counts.get(key, 0) + more
    return count


def are_many(at: Sequence[Any]) -> bool:
    """Whether the parameters have so many numbers that programs without those nobody asks for cost less."""
    return sum(np.size(v) for v in at[1:] if is_floating(v)) > _FEW

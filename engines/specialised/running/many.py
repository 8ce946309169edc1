"""Many: runs of one pushforward along the unit vectors of its arguments.

A text for many directions computes the values once for all of them. Its first answer is compared with a run
along one direction in which all move. Where there is no such text, or it does not fit, there is one run for
each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading.declined import Declined
from .agreeing import Disagreement, agree
from .copies import copies
from .directions import answer_of
from .entry import Settings, Variant

_AT_ONCE = 64
"""How many directions one run takes at most."""


def zero(v: Any) -> Any:
    """The zero tangent of a number or an array."""
    return np.zeros(v.shape) if type(v) is np.ndarray else 0.0


def unit(v: Any, k: int) -> Any:
    """The tangent in which one number of it is one, the others zero."""
    if type(v) is not np.ndarray:
        return 1.0
    t = np.zeros(v.shape)
    t.flat[k] = 1.0
    return t


def along_units(
    variant: Variant, x: tuple[Any, ...], moving: list[int], wanted: list[int], *, by_one: bool = True
) -> Any:
    """For each argument wanted the value and its tangents, with an axis for the argument's numbers in front.

    None where a run does not fit. `by_one`: whether runs along one direction each will do.
    """
    found = []
    for j in wanted:
        count = np.size(x[j])
        parts = [
            _at_once(variant, x, moving, j, k, min(k + _AT_ONCE, count)) for k in range(0, count, _AT_ONCE)
        ]
        if None in parts and by_one:
            parts = [_one_by_one(variant, x, moving, j)]
        if None in parts:
            return None
        found.append(parts[0] if len(parts) == 1 else _joined(parts))
    return found


def _at_once(variant: Variant, x: tuple[Any, ...], moving: list[int], j: int, start: int, stop: int) -> Any:
    count = stop - start
    if variant.program is None or count < variant.program.least:
        return None
    units = np.eye(count, np.size(x[j]), start)
    dx = [units if i == j else np.zeros((count, np.size(x[i]))) for i in moving]
    dx = [t.reshape((count, *np.shape(x[i]))) for t, i in zip(dx, moving, strict=True)]
    return along_all(variant, x, dx, count)


def along_these(variant: Variant, x: tuple[Any, ...], directions: Any) -> Any:
    """The value and its tangents, where the first argument moves alone, along so many directions.

    None where a run does not fit.
    """
    parts = []
    for k in range(0, len(directions), _AT_ONCE):
        dx = directions[k : k + _AT_ONCE]
        few = variant.program is None or len(dx) < variant.program.least
        parts.append(None if few else along_all(variant, x, [dx], len(dx)))
        if parts[-1] is None:
            return None
    return parts[0] if len(parts) == 1 else _joined(parts)


def along_all(variant: Variant, x: tuple[Any, ...], dx: list[Any], count: int) -> Any:
    """What the program returns and its tangents along so many directions, the first axis of each of dx.

    None where there is no such run, or it does not fit.
    """
    program = variant.program
    if program is None or program.many is False or not program.holds():
        return None
    untried = program.many is None
    try:
        y, dy = program.run_many(x, dx, count)
    except (Declined, ArithmeticError, ValueError):
        return None
    except Exception:
        program.many = False
        if Settings.compared:
            raise
        return None
    if untried and not _agrees(variant, x, dx, dy):
        program.many = False
        return None
    return y, dy


def _agrees(variant: Variant, x: tuple[Any, ...], dx: list[Any], dy: Any) -> bool:
    """Whether the tangents are those of one run, along a direction in which all move."""
    weights = np.cos(np.arange(1.0, len(dx[0]) + 1))
    answer = answer_of(variant, x, [_weighed(weights, t) for t in dx])
    if answer is None:
        return False
    try:
        for mine, theirs in zip(_flat(dy), _flat(answer[1]), strict=True):
            agree(np.asarray(_weighed(weights, mine)), np.asarray(theirs))
    except Disagreement:
        if Settings.compared:
            raise
        return False
    return True


def _weighed(weights: Any, t: Any) -> Any:
    return np.tensordot(weights, t, 1) if t.ndim > 1 else float(weights @ t)


def _flat(v: Any) -> list[Any]:
    return [x for part in v for x in _flat(part)] if type(v) in (tuple, list) else [v]


def _joined(parts: list[Any]) -> Any:
    """The tangents of several runs as those of one."""
    return parts[-1][0], _together(np.concatenate, *(dy for _, dy in parts))


def _together(put: Any, *ts: Any) -> Any:
    """Tangents of several runs put together, array by array."""
    if type(ts[0]) in (tuple, list):
        return type(ts[0])(_together(put, *parts) for parts in zip(*ts, strict=True))
    return put(ts)


def _one_by_one(variant: Variant, x: tuple[Any, ...], moving: list[int], j: int) -> Any:
    """The same by one run for each number; what f writes into is changed once."""
    given, y, tangents = x, None, []
    program = variant.program
    for k in range(np.size(x[j])):
        if program is None:
            return None
        given = copies(x) if program.written else x
        dx = [unit(x[i], k) if i == j else zero(x[i]) for i in moving]
        answer = answer_of(variant, given, dx)
        if answer is None:
            return None
        y = answer[0]
        tangents.append(answer[1])
    for i in program.written if program is not None else ():
        x[i][...] = given[i]
    return y, _together(np.stack, *tangents)

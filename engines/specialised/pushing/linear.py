"""Linear: which of the functions in generated texts are linear, and in which of their arguments.

The tangent of such a call is the same call of tangents. What is here are the helpers of the texts themselves
and the functions of NumPy that move or add up entries.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

import numpy as np

from ....core.changes import is_pure
from ....core.registry import rules_of
from ..reading.calls import is_built_in
from ..writing import rundown

_MANY = range(1, 1000)
LINEAR: dict[Any, Any] = {
    rundown.filled: (0,),
    rundown.answered: (2,),
    rundown.dense: (0,),
    rundown.owned: (0,),
    rundown.number: (0,),
    rundown.taken_out: (0, 2),
    rundown.parts_of: (0,),
    rundown.spread: (0,),
    rundown.total: (0,),
    rundown.total_of: (0,),
    rundown.unstored: (0,),
    rundown.slot: (0, 2),
    rundown.slots: (0, *range(2, 1000)),
    rundown.summed_back: (0,),
    rundown.undiffed: (0,),
    rundown.undiagonal: (0,),
    rundown.gave: (0, 1),
    rundown.sliced: (0, 2),
    rundown.each: range(1000),
    rundown.scattered: (0, 2),
    rundown.added: (0, 2),
    rundown.along: (2,),
    rundown.extremes: (2,),
    np.zeros: (),
}
"""The helpers by the places of the arguments in which they are linear; the others carry no tangent on."""

STRETCHED = frozenset(
    {rundown.number, rundown.taken_out, rundown.parts_of, rundown.along, rundown.extremes, rundown.slot}
)
"""Helpers whose tangent may be anything that broadcasts to its value."""

IN_PLACE = frozenset(
    [
        *(rundown.slot, rundown.slots, rundown.each, rundown.gave, rundown.sliced),
        *(rundown.taken_out, rundown.scattered, rundown.added),
    ]
)
"""Helpers that change their first argument."""

CHANGED: dict[Any, tuple[int, ...]] = {rundown.gave: (0, 1)}
"""Those that change others as well, by the places of what they change."""

FIRST: frozenset[Any] = frozenset(
    [
        *(np.sum, np.mean, np.reshape, np.ravel, np.transpose, np.squeeze, np.expand_dims, np.concatenate),
        *(np.stack, np.vstack, np.hstack, np.array, np.cumsum, np.diff, np.roll, np.flip, np.trace, np.diag),
        *(np.copy, np.add.reduce, np.swapaxes, np.moveaxis, np.broadcast_to, np.tile, np.repeat, sum, float),
        *(np.ndarray.sum, np.ndarray.mean, rundown.rolled),
    ]
)
"""Functions that are linear in their first argument, where the others carry no tangent."""

_TERMS = frozenset({"initial", "prepend", "append", "start"})
_BEFORE_TERMS = {sum: 1, np.sum: 5, np.diff: 3, np.add.reduce: 5, np.ndarray.sum: 5}


def adds_terms(f: Any, count: int, names: Iterable[str | None]) -> bool:
    """Whether one of so many arguments by position, or one of these names, is a term of its own.

    The tangent of `np.sum(x, initial=3.0)` has no such term.
    """
    return count > _BEFORE_TERMS.get(f, count) or not _TERMS.isdisjoint(names)


PRODUCTS: frozenset[Any] = frozenset(
    [np.outer, np.vdot, np.dot, np.matmul, np.cross, np.inner, rundown.crossed]
)
"""Functions that are linear in each of two arguments."""

METHODS = frozenset(
    [
        *("copy", "reshape", "transpose", "swapaxes", "ravel", "flatten"),
        *("sum", "mean", "cumsum", "trace", "pop", "values"),
    ]
)
"""Methods that are linear in what they belong to."""


_IN_PLACE_OF: dict[Any, tuple[Any, ...]] = {
    np.add.reduce: (np.sum, np.ndarray.sum),
    np.maximum.reduce: (np.max,),
    np.minimum.reduce: (np.min,),
    rundown.crossed: (np.cross,),
    rundown.rolled: (np.roll,),
}
"""What a text calls in the place of functions that may be given other rules."""


def is_own(f: Any) -> bool:
    """Whether the rules of a function, if it has any, are the library's."""
    return all(map(_is_own, (f, *_IN_PLACE_OF.get(f, ()))))


def _is_own(f: Any) -> bool:
    rules = rules_of(f)
    return rules is None or is_pure(f) or all(is_built_in(m.rule) for m in rules.every if m.rule is not None)


def asks_layout(e: ast.Call) -> bool:
    """Whether the order of entries may follow the array's memory, which a tangent need not share."""
    orders = [k.value for k in e.keywords if k.arg == "order"]
    orders += [a for a in e.args if isinstance(a, ast.Constant) and type(a.value) is str]
    return any(not isinstance(o, ast.Constant) or o.value not in ("C", "F") for o in orders)

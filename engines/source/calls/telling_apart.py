"""Telling arguments apart: one that varies, and that another one holds as well.

    model.weights = w                                 cr.grad(loss)(w, model)

The gradient is that by the argument: what the model holds is constant. But memory that a function changes has
one derivative, whatever it is called. So an argument that varies, and into which the function does not store
by its name, is given as a copy where one that does not vary holds it too. Should either be changed by another
name after all, that is refused: the two would not be one any more.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import numpy as np

from ....core.callables import name_of
from ....core.errors import AliasedMutationError
from ..analysis.forms import slots_of
from ..memory.owning import Copies
from ..reading.locate import NoSource, locate
from ..reading.resolver import CHANGING
from ..syntax.kinds import PARTS
from ..syntax.scopes import base, walk
from ..values.aliases import overlap
from ..values.reaching import objects_in, plain

Values = tuple[Any, ...]


def told_apart(f: Any, values: Values, words: Iterable[Any], varying: Iterable[bool]) -> Values:
    """The values of a call, with copies of those that vary and that others hold too.

    Of an object that varies and holds an array that does not, that array is the copy. An object of which
    methods are called stays itself: they may change it.
    """
    vary = (*varying,)
    still = [i for i, (v, varies) in enumerate(zip(values, vary, strict=False)) if not (varies or plain(v))]
    made = list(values)
    for i, x in enumerate(values):
        if vary[i : i + 1] != (True,) or plain(x):
            continue
        shared = [j for j in still if overlap(x, values[j])]
        if not shared and not any(overlap(x, y) for y in words):
            continue
        if isinstance(x, _COPIED) or not all(isinstance(values[j], np.ndarray) for j in shared):
            changes = _is_stored_into(f, i, len(values)) or _has_methods_called(f, i, len(values), x)
            made[i] = x if changes else Copies().of(x)
            continue
        for j in shared:
            if isinstance(values[j], np.ndarray) and not _is_stored_into(f, j, len(values)):
                made[j] = values[j].copy()
    return tuple(made)


_COPIED = (np.ndarray, list, tuple, dict, deque)


def refuse_changed(f: Any, values: Values, copies: Values) -> None:
    """Raise where a copy was changed by another name."""
    for x, y in zip(values, copies, strict=True):
        if x is y:
            continue
        mine, theirs = objects_in(x), objects_in(y)
        if len(mine) != len(theirs) or not all(map(_are_same, mine, theirs)):
            raise AliasedMutationError(
                f"{name_of(f)} changes an argument by another name: something else holds it too",
                next="give it a copy, as in `f(w.copy(), model)`",
            )


def _is_stored_into(f: Any, i: int, count: int) -> bool:
    """Whether a function stores into one of so many arguments by its name."""
    slots = slots_of(f, count, ())
    return i < len(slots) and f.__code__.co_varnames[slots[i][0]] in _stored_into(f)


def _has_methods_called(f: Any, i: int, count: int, x: Any) -> bool:
    """Whether a function calls methods of an object that it is given, by its name."""
    if isinstance(x, _COPIED):
        return False
    slots = slots_of(f, count, ())
    name = f.__code__.co_varnames[slots[i][0]] if i < len(slots) else ""
    calls = [n.func for n in _nodes_of(f) if isinstance(n, ast.Call)]
    return any(name in base(c) for c in calls if isinstance(c, ast.Attribute | ast.Name))


def _nodes_of(f: FunctionType) -> list[Any]:
    try:
        return [*walk(locate(f.__code__).node)]
    except NoSource:
        return []


def _stored_into(f: FunctionType) -> frozenset[str]:
    """The variables into which a function stores by their names."""
    nodes = _nodes_of(f)
    parts = [n for n in nodes if isinstance(n, PARTS) and not isinstance(n.ctx, ast.Load)]
    names = [n.target for n in nodes if isinstance(n, ast.AugAssign)]
    calls = [n.func for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    methods = [m.value for m in calls if m.attr in CHANGING]
    return frozenset[str]().union(*map(base, (*parts, *names, *methods)))


def _are_same(x: Any, y: Any) -> bool:
    """Whether an object and its copy hold the same numbers and texts; what else is in them is asked apart."""
    if isinstance(x, np.ndarray):
        return bool(x.dtype.hasobject or (x.shape == y.shape and x.tobytes() == y.tobytes()))
    mine, theirs = _held(x), _held(y)
    return mine.keys() == theirs.keys() and all(
        not plain(v) or v is theirs[k] or v == theirs[k] for k, v in mine.items()
    )


def _held(x: Any) -> dict[Any, Any]:
    if isinstance(x, dict):
        return x
    return dict(enumerate(x)) if isinstance(x, list | deque) else getattr(x, "__dict__", {})

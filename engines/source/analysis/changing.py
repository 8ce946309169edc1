"""Changing callables, as the program runs: whether a value is, or holds, one that its calls change.

That is a function that changes what it captured, a method that changes its object, an object with such a
`__call__`. What the syntax tells of them is in changers.py.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

from ....core.errors import AliasedMutationError
from ..reading.callers import RUNNING
from ..syntax.where import call_chain, show_chain

_NOTHING = (float, int, complex, str, bytes, np.ndarray, np.generic, type(None), type)


def _unknown(f: Any) -> bool:
    raise NotImplementedError  # writers.py says


is_changer: Callable[[Any], bool] = _unknown
"""Whether a callable changes itself by being called."""
changes_anything: Callable[[Any], bool] = _unknown
"""Whether it changes that, or what it is given."""


def holds_changer(x: Any) -> bool:
    """Whether an object is, or holds, one that its calls change."""
    return any(map(is_changer, callables_in(x)))


def callables_in(x: Any) -> Iterator[Any]:
    """The callables written in Python that an object is, or holds."""
    pending, seen = [x], set()
    while pending:
        x = pending.pop()
        if isinstance(x, _NOTHING) or id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, list | tuple | set | frozenset | deque):
            pending += [v for v in x if not isinstance(v, _NOTHING)]
        elif isinstance(x, dict):
            pending += x.values()
        elif isinstance(x, MethodType):
            yield x
            pending.append(x.__self__)
        elif isinstance(x, functools.partial):
            pending += [x.func, *x.args, *x.keywords.values()]
        elif type(x) is FunctionType:
            yield x
            pending += [c.cell_contents for c in x.__closure__ or () if c != CellType()]
        else:
            if isinstance(getattr(type(x), "__call__", None), FunctionType):  # noqa: B004  # the same
                yield x
            pending += getattr(x, "__dict__", {}).values()


def unchanging(f: Any) -> None:
    """Refuse a key or test that changes what is differentiated: it is run without a derivative."""
    if f is not None and changes_anything(f):
        raise AliasedMutationError(
            f"{getattr(f, '__name__', f)}, which makes keys or tests, changes what it captured or is given",
            where=show_chain(call_chain()),
            next="compute the keys in a loop before, or pass a function that changes nothing",
        )


def unchanging_all(f: Any, values: Iterable[Any]) -> None:
    """The same of everything that a call of f is given, where f is one that runs keys or tests."""
    if getattr(f, "__name__", "") in RUNNING:
        for x in values:
            unchanging(x if callable(x) else None)

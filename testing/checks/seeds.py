"""Seeds of other kinds: a thunk, an indexed tangent, a structure with a part that is zero or one of these.

Each comes with the same seed in full, so that a check compares the two answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...tangents import (
    ZERO,
    Composite,
    IndexedTangent,
    Thunk,
    fields_of,
    from_fields,
    is_zero,
    primal_type,
    zero_tangent,
)


def alternative_seeds(y: Any, seed: Any) -> Iterator[tuple[str, Any, Any]]:
    """(kind, seed of that kind, the same seed in full) for a value and one of its seeds."""
    if is_zero(seed):
        return
    yield "a thunked", Thunk(lambda: seed), seed
    if isinstance(seed, np.ndarray) and seed.ndim and seed.size and seed.dtype.kind in "fc":
        index = (0,) * seed.ndim
        entry = IndexedTangent(seed.shape, seed.dtype, index, seed[index])
        yield "an indexed", entry, entry.dense()
    if isinstance(seed, Composite) and isinstance(y, primal_type(seed)):
        yield from _partial(y, seed)


def _partial(y: Any, seed: Any) -> Iterator[tuple[str, Any, Any]]:
    """A structured seed with each of its parts zero in turn, and with all of them as thunks."""
    given, zeros = fields_of(seed), fields_of(zero_tangent(y))
    keys = list(given) if isinstance(given, dict) else list(range(len(given)))
    P = primal_type(seed)
    yield "a structured (of thunks)", from_fields(P, _mapped(given, _thunked)), seed
    for key in keys:
        if not is_zero(given[key]):
            sparse, full = (_replaced(given, key, value) for value in (ZERO, zeros[key]))
            yield f"a partial ({key!r} zero)", *(from_fields(P, t) for t in (sparse, full))


def _replaced(given: Any, key: Any, value: Any) -> Any:
    if isinstance(given, dict):
        return {**given, key: value}
    return [value if i == key else t for i, t in enumerate(given)]


def _mapped(given: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(given, dict):
        return {key: change(t) for key, t in given.items()}
    return [change(t) for t in given]


def _thunked(t: Any) -> Any:
    return t if is_zero(t) else Thunk(lambda: t)

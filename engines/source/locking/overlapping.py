"""Stores that NumPy does entry by entry, where one entry's memory is another's: refused.

Such a store has no derivative that its formula would tell. So are changes of what several objects share,
where one of them has a tangent that does not say so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import AliasedMutationError
from ....core.changes import is_computing_once
from ....core.loading import load_for
from ....tangents.slots import Kind
from ..syntax.where import call_chain, show_chain
from .frozen import is_writeable


def is_folded(x: np.ndarray[Any, Any]) -> bool:
    """Whether several entries of an array may be the same memory, so that a store changes others too."""
    return overlaps_itself(x) and is_writeable(x)


def overlaps_itself(x: np.ndarray[Any, Any]) -> bool:
    """Whether several entries of an array, which may be read-only, are the same memory."""
    if x.flags.forc:
        return False
    span = x.itemsize
    for step, n in sorted((abs(step), n) for step, n in zip(x.strides, x.shape, strict=True) if n > 1):
        if step < span:
            return True
        span += (n - 1) * step
    return False


def folded() -> AliasedMutationError:
    """The error for a change of an array in which several entries are the same memory."""
    return AliasedMutationError(
        "an array in which several entries are the same memory is changed in place",
        where=show_chain(call_chain()),
        next="change the array that it is a view of, or a copy",
    )


def refuse_overlap(target: Any, value: Any) -> None:
    """Raise where storing the value in the target reads entries that were written before.

    NumPy copies a value that lies in what it writes into, but not along one axis in the same direction:
    there it goes entry by entry, and with another stride the program computes what it does not say.
    """
    if not isinstance(target, np.ndarray) or target.ndim != 1 or value.ndim == 0:
        return
    step, stride = value.strides[-1], target.strides[0]
    if step != stride and step * stride > 0 and np.shares_memory(target, value):
        raise AliasedMutationError(
            "the value of a store is a view of the entries that it writes into, with another stride",
            where=show_chain(call_chain()),
            closest="NumPy writes such a store entry by entry, and reads some that it has written already",
            next="store a copy of the value, as with `a[i] = v.copy()`",
        )


_REFUSED: tuple[tuple[Callable[[Kind], bool], str, str], ...] = (
    (
        lambda kind: kind.name in ("array", "default"),
        "what an array of objects or the default of a parameter holds is changed in place",
        "keep the objects in a list, and give the function the value when it is called",
    ),
    (
        lambda kind: kind.name == "namespace",
        "the fields of an object are changed in the dictionary that `vars` or `__dict__` gives",
        "set them by their names, or by setattr",
    ),
    (
        lambda kind: kind.P.__module__.startswith("scipy.sparse"),
        "numbers that a sparse array, or an operator, shares memory with are changed in place",
        "make the sparse array of a copy, or after the change; x[i, j] = v and x.setdiag(v) have rules",
    ),
    (
        lambda kind: is_computing_once(kind.P),
        "numbers are changed in place after an object was made of them, which had computed with them",
        "make the object of a copy, or after the change",
    ),
    (
        lambda kind: hasattr(kind.P, "__next__"),
        "what an iterator goes over, or has given, is changed in place while the iterator is kept",
        "keep a list of the items, or make the iterator after the change",
    ),
)


def refuse_kinds(kinds: list[Kind]) -> None:
    """Raise where something of such a kind shares what was changed in place."""
    load_for(kind.P for kind in kinds)  # what declares that a class computes once
    for is_refused, what, next in _REFUSED:
        if any(map(is_refused, kinds)):
            raise AliasedMutationError(what, where=show_chain(call_chain()), next=next)

"""Stores that NumPy does entry by entry, where one entry's memory is another's: refused.

Such a store has no derivative that its formula would tell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import AliasedMutationError
from ..source.syntax.where import call_chain, show_chain

_WRITEABLE = 0x400  # of flags; arrays of `np.broadcast_arrays` warn where they are asked by name


def is_writeable(x: np.ndarray[Any, Any]) -> bool:
    """Whether an array may be written into."""
    return bool(x.flags.num & _WRITEABLE)


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

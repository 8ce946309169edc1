"""Lasting: what stays of values that are stored at places which an index may name twice.

    A[[k, p]] = A[[p, k]]

Where k is p the second row stays, and the first has no part in what comes after it. So the cotangents of what
is stored are those that the shadow has there, times one where a value stays and nothing where it does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_FEW = 32


def lasting(shape: Any, *key: Any) -> Any:
    """One where each value that is stored stays; else an array with nothing for those that do not.

    ValueError where it is not known which of several values at one place stays.
    """
    places = [k for k in key if type(k) is np.ndarray]
    if len(places) == 1 and places[0].ndim == 1 and len(places[0]) <= _FEW:
        few = places[0].tolist()
        if len({*few}) == len(few) and (not few or min(few) >= 0):
            return 1.0
    met = np.zeros(shape, bool)
    met[key] = True
    part = met[key]
    if np.count_nonzero(met) == part.size:
        return 1.0
    if any(p.ndim != 1 or (len(p) > 1 and p.strides[0] <= 0) for p in places):
        raise ValueError("places along several axes, some of them twice")
    last, number = np.empty(shape, int), np.arange(part.size).reshape(part.shape)
    last[key] = number
    return (last[key] == number).astype(float)


def items_of_key(text: str, slice_: str) -> str:
    """The parts of an index as arguments of a call, its slices as objects; `slice_` is what makes one."""
    parts = []
    for part in (p.strip() for p in text.split(",")):
        ends = [end.strip() or "None" for end in part.split(":")]
        parts.append(part if len(ends) == 1 else f"{slice_}({', '.join(ends)})")
    return ", ".join(p for p in parts if p)

"""Grids: what NumPy's `mgrid`, `ogrid`, `r_` and `c_` make of slices whose bounds vary, written out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

GRIDS = (np.mgrid, np.ogrid)
SPANNING = (*GRIDS, np.r_, np.c_)


def spanned(x: Any, kinds: str, *values: Any) -> Any:
    """`x[a:b:c, d]` of one of these, with the kinds "s" and "." of the parts; without a tuple "s" alone."""
    parts: tuple[Any, ...] = ()
    place = 0
    several = len(kinds) > 1
    for kind in kinds:
        if kind == "s":
            parts = (*parts, span(x, several, values[place], values[place + 1], values[place + 2]))
            place = place + 3
        elif kind == ".":
            parts = (*parts, values[place])
            place = place + 1
    if x is np.mgrid:
        return np.stack(np.meshgrid(*parts, indexing="ij")) if several else parts[0]
    if x is np.ogrid:
        return tuple(np.meshgrid(*parts, indexing="ij", sparse=True)) if several else parts[0]
    return x[parts]


def span(x: Any, several: bool, start: Any, stop: Any, step: Any) -> Any:
    """The numbers of one slice, in the arithmetic of NumPy."""
    start = 0 if start is None else start
    if isinstance(step, complex | np.complexfloating):
        count = int(np.abs(step))
        if x is np.r_ or x is np.c_:
            return np.linspace(start, stop, num=count)
        return np.arange(count) * ((stop - start) / float(count - 1) if count != 1 else 1.0) + start
    step = 1 if step is None else step
    if several and (x is np.mgrid or x is np.ogrid):
        return np.arange(math.ceil((stop - start) / step)) * step + start
    return np.arange(start, stop, step)
